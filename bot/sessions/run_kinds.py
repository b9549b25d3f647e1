"""What kind of run a turn asks for, and which session it runs in."""

from dataclasses import replace

from bot.connectors.todos.runs import KIND as TODO
from bot.domain.json_types import JsonObject
from bot.domain.runs import RunKind, RunShape
from bot.domain.sessions import SessionKey
from bot.domain.turns import Turn

SCHEDULE = "schedule"
"""The kind of a tick of a scheduled task."""
AUTOMATION = "automation"
"""The kind of a run that an event starts; its body names the event."""
_SHAPES = {SCHEDULE: RunShape.SCHEDULED, TODO: RunShape.TODO, AUTOMATION: RunShape.TRIGGERED}


def run_kind(body: JsonObject) -> RunKind:
    """The shape of the run that a turn's body asks for."""
    shape = _SHAPES.get(str(body["kind"]), RunShape.CHAT)
    return RunKind(shape, str(body["event"]) if shape is RunShape.TRIGGERED else None)


def runs_in(turn: Turn, key: SessionKey) -> SessionKey:
    """The session of a turn. Each run that nobody is present for has one of its own, never a chat's."""
    return key if run_kind(turn.body).shape.person_present else replace(key, run=turn.key)
