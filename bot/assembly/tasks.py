"""What an app keeps doing beside its platforms, and which process does it."""

import logging
import sys
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path

from bot.agents.cycle_log.cut_off import CutOffCycles
from bot.assembly.accounts import Accounts
from bot.assembly.automations import build_webhooks
from bot.assembly.background import ProcessTask, Where
from bot.assembly.browser import browser_tasks
from bot.assembly.chats import Chats
from bot.assembly.events import account_tasks, build_inbound, event_ground, meeting_tasks
from bot.assembly.forgetting import build_forgetting
from bot.assembly.ground import Ground
from bot.assembly.house import House
from bot.assembly.learning import LearningWork
from bot.assembly.metrics import build_metrics
from bot.assembly.platforms import http_server
from bot.assembly.plugged import Plugged, plugin_tasks, receivers_of
from bot.assembly.tools import Tooling
from bot.assembly.traces import trace_export
from bot.assembly.written import Definitions, WrittenHome
from bot.domain.turns import TurnEngine
from bot.errors import ClaimLost
from bot.files.document_index import DocumentIndex
from bot.knowledge.documents import DocumentCollections
from bot.llm.build import warm
from bot.sessions.outbox.reconciling import Reconciling
from bot.sessions.outbox.waiting_signs import WaitingSigns
from bot.sessions.people.person_links import PersonLinks
from bot.sessions.settings import CatchUpSettings, SessionSettings
from bot.sessions.turn.runner import TurnRunner
from bot.sessions.unattended.bookings import Bookings
from bot.sessions.unattended.connections import ConnectionWaits
from bot.sessions.upkeep.housekeeping import Expiries, Housekeeping
from bot.sessions.upkeep.purging import Purging
from bot.storage.watch import changes
from bot.tools.native.connector import Connector

log = logging.getLogger(__name__)

FILES_S = 30.0
"""So often prompts and skills are looked at where other machines may change them."""


@dataclass(frozen=True)
class Rooms:
    """Everything that works beside the platforms."""

    ground: Ground
    written: WrittenHome
    tooling: Tooling
    accounts: Accounts
    chats: Chats
    house: House
    runner: TurnRunner
    definitions: Sequence[Definitions]
    connectors: Sequence[Connector]
    learning: LearningWork
    links: PersonLinks
    waits: ConnectionWaits
    bookings: Bookings
    document_index: DocumentIndex
    documents: DocumentCollections
    plugged: Sequence[Plugged]


def background_tasks(rooms: Rooms) -> list[ProcessTask]:
    """All background work, with the processes that do it."""
    ground, chats, house = rooms.ground, rooms.chats, rooms.house
    database, clock = ground.database, ground.clock
    signs = WaitingSigns(ground.engine.crowd, database, chats.by_platform, chats.outbox, clock)
    reconciling = Reconciling(database, clock, chats.by_platform, chats.outbox)
    everywhere, gateway, turns = Where.EVERYWHERE, Where.GATEWAY, Where.TURNS
    once = partial(ProcessTask, once=True)
    return [
        # The processes that run turns, each for its own.
        ProcessTask(partial(_run_turns, rooms), turns),
        ProcessTask(signs.run, turns),
        ProcessTask(house.open_places.run, turns),
        *(ProcessTask(one, turns) for one in browser_tasks(rooms.connectors)),
        *(ProcessTask(one, turns) for one in _models_and_servers(rooms)),
        # The gateways, each for its own connections.
        *(ProcessTask(one, gateway) for one in chats.line_tasks),
        *(ProcessTask(one, gateway) for one in _http_server(rooms)),
        # One gateway: what is late on its way to a platform, and what changes there.
        once(chats.outbox.retries.run, gateway),
        once(chats.cards.run, gateway),
        once(reconciling.run, gateway),
        # One process that runs turns: what becomes of things with time.
        once(chats.attachments.run, turns),
        once(chats.index.run, turns),
        once(_housekeeping(rooms).run, turns),
        once(build_forgetting(house).run, turns),
        once(CutOffCycles(database, clock).run, turns),
        once(rooms.document_index.run, turns),
        once(rooms.documents.run, turns),
        once(rooms.learning.summaries.run, turns),
        once(rooms.learning.passes.run, turns),
        once(rooms.learning.recurring.run, turns),
        once(rooms.links.run, turns),
        once(rooms.waits.run, turns),
        *([once(rooms.bookings.run, turns)] if rooms.bookings.ready else []),
        *(once(one.run, turns) for one in trace_export(ground)),
        *(once(one, turns) for one in meeting_tasks(house)),
        *(once(one, turns) for one in account_tasks(house)),
        *(once(one, turns) for one in plugin_tasks(rooms.plugged, event_ground(house))),
        # Each process reads the files that people edit, and what other processes changed.
        ProcessTask(ground.changes.run, everywhere),
        *(ProcessTask(one, everywhere) for one in _reloads(rooms)),
    ]  # fmt: skip


async def _run_turns(rooms: Rooms) -> None:
    await run_engine(rooms.ground.engine, rooms.runner)


async def run_engine(engine: TurnEngine, runner: TurnRunner) -> None:
    """Run turns until cancelled; raises a failed part's error.

    A process that stood still finds its sessions taken by others when it wakes up. It joins them
    anew.
    """
    while True:
        try:
            return await engine.run(runner.run_turn, runner.giving_up.apologise)
        except ClaimLost as error:
            log.warning("error=<%s> | the engine starts again", error)


def _models_and_servers(rooms: Rooms) -> list[Callable[[], Awaitable[None]]]:
    model, mcp = rooms.ground.model, rooms.tooling.mcp
    return [partial(warm, model), *([mcp.run] if mcp else [])]


def _reloads(rooms: Rooms) -> list[Callable[[], Awaitable[None]]]:
    written = rooms.written
    policy, contacts = written.policy, written.contacts
    by_hand = list({rooms.ground.settings.home, policy.path.parent})
    return [
        lambda: _reload(
            [*written.prompts, *written.skill_roots],
            [part.reload_changed for part in rooms.definitions],
            at_least_s=FILES_S if rooms.ground.changes.shared else None,
        ),
        lambda: _reload(
            by_hand, [contacts.reload_if_changed, policy.reload_changed], recursive=False
        ),
    ]


def _http_server(rooms: Rooms) -> list[Callable[[], Awaitable[None]]]:
    processes = rooms.ground.processes
    if processes is not None and not Where.GATEWAY.includes(processes.role):
        return []
    return http_server(
        rooms.ground.settings,
        rooms.chats.adapters,
        rooms.chats.checkup,
        rooms.ground.clock,
        build_webhooks(rooms.ground),
        build_inbound(rooms.house),
        rooms.accounts.connecting,
        rooms.bookings,
        receivers_of(rooms.plugged),
        build_metrics(rooms.ground.settings, rooms.chats.checkup, rooms.tooling.meter),
    )


def _housekeeping(rooms: Rooms) -> Housekeeping:
    ground, chats = rooms.ground, rooms.chats
    sessions, engine, approvals = (
        ground.settings.get(SessionSettings),
        ground.engine,
        rooms.tooling.approvals,
    )
    asked = timedelta(hours=sessions.question_hours)
    window = timedelta(hours=ground.settings.get(CatchUpSettings).hours)
    keep = timedelta(days=sessions.keep_days)
    purges = [purge for one in rooms.plugged for purge in one.parts.purges]
    purging = Purging(ground.database, ground.clock, engine, ground.cycle_log, keep, window, purges)
    return Housekeeping(
        ground.database,
        ground.clock,
        engine,
        approvals,
        timedelta(minutes=sessions.idle_minutes),
        purging,
        Expiries(engine, approvals, chats.outbox, ground.clock, asked, chats.cards.look),
    )


async def _reload(
    folders: Sequence[Path],
    readers: Sequence[Callable[[], Awaitable[bool]]],
    *,
    recursive: bool = True,
    at_least_s: float | None = None,
) -> None:
    """Read changed files again as they change; a broken one keeps its last good version.

    See docs/rules.md#live-files.
    """
    async for _ in changes(folders, recursive=recursive, at_least_s=at_least_s):
        with _turns_first():
            for reader in readers:
                await reader()


class _TurnsFirst:
    """While somebody is inside, threads give way to the event loop ten times as soon as usual.

    The interval is the process's, and two readers may be inside at once: the last one to leave
    restores it.
    """

    def __init__(self) -> None:
        self._inside = 0
        self._usual = 0.0

    @contextmanager
    def __call__(self) -> Generator[None]:
        if not self._inside:
            self._usual = sys.getswitchinterval()
            sys.setswitchinterval(self._usual / 10)
        self._inside += 1
        try:
            yield
        finally:
            self._inside -= 1
            if not self._inside:
                sys.setswitchinterval(self._usual)


_turns_first = _TurnsFirst()
