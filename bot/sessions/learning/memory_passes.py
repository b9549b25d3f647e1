"""Passes over memory: nightly, earlier for a person with many summaries, and on request.

They move the lessons of summaries into the memory tiers (`Distillation`).

Ways of working that recur are looked for each night beside them, and for one person. What one
person is offered, as a skill of their own, holds names of tools and their order: nothing that
anybody said. So it names no person, place or thing, and nobody else sees the skill.
"""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from functools import partial
from pathlib import Path

from bot.agents.summaries.distiller import Distiller, within_room
from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.memory import Tier
from bot.domain.privacy import Viewer
from bot.domain.summaries import ConversationSummary
from bot.errors import BotError, StorageError
from bot.memory.distillation import store as distillation_store
from bot.memory.distillation.routing import Group, Known, Proposed, grouped, plainly, routed
from bot.memory.distillation.store import Planned
from bot.memory.editing import Addition, TierEditor, TierOf
from bot.memory.passes_store import MemoryPass, pass_unit
from bot.memory.summaries.store import (
    Backlog,
    backlogs,
    distilled_write,
    public_summaries,
    summaries_of,
    undistilled,
)
from bot.memory.visible import is_visible
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.spare_calls import SummaryPauses, ask_sparingly
from bot.sessions.people.contacts import Contacts, zone_of
from bot.sessions.records.conversation_store import conversation_of
from bot.skills.playbook_candidates import (
    Recurring,
    SessionWork,
    keep_candidates,
    own_work,
    recurring,
    shareable_work,
)
from bot.tools.budget.budgets import Payer
from bot.tools.budget.usage import Meter
from bot.tools.catalog.catalog import ToolCatalog

log = logging.getLogger(__name__)

AT_ONCE = 50
"""Summaries of one person that a pass reads together."""
ACCOUNT = "memory"
"""The session that a pass's costs are counted on, apart from conversations."""


class NotNow(BotError):
    """Summaries wait: the model is unavailable, or their person's budget is used up."""

    def __init__(self, why: str, *, model_trouble: bool = False) -> None:
        super().__init__(why)
        self.model_trouble = model_trouble


@dataclass
class Taught:
    """The results of distilling some summaries."""

    summaries: int = 0
    own: int = 0
    """Those that could teach their person alone."""
    entries: int = 0
    merged: int = 0
    archived: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Person ids, each with the reason why something of theirs could not be written."""


@dataclass(frozen=True)
class Distillation:
    """A decision is recorded before it is written, so a crash repeats nothing."""

    database: Database
    clock: Clock
    tiers: TierEditor
    learning: Learning
    meter: Meter
    distiller: Distiller
    contacts: Contacts

    async def of(self, person: str, agent: str, name: str, taught: Taught) -> None:
        """Distil all summaries of a person with an agent, and add the results to `taught`.

        `name` is the pass's name, for its backups. Raises NotNow or StorageError; work done until
        then stays.
        """
        while batch := await undistilled(self.database, person, agent, AT_ONCE):
            for group in grouped(batch, AT_ONCE):
                await self._plan(group)
                taught.summaries += len(group.summaries)
                taught.own += 0 if group.scope.shareable else len(group.summaries)
                await self.apply(name, taught)

    # --- deciding ---

    async def _plan(self, group: Group) -> None:
        """Decide the lessons of a group; the unit of the decision marks it as distilled.

        Raises UnitRejected if one of its summaries is forgotten meanwhile.
        """
        scope, now = group.scope, self.clock.now()
        person = self.contacts.last_known(scope.person, group.summaries[-1].role)
        payer = Payer(scope.person, ACCOUNT, guest=person.role is Role.GUEST)
        told = [one for one in group.summaries if not one.fields.forgettable]
        read = Group(scope, tuple([one for one in told if await self._may_learn(one, now)]))
        known = await self._known(read, person)
        proposed, cost = (
            await self._proposed(read, known, payer) if read.summaries else ((), Unit())
        )
        names = [name for contact in self.contacts.people for name in (contact.id, contact.name)]
        entries = routed(read, proposed, [person.id, person.name, *names], known)
        planned = distillation_store.planned_write(
            scope.person, scope.agent, group.ids, entries, now
        )
        await self.database.write(Unit.of(planned, distilled_write(group.ids, now)) + cost)

    async def _may_learn(self, summary: ConversationSummary, now: datetime) -> bool:
        """Whether learning is still allowed; a summary without a place may be learned from."""
        conversation = await conversation_of(self.database, summary.conversation)
        return conversation is None or await self.learning.allowed(
            summary.person, conversation, now
        )

    async def _proposed(
        self, group: Group, known: Sequence[Known], payer: Payer
    ) -> tuple[Sequence[Proposed], Unit]:
        """A model's proposal and its cost; the summaries' fields if the proposal is unusable.

        Raises NotNow.
        """
        agent = self.distiller.agent
        if agent is None:
            return plainly(group), Unit()
        distil = partial(self.distiller.distil, agent, group, known)
        outcome = await ask_sparingly(self.meter, self.clock, payer, distil)
        if outcome.value is None and outcome.waits:
            raise NotNow(outcome.problem, model_trouble=outcome.model_trouble)
        cost = Unit()
        if outcome.usage.total_input:
            name = outcome.answered_by or self.distiller.model_name(agent)
            cost = self.meter.model_unit(payer, name, outcome.usage)
        if outcome.value is None:
            log.warning(
                "person=<%s>, reason=<%s> | distilled without a model",
                group.scope.person,
                outcome.problem,
            )
            return plainly(group), cost
        return outcome.value, cost

    async def _known(self, group: Group, person: Person) -> list[Known]:
        """Memories that may be shown where the group was learned."""
        scope = group.scope
        tiers = tuple(Tier) if scope.shareable else (Tier.USER,)
        workspaces = frozenset({scope.learned.workspace} - {""})
        viewer = Viewer(
            scope.person,
            scope.shareable,
            scope.learned,
            workspaces=workspaces,
            withdrawn=self.learning.withdrawn(),
        )
        found: list[Known] = []
        for tier in tiers:
            try:
                entries = await self.tiers.store.entries(
                    tier, agent=scope.agent, person_id=scope.person
                )
            except StorageError:
                continue  # the write reports the error
            found += [Known(tier, entry) for entry in entries if is_visible(tier, entry, viewer)]
        return within_room(found)

    # --- writing ---

    async def apply(self, name: str, taught: Taught) -> None:
        """Write a decision and reflect on what was written; then remove the record."""
        async with self.tiers.store.lock:
            for planned in await distillation_store.planned(self.database):
                try:
                    await self._write(planned, name, taught)
                except (StorageError, ValueError) as error:
                    log.warning(
                        "person=<%s>, error=<%s> | memory can't be written now, tried again later",
                        planned.person, error,
                    )  # fmt: skip
                    taught.failed.append((planned.person, str(error)))
                    continue
                await self.database.write(Unit.of(distillation_store.applied_write(planned.id)))

    async def _write(self, planned: Planned, name: str, taught: Taught) -> None:
        today = self.clock.now().date()
        for tier in Tier:
            additions = [
                Addition(one.entry, one.replaces) for one in planned.entries if one.tier is tier
            ]
            if not additions:
                continue
            of = TierOf(tier, planned.agent, planned.person)
            taught.entries += len(additions)
            taught.archived += sum(len(one.replaces) for one in additions)
            await self.tiers.add(of, additions, name, today)
            done = await self.tiers.reflect(of, name, today)
            taught.merged += done.merged
            taught.archived += len(done.archived)


EVERY_S = 300.0
DISTILL_AT = time(2)
"""Of the nightly learning, in the home's time zone: few people wait for answers then."""
CROWDED = 20
"""With more waiting summaries, a person's summaries are distilled at once."""


@dataclass(eq=False)
class MemoryPasses:
    """Distils due summaries and reflects on the changed tiers.

    A failure for one person delays nobody else.
    """

    database: Database
    clock: Clock
    tiers: TierEditor
    distillation: Distillation
    default_agent: str
    timezone: str

    def __post_init__(self) -> None:
        self._pauses = SummaryPauses(self.clock)

    async def run(self) -> None:
        """Run until cancelled. Raises StorageError if the database fails."""
        await self.distillation.apply(self._name(), Taught())
        while True:
            await self.look()
            await self.clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Distil what is due: the day's summaries nightly, and a person's when many wait."""
        night = latest(DISTILL_AT, self.timezone, self.clock.now())
        await self._distil(
            lambda one: (
                (one.oldest < night or one.count > CROWDED) and not self._pauses.rests(_key(one))
            ),
            asked=False,
        )

    async def distil(self, person: str = "") -> MemoryPass:
        """Distil waiting summaries now, of one person or everybody, and report the result.

        Raises StorageError.
        """
        return await self._distil(lambda one: person in {"", one.person}, asked=True)

    async def reflect(self, person: str = "") -> MemoryPass:
        """Reflect on all tiers, or on those of a person and the agents they talk with.

        Raises StorageError.
        """
        began, taught, name = self.clock.now(), Taught(), self._name()
        people = [person] if person else await self.tiers.store.people()
        async with self.tiers.store.lock:
            for of in await self._all_tiers(people):
                try:
                    done = await self.tiers.reflect(of, name, began.date())
                except BotError as error:
                    log.warning(
                        "file=<%s>, reason=<%s> | memory could not be searched", of.path, error
                    )
                    taught.failed.append((f"memory/{of.path}", str(error)))
                    continue
                taught.merged += done.merged
                taught.archived += len(done.archived)
        return await self._recorded(began, taught, len(people), asked=True)

    async def _all_tiers(self, people: list[str]) -> list[TierOf]:
        own = [
            TierOf(Tier.USER, agent, person)
            for person in people
            for agent in await self.tiers.store.agents_of(person)
        ]
        default = self.default_agent
        agents = dict.fromkeys((default, *await self.tiers.store.agents()))
        of_agents = [TierOf(Tier.AGENT, agent, "") for agent in agents]
        return [TierOf(Tier.SHARED, default, ""), *of_agents, *own]

    async def _distil(self, wanted: Callable[[Backlog], bool], *, asked: bool) -> MemoryPass:
        began, taught, name, people = self.clock.now(), Taught(), self._name(), set[str]()
        for backlog in await backlogs(self.database):
            if not wanted(backlog):
                continue
            people.add(backlog.person)
            try:
                await self.distillation.of(backlog.person, backlog.agent, name, taught)
                self._pauses.worked(_key(backlog))
            except (BotError, LookupError, ValueError, TypeError) as error:
                trouble = isinstance(error, NotNow) and error.model_trouble
                self._pauses.failed(_key(backlog), model_trouble=trouble)
                taught.failed.append((backlog.person, str(error)))
                log.warning(
                    "person=<%s> | not distilled now",
                    backlog.person,
                    exc_info=not isinstance(error, NotNow),
                )
                if trouble:
                    break  # a model that failed this person would fail the next one
        if not people and not asked:
            return MemoryPass(began, asked, 0, 0, 0)
        return await self._recorded(began, taught, len(people), asked=asked)

    async def _recorded(
        self, began: datetime, taught: Taught, people: int, *, asked: bool
    ) -> MemoryPass:
        done = MemoryPass(
            began,
            asked,
            people,
            taught.summaries,
            taught.entries,
            taught.merged,
            taught.archived,
            tuple(taught.failed),
            taught.own,
        )
        await self.database.write(pass_unit(done))
        log.info("asked=<%s> | memory: %s", asked, done.in_words())
        return done

    def _name(self) -> str:
        """Sorts by time."""
        return f"{self.clock.now():%Y-%m-%dT%H%M%S}"


def _key(backlog: Backlog) -> str:
    return f"{backlog.person} {backlog.agent}"


def latest(at: time, zone: str, now: datetime) -> datetime:
    """The last moment until now at which clocks in the zone showed `at`."""
    local = now.astimezone(zone_of(zone))
    moment = local.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return moment if moment <= local else moment - timedelta(days=1)


@dataclass(eq=False)
class RecurringWork:
    """Looks once after the nightly learning, and once after each start.

    The same summaries give the same files.
    """

    database: Database
    clock: Clock
    catalog: ToolCatalog
    learning: Learning
    home: Path
    timezone: str
    _looked_at: datetime | None = None

    async def run(self) -> None:
        """Run until cancelled. Raises StorageError if the database fails."""
        while True:
            now = self.clock.now()
            night = latest(DISTILL_AT, self.timezone, now)
            if self._looked_at is None or self._looked_at < night:
                await self._look_quietly()
                self._looked_at = now
            await self.clock.sleep(EVERY_S)

    async def _look_quietly(self) -> None:
        try:
            added = await self.look()
        except OSError as error:
            log.warning(
                "error=<%s> | playbook candidates can't be written now, tried again tomorrow", error
            )
            return
        if added:
            log.info("candidates=<%s> | found ways of working that recur", ", ".join(added))

    async def look(self) -> list[str]:
        """Write candidates for recurring work; returns the slugs of new ones.

        Raises StorageError, OSError.
        """
        summaries = await public_summaries(self.database)
        work = await asyncio.to_thread(shareable_work, summaries)
        found = await self._allowed(work)
        if not found:
            return []

        def one_liner(tool: str) -> str:
            return next((one.one_liner for one in self.catalog.anywhere(tool)), "")

        return await asyncio.to_thread(keep_candidates, self.home, found, one_liner)

    async def _allowed(self, work: Collection[SessionWork]) -> list[Recurring]:
        """Recurring work without sessions of places where learning is no longer allowed."""
        found = await asyncio.to_thread(recurring, list(work))
        closed = await self.learning.forbidden(
            [session for one in found for session in one.sessions]
        )
        if not closed:
            return found
        still = [one for one in work if one.session not in closed]
        return await asyncio.to_thread(recurring, still)


MOST = 10
TASK = "For what the person asks, use these tools in this order. Ask for what is missing."


@dataclass(frozen=True)
class OwnWays:
    """Looks at a person's own summaries, wherever they talked."""

    database: Database
    learning: Learning

    async def of(self, person: str) -> Sequence[Recurring]:
        """The most frequent first; without places where nothing is learned. Raises StorageError."""
        work = await asyncio.to_thread(own_work, await summaries_of(self.database, person))
        closed = await self.learning.forbidden([one.session for one in work])
        open_ = [one for one in work if one.session not in closed]
        return (await asyncio.to_thread(recurring, open_))[:MOST]


def steps_of(way: Recurring) -> str:
    """The text of the skill that one becomes."""
    steps = [f"{number}. `{tool}`" for number, tool in enumerate(way.tools, 1)]
    return "\n".join([TASK, *steps])
