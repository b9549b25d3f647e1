"""Due work without a person present: the interface for the runner."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from bot.agents.loop.outcomes import Answered, Failed, LoopOutcome, Stopped
from bot.domain.access import Person
from bot.domain.chat import KnowsMembers
from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language
from bot.domain.messages import IncomingMessage
from bot.domain.places import Reach
from bot.domain.privacy import Learned
from bot.domain.sessions import StoredBlock
from bot.domain.tool_outcomes import SILENT
from bot.domain.turns import Turn
from bot.errors import DeliveryError
from bot.sessions.people.people import People
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.wording.endings import language_for
from bot.tools.policy.verdicts import SCHEDULING_TOOL
from bot.turns.schedules import reason_words as reasons
from bot.turns.schedules import store
from bot.turns.schedules.showing import NOTHING_TO_SAY

log = logging.getLogger(__name__)


class DueWork(Protocol):
    """A due task, todo or automation, with the message that its run answers."""

    @property
    def name(self) -> str:
        """Its name for its owner."""
        ...

    @property
    def message(self) -> IncomingMessage: ...

    @property
    def home(self) -> IncomingMessage:
        """The message that created it, in the place where its owner is notified."""
        ...

    @property
    def person(self) -> Person:
        """Its owner, with their current role."""
        ...

    @property
    def words(self) -> tuple[StoredBlock, ...]:
        """The subject and the request of the run."""
        ...

    async def refusal(self) -> str:
        """Why it may not run now; empty when it may."""
        ...

    def refused_words(self, why: str) -> str:
        """The notice to its owner in that case; empty when they know already."""
        ...

    def notice(self) -> tuple[IncomingMessage, str] | None:
        """The announcement before its first run, and the message that this answers."""
        ...

    def begun_unit(self, turn: Turn) -> Unit: ...

    def skipped_unit(self, turn: Turn, why: str) -> Unit: ...

    async def settled(self, turn: Turn, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        """The records at the end of the run, and the notice to its owner besides the answer."""
        ...

    def given_up(self, turn: Turn, reason: str) -> tuple[Unit, str]:
        """Like `settled`, for a run that was given up after several attempts."""
        ...


def state_of(outcome: LoopOutcome) -> tuple[str, str]:
    """The outcome of a run as the ledger stores it: the state, and the reason."""
    match outcome:
        case Answered():
            return "done", ""
        case Stopped():
            return "stopped", reasons.STOPPED.said(Language.EN)
        case Failed(_, reason):
            return "failed", reason[:200]


PAUSED_AFTER = 3
"""Failed runs in a row after which repeated work is paused, and its owner told."""


@dataclass(frozen=True)
class FailureStreak:
    """Consecutive failures of repeated work; too many of them pause it."""

    ref: str
    failures: int
    """The number of earlier failures in a row."""
    most: int | None
    """The number of failures that pauses it; None: it is due only once."""
    count: Callable[[int], Write]
    pause: Callable[[str], Unit]
    paused_words: Callable[[str], str]
    """The notice to its owner then."""

    def settled(
        self, turn: Turn, outcome: LoopOutcome, at: datetime, *, posted: bool
    ) -> tuple[Unit, str]:
        """Like `DueWork.settled`."""
        state, detail = state_of(outcome)
        if isinstance(outcome, Answered) and outcome.status == SILENT and not posted:
            detail = NOTHING_TO_SAY
        unit = Unit.of(store.ended(turn.id, state, detail, at, posted=posted))
        if state != "failed":
            return unit + Unit.of(self.count(0)), ""
        failed, told = self._failed(detail)
        return unit + failed, told

    def given_up(self, turn: Turn, reason: str, at: datetime) -> tuple[Unit, str]:
        """Like `DueWork.given_up`."""
        failed, told = self._failed(reasons.GIVEN_UP.said(Language.EN))
        ended = store.ended(turn.id, "failed", reason[:200], at, posted=False)
        return Unit.of(ended) + failed, told

    def _failed(self, detail: str) -> tuple[Unit, str]:
        failures = self.failures + 1
        unit = Unit.of(self.count(failures))
        if self.most is None or failures < self.most:
            return unit, ""
        why = reasons.FAILED_AGAIN.said(Language.EN, count=failures, text=detail)
        log.warning("ref=<%s>, why=<%s> | paused after failures", self.ref, why)
        return unit + self.pause(why), self.paused_words(why)


@dataclass(frozen=True)
class AsOfNow:
    """A stored message, whose sender has their current roles on the platform."""

    message: IncomingMessage
    sure: bool = True
    """Whether the platform answered.

    If not, the sender has the lower of their role then and their role without the platform.
    """
    language: Language = Language.EN
    """That in which it was asked for, or in which people write there."""


async def refusal_of(resolver: TurnResolver, person: Person, now: AsOfNow) -> str:
    """Why nothing may run for this person in their absence, in English; empty when it may."""
    there = now.message.conversation
    if Learned.at(await resolver.channels.locate(there)).reach is Reach.PRIVATE:
        readers = resolver.people.readers
        if readers.on(there.platform) is not None and not await readers.may_read(person.id, there):
            return reasons.NOT_SEEN_TO_READ.said(Language.EN, who=person.id)
    if await resolver.may_use(SCHEDULING_TOOL, person, now.message):
        return ""
    if not now.sure:
        platform = now.message.conversation.platform
        return reasons.ROLES_UNKNOWN.said(Language.EN, platform=platform, who=person.id)
    return reasons.NOT_ALLOWED.said(Language.EN, who=person.id, role=person.role)


async def as_of_now(people: People, envelope: JsonObject) -> AsOfNow:
    """The message of a stored envelope, without parts that are outdated.

    What one person alone read of it stays for them alone.
    """
    message = incoming_from_json(envelope)
    language = language_for(message)
    alone = message.reply_to.ephemeral_to if message.aside and message.private else None
    target = replace(message.reply_to, interaction=None, ephemeral_to=alone)
    message = replace(message, reply_to=target)
    sender, there = message.sender, message.conversation
    adapter = people.adapters.get(there.platform)
    if not isinstance(adapter, KnowsMembers):
        return AsOfNow(message, language=language)
    try:
        found = await adapter.member(there, sender.id)
    except DeliveryError as error:
        log.warning(
            "person=<%s>, error=<%s> | roles of the platform not known now", sender.id, error
        )
        least = min(
            (sender, replace(sender, platform_roles=())),
            key=lambda one: people.contacts.seen_in(there, one).role.rank,
        )
        return AsOfNow(replace(message, sender=least), sure=False, language=language)
    roles = () if found is None else found.platform_roles
    now = replace(message, sender=replace(sender, platform_roles=roles))
    return AsOfNow(now, language=language)
