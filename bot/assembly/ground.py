"""What every room of an app stands on."""

import os
from dataclasses import dataclass

from bot.agents.cycle_log import CycleLog
from bot.clock import SystemClock
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.models import Model
from bot.llm.build import build_model
from bot.llm.settings import ModelSettings
from bot.log import redact_json
from bot.sessions.inbox.router import answer_in, has_files, is_message
from bot.sessions.inbox.shares import share_of
from bot.settings import LogSettings, Settings
from bot.turns.engine import JournalEngine
from bot.turns.settings import TurnSettings


@dataclass(frozen=True)
class Ground:
    """Settings, clock, database, model, and the records: turn journal and cycle log."""

    settings: Settings
    clock: Clock
    database: Database
    model: Model
    engine: JournalEngine
    cycle_log: CycleLog


def build_ground(
    settings: Settings, database: Database, model: Model | None, clock: Clock | None
) -> Ground:
    """Tests pass `model` and `clock`; else settings choose the model, and the clock is real."""
    clock = clock or SystemClock()
    return Ground(
        settings,
        clock,
        database,
        model or build_model(settings.get(ModelSettings), settings.secret, clock),
        JournalEngine(
            database,
            clock,
            owner=f"process-{os.getpid()}",
            limits=settings.get(TurnSettings),
            share_of=share_of,
            steerable=is_message,
            answer_in=answer_in,
            more_than_text=has_files,
        ),
        CycleLog(
            database,
            clock,
            tool_io=settings.get(LogSettings).tool_io,
            redact=redact_json,
            instance_id=settings.home.name,
        ),
    )
