"""Due work without a person present, as the runner sees it."""

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from bot.agents.loop.outcomes import Answered, Failed, LoopOutcome, Stopped
from bot.domain.access import Person, Role
from bot.domain.automations import Automation
from bot.domain.chat import KnowsMembers
from bot.domain.clock import Clock
from bot.domain.database import Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language
from bot.domain.messages import IncomingMessage
from bot.domain.places import Reach
from bot.domain.privacy import Learned
from bot.domain.schedules import ScheduledTask
from bot.domain.sessions import StoredBlock
from bot.domain.tool_outcomes import SILENT
from bot.domain.turns import Turn
from bot.errors import DeliveryError
from bot.sessions.people.people import People
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.wording.languages import language_for
from bot.tools.policy.verdicts import SCHEDULING_TOOL
from bot.turns.schedules import reason_words as reasons
from bot.turns.schedules import store
from bot.turns.schedules.showing import NOTHING_TO_SAY

log = logging.getLogger(__name__)


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


def state_of(outcome: LoopOutcome) -> tuple[str, str]:
    """The outcome of a run as the ledger stores it: the state, and the reason."""
    match outcome:
        case Answered():
            return "done", ""
        case Stopped():
            return "stopped", reasons.STOPPED.said(Language.EN)
        case Failed(_, reason):
            return "failed", reason[:200]


@dataclass(frozen=True)
class DueWork(ABC):
    """A due task, todo or automation, with the message that its run answers."""

    resolver: TurnResolver
    clock: Clock
    now: AsOfNow
    """The message that created it."""
    message: IncomingMessage
    person: Person
    """Its owner, with their current role."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name for its owner."""

    @property
    def home(self) -> IncomingMessage:
        """The message that created it, in the place where its owner is notified."""
        return self.now.message

    @property
    @abstractmethod
    def words(self) -> tuple[StoredBlock, ...]:
        """The subject and the request of the run.

        A model may have written it, so it names no target on behalf of its owner.
        """

    async def refusal(self) -> str:
        """Why it may not run now; empty when it may."""
        if self.person.role is Role.BANNED:
            return reasons.BANNED.said(Language.EN)
        there = self.message.conversation
        if Learned.at(await self.resolver.channels.locate(there)).reach is Reach.PRIVATE:
            readers = self.resolver.people.readers
            if readers.on(there.platform) is not None and not await readers.may_read(
                self.person.id, there
            ):
                return reasons.NOT_SEEN_TO_READ.said(Language.EN, who=self.person.id)
        if await self.resolver.may_use(SCHEDULING_TOOL, self.person, self.message):
            return ""
        if not self.now.sure:
            return reasons.ROLES_UNKNOWN.said(
                Language.EN, platform=there.platform, who=self.person.id
            )
        return reasons.NOT_ALLOWED.said(Language.EN, who=self.person.id, role=self.person.role)

    @abstractmethod
    def refused_words(self, why: str) -> str:
        """The notice to its owner in that case; empty when they know already."""

    def notice(self) -> tuple[IncomingMessage, str] | None:
        """The announcement before its first run, and the message that this answers.

        None where it works in the place where its owner asked for it.
        """
        return None

    def begun_unit(self, turn: Turn) -> Unit:
        return Unit.of(store.began(turn.id, self.clock.now()))

    def skipped_unit(self, turn: Turn, why: str) -> Unit:
        return Unit.of(store.ended(turn.id, "skipped", why, self.clock.now(), posted=False))

    async def settled(self, turn: Turn, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        """The records at the end of the run, and the notice to its owner besides the answer."""
        state, detail = state_of(outcome)
        if isinstance(outcome, Answered) and outcome.status == SILENT and not posted:
            detail = NOTHING_TO_SAY
        return Unit.of(store.ended(turn.id, state, detail, self.clock.now(), posted=posted)), ""

    def given_up(self, turn: Turn, reason: str) -> tuple[Unit, str]:
        """Like `settled`, for a run that was given up after several attempts."""
        now = self.clock.now()
        return Unit.of(store.ended(turn.id, "failed", reason[:200], now, posted=False)), ""


PAUSED_AFTER = 3
"""Failed runs in a row after which repeated work is paused, and its owner told."""


class RepeatedWork(DueWork):
    """Due work that comes again. Too many failures in a row pause it."""

    @property
    @abstractmethod
    def work(self) -> ScheduledTask | Automation:
        """Its row. A task without `cron` is due only once."""

    @abstractmethod
    def count(self, failures: int) -> Write:
        """Stores how often it has failed in a row."""

    @abstractmethod
    def pause(self, why: str) -> Unit:
        """Stops it until its owner resumes it."""

    @abstractmethod
    def paused_words(self, why: str) -> str:
        """The notice to its owner then; `why` is in English, as kept."""

    async def settled(self, turn: Turn, outcome: LoopOutcome, *, posted: bool) -> tuple[Unit, str]:
        unit, _ = await super().settled(turn, outcome, posted=posted)
        state, detail = state_of(outcome)
        failed, told = self._failed(detail) if state == "failed" else (Unit.of(self.count(0)), "")
        return unit + failed, told

    def given_up(self, turn: Turn, reason: str) -> tuple[Unit, str]:
        unit, _ = super().given_up(turn, reason)
        failed, told = self._failed(reasons.GIVEN_UP.said(Language.EN))
        return unit + failed, told

    def _failed(self, detail: str) -> tuple[Unit, str]:
        failures = self.work.failures + 1
        unit = Unit.of(self.count(failures))
        once = isinstance(self.work, ScheduledTask) and self.work.cron is None
        if once or failures < PAUSED_AFTER:
            return unit, ""
        why = reasons.FAILED_AGAIN.said(Language.EN, count=failures, text=detail)
        log.warning("ref=<%s>, why=<%s> | paused after failures", self.work.ref, why)
        return unit + self.pause(why), self.paused_words(why)


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
