"""Cycles without an end: closed once nothing of their turn is left to do, and never before."""

import pytest

from bot.agents.cycle_log.events import Cycle, CycleKey, Cycles
from bot.agents.cycle_log.log_store import CutOffCycles, CycleLog
from bot.agents.cycle_log.store import events_unit
from bot.agents.cycle_log.tree import render_tree
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.database import Database, Unit, Write
from bot.domain.models import ModelReply, Usage
from bot.log import redact_json
from bot.testing.fake_clock import FakeClock

ACCEPTED = (
    "INSERT INTO inbox (id, session, key, body, state, accepted_at, settled_at)"
    " VALUES (?, 's', ?, '{}', ?, '2026-11-21T09:00:00Z', ?)"
)

CYCLES = Cycles(FakeClock(), redact_json)


@pytest.fixture
def log(database: Database) -> CycleLog:
    return CycleLog(database)


async def begun(database: Database, log: CycleLog, turn: int, state: str) -> tuple[Cycle, Cycle]:
    """A turn in this state whose cycle called an agent; neither of them has an end."""
    settled = None if state in {"running", "waiting", "ready", "new"} else "2026-11-21T09:05:00Z"
    await database.write(Unit.of(Write(ACCEPTED, (turn, f"k{turn}", state, settled))))
    parent = CYCLES.of(CycleKey(turn, "s1", "ann", "assistant"))
    child = CYCLES.of(CycleKey(turn, "s1", "ann", "observer", "tool:1.0", parent.id))
    reply = ModelReply((), "tool_use", Usage(1, 2, 3, 4), "m-1")
    await database.write(
        events_unit(
            [parent.start("hi"), child.start("look"), child.llm_response("model:1", reply, 9)]
        )
    )
    return parent, child


def ends(events: list[CycleEvent]) -> list[CycleEvent]:
    kinds = {CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE}
    return [event for event in events if event.type in kinds]


async def test_open_cycles_of_a_turn_are_closed_as_cut_off_with_tokens(
    database: Database, log: CycleLog
):
    parent, child = await begun(database, log, 1, "failed")
    assert await CutOffCycles(database, FakeClock()).close() == 2
    events = await log.events(parent.id)
    found = {event.cycle_id: event for event in ends(events)}
    assert found[parent.id].type is CycleEventType.CYCLE_COMPLETE
    assert found[child.id].type is CycleEventType.AGENT_CYCLE_COMPLETE
    assert found[child.id].parent_id == parent.id
    assert {(event.data["status"], event.data["outcome"]) for event in found.values()} == {
        (CycleStatus.ABANDONED, "cut off")
    }
    assert found[child.id].data["tokens"]["output_tokens"] == 4
    assert set(found[child.id].data) == set(child.complete(CycleStatus.COMPLETE).data)
    assert "abandoned: cut off" in render_tree(events)


@pytest.mark.parametrize("state", ["new", "running", "ready", "waiting"])
async def test_a_cycle_whose_turn_goes_on_stays_open(state: str, database: Database, log: CycleLog):
    parent, _ = await begun(database, log, 1, state)
    assert await CutOffCycles(database, FakeClock()).close() == 0
    assert ends(await log.events(parent.id)) == []


async def test_a_cycle_that_ended_is_left_alone(database: Database, log: CycleLog):
    parent, child = await begun(database, log, 1, "done")
    told = [
        child.complete(CycleStatus.ERROR, error="no"),
        parent.complete(CycleStatus.COMPLETE, text="Done."),
    ]
    await database.write(events_unit(told))
    assert await CutOffCycles(database, FakeClock()).close() == 0
    assert ends(await log.events(parent.id)) == told


async def test_cycles_of_many_turns_are_closed_in_a_few_units(database: Database, log: CycleLog):
    for turn in range(1, 121):
        await begun(database, log, turn, "failed")
    keeping = CutOffCycles(database, FakeClock())
    assert [await keeping.close() for _ in range(4)] == [100, 100, 40, 0]
