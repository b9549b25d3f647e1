"""What an app keeps doing beside its platforms, and which process does it."""

import logging
import sys
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bot.agents.cycle_log.log_store import CutOffCycles
from bot.agents.cycle_log.spans import SendsSpans, SpanExport
from bot.agents.settings import TraceSettings
from bot.assembly.automations import build_webhooks
from bot.assembly.background import ProcessTask, Where
from bot.assembly.events import account_tasks, automation_events, mail_receivers, meeting_tasks
from bot.assembly.ground import Ground
from bot.assembly.house import House
from bot.assembly.platforms import http_server
from bot.assembly.plugged import (
    late_tasks,
    own_plugin_tasks,
    plugin_tasks,
    receivers_of,
    with_tables,
)
from bot.assembly.unattended import LearningWork, Unattended
from bot.assembly.views import Sites
from bot.endpoints.settings import ConsoleSettings
from bot.errors import ClaimLost, SettingsError
from bot.llm.build import warm
from bot.plugin.plugin import Task
from bot.sessions.inbox.catch_up import CATCH_UP_WINDOW
from bot.sessions.inbox.platforms import Checkup
from bot.sessions.outbox.reconciling import Reconciling
from bot.sessions.outbox.waiting_signs import WaitingSigns
from bot.sessions.people.person_links import PersonLinks
from bot.sessions.settings import SessionSettings
from bot.sessions.turn.runner import TurnRunner
from bot.sessions.upkeep.housekeeping import Expiries, Housekeeping, Purging
from bot.sessions.upkeep.left_over import remove_left_over
from bot.settings import Settings
from bot.storage.watch import changes
from bot.tools.budget.usage import Meter
from bot.turns.engine import TurnEngine

if TYPE_CHECKING:
    from bot.endpoints.http import TextAnswer

log = logging.getLogger(__name__)

TURNS_AGAIN_S = 5.0
"""Seconds until turns are tried again that ended because nothing could be stored."""
FILES_S = 30.0
"""So often prompts and skills are looked at where other machines may change them."""


def background_tasks(
    house: House,
    runner: TurnRunner,
    learning: LearningWork,
    links: PersonLinks,
    unattended: Unattended,
    sites: Sites,
    of_places: Sequence[Task],
) -> list[ProcessTask]:
    """All background work, with the processes that do it."""
    ground, chats, documents = house.ground, house.chats, house.documents
    database, clock = ground.database, ground.clock
    signs = WaitingSigns(ground.engine.crowd, database, chats.by_platform, chats.outbox, clock)
    reconciling = Reconciling(database, clock, chats.by_platform, chats.outbox)
    everywhere, gateway, turns = Where.EVERYWHERE, Where.GATEWAY, Where.TURNS
    once = partial(ProcessTask, once=True)
    return [
        # The processes that run turns, each for its own.
        ProcessTask(partial(run_engine, ground.engine, runner), turns, again_s=TURNS_AGAIN_S),
        ProcessTask(signs.run, turns),
        ProcessTask(house.open_places.run, turns),
        *(ProcessTask(one, turns) for one in own_plugin_tasks(house.plugged, clock)),
        ProcessTask(partial(warm, ground.model), turns),
        # The gateways, each for its own connections.
        *(ProcessTask(one, gateway) for one in chats.line_tasks),
        *(ProcessTask(one, gateway) for one in _http_server(house, sites)),
        # One gateway: what is late on its way to a platform, and what changes there.
        once(chats.outbox.retries.run, gateway),
        once(chats.cards.run, gateway),
        once(reconciling.run, gateway),
        # One process that runs turns: what becomes of things with time.
        once(chats.attachments.run, turns),
        once(chats.index.run, turns),
        once(_housekeeping(house).run, turns),
        once(partial(remove_left_over, ground.settings.home, clock), turns),
        once(house.forgetting.run, turns),
        once(CutOffCycles(database, clock).run, turns),
        once(documents.index.run, turns),
        once(learning.summaries.run, turns),
        once(learning.passes.run, turns),
        once(learning.recurring.run, turns),
        once(links.run, turns),
        once(unattended.waits.run, turns),
        *(once(one, turns) for one in of_places),
        *(once(one.run, turns) for one in trace_export(ground)),
        *(once(one, turns) for one in meeting_tasks(house)),
        *(once(one, turns) for one in account_tasks(house)),
        *(once(one, turns) for one in plugin_tasks(house.plugged, automation_events(house))),
        *(once(one, turns) for one in late_tasks(sites.built, clock)),
        # Each process reads the files that people edit, and what other processes changed.
        ProcessTask(ground.changes.run, everywhere),
        *(ProcessTask(one, everywhere) for one in _reloads(house)),
    ]  # fmt: skip


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


def _reloads(house: House) -> list[Callable[[], Awaitable[None]]]:
    written = house.written
    policy, contacts = written.policy, written.contacts
    by_hand = list({house.ground.settings.home, policy.path.parent})
    return [
        lambda: _reload(
            [*written.prompts, *written.skill_roots],
            [part.reload_changed for part in house.definitions],
            at_least_s=FILES_S if house.ground.changes.shared else None,
        ),
        lambda: _reload(
            by_hand, [contacts.reload_if_changed, policy.reload_changed], recursive=False
        ),
    ]


def _http_server(house: House, sites: Sites) -> list[Callable[[], Awaitable[None]]]:
    processes = house.ground.processes
    if processes is not None and not Where.GATEWAY.includes(processes.role):
        return []
    return http_server(
        house.ground.settings,
        house.chats.adapters,
        house.chats.checkup,
        house.ground.clock,
        build_webhooks(house.ground),
        house.accounts.connecting,
        [*mail_receivers(house), *receivers_of(house.plugged)],
        build_metrics(house.ground.settings, house.chats.checkup, house.ground.meter),
        sites.pages,
    )


def _housekeeping(house: House) -> Housekeeping:
    ground, chats = house.ground, house.chats
    sessions, engine, approvals = (
        ground.settings.get(SessionSettings),
        ground.engine,
        house.permission.approvals,
    )
    keep = timedelta(days=sessions.keep_days)
    purges = [purge for one in with_tables(house.plugged) for purge in one.purges]
    purging = Purging(
        ground.database, ground.clock, engine, ground.cycle_log, keep, CATCH_UP_WINDOW, purges
    )
    return Housekeeping(
        ground.database,
        ground.clock,
        engine,
        approvals,
        timedelta(minutes=sessions.idle_minutes),
        purging,
        Expiries(engine, approvals, chats.outbox, ground.clock, chats.cards.look),
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


# --- figures for a monitor ---


METRICS_KEY = "BELLHOP_METRICS_KEY"
_KEY_CHARS = 32


def build_metrics(settings: Settings, checkup: Checkup, meter: Meter) -> "Mapping[str, TextAnswer]":
    """The path and its answer. Raises SettingsError for a key that could be guessed."""
    key = settings.secret(METRICS_KEY)
    if not (key and settings.get(ConsoleSettings).port):
        return {}
    if len(key) < _KEY_CHARS:
        raise SettingsError(
            f"{METRICS_KEY} is too short; set it in .env to {_KEY_CHARS} random characters or more"
        )
    from bot.endpoints.figures import HouseFigures  # noqa: PLC0415 - only where it is switched on
    from bot.endpoints.metrics import METRICS_PATH, Metrics  # noqa: PLC0415

    return {METRICS_PATH: Metrics(HouseFigures(checkup, meter), key).answer}


# --- runs as traces ---


AUTHORIZATION = "TRACES_AUTHORIZATION"
"""The secret that is sent as the header `Authorization`, where a collector wants one."""
_PACKAGE = "opentelemetry.exporter.otlp.proto.http"


def trace_export(ground: Ground) -> Sequence[SpanExport]:
    """One export, or none without an endpoint.

    Raises SettingsError where the packages for it are missing.
    """
    wanted = ground.settings.get(TraceSettings)
    if not wanted.endpoint:
        return ()
    if not _is_installed():
        where = ground.settings.where(("traces", "endpoint"))
        raise SettingsError(
            f"{where}: traces.endpoint: the packages that send traces are missing; install "
            "bellhop-assistant[traces], or remove the line"
        )

    def collector() -> SendsSpans:
        from bot.agents.cycle_log.otlp_collector import OtlpCollector  # noqa: PLC0415 - only where traces are sent

        return OtlpCollector(
            wanted.endpoint, ground.settings.home.name, ground.settings.secret(AUTHORIZATION) or ""
        )

    return (SpanExport(ground.cycle_log, ground.clock, collector, wanted.contents),)


def _is_installed() -> bool:
    try:
        return find_spec(_PACKAGE) is not None
    except ModuleNotFoundError:  # one of the packages that it would lie in
        return False
