"""Commands: the built-in ones, then those of skills; all of them in the control lane.

What platforms are told of them (domain.native_commands.NativeCommands): names, completions, forms.

See docs/rules.md#skills.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from bot.domain.access import Person, Role
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, Completing, matching
from bot.domain.clock import Clock
from bot.domain.command_words import COMMANDS
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase, language_of_app
from bot.domain.messages import (
    Command,
    Conversation,
    IncomingMessage,
    MessageKind,
    OutgoingMessage,
    PlatformPerson,
    ReplyTarget,
)
from bot.domain.native_commands import SEND_FILES, Completion, Fields, FormRefusal
from bot.domain.origins import Trust
from bot.domain.places import Location
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.skills import SkillScope, SlashCommand
from bot.domain.step_keys import ANSWER
from bot.domain.turns import Turn
from bot.domain.work import ControlWork, InterviewWork
from bot.sessions.commands.skill_desk import SkillDesk, draft_of
from bot.sessions.commands.skill_turns import SkillTurns
from bot.sessions.inbox.session_names import session_key
from bot.sessions.outbox.outbox import Outbox, Sending
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.channel_store import Channels
from bot.sessions.wording import phrases
from bot.sessions.wording.phrases import about_command
from bot.skills.commands import SkillCommands
from bot.skills.custom import CustomSkills
from bot.skills.families import title_of
from bot.skills.library import SkillLibrary
from bot.storage.values import HomeValue, home_value, put_home_value
from bot.tools.permission.approvals import ApprovalStore, may_decide
from bot.turns.engine import TurnEngine

QUESTION_OVER = Phrase("That question is not open any more.")

HELP_SKILLS = 20
"""Commands of skills that /help names; more are counted."""
HELP, SKILL = "help", "skill"
HELP_ON_RECORD = "(what I can do here, and which commands there are)"
OWN_NAME = "bellhop"
"""Another name of `/help`, which people try first."""
SKILL_USAGE = "[NAME [TASK]]"
_ONE_PERSONS = ("todo_", "remindme_", "rate_", "why")
"""Verbs of buttons that concern one person alone."""
LEAVING = ("exit", "quit")
"""Words that the terminal itself understands; no skill has such a name."""


@dataclass(frozen=True)
class Commands:
    """Runs the command of a control turn. Built-ins win; `skills` knows the names of all others."""

    built_in: Sequence[ChatCommand]
    """Without /help and /skill, which know all commands."""
    skills: SkillCommands
    """Every slash command, for code that registers, completes or lists them."""
    skill_turns: SkillTurns
    desk: SkillDesk
    contacts: Contacts
    channels: Channels
    approvals: ApprovalStore
    engine: TurnEngine
    outbox: Outbox
    agent: str
    """Who answers."""

    @cached_property
    def _listed(self) -> tuple[ChatCommand, ...]:
        """In the order in which /help lists them."""
        first = ChatCommand(HELP, self._help, (OWN_NAME,))
        last = ChatCommand(SKILL, self.desk.run, usage=SKILL_USAGE)
        return (first, *self.built_in, last)

    @cached_property
    def _by_name(self) -> Mapping[str, ChatCommand]:
        return {name: one for one in self._listed for name in (one.name, *one.aliases)}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the built-in commands."""
        return tuple(self._by_name)

    async def run(self, turn: Turn, work: ControlWork, message: IncomingMessage) -> None:
        """Run the command (or click) of a control turn and answer it."""
        person = self.contacts.sender_of(message)
        if person.role is Role.BANNED:
            return
        command = _command(message)
        asked = Asked(
            person,
            command.args.strip(),
            message,
            session_key(message, person),
            turn,
            self._located(person, message),
            work.ran or (),
            work.at,
        )
        found = self._by_name.get(command.name.casefold())
        said = await found.run(asked) if found else await self._skill(command, asked)
        if not said:
            return  # a turn that the command submitted answers
        reply = CommandReply(said) if isinstance(said, str) else said
        target, agent = await self._answer_to(message, person), self.agent
        if reply.alone and not message.private:
            target = replace(target, ephemeral_to=message.sender.id)
        said, language = reply.text, asked.language
        outgoing = OutgoingMessage(
            target,
            said,
            reply.choices,
            reply.files,
            continues=reply.continues,
            language=language,
            while_open=reply.while_open,
        )
        sending = Sending(
            outgoing,
            person.id,
            agent,
            in_order=False,
            trust=reply.trust,
            asks=reply.asks,
            on_record=reply.on_record,
            aside=True,
        )
        await self.outbox.send(turn, ANSWER, sending)

    async def _answer_to(self, message: IncomingMessage, person: Person) -> ReplyTarget:
        """A click on a reminder, a rating or a card that others decide is answered privately."""
        if message.action is None or message.private:
            return message.reply_to
        if message.action.verb.startswith(_ONE_PERSONS):
            return replace(message.reply_to, ephemeral_to=message.sender.id)
        approval = await self.approvals.get(message.action.ref)
        if approval is None or may_decide(approval, person):
            return message.reply_to
        return replace(message.reply_to, ephemeral_to=message.sender.id)

    async def interview(self, turn: Turn, work: InterviewWork, message: IncomingMessage) -> str:
        """A turn in the person's session that asks about a new skill; returns its answer."""
        person = self.contacts.sender_of(message)
        key, located = session_key(message, person), self._located(person, message)
        return await self.desk.interview(Asked(person, work.name, message, key, turn, located))

    def _located(
        self, person: Person, message: IncomingMessage
    ) -> Callable[[], Awaitable[Location]]:
        return partial(self.channels.locate_for, person.id, message.conversation)

    async def _skill(self, command: Command, asked: Asked) -> str:
        if asked.message.action is not None:
            return await self._late_click(asked)
        conversation = asked.message.conversation
        found = await self.skills.find(command.name, asked.person, conversation)
        if found is not None:
            return await self.skill_turns.submit(asked, found.ref, found.command.name, asked.args)
        near = await self.skills.near(command.name, asked.person, conversation, alone=asked.alone)
        unknown = (
            Phrase("I don't know /{name}. Did you mean /{near}? /help lists the commands.")
            if near
            else Phrase("I don't know /{name}. /help lists the commands.")
        )
        return unknown.said(asked.language, name=command.name, near=near)

    async def _late_click(self, asked: Asked) -> str:
        """A choice without an answer: whose question it was, or how it ended."""
        ref = asked.message.action.ref if asked.message.action else ""
        record = await self.engine.recorded(ref)
        if record is None:
            return QUESTION_OVER.said(asked.language)
        # A question is visible before it is recorded, so only the turn tells that it is open.
        if record.settled_at is None and not record.session.startswith(str(asked.key)):
            return Phrase("That question is for somebody else.").said(asked.language)
        if not record.questions:
            return QUESTION_OVER.said(asked.language)
        newest = record.questions[-1]
        action = asked.message.action
        if newest.state == "open" and action is not None and action.verb == SEND_FILES:
            return phrases.SEND_FILES_HERE.said(asked.language)
        expired = newest.state == "expired"
        over = Phrase("That question has expired.") if expired else QUESTION_OVER
        return over.said(asked.language)

    async def _help(self, asked: Asked) -> CommandReply:
        """The commands. A model needs none of it, and many people's first words are `/start`."""
        language = asked.language
        lines = [
            f"- `/{command.name}{' ' + command.usage if command.usage else ''}`"
            f"{''.join(f' (`/{alias}`)' for alias in command.aliases)}"
            f" {command.words.about.said(language)}"
            for command in self._listed
            if asked.person.role.rank >= command.listed_from.rank
        ]
        runnable = await self.skills.runnable(asked.person, asked.message.conversation)
        skills = [one for one in runnable if asked.alone or not one.private]
        lines += [
            f"- `/{one.command.name}` {about_command(one.command.description, language)}"
            for one in skills[:HELP_SKILLS]
        ]
        if len(skills) > HELP_SKILLS:
            more = Phrase("and {count} more: `/skill list`").said(
                language, count=len(skills) - HELP_SKILLS
            )
            lines.append(f"- {more}")
        role = Phrase("Your role here is {role}; `/rights` says what it allows.").said(
            language, role=asked.person.role.value
        )
        how = Phrase(
            "Write to me in plain words: I keep todos and notes, remember what you tell me, look "
            "things up in your files, and ask back when something is unclear."
        ).said(language)
        text = "\n".join([how, role, "", *lines])
        return CommandReply(text, on_record=HELP_ON_RECORD, trust=Trust.MEMBER)


def skill_commands(
    library: SkillLibrary,
    custom: CustomSkills,
    connected: Callable[[Person], frozenset[str]],
    built_in: Sequence[ChatCommand],
) -> SkillCommands:
    """The commands of skills, which may not have the names of built-in ones."""
    help_, skill = COMMANDS[HELP], COMMANDS[SKILL]
    first = SlashCommand(HELP, help_.about.en, words=help_)
    last = SlashCommand(SKILL, skill.about.en, SKILL_USAGE, words=skill)
    own = SlashCommand(OWN_NAME, first.description)
    listed = [first, own, *(one.slash for one in built_in), last]
    reserved = [HELP, *(name for one in built_in for name in (one.name, *one.aliases))]
    return SkillCommands(library, custom, listed, [*reserved, *LEAVING], connected)


def _command(message: IncomingMessage) -> Command:
    """The command of a message or a click (`approve_session` adds a word after the ref)."""
    if message.kind is MessageKind.STOP:
        return Command("stop")
    if message.action is not None:
        verb, _, scope = message.action.verb.partition("_")
        return Command(verb, f"{message.action.ref} {scope}".strip())
    return message.command or Command("help")


VERBS: Mapping[str, Phrase] = {
    "new": Phrase("make a skill of your own"),
    "list": Phrase("which skills are here for you"),
    "show": Phrase("what a skill says; its name is the task"),
    "share": Phrase("give a skill of yours to everybody here; its name is the task"),
    "remove": Phrase("take a skill away; its name is the task"),
}
"""What may stand behind `/skill` in place of a name."""


@dataclass(frozen=True)
class NativeCommandDesk:
    """The commands and forms that platforms are told about."""

    database: Database
    clock: Clock
    commands: SkillCommands
    custom: CustomSkills
    contacts: Contacts
    channels: Channels
    listed: Sequence[ChatCommand]
    """The built-in commands."""

    def watch(self, conversation: Conversation) -> AsyncGenerator[tuple[SlashCommand, ...], None]:
        return self.commands.watch(conversation, self.clock)

    async def complete(
        self, sender: PlatformPerson, conversation: Conversation, typed: str, locale: str
    ) -> tuple[SlashCommand, ...]:
        person = self.contacts.seen_in(conversation, sender)
        if person.role is Role.BANNED:
            return ()
        wanted = typed.strip().casefold().lstrip("/")
        language = language_of_app(locale)
        verbs = [SlashCommand(verb, about.said(language)) for verb, about in VERBS.items()]
        runnable = [one.command for one in await self.commands.runnable(person, conversation)]
        # The person's own skills first: they are not registered anywhere else.
        own = sorted(runnable, key=lambda one: one.scope is not SkillScope.PERSON)
        fitting = [one for one in (*own, *verbs) if wanted in one.name]
        fitting += [
            one
            for one, family in self.commands.by_name(person)
            if wanted in one.name or wanted in {family, title_of(family)}
        ]
        found = sorted(fitting, key=lambda one: not one.name.startswith(wanted))
        return tuple(
            replace(one, description=about_command(one.description, language)) for one in found
        )

    async def offers(
        self, sender: PlatformPerson, conversation: Conversation, command: str, typed: str
    ) -> tuple[Completion, ...]:
        person = self.contacts.seen_in(conversation, sender)
        found = next((one for one in self.listed if one.name == command), None)
        if found is None or found.offers is None or person.role.rank < found.listed_from.rank:
            return ()
        there = await self.channels.locate_for(person.id, conversation)
        viewer = replace(Viewer.at(there, person), place=IN_DM)
        key = SessionKey(conversation.platform, conversation.workspace, conversation.id, person.id)
        offered = await found.offers(Completing(person, viewer, str(key)))
        return matching(offered, typed)

    async def knows(self, sender: PlatformPerson, conversation: Conversation, name: str) -> bool:
        return await self.commands.knows(
            name, self.contacts.seen_in(conversation, sender), conversation
        )

    @property
    def built_in(self) -> frozenset[str]:
        return self.commands.reserved

    async def review(
        self, sender: PlatformPerson, conversation: Conversation, fields: Fields, locale: str
    ) -> FormRefusal | None:
        person = self.contacts.seen_in(conversation, sender)
        found = await self.custom.check(draft_of(fields), person, conversation)
        if found is None:
            return None
        return FormRefusal(found.field, found.told.said(language_of_app(locale)))

    async def registered(self, scope: str) -> JsonObject | None:
        record = await home_value(self.database, HomeValue.COMMANDS, scope)
        return json.loads(record) if record else None

    async def keep(self, scope: str, record: JsonObject) -> None:
        text = json.dumps(record, sort_keys=True)
        await self.database.write(Unit.of(put_home_value(HomeValue.COMMANDS, text, scope)))
