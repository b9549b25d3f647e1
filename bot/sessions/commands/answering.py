"""What is answered, and how.

`/mode` in a channel, `/follow` and `/leave` in a thread say whom Bellhop answers. `/ask` and
`/catchup` ask beside whatever runs, for commands and for the menus of messages and people.
`/answers` chooses whether long answers come whole. `/rate` says whether one helped: a rating stands
in `/why`, and a bad one teaches no tools.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

from bot.agents.cycle_log.events import rated
from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.history import SEARCH
from bot.domain.access import INNER_RANK, Role
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, words
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEventType
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase
from bot.domain.message_actions import ASK_COMMAND, MenuAction, MenuWish, menu_action, wish_of
from bot.domain.messages import Choice, IncomingMessage, MessageKind, Place
from bot.domain.work import MessageWork, dump_work, envelope_of
from bot.place_settings import ReplyTo
from bot.sessions.records.answer_length_store import AnswerLength, AnswerLengths
from bot.sessions.records.channel_store import choose_mode
from bot.sessions.records.conversation_store import follow_write, leave_write, seen_unit
from bot.sessions.records.envelope import incoming_from_json, incoming_to_json
from bot.sessions.reports.trail import Trail
from bot.sessions.reports.trails import Trails
from bot.sessions.wording import phrases
from bot.tools.catalog.past_requests import PastRequests, normalised
from bot.tools.catalog.past_requests_store import unlearn_unit
from bot.tools.policy.rights import Rights
from bot.turns.engine import TurnEngine

NO_THREAD = Phrase("That works in a thread alone. In a channel I answer who mentions me.")
MODE_HOW = Phrase(
    "A Partner changes it: `/mode mention`, `free`, `quiet`, or `default` for the setting."
)
MODE_KEPT = Phrase("The operator's rules keep this as it is.")

_DEFAULT = "default"
_MODES = tuple(mode.value for mode in ReplyTo)
_MODE_SAID = {
    ReplyTo.MENTION: Phrase(
        "In this channel I answer who mentions me or replies to me, and the threads that I am in."
    ),
    ReplyTo.FREE: Phrase("In this channel I answer everybody who doesn't speak to somebody else."),
    ReplyTo.QUIET: Phrase("In this channel I only listen. Commands still work."),
}


@dataclass(frozen=True)
class ModeCommand:
    """Everybody may ask. A Partner chooses for the channel, unless a rule forbids it there."""

    database: Database
    clock: Clock
    rights: Rights

    def commands(self) -> tuple[ChatCommand, ...]:
        names = (*_MODES, _DEFAULT)
        return (ChatCommand("mode", self.run, usage=f"[{'|'.join(names)}]", offers=words(*names)),)

    async def run(self, asked: Asked) -> str:
        """Store the choice, or tell it."""
        here, wanted = asked.message.conversation, asked.args.casefold()
        if here.place is Place.DM:
            return Phrase("Here I answer everything. `/mode` is for channels.").said(asked.language)
        if not wanted:
            return await self._told(asked)
        if asked.person.role.rank < Role.PARTNER.rank:
            return phrases.PARTNER_DECIDES.said(asked.language)
        if wanted not in {*_MODES, _DEFAULT}:
            return MODE_HOW.said(asked.language)
        if not self.rights.at(await asked.located()).may_change:
            return f"{MODE_KEPT.said(asked.language)} {await self._told(asked)}"
        mode = "" if wanted == _DEFAULT else wanted
        await self.database.write(Unit.of(choose_mode(here, mode, self.clock.now())))
        return await self._told(asked)

    async def _told(self, asked: Asked) -> str:
        there = self.rights.at(await asked.located())
        said = _MODE_SAID[there.reply or ReplyTo.MENTION].said(asked.language)
        return f"{said} {MODE_HOW.said(asked.language)}" if there.may_change else said


@dataclass(frozen=True)
class ThreadCommands:
    """Anybody in a thread may send Bellhop away; members bring it in."""

    database: Database

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("follow", self.follow), ChatCommand("leave", self.leave))

    async def follow(self, asked: Asked) -> str:
        here = asked.message.conversation
        if here.place is not Place.THREAD:
            return NO_THREAD.said(asked.language)
        if asked.person.role.rank < INNER_RANK:
            members = Phrase("Only members can have me follow a thread. Mention me, and I answer.")
            return members.said(asked.language)
        await self.database.write(Unit.of(follow_write(here.key, again=True)))
        told = Phrase("I follow this thread: write here without a mention. `/leave` sends me away.")
        return told.said(asked.language)

    async def leave(self, asked: Asked) -> str:
        here = asked.message.conversation
        if here.place is not Place.THREAD:
            return NO_THREAD.said(asked.language)
        await self.database.write(Unit.of(leave_write(here.key)))
        return Phrase(
            "I leave you to it: in this thread I answer only who mentions me. `/follow` brings me "
            "back."
        ).said(asked.language)


CATCH_ME_UP = Phrase("Catch me up: what happened here since I was last here?")


@dataclass(frozen=True)
class AskCommand:
    """Submits a turn of its own, behind a running one, which never takes it as steering."""

    engine: TurnEngine
    clock: Clock

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(ASK_COMMAND, self.run, usage="QUESTION"),
            ChatCommand("catchup", self.catch_up, usage="[#CHANNEL]"),
        )

    async def run(self, asked: Asked) -> str:
        """Why there is no answer, or "" if a turn will answer."""
        return await self._submit(asked, _wish(asked))

    async def catch_up(self, asked: Asked) -> str:
        """The same, about what happened since the person was last here."""
        words = f"{CATCH_ME_UP.said(asked.language)} {asked.args}".strip()
        return await self._submit(asked, MenuWish(words, words))

    async def _submit(self, asked: Asked, wish: MenuWish) -> str:
        message = asked.message
        if not wish.text:
            return Phrase("Say what you want to know: `/ask QUESTION`.").said(asked.language)
        question = await self.engine.open_question(message.conversation.key, asked.person.id)
        if question is not None and not asked.again:
            return Phrase(
                "I am waiting for your answer; answer first, or /stop, and then ask again."
            ).said(asked.language)
        said = replace(
            message,
            kind=MessageKind.TEXT,
            text=wish.text,
            typed=wish.typed,
            private=message.private or message.aside,
            command=None,
        )
        unit = Unit() if message.aside else seen_unit(said, asked.person, self.clock.now())
        body = dump_work(MessageWork(incoming_to_json(said)))
        await self.engine.submit(str(asked.key), f"{ASK_COMMAND}:{message.key}", body, unit=unit)
        return ""


def _wish(asked: Asked) -> MenuWish:
    message = asked.message
    action = menu_action(message.command)
    if action is None or action is MenuAction.ASK:
        return MenuWish(asked.args, _behind(message))
    name, _, who = asked.args.rpartition(" ") if action is MenuAction.ABOUT else ("", "", "")
    return wish_of(action, message.locale, name=name or who, who=who)


def _behind(message: IncomingMessage) -> str:
    """The typed words without the name of the command."""
    words = message.own_words.strip()
    first, _, rest = words.partition(" ")
    return rest.strip() if first.lstrip("/!").casefold() == ASK_COMMAND else words


_LENGTHS = tuple(length.value for length in AnswerLength)
_LENGTH_SAID = {
    AnswerLength.WHOLE: Phrase(
        "You get answers whole. `/answers short` shows the beginning of long ones, and the rest "
        "as a file; `/answers thread` the rest in the thread."
    ),
    AnswerLength.SHORT: Phrase(
        "You get the beginning of long answers, and the whole as a file. `/answers whole` changes "
        "it."
    ),
    AnswerLength.THREAD: Phrase(
        "Where an answer opens a thread, a long one begins in the channel, and the rest is in the "
        "thread. `/answers whole` changes it."
    ),
}


@dataclass(frozen=True)
class AnswersCommand:
    """The choice holds for its person everywhere."""

    lengths: AnswerLengths

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "answers", self.run, usage=f"[{'|'.join(_LENGTHS)}]", offers=words(*_LENGTHS)
            ),
        )

    async def run(self, asked: Asked) -> CommandReply:
        """Store the choice, or tell it."""
        person, chosen = asked.person.id, asked.args.casefold()
        if chosen in _LENGTHS:
            await self.lengths.choose(person, AnswerLength(chosen))
        said = _LENGTH_SAID[await self.lengths.of(person)]
        return _alone(said.said(asked.language))


RATE_USAGE = "[REF] good|bad"
_HELPED = {"good": True, "bad": False}


@dataclass(frozen=True)
class RateCommand:
    """Stores what a person says about an answer to them; nobody rates another's."""

    trails: Trails
    past: PastRequests | None
    database: Database
    clock: Clock

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("rate", self.run, usage=RATE_USAGE, offers=words("good", "bad")),)

    async def run(self, asked: Asked) -> str | CommandReply:
        reply = await self._rated(asked)
        # A reaction shows itself, so it gets no answer.
        return "" if asked.message.kind is MessageKind.REACTION else reply

    async def _rated(self, asked: Asked) -> CommandReply:
        language, (ref, word) = asked.language, _read(asked.args)
        if word not in _HELPED:
            how = Phrase("Say `/rate {usage}`; without a reference it is your last answer here.")
            return _alone(how.said(language, usage=RATE_USAGE))
        conversation = asked.message.conversation.key
        trail = await self.trails.own(ref, conversation, asked.person)
        if trail is None or not trail.events:
            nothing = Phrase("I remember no such answer to you, so there is nothing to rate.")
            return _alone(nothing.said(language))
        await self._store(asked, trail, helped=_HELPED[word])
        if _HELPED[word]:
            return _alone(Phrase("Thank you. I noted that it helped.").said(language))
        return CommandReply(
            Phrase(
                "Noted: it did not help. I won't choose tools by it. `/why {ref}` shows how it "
                "came about. Tell me what was wrong, and I try again."
            ).said(language, ref=trail.ref),
            alone=True,
            choices=(Choice(Phrase("How did it come about?").said(language), trail.ref, "why"),),
        )

    async def _store(self, asked: Asked, trail: Trail, *, helped: bool) -> None:
        event = rated(trail.events, f"rated:{asked.turn.id}", self.clock.now(), helped=helped)
        person, unit = asked.person.id, events_unit([event])
        requests = frozenset[frozenset[str]]() if helped else frozenset(_requests(trail))
        unit += unlearn_unit(person, requests) if requests else Unit()
        await self.database.write(unit)
        if self.past is not None and requests:
            self.past.unlearn(person, requests)


def _read(args: str) -> tuple[str, str]:
    """The reference and the word; each may stand first."""
    words = args.casefold().split()[:2]
    said = next((word for word in words if word in _HELPED), "")
    return next((word for word in words if word != said), ""), said


def _requests(trail: Trail) -> Iterator[frozenset[str]]:
    """The person's words of the turn, and what the model searched tools with."""
    if trail.record is not None and (envelope := envelope_of(trail.record.body)):
        yield normalised(incoming_from_json(envelope).own_words)
    for event in trail.events:
        if event.type is CycleEventType.TOOL_CALL and event.data.get("tool_name") == SEARCH:
            yield normalised(_query(event.data.get("tool_input")))


def _query(given: object) -> str:
    try:
        arguments = json.loads(str(given))
    except ValueError:
        return ""
    return str(cast("JsonObject", arguments).get("query") or "")


def _alone(text: str) -> CommandReply:
    return CommandReply(text, alone=True)
