"""Commands: the built-in ones, then those of skills; all of them in the control lane.

See docs/rules.md#skills.
"""

from collections.abc import Mapping
from dataclasses import replace

from bot.connections.connecting import Connecting
from bot.domain.access import Person, Role
from bot.domain.messages import Command, IncomingMessage, MessageKind, OutgoingMessage, ReplyTarget
from bot.domain.origins import Trust
from bot.domain.skills import SlashCommand
from bot.domain.step_keys import ANSWER
from bot.domain.turns import Turn
from bot.domain.work import ControlWork, InterviewWork
from bot.sessions.approvals.decisions import Decisions
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.commands.built_in import BuiltIns
from bot.sessions.commands.skill_desk import SkillDesk
from bot.sessions.commands.skill_turns import SkillTurns
from bot.sessions.house import House
from bot.sessions.inbox.router import session_key
from bot.sessions.outbox.outbox import Sending
from bot.sessions.reports.rights_report import RightsReports
from bot.skills.commands import SkillCommands
from bot.tools.permission.approvals import may_decide

HELP_SKILLS = 20
"""Commands of skills that /help names; more are counted."""
SKILL = SlashCommand("skill", "run a skill, or: list, show, new, share, remove", "[NAME [TASK]]")
LEAVING = ("exit", "quit")
"""Words that the terminal itself understands; no skill has such a name."""


class Commands:
    """Runs the command of a control turn. Built-ins win; `skills` knows the names of all others."""

    def __init__(
        self,
        house: House,
        decisions: Decisions,
        connecting: Connecting,
        rights_reports: RightsReports,
    ) -> None:
        self._house = house
        first = (
            BuiltIn("help", "what I can do and which commands there are", self._help),
            *BuiltIns(house, decisions, connecting, rights_reports).commands(),
        )
        listed = [*(one.slash for one in first), SKILL]
        reserved = [*(name for one in first for name in (one.name, *one.aliases)), *LEAVING]
        self.skills = SkillCommands(
            house.skills, house.custom_skills, listed, reserved, house.connected
        )
        """Every slash command, for code that registers, completes or lists them."""
        self.skill_turns = SkillTurns(house.engine, house.clock, self.skills)
        self._desk = SkillDesk(
            self.skill_turns,
            house.engine,
            house.outbox,
            house.channels,
            house.custom_skills,
            lambda person: house.skills.visible(person.role, house.connected(person)),
            house.rules.default_agent,
        )
        self._built_in = (
            *first,
            BuiltIn(SKILL.name, SKILL.description, self._desk.run, usage=SKILL.usage),
        )
        self._by_name: Mapping[str, BuiltIn] = {
            name: command for command in self._built_in for name in (command.name, *command.aliases)
        }

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the built-in commands."""
        return tuple(self._by_name)

    async def run(self, turn: Turn, work: ControlWork, message: IncomingMessage) -> None:
        """Run the command (or click) of a control turn and answer it."""
        person = self._house.person(message)
        if person.role is Role.BANNED:
            return
        command = _command(message)
        asked = Asked(
            person,
            command.args.strip(),
            message,
            session_key(message, person),
            turn,
            work.ran or (),
            work.at,
        )
        found = self._by_name.get(command.name.casefold())
        said = await found.run(asked) if found else await self._skill(command, asked)
        if not said:
            return  # a turn that the command submitted answers
        reply = CommandReply(said) if isinstance(said, str) else said
        # Answers quote what others wrote: skills, staged tools, requests.
        target, agent = await self._answer_to(message, person), self._house.rules.default_agent
        if reply.alone and not message.private:
            target = replace(target, ephemeral_to=message.sender.id)
        outgoing = OutgoingMessage(target, reply.text, files=reply.files)
        sending = Sending(
            outgoing,
            person.id,
            agent,
            in_order=False,
            trust=Trust.OUTSIDER,
            on_record=reply.on_record,
            aside=True,
        )
        await self._house.outbox.send(turn, ANSWER, sending)

    async def _answer_to(self, message: IncomingMessage, person: Person) -> ReplyTarget:
        """A click on a reminder, or on a card that others decide, is answered privately."""
        if message.action is None or message.private:
            return message.reply_to
        if message.action.verb.startswith(("todo_", "remindme_")):
            return replace(message.reply_to, ephemeral_to=message.sender.id)
        approval = await self._house.approvals.get(message.action.ref)
        if approval is None or may_decide(approval, person):
            return message.reply_to
        return replace(message.reply_to, ephemeral_to=message.sender.id)

    async def interview(self, turn: Turn, work: InterviewWork, message: IncomingMessage) -> str:
        """A turn in the person's session that asks about a new skill; returns its answer."""
        person = self._house.person(message)
        return await self._desk.interview(
            Asked(person, work.name, message, session_key(message, person), turn)
        )

    async def _skill(self, command: Command, asked: Asked) -> str:
        if asked.message.action is not None:
            return await self._late_click(asked)
        conversation = asked.message.conversation
        found = await self.skills.find(command.name, asked.person, conversation)
        if found is not None:
            return await self.skill_turns.submit(asked, found.ref, found.command.name, asked.args)
        near = await self.skills.near(command.name, asked.person, conversation, alone=asked.alone)
        meant = f" Did you mean /{near}?" if near else ""
        return f"I don't know /{command.name}.{meant} /help lists the commands."

    async def _late_click(self, asked: Asked) -> str:
        """A choice without an answer: whose question it was, or how it ended."""
        ref = asked.message.action.ref if asked.message.action else ""
        record = await self._house.engine.recorded(ref)
        if record is None or not record.questions:
            return "That question is not open any more."
        newest = record.questions[-1]
        if newest.state == "open" and not record.session.startswith(str(asked.key)):
            return "That question is for somebody else."
        return (
            "That question has expired."
            if newest.state == "expired"
            else "That question is not open any more."
        )

    async def _help(self, asked: Asked) -> str:
        about = (
            "Write to me in plain words: I keep todos and notes, remember what you tell me, look "
            "things up in your"
            " files, and ask back when something is unclear."
        )
        lines = [
            f"- `/{command.name}{' ' + command.usage if command.usage else ''}`"
            f"{''.join(f' (`/{alias}`)' for alias in command.aliases)} {command.help}"
            for command in self._built_in
            if asked.person.role.rank >= command.least.rank
        ]
        runnable = await self.skills.runnable(asked.person, asked.message.conversation)
        skills = [one for one in runnable if asked.alone or not one.private]
        lines += [
            f"- `/{one.command.name}` {one.command.description}" for one in skills[:HELP_SKILLS]
        ]
        if len(skills) > HELP_SKILLS:
            lines.append(f"- and {len(skills) - HELP_SKILLS} more: `/skill list`")
        return "\n".join([about, "", *lines])


def _command(message: IncomingMessage) -> Command:
    """The command of a message or a click (`approve_session` adds a word after the ref)."""
    if message.kind is MessageKind.STOP:
        return Command("stop")
    if message.action is not None:
        verb, _, scope = message.action.verb.partition("_")
        return Command(verb, f"{message.action.ref} {scope}".strip())
    return message.command or Command("help")
