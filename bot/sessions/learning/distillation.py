"""Distillation: moves the lessons of summaries into the memory tiers."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

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
from bot.memory.summaries.store import distilled_write, undistilled
from bot.memory.visible import is_visible
from bot.sessions.learning.consent import Learning
from bot.sessions.learning.spare_calls import ask_sparingly
from bot.sessions.people.contacts import Contacts
from bot.sessions.records.conversation_store import conversation_of
from bot.tools.budget.budgets import Payer
from bot.tools.budget.usage import Meter

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
                    log.exception(
                        "person=<%s> | memory can't be written now, tried again later",
                        planned.person,
                    )
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
