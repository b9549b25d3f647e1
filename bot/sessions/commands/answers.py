"""`/rate`: whether an answer helped; `/answers`: whether long ones come whole, or their beginning.

A rating stands in `/why`, and a bad one teaches no tools.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from bot.agents.cycle_log.events import rated
from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.history import SEARCH
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply, words
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEventType
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.languages import Phrase
from bot.domain.messages import Choice, MessageKind
from bot.domain.work import envelope_of
from bot.sessions.records.answer_length_store import AnswerLength, AnswerLengths
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.reports.trail import Trail
from bot.sessions.reports.trails import Trails
from bot.tools.catalog.past_requests import PastRequests, normalised
from bot.tools.catalog.past_requests_store import unlearn_unit

_CHOICES = tuple(length.value for length in AnswerLength)
_SAID = {
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
                "answers", self.run, usage=f"[{'|'.join(_CHOICES)}]", offers=words(*_CHOICES)
            ),
        )

    async def run(self, asked: Asked) -> CommandReply:
        """Store the choice, or tell it."""
        person, chosen = asked.person.id, asked.args.casefold()
        if chosen in _CHOICES:
            await self.lengths.choose(person, AnswerLength(chosen))
        said = _SAID[await self.lengths.of(person)]
        return CommandReply(said.said(asked.language), alone=True)


USAGE = "[REF] good|bad"
_HELPED = {"good": True, "bad": False}


@dataclass(frozen=True)
class RateCommand:
    """Stores what a person says about an answer to them; nobody rates another's."""

    trails: Trails
    past: PastRequests | None
    database: Database
    clock: Clock

    def commands(self) -> tuple[ChatCommand, ...]:
        return (ChatCommand("rate", self.run, usage=USAGE, offers=words("good", "bad")),)

    async def run(self, asked: Asked) -> str | CommandReply:
        """A reaction shows itself, so it gets no answer."""
        reply = await self._rated(asked)
        return "" if asked.message.kind is MessageKind.REACTION else reply

    async def _rated(self, asked: Asked) -> CommandReply:
        language, (ref, word) = asked.language, _read(asked.args)
        if word not in _HELPED:
            return _alone(
                Phrase(
                    "Say `/rate {usage}`; without a reference it is your last answer here."
                ).said(language, usage=USAGE)
            )
        conversation = asked.message.conversation.key
        trail = await self.trails.own(ref, conversation, asked.person)
        if trail is None or not trail.events:
            return _alone(
                Phrase("I remember no such answer to you, so there is nothing to rate.").said(
                    language
                )
            )
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
