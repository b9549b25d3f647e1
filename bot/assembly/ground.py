"""Builds the parts that every other package of an app uses."""

import os
from dataclasses import dataclass
from pathlib import Path

from bot.agents.cycle_log.log_store import CycleLog
from bot.agents.delegation.specialist_programs import PROGRAM_BOUNDS, ProgramBounds
from bot.assembly.database import home_database
from bot.assembly.models import home_model
from bot.assembly.plugins import plugins_of, readers_of
from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.models import Model
from bot.domain.processes import Processes
from bot.knowledge.reading import DocumentReader
from bot.memory.embedding import EMBEDDER_WAIT_S, OllamaEmbedder, Similarity
from bot.memory.settings import MemorySettings
from bot.plugin.plugin import AnyPlugin
from bot.sessions.inbox.session_names import share_of
from bot.sessions.opening.attachments import FILE_ROOM, FileRoom
from bot.sessions.records.envelope import answer_in, has_files, is_message
from bot.settings import Settings
from bot.storage.exclusive import Exclusive, locks_of
from bot.storage.shared_changes import SharedChanges
from bot.tools.budget.settings import BudgetSettings
from bot.tools.budget.usage import Meter
from bot.tools.running.sandbox import Sandbox
from bot.tools.settings import ToolSettings
from bot.turns.engine import EngineOptions, TurnEngine
from bot.turns.questions import Steering
from bot.turns.settings import TurnLimits, TurnSettings


@dataclass(frozen=True)
class HouseLimits:
    """Tests hand smaller ones to the app."""

    files: FileRoom = FILE_ROOM
    """For attached files while the requests that they belong to are open."""
    programs: ProgramBounds = PROGRAM_BOUNDS
    """For specialists that run as programs."""


HOUSE_LIMITS = HouseLimits()


@dataclass(frozen=True)
class Ground:
    """Settings, clock, database, model, its costs, turn journal, cycle log, sandbox, processes."""

    settings: Settings
    clock: Clock
    database: Database
    model: Model
    meter: Meter
    engine: TurnEngine
    cycle_log: CycleLog
    changes: SharedChanges
    sandbox: Sandbox
    """Where scripts run, and programs that people and models wrote; tried late."""
    exclusive: Exclusive
    similarity: Similarity | None
    """Compares meanings; None without `memory.embedder`."""
    reader: DocumentReader
    """Reads documents for people, and for what a team keeps."""
    processes: Processes | None
    """None where this process has the database alone."""
    plugins: tuple[AnyPlugin, ...] = ()
    """Those that are switched on."""
    limits: HouseLimits = HOUSE_LIMITS


def _build_engine(settings: Settings, database: Database, clock: Clock) -> TurnEngine:
    """One process has a SQLite file with its turns; those on a server share them."""
    known: EngineOptions = {
        "limits": TurnLimits(settings.get(TurnSettings).per_person),
        "share_of": share_of,
        "steering": Steering(is_message, answer_in, has_files),
    }
    server = home_database(settings)
    if isinstance(server, Path):
        return TurnEngine(database, clock, owner=f"process-{os.getpid()}", **known)
    from bot.turns.standing.engine import StandingEngine  # noqa: PLC0415 - few homes need it

    return StandingEngine(database, clock, server, **known)


def build_ground(
    settings: Settings,
    database: Database,
    model: Model | None,
    clock: Clock | None,
    processes: Processes | None = None,
    limits: HouseLimits = HOUSE_LIMITS,
) -> Ground:
    """Tests pass `model`, `clock` and `limits`; else settings choose the model."""
    clock = clock or SystemClock()
    locks, embedder = locks_of(database), settings.get(MemorySettings).embedder
    plugins = plugins_of(settings)
    return Ground(
        settings,
        clock,
        database,
        model or home_model(settings, clock),
        Meter(database, clock, settings.timezone, settings.get(BudgetSettings)),
        _build_engine(settings, database, clock),
        CycleLog(database, settings.home.name),
        SharedChanges(database, clock, shared=locks is not None),
        Sandbox(settings.get(ToolSettings).shell, settings.home),
        Exclusive(clock, locks),
        Similarity(OllamaEmbedder(embedder), EMBEDDER_WAIT_S) if embedder.base_url else None,
        DocumentReader(readers=readers_of(plugins)),
        processes,
        plugins,
        limits=limits,
    )
