"""What an app keeps doing beside its platforms."""

import sys
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TypeAlias

from bot.agents.cut_off import CutOffCycles
from bot.assembly.accounts import Accounts
from bot.assembly.automations import build_webhooks
from bot.assembly.chats import Chats
from bot.assembly.ground import Ground
from bot.assembly.platforms import http_server
from bot.assembly.tools import Tooling
from bot.assembly.traces import trace_export
from bot.assembly.written import Definitions, WrittenHome
from bot.connectors.mail.inbound import Inbound
from bot.llm.build import LazyModel
from bot.sessions.outbox.reconciling import Reconciling
from bot.sessions.outbox.waiting_signs import WaitingSigns
from bot.sessions.settings import CatchUpSettings, SessionSettings
from bot.sessions.turn.runner import TurnRunner
from bot.sessions.upkeep.expiry import Expiries
from bot.sessions.upkeep.housekeeping import Housekeeping
from bot.sessions.upkeep.purging import Purging
from bot.storage.watch import changes

FILES_S = 30.0
"""So often prompts and skills are looked at where other machines may change them."""

BackgroundTask: TypeAlias = Callable[[], Awaitable[None]]
"""Runs until cancelled, or until it fails for good."""


def background_tasks(  # noqa: PLR0913, PLR0917 - the rooms below
    ground: Ground,
    written: WrittenHome,
    tooling: Tooling,
    accounts: Accounts,
    chats: Chats,
    runner: TurnRunner,
    definitions: Sequence[Definitions],
    inbound: Inbound | None = None,
) -> list[BackgroundTask]:
    """Turns, outbox, cards, housekeeping, live reload, and what the settings enable."""
    policy, contacts = written.policy, written.contacts
    by_hand = list({ground.settings.home, policy.path.parent})
    return [
        lambda: ground.engine.run(runner.run_turn, runner.apologise),
        chats.outbox.run,
        chats.cards.run,
        chats.attachments.run,
        chats.index.run,
        WaitingSigns(
            ground.engine.crowd, ground.database, chats.by_platform, chats.outbox, ground.clock
        ).run,
        _housekeeping(ground, tooling, chats).run,
        CutOffCycles(ground.database, ground.clock).run,
        *(export.run for export in trace_export(ground)),
        Reconciling(ground.database, ground.clock, chats.by_platform, chats.outbox).run,
        lambda: _reload(
            [*written.prompts, *written.skill_roots],
            [part.reload_changed for part in definitions],
            at_least_s=FILES_S if ground.changes.shared else None,
        ),
        lambda: _reload(
            by_hand, [contacts.reload_if_changed, policy.reload_changed], recursive=False
        ),
        *http_server(
            ground.settings,
            chats.adapters,
            chats.checkup,
            ground.clock,
            build_webhooks(ground),
            inbound,
            accounts.connecting,
        ),
        *([ground.model.warm] if isinstance(ground.model, LazyModel) else []),
        *([tooling.mcp.run] if tooling.mcp else []),
    ]


def _housekeeping(ground: Ground, tooling: Tooling, chats: Chats) -> Housekeeping:
    sessions, engine, approvals = (
        ground.settings.get(SessionSettings),
        ground.engine,
        tooling.approvals,
    )
    asked = timedelta(hours=sessions.question_hours)
    window = timedelta(hours=ground.settings.get(CatchUpSettings).hours)
    keep = timedelta(days=sessions.keep_days)
    purging = Purging(ground.database, ground.clock, engine, ground.cycle_log, keep, window)
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


@contextmanager
def _turns_first() -> Generator[None]:
    """Threads give way to the event loop ten times as soon as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 10)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
