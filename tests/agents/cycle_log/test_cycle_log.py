"""The cycle log: exact fields, written once on replays, private, redacted, exported."""

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.cycle_log.events import LOGGED_CHARS, Cycle, CycleKey, Cycles, cycle_id, rated
from bot.agents.cycle_log.log_store import CycleLog
from bot.agents.cycle_log.store import events_unit
from bot.domain.cycles import CycleEvent, CycleEventType, CycleStatus
from bot.domain.database import Database
from bot.domain.models import ModelReply, Usage
from bot.domain.privacy import IN_DM, PUBLICLY
from bot.domain.tools import Risk, ToolCall
from bot.log import redact_json
from bot.storage.home import make_database
from bot.testing.fake_clock import FakeClock

CALL = ToolCall("toolu_1", "manage_todos", {"action": "create", "title": "milk"}, "tool:1.0")

CYCLES = Cycles(FakeClock(), redact_json)


@pytest.fixture
def log(database: Database) -> CycleLog:
    return CycleLog(database, "0123456789abcdef")


def key(turn: int = 1, person: str = "ann", **more: Any) -> CycleKey:
    return CycleKey(turn=turn, session_id="s1", person=person, agent="assistant", **more)


def child_of(cycle: Cycle, scope: str = "tool:1.0") -> CycleKey:
    return CycleKey(
        turn=cycle.key.turn,
        session_id="s1",
        person="ann",
        agent="observer",
        scope=scope,
        parent_id=cycle.id,
    )


def whole_cycle(cycle: Cycle, text: str = "buy milk") -> list[CycleEvent]:
    reply = ModelReply(({"type": "text", "text": "ok"},), "end_turn", Usage(10, 20, 30, 40), "m-1")
    return [
        cycle.start(text),
        cycle.llm_request("model:1", model="m-1", messages=2, tools=14, max_tokens=4096),
        cycle.llm_response("model:1", reply, 900),
        cycle.tool_call(CALL),
        cycle.tool_result(CALL, "created", success=True, ms=3),
        cycle.complete(CycleStatus.COMPLETE, text="Done.", usage=reply.usage, ms=1200),
    ]


async def test_a_logged_cycle_reads_back_as_it_was_written(log: CycleLog, database: Database):
    cycle = CYCLES.of(key())
    events = whole_cycle(cycle)
    await database.write(events_unit(events))
    assert await log.events(cycle.id) == events


async def test_replaying_a_step_does_not_double_or_change_its_events(
    log: CycleLog, database: Database
):
    cycle = CYCLES.of(key())
    await database.write(events_unit(whole_cycle(cycle)))
    await database.write(events_unit(whole_cycle(cycle, text="something else")))
    events = await log.events(cycle.id)
    assert len(events) == 6
    assert events[0].data["text"] == "buy milk"


async def test_one_unit_adds_many_events_in_their_order_and_each_once(
    log: CycleLog, database: Database
):
    cycle = CYCLES.of(key())
    calls = [replace(CALL, key=f"tool:1.{number}") for number in range(20)]
    events = [cycle.start("hello"), *map(cycle.tool_call, calls)]
    again = cycle.start("something else")
    await database.write(events_unit([events[0], *events[3:5]]))
    unit = events_unit([*events, again, *events])
    assert len(unit.writes) == 3  # with eight events at most in each
    await database.write(unit)
    stored = await log.events(cycle.id)
    assert stored == [events[0], *events[3:5], *events[1:3], *events[5:]]


async def test_a_cycle_brings_the_delegates_below_it_and_no_others(
    log: CycleLog, database: Database
):
    top, other = CYCLES.of(key(1)), CYCLES.of(key(2))
    child = CYCLES.of(child_of(top))
    grandchild = CYCLES.of(child_of(child, "tool:1.0/tool:1.0"))
    for cycle in (top, child, other, grandchild):
        await database.write(events_unit(whole_cycle(cycle)))
    assert {event.cycle_id for event in await log.events(top.id)} == {
        top.id,
        child.id,
        grandchild.id,
    }
    assert {event.cycle_id for event in await log.events(child.id)} == {child.id, grandchild.id}


async def test_a_cycle_without_a_start_is_found_by_its_turn(log: CycleLog, database: Database):
    other, cycle = CYCLES.of(key(1)), CYCLES.of(key(2))
    child = CYCLES.of(child_of(cycle))
    _, *events = whole_cycle(cycle)
    below = whole_cycle(child)
    await database.write(events_unit([*whole_cycle(other), *events, *below]))
    assert await log.events(cycle.id, 2) == [*events, *below]
    assert await log.events(cycle.id, 1) == []


def test_events_inside_a_delegate_are_parented_as_the_wire_format_says(log: CycleLog):
    top = CYCLES.of(key())
    child = CYCLES.of(child_of(top))
    start, *inner, end = whole_cycle(child)
    assert (start.type, start.parent_id) == (CycleEventType.AGENT_CYCLE_START, top.id)
    assert (end.type, end.parent_id) == (CycleEventType.AGENT_CYCLE_COMPLETE, top.id)
    assert {event.parent_id for event in inner} == {child.id}
    assert {event.parent_id for event in whole_cycle(top)} == {None}


def test_cycle_ids_are_the_same_on_replay_and_differ_by_turn_and_scope():
    assert cycle_id(7, "tool:1.0") == cycle_id(7, "tool:1.0")
    assert len({cycle_id(7), cycle_id(8), cycle_id(7, "tool:1.0"), cycle_id(7, "tool:1.1")}) == 4
    assert len(cycle_id(7)) == 32
    assert int(cycle_id(7), 16) >= 0


async def test_an_id_is_found_by_its_first_eight_characters_and_not_by_fewer(
    log: CycleLog, database: Database
):
    cycle = CYCLES.of(key())
    await database.write(events_unit([cycle.start("hello")]))
    assert await log.events(f" {cycle.id[:8].upper()} ") == await log.events(cycle.id)
    assert await log.events(cycle.id[:7]) == []
    assert await log.events("%" * 8) == []


async def test_a_shortened_id_is_looked_up_among_the_newest_500_cycles(
    log: CycleLog, database: Database
):
    old = CYCLES.of(key(1))
    await database.write(events_unit([old.start("old")]))
    for first in range(2, 502, 100):
        await database.write(
            events_unit([CYCLES.of(key(turn)).start("x") for turn in range(first, first + 100)])
        )
    assert await log.events(old.id[:8]) == []
    assert len(await log.events(old.id)) == 1


async def test_recent_cycles_are_the_newest_top_level_ones_of_the_person(
    log: CycleLog, database: Database
):
    for turn in range(1, 6):
        cycle = CYCLES.of(
            key(turn, person="ann" if turn % 2 else "ben", learned=IN_DM if turn > 2 else PUBLICLY)
        )
        await database.write(events_unit(whole_cycle(cycle, text=f"ask {turn}")))
        await database.write(events_unit(whole_cycle(CYCLES.of(child_of(cycle)))))
    assert [cycle.text for cycle in await log.recent("ann", 2)] == ["ask 5", "ask 3"]
    assert [cycle.text for cycle in await log.recent(None, 3)] == ["ask 5", "ask 4", "ask 3"]
    shown, hidden = await log.recent_shown("ann", 9, lambda event: not event.private)
    assert ([cycle.text for cycle in shown], hidden) == (["ask 1"], 2)
    assert await log.recent("cid", 5) == []


async def test_a_cycle_without_an_end_is_running(log: CycleLog, database: Database):
    await database.write(events_unit([CYCLES.of(key()).start("hello")]))
    (summary,) = await log.recent("ann", 5)
    assert (summary.status, summary.duration_ms) == (CycleStatus.RUNNING, None)


async def test_export_is_one_json_object_a_line_with_the_fields_of_the_format(
    log: CycleLog, database: Database
):
    cycle = CYCLES.of(key())
    await database.write(events_unit(whole_cycle(cycle)))
    lines = [json.loads(line) async for line in log.export()]
    assert [line["type"] for line in lines] == [
        "cycle_start",
        "llm_request",
        "llm_response",
        "tool_call",
        "tool_result",
        "cycle_complete",
    ]
    assert all(
        {"cycle_id", "parent_id", "timestamp", "duration_ms"} <= set(line)
        and line["instance_id"] == "01234567"
        for line in lines
    )
    start, request, response, call, result, end = lines
    assert {"node_type", "text", "agent"} <= set(start)
    assert {"model", "message_count", "tool_count", "max_tokens"} <= set(request)
    assert {"stop_reason", "input_tokens", "output_tokens", "error"} <= set(response)
    assert {"tool_name", "tool_input", "tool_input_len"} <= set(call)
    assert {"tool_name", "success", "error", "output"} <= set(result)
    assert {"status", "error", "text", "tokens"} <= set(end)


async def test_export_reads_a_long_log_page_by_page(log: CycleLog, database: Database):
    for first in range(0, 1200, 100):
        await database.write(
            events_unit(
                [CYCLES.of(key(turn)).start(str(turn)) for turn in range(first, first + 100)]
            )
        )
    assert [json.loads(line)["text"] async for line in log.export()] == [
        str(turn) for turn in range(1200)
    ]


def test_secrets_and_long_texts_do_not_reach_the_log(log: CycleLog):
    cycle = CYCLES.of(key())
    secret = "sk-ant-abcdef0123456789"
    call = ToolCall(
        "toolu_1",
        "post",
        {"api_key": "hunter2hunter2", "body": f"use {secret} " + "x" * 5000},
        "tool:1.0",
    )
    events = [
        cycle.start(f"{secret} " + "y" * 5000),
        cycle.tool_call(call),
        cycle.tool_result(call, f"{secret} " + "z" * 5000, success=False),
        cycle.llm_error("model:1", f"401 for {secret}", 5),
    ]
    written = json.dumps([event.data for event in events])
    assert secret not in written
    assert "hunter2" not in written
    assert all(
        len(value) <= LOGGED_CHARS
        for event in events
        for value in event.data.values()
        if isinstance(value, str)
    )
    assert events[1].data["tool_input_len"] > 5000


def test_with_tool_io_off_only_lengths_are_logged(database: Database):
    cycle = Cycles(FakeClock(), redact_json, tool_io=False).of(key())
    call, result = (
        cycle.tool_call(CALL),
        cycle.tool_result(CALL, "the milk is bought", success=False),
    )
    assert "tool_input" not in call.data
    assert "milk" not in json.dumps(result.data)
    assert result.data["output_len"] == 18


async def test_text_that_is_not_valid_unicode_is_logged_all_the_same(
    log: CycleLog, database: Database
):
    cycle = CYCLES.of(key())
    await database.write(events_unit([cycle.start("half a pair \ud83d")]))
    assert (await log.events(cycle.id))[0].data["text"] == "half a pair \ud83d"


async def test_every_event_type_can_be_written(log: CycleLog, database: Database):
    cycle, child = CYCLES.of(key()), CYCLES.of(child_of(CYCLES.of(key())))
    events = [
        *whole_cycle(cycle),
        *whole_cycle(child),
        cycle.policy_decision(CALL, "tool", "deny", "no mail"),
        cycle.security(CALL, "the role Guest may not"),
        cycle.tool_turns_extended(CALL, additional=5, total=15, reason="more files"),
        cycle.approval(CALL.key, CALL.name, "a1", "open", Risk.DESTRUCTIVE),
        cycle.watchdog_fire("tool:1.1", "shell", timedelta(seconds=1.5)),
        cycle.verification("Criterion 1 is not met"),
        cycle.curator_assembled("epoch:1", {"persona": 900}),
    ]
    events.append(rated(events, "rated:9", events[0].at, helped=False))
    assert {event.type for event in events} == set(CycleEventType)
    await database.write(events_unit(events))
    assert len(await log.events(cycle.id)) == len(events)


@given(
    st.text(max_size=60), st.dictionaries(st.text(max_size=10), st.text(max_size=40), max_size=3)
)
def test_any_text_gives_json_that_can_be_written(text: str, arguments: dict[str, str]):
    cycle = CYCLES.of(key())
    call = ToolCall("id", text, arguments, "tool:1.0")
    for event in (
        cycle.start(text),
        cycle.tool_call(call),
        cycle.tool_result(call, text, success=True),
    ):
        assert json.loads(json.dumps(event.data)) == event.data


def test_sqlite_compiles_the_write_of_an_event_once(tmp_path: Path):
    compiled = 0

    def count(*_: object) -> int:
        nonlocal compiled
        compiled += 1
        return sqlite3.SQLITE_OK

    make_database(tmp_path / "log.db")
    with closing(sqlite3.connect(tmp_path / "log.db", isolation_level=None)) as connection:
        connection.set_authorizer(count)  # called for each part of a statement that is compiled
        per_event: list[int] = []
        for event in whole_cycle(CYCLES.of(key())):
            compiled = 0
            for write in events_unit([event]).writes:
                connection.execute(write.sql, write.params)
            per_event.append(compiled)
    assert per_event[0] > 0
    assert not any(per_event[1:])
