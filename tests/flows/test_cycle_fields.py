"""Every event of a request and its delegate has exactly the fields of its type."""

import json
from pathlib import Path
from typing import Any

from bot.agents.cycle_log.events import LOGGED_CHARS
from bot.domain.cycles import CycleEventType, CycleStatus
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say

EVERY = {
    *("type", "cycle_id", "parent_id", "timestamp", "instance_id", "duration_ms"),
    *("session_id", "person", "agent", "step"),
}
TOKENS = {"input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens"}
START = {"node_type", "text"}
COMPLETE = {"status", "error", "text", "outcome", "tokens"}
FIELDS = {
    CycleEventType.CYCLE_START: START,
    CycleEventType.AGENT_CYCLE_START: START,
    CycleEventType.LLM_REQUEST: {"model", "message_count", "tool_count", "max_tokens"},
    CycleEventType.LLM_RESPONSE: {"model", "stop_reason", "attempts", "error", *TOKENS},
    CycleEventType.TOOL_CALL: {"tool_name", "tool_input_len", "tool_input"},
    CycleEventType.TOOL_RESULT: {"tool_name", "success", "error", "output", "output_len"},
    CycleEventType.POLICY_DECISION: {"gate", "verdict", "rule", "tool_name"},
    CycleEventType.CYCLE_COMPLETE: COMPLETE,
    CycleEventType.AGENT_CYCLE_COMPLETE: COMPLETE,
}
SECRET = "sk-ant-abcdef0123456789"
LONG = f"look at {SECRET} " + "x" * 5000


async def exported(home: Path) -> list[dict[str, Any]]:
    model = ScriptedModel(
        [
            call("agent_observer", {"instruction": LONG}),
            call("recall_recent", {"limit": 1}),
            call("no_such_tool", {"note": LONG}),
            say("Nothing unusual."),
            call("no_such_tool", {}),
            say("Told."),
        ]
    )
    async with running_app(home, model) as house:
        assert await house.ask("ann", f"anything odd? {LONG}") == "Told."
        await house.until_idle()
        return [json.loads(line) async for line in house.app.cycle_log.export()]


async def test_events_have_the_fields_of_their_type_also_in_called_agents(
    home: Path,
):
    lines = await exported(home)
    whose = {line["cycle_id"]: line["agent"] for line in lines}
    assert set(whose.values()) == {"assistant", "observer"}
    shared = set(FIELDS) - {
        *(CycleEventType.CYCLE_START, CycleEventType.CYCLE_COMPLETE),
        *(CycleEventType.AGENT_CYCLE_START, CycleEventType.AGENT_CYCLE_COMPLETE),
    }
    for agent in ("assistant", "observer"):
        assert shared <= {line["type"] for line in lines if line["agent"] == agent}
    for line in lines:
        if (expected := FIELDS.get(CycleEventType(line["type"]))) is not None:
            assert set(line) == EVERY | expected, line["type"]


async def test_the_events_of_an_agent_hang_below_the_cycle_that_called_it(home: Path):
    lines = await exported(home)
    top = next(line["cycle_id"] for line in lines if line["type"] == "cycle_start")
    below = [line for line in lines if line["cycle_id"] != top]
    ends = {"agent_cycle_start", "agent_cycle_complete"}
    assert {line["parent_id"] for line in below if line["type"] in ends} == {top}
    assert {line["parent_id"] for line in below if line["type"] not in ends} == {
        below[0]["cycle_id"]
    }
    assert [line["type"] for line in (below[0], below[-1])] == [
        "agent_cycle_start",
        "agent_cycle_complete",
    ]


async def test_texts_inputs_and_outputs_are_redacted_and_cut_at_2000_characters(home: Path):
    lines = await exported(home)
    assert SECRET not in json.dumps(lines)
    texts = [value for line in lines for value in line.values() if isinstance(value, str)]
    assert LOGGED_CHARS == max(map(len, texts)) == 2000


async def test_the_log_lists_a_compaction_and_finds_it_by_its_id(home: Path):
    async with running_app(
        home, ScriptedModel([say("Nice."), say(f"<summary>{'A green shed. ' * 30}</summary>")])
    ) as house:
        await house.ask("ann", LONG)
        await house.until_idle()
        assert "Done" in await house.command("ann", "compact")
        await house.until_idle()
        log = house.app.cycle_log
        newest, *_ = await log.recent("ann", 2)
        assert (newest.text, newest.status) == ("/compact", CycleStatus.COMPLETE)
        found = await log.events(newest.cycle_id)
        assert found == await log.events(newest.cycle_id[:8])
        assert found[0].type is CycleEventType.CYCLE_START
        assert {event.type for event in found} >= {
            CycleEventType.LLM_RESPONSE,
            CycleEventType.CYCLE_COMPLETE,
        }
        assert await log.of_cycle(newest.cycle_id) == found  # which is sent as a trace
