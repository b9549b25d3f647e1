"""Polls of platforms: posting one, reading the votes, and what comes of its end.

When a poll ends, its result joins the conversation that asked for it, and starts automations.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bot.plugin.clock import Clock
from bot.plugin.dates import Moment
from bot.plugin.places import (
    AnnounceResult,
    Arrival,
    ChatAdapter,
    Conversation,
    DeliveryError,
    HasPolls,
    KnowsPolls,
    NewPoll,
    Place,
    PlaceGround,
    PlaceParts,
    Poll,
    PollLimits,
    PollResult,
    any_may,
)
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.tables import Database, Unit
from bot.plugin.tools import (
    MARK,
    JsonObject,
    NativeTool,
    Origin,
    Phrase,
    Rescheduled,
    ToolArguments,
    ToolContext,
    ToolError,
    ToolRegistration,
    ToolResult,
    Trust,
    titled,
)
from bot.plugins.polls.store import (
    OPEN_POLLS,
    OpenPoll,
    OpenPolls,
    insert_poll,
    poll_key,
    purge_polls,
    remove_poll,
)

log = logging.getLogger(__name__)

EVERY_S = 60.0
COUNTED_WITHIN = timedelta(hours=1)
"""A platform counts the votes again after the end; what is known then is the result."""
ASKED_FOR = timedelta(days=7)
"""How long a platform is asked about a poll whose end it doesn't tell."""


def poll_desk(adapters: Mapping[str, ChatAdapter], place: Conversation) -> KnowsPolls | None:
    """The polls of a place's platform, if it has any and is connected."""
    adapter = adapters.get(place.platform)
    return adapter.polls if isinstance(adapter, HasPolls) else None


@dataclass(frozen=True)
class PollEnds:
    """Asks about polls whose time is over. A time without Bellhop loses none."""

    database: Database
    clock: Clock
    adapters: Mapping[str, ChatAdapter]
    announce: AnnounceResult

    async def run(self) -> None:
        """Look again and again, until cancelled. Raises StorageError."""
        while True:
            await self.look()
            await self.clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Settle the polls that have ended. Raises StorageError."""
        for poll in await OpenPolls(self.database).due(self.clock.now()):
            await self._look_at(poll)

    async def _look_at(self, known: OpenPoll) -> None:
        late = self.clock.now() - known.ends_at
        desk = poll_desk(self.adapters, known.place)
        try:
            poll = await desk.find(known.place, known.message) if desk is not None else None
        except DeliveryError as error:
            log.info("poll=<%s>, error=<%s> | its end can't be read now", known.key, error)
            if late <= ASKED_FOR:
                return
            poll = None
        if poll is None and desk is None and late <= ASKED_FOR:
            return
        if poll is None:
            log.info("poll=<%s> | it is gone, so it has no result", known.key)
            await self.database.write(Unit.of(remove_poll(known.key)))
        elif poll.ended or late > COUNTED_WITHIN:
            told = await self.ended(known, poll)
            await self.database.write(told.unit)
            if told.then is not None:
                told.then()

    async def ended(self, known: OpenPoll, poll: Poll) -> Arrival:
        """What the end of a poll writes and starts."""
        text = result_words(poll)
        told = await self.announce(
            PollResult(known.key, text, known.asked_in, known.place, known.agent, known.trust)
        )
        return replace(told, unit=Unit.of(remove_poll(known.key)) + told.unit)


def result_words(poll: Poll) -> str:
    """How a poll ended, in words for models."""
    counted = [f"- {one.text}: {one.votes}" for one in poll.answers]
    return "\n".join([f"The poll ended: {poll.question}", *counted, f"Most votes: {_first(poll)}"])


def _first(poll: Poll) -> str:
    most = max((one.votes for one in poll.answers), default=0)
    if not most:
        return "nobody voted"
    first: Sequence[str] = [one.text for one in poll.answers if one.votes == most]
    return first[0] if len(first) == 1 else f"a tie of {' and '.join(first)}"


_MOST = PollLimits()
_SHOWN = 3
"""The most polls that one look shows."""
_VOTING = Origin(Trust.OUTSIDER, "polls")
"""Answers of polls that other people posted."""
_LOOKING_AFTER = Phrase("Looking after a poll")


class PollArguments(ToolArguments):
    action: Literal["make", "read", "end"]
    question: str = Field(default="", max_length=_MOST.question)
    answers: tuple[
        Annotated[str, StringConstraints(min_length=1, max_length=_MOST.answer)], ...
    ] = Field(default=(), max_length=_MOST.answers)
    hours: int = Field(default=24, ge=1, le=_MOST.hours, description="Until it ends.")
    several: bool = Field(default=False, description="One may choose several.")
    poll: str = Field(
        default="", description="Its id; else those here.", json_schema_extra={MARK: "id"}
    )


@dataclass(frozen=True)
class _Asked:
    """A call on a platform with polls."""

    context: ToolContext
    desk: KnowsPolls
    accounts: Sequence[str]
    """The ids of its person there."""
    here: Conversation
    """Where their message stands."""


@dataclass(frozen=True)
class PollTool:
    """Asks the platform what the person may do there themself, before it does it for them."""

    places: PlaceGround
    ends: PollEnds

    def registration(self) -> ToolRegistration:
        tool = NativeTool(
            "polls",
            PollArguments,
            self.run,
            check=self.check,
            doing=_LOOKING_AFTER,
            aloud="make",
        )
        return self.places.offered(tool, lambda platform: platform.has_polls)

    async def check(self, context: ToolContext, given: PollArguments) -> None:
        """Raises ToolError for a poll that can't be made."""
        if given.action != "make":
            return
        if not given.question or len(given.answers) < 2:
            raise ToolError("a poll needs a question and at least two answers")
        if len(set(map(str.casefold, given.answers))) < len(given.answers):
            raise ToolError("answers: two of them are the same")

    async def run(self, context: ToolContext, given: PollArguments) -> ToolResult:
        await self.check(context, given)
        asked = self._asked(context)
        try:
            match given.action:
                case "make":
                    return await self._make(asked, given)
                case "read":
                    return await self._read(asked, given)
                case "end":
                    return await self._end(asked, given)
        except DeliveryError as error:
            again = "; try later" if error.retryable else ""
            raise ToolError(f"{error}{again}") from error

    def _asked(self, context: ToolContext) -> _Asked:
        there = context.conversation
        desk = poll_desk(self.ends.adapters, there)
        if desk is None:
            raise ToolError(f"{there.platform} has no polls here; ask in words instead")
        return _Asked(context, desk, self.places.accounts(context), self.places.standing(context))

    # --- making one ---

    async def _make(self, asked: _Asked, given: PollArguments) -> ToolResult:
        context = asked.context
        if not await any_may(asked.accounts, asked.desk.may_post, asked.here):
            raise ToolError(
                f"{context.person.name} may not post polls here themself, so I don't either; "
                "nothing was posted"
            )
        new = NewPoll(given.question, given.answers, given.hours, given.several)
        key = f"{context.session_id}:{context.cycle_id}:{context.call.key}"
        poll = await asked.desk.post(self.places.answering(context), new, key)
        ends_at = poll.ends_at or context.now
        known = OpenPoll(
            context.person.id,
            context.conversation.key,
            context.agent,
            poll.place,
            poll.message,
            context.origin.trust,
            ends_at,
        )
        where = "in the channel" if poll.place.place is Place.CHANNEL else "here"
        return ToolResult(
            f"posted {where} as poll {poll.message}; it ends on "
            f"{Moment(ends_at, context.timezone).spoken()}, and its result will stand in this "
            "conversation. People see it, so don't repeat it",
            unit=Unit.of(insert_poll(known, context.now)),
            summary=f"poll: {given.question[:60]}",
        )

    # --- reading ---

    async def _read(self, asked: _Asked, given: PollArguments) -> ToolResult:
        known = await self._known(asked, given)
        found = await self._found(asked, given, known)
        if not found:
            raise ToolError(_none_found(given))
        trusts = {one.key: one.trust for one in known}
        worst = max(
            trusts.get(poll_key(one.place.platform, one.message), _VOTING.trust) for one in found
        )
        shown = [_shown(one, asked.context.timezone) for one in found]
        return ToolResult(
            json.dumps({"polls": shown}, ensure_ascii=False),
            origin=Origin(max(worst, Trust.PERSON), _VOTING.source),
        )

    async def _known(self, asked: _Asked, given: PollArguments) -> Sequence[OpenPoll]:
        """The polls that people had posted: the named one, or those that were asked for here."""
        rows = OpenPolls(self.ends.database)
        there = asked.context.conversation
        if not given.poll:
            return await rows.asked_in(there.key)
        one = await rows.get(poll_key(there.platform, given.poll))
        return [one] if one is not None else []

    async def _found(
        self, asked: _Asked, given: PollArguments, known: Sequence[OpenPoll]
    ) -> list[Poll]:
        """Those polls as they are now, and what others posted here. All can be read here."""
        found: dict[str, Poll] = {}
        for one in known:
            here = one.asked_in == asked.context.conversation.key or one.place == asked.here
            if here and (
                one.place.place is Place.DM or await self.places.may_read(asked.context, one.place)
            ):
                poll = await asked.desk.find(one.place, one.message)
                found |= {} if poll is None else {poll.message: poll}
        if given.poll and not found:
            poll = await asked.desk.find(asked.here, given.poll)
            found |= {} if poll is None else {poll.message: poll}
        elif not given.poll and len(found) < _SHOWN:
            found |= {one.message: one for one in await asked.desk.newest(asked.here, _SHOWN)}
        return list(found.values())[:_SHOWN]

    # --- ending one ---

    async def _end(self, asked: _Asked, given: PollArguments) -> ToolResult:
        known = await self._known(asked, given)
        running = [
            one for one in await self._found(asked, given, known) if one.own and not one.ended
        ]
        if not running:
            raise ToolError(
                "there is no running poll of mine like that here; the platform lets me end no other"
            )
        if len(running) > 1:
            several = "; ".join(f"{one.message}: {titled(one.question)}" for one in running)
            raise ToolError(f"poll: say which one. {several}")
        key = poll_key(running[0].place.platform, running[0].message)
        mine = next((one for one in known if one.key == key), None)
        owner = None if mine is None else mine.owner
        if owner != asked.context.person.id and not await any_may(
            asked.accounts, asked.desk.may_end, running[0].place
        ):
            raise ToolError(
                "only who had it made, and who may remove messages here, can end it early; "
                "it goes on"
            )
        ended = await asked.desk.end(running[0])
        told = await self.ends.ended(mine, ended) if mine is not None else Arrival()
        return ToolResult(
            result_words(ended),
            origin=Origin(mine.trust if mine is not None else _VOTING.trust, _VOTING.source),
            unit=told.unit,
            effects=(Rescheduled(),) if told.then is not None else (),
            summary=f"ended the poll {ended.question[:60]}",
        )


def _shown(poll: Poll, timezone: str) -> JsonObject:
    shown: JsonObject = {
        "id": poll.message,
        "question": poll.question,
        "votes": {one.text: one.votes for one in poll.answers},
    }
    if poll.ended:
        shown["ended"] = True
    elif poll.ends_at is not None:
        shown["ends"] = Moment(poll.ends_at, timezone).spoken()
    return shown if poll.own else shown | {"by": poll.author}


def _none_found(given: PollArguments) -> str:
    return f"there is no poll {given.poll[:40]!r} here" if given.poll else "there is no poll here"


class Polls(Plugin[NoSettings]):
    name = "polls"
    title = "polls of the platform: posting, reading and ending them"
    tables = (OPEN_POLLS,)
    starts = ("poll_ended",)
    purges = (purge_polls,)

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(places=partial(_built, given))


def _built(given: Given[NoSettings], ground: PlaceGround) -> PlaceParts:
    ends = PollEnds(given.database, given.clock, ground.adapters, ground.announce)
    return PlaceParts((PollTool(ground, ends).registration(),), (ends.run,))
