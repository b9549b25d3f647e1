"""Distillation: what summaries teach enters the tiers, at night, and sooner for whom many wait."""

import logging
from collections.abc import Sequence
from datetime import datetime, time, timedelta

from bot.agents.distiller import MEMORYMASTER, Distiller
from bot.domain.access import Person, Role
from bot.domain.database import Unit
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.privacy import PUBLICLY
from bot.errors import StorageError
from bot.memory.distillation import store as distillation_store
from bot.memory.distillation.groups import Group, grouped
from bot.memory.distillation.routing import Proposed, plainly, routed, told_to_all
from bot.memory.distillation.store import Planned
from bot.memory.entries import add_entries, parse_entries
from bot.memory.settings import MemorySettings
from bot.memory.summaries.store import backlogs, distilled_write, undistilled
from bot.memory.tiers import MemoryStore
from bot.sessions.house import House
from bot.sessions.opening import zone_of
from bot.sessions.spare_calls import SpareCalls
from bot.tools.budgets import Payer

log = logging.getLogger(__name__)

EVERY_S = 300.0
AT_ONCE = 50
"""Summaries of one person that a pass reads together."""
CROWDED = 20
"""With more of them waiting, a person's are distilled at once."""
ACCOUNT = "memory"
"""Where the costs of a pass are counted, beside those of conversations."""


class Distillation:
    """One pass after the other. What a pass decided is on record before it is written, so a crash repeats nothing."""

    def __init__(self, house: House, memory: MemoryStore, settings: MemorySettings) -> None:
        self._house = house
        self._database = house.database
        self._clock = house.clock
        self._memory = memory
        self._spare_calls = SpareCalls(house.meter, house.clock)
        self._settings = settings
        self._distiller = Distiller(house.model, lambda: house.agents.get(MEMORYMASTER))

    async def run(self) -> None:
        """Until cancelled. Raises StorageError for the database."""
        await self.apply()
        while True:
            await self.look()
            await self._clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Distil what is due: once a night what the day left, and a person's summaries when many wait."""
        night = latest(self._settings.distill_time, self._house.timezone, self._clock.now())
        for backlog in await backlogs(self._database):
            if backlog.oldest < night or backlog.count > CROWDED:
                await self.of(backlog.person, backlog.agent)

    async def of(self, person: str, agent: str) -> int:
        """Distil all summaries of a person with an agent; returns how many there were."""
        done = 0
        while batch := await undistilled(self._database, person, agent, AT_ONCE):
            for group in grouped(batch, AT_ONCE):
                await self._plan(group)
            await self.apply()
            done += len(batch)
        return done

    # --- deciding -----------------------------------------------------------------------------------------

    async def _plan(self, group: Group) -> None:
        """Decide what a group teaches; it counts as distilled in the unit that records the decision."""
        scope, now = group.scope, self._clock.now()
        person = self._house.contacts().person(scope.person) or Person(scope.person, scope.person, Role.GUEST)
        payer = Payer(scope.person, ACCOUNT, guest=person.role is Role.GUEST)
        proposed, cost = await self._proposed(group, payer)
        names = [name for contact in self._house.contacts().people for name in (contact.id, contact.name)]
        entries = [*routed(group, proposed, [person.id, person.name, *names]), *told_to_all(group)]
        planned = distillation_store.planned_write(scope.person, scope.agent, group.ids, entries, now)
        await self._database.write(Unit.of(planned, distilled_write(group.ids, now)) + cost)
        log.info(
            "person=<%s>, agent=<%s>, summaries=<%d>, entries=<%d> | distilled",
            scope.person, scope.agent, len(group.summaries), len(entries),
        )  # fmt: skip

    async def _proposed(self, group: Group, payer: Payer) -> tuple[Sequence[Proposed], Unit]:
        """What a model proposes, and its cost; without a usable answer, what the fields say."""
        agent = self._distiller.agent
        if agent is None:
            return plainly(group), Unit()
        known = await self._known(group)
        outcome = await self._spare_calls.ask(payer, lambda hint: self._distiller.distil(agent, group, known, hint))
        cost = Unit()
        if outcome.usage.total_input:
            cost = self._house.meter.model_unit(payer, self._distiller.model_name(agent), outcome.usage)
        if outcome.value is None:
            log.warning("person=<%s>, reason=<%s> | distilled without a model", group.scope.person, outcome.problem)
            return plainly(group), cost
        return outcome.value, cost

    async def _known(self, group: Group) -> list[MemoryEntry]:
        """What is remembered of the person already and was learned there, or where everybody could read it."""
        scope = group.scope
        try:
            entries = await self._memory.entries(Tier.USER, agent=scope.agent, person_id=scope.person)
        except StorageError:
            return []  # writing to it is what will be reported
        return [entry for entry in entries if entry.learned in {scope.learned, PUBLICLY}]

    # --- writing ------------------------------------------------------------------------------------------

    async def apply(self) -> None:
        """Write what was decided; entries that stand there already are left alone."""
        for planned in await distillation_store.planned(self._database):
            try:
                for tier in Tier:
                    await self._add(tier, planned)
            except StorageError:
                log.exception("person=<%s> | memory can't be written now, tried again later", planned.person)
                continue
            await self._database.write(Unit.of(distillation_store.applied_write(planned.id)))

    async def _add(self, tier: Tier, planned: Planned) -> None:
        entries = [one.entry for one in planned.entries if one.tier is tier]
        if not entries:
            return

        def added(text: str) -> str:
            there = {(entry.text, entry.learned) for entry in parse_entries(text)}
            return add_entries(text, [one for one in entries if (one.text, one.learned) not in there])

        await self._memory.update(tier, added, agent=planned.agent, person_id=planned.person)


def latest(at: time, zone: str, now: datetime) -> datetime:
    """The last moment until now at which clocks in the zone showed `at`."""
    local = now.astimezone(zone_of(zone))
    moment = local.replace(hour=at.hour, minute=at.minute, second=0, microsecond=0)
    return moment if moment <= local else moment - timedelta(days=1)
