"""What is recorded of runs: the cycle log, and traces for a collector."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
import yaml

from bot.agents.cycle_log.events import LOGGED_CHARS, CycleKey, Cycles, cycle_id
from bot.agents.cycle_log.spans import spans_of
from bot.domain.cycles import CycleEventType, CycleStatus
from bot.errors import ModelError, ModelTrouble, SettingsError
from bot.log import redact_json
from bot.storage.values import HomeValue, home_value
from bot.testing.engine_lives import PATIENCE_S
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.trace_collector import Received, TraceCollector, trace_collector

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


async def test_events_have_the_fields_of_their_type_below_the_cycle_that_called(home: Path):
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
        lines = [json.loads(line) async for line in house.app.cycle_log.export()]
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

    top = next(line["cycle_id"] for line in lines if line["type"] == "cycle_start")
    below = [line for line in lines if line["cycle_id"] != top]
    ends = ["agent_cycle_start", "agent_cycle_complete"]
    own = below[0]["cycle_id"]
    assert {line["parent_id"] for line in below if line["type"] in ends} == {top}
    assert {line["parent_id"] for line in below if line["type"] not in ends} == {own}
    assert [line["type"] for line in (below[0], below[-1])] == ends

    assert SECRET not in json.dumps(lines)
    texts = [value for line in lines for value in line.values() if isinstance(value, str)]
    assert LOGGED_CHARS == max(map(len, texts)) == 2000


async def test_the_log_lists_a_compaction_and_finds_it_by_its_id(home: Path):
    async with running_app(
        home, ScriptedModel([say("Nice."), say(f"<summary>{'A green shed. ' * 30}</summary>")])
    ) as house:
        await house.ask("ann", LONG)
        assert "Done" in await house.command("ann", "compact")
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


async def test_the_run_before_is_read_in_one_call_and_names_the_failed_tool(home: Path):
    model = ScriptedModel(
        [
            call("manage_todos", {"action": "create", "title": "Board", "dueDate": "31 November"}),
            say("There is no such day."),
            call("inspect_cycle", {}),
            say("The day does not exist."),
        ],
        strict=True,
    )
    async with running_app(home, model) as house:
        await house.ask("ann", "remind me of the board meeting on 31 November")
        await house.ask("ann", "why did that fail?")
    assert "manage_todos [failed]" in str(model.requests[-1].messages)
    listed = str(model.requests[0].system)
    assert "- inspect_cycle(" in listed
    assert "agent_observer" not in listed


LOOK_S = 5.0
ASK = {"instruction": "look at the pumpkin"}


def script() -> ScriptedModel:
    observer = [
        call("recall_recent", {"limit": 1}),
        call("no_such_tool", {"about": "pumpkin"}),
        say("A pumpkin."),
    ]
    return ScriptedModel([call("agent_observer", ASK), *observer, say("Told about the pumpkin.")])


def send_to(home: Path, collector: TraceCollector, *, contents: bool = False) -> None:
    settings = {"traces": {"endpoint": collector.url, "contents": contents}}
    (home / "bellhop.yaml").write_text(yaml.safe_dump(settings))


async def looks(
    clock: FakeClock, collector: TraceCollector, count: int, seconds: float = LOOK_S
) -> None:
    """Let time pass until the collector was asked so many times in all."""
    async with asyncio.timeout(PATIENCE_S):
        while len(collector.site.asked) < count:
            await clock.advance(seconds)


async def asked(house: Harness) -> None:
    """One request, once the export knows where to begin."""
    while not await home_value(house.app.database, HomeValue.EXPORTED):
        await settle()
    assert await house.ask("ann", "tell me of the pumpkin") == "Told about the pumpkin."


def named(collector: TraceCollector, name: str) -> Received:
    (span,) = [span for span in collector.spans if span.name == name]
    return span


async def test_a_request_is_one_trace_of_agents_model_calls_and_tools(home: Path):
    clock = FakeClock()
    async with trace_collector() as collector:
        send_to(home, collector)
        async with running_app(home, script(), clock=clock) as house:
            await asked(house)
            await looks(clock, collector, 1)
            top = (await house.app.cycle_log.recent("ann", 1))[0].cycle_id
    assert {span.trace for span in collector.spans} == {top}
    assert set(collector.services) == {"bellhop"}
    assistant, observer = (
        named(collector, "invoke_agent assistant"),
        named(collector, "invoke_agent observer"),
    )
    assert (assistant.parent, observer.parent) == ("", assistant.id)
    below = [span for span in collector.spans if span.parent == observer.id]
    assert sorted(span.name.split()[0] for span in below) == ["chat"] * 3 + ["execute_tool"] * 2
    assert all(span.start <= span.end for span in collector.spans)
    failed = named(collector, "execute_tool no_such_tool")
    assert (failed.failed, failed.attributes["error.type"]) == (True, "tool_error")
    assert observer.attributes["gen_ai.agent.name"] == "observer"
    assert observer.attributes["gen_ai.operation.name"] == "invoke_agent"
    assert observer.attributes["gen_ai.usage.input_tokens"] == 300
    chat = next(span for span in below if span.name.startswith("chat"))
    assert chat.attributes["gen_ai.response.finish_reasons"] == ["tool_use"]
    assert chat.attributes["gen_ai.usage.output_tokens"] == 20
    assert "pumpkin" not in repr(collector.spans)


async def test_contents_are_sent_where_the_settings_ask_for_them(home: Path):
    clock = FakeClock()
    async with trace_collector() as collector:
        send_to(home, collector, contents=True)
        async with running_app(home, script(), clock=clock) as house:
            await asked(house)
            await looks(clock, collector, 1)
    tool = named(collector, "execute_tool no_such_tool")
    assert json.loads(str(tool.attributes["gen_ai.tool.call.arguments"])) == {"about": "pumpkin"}
    said = json.loads(
        str(named(collector, "invoke_agent observer").attributes["gen_ai.output.messages"])
    )
    assert said[0]["parts"] == [{"type": "text", "content": "A pumpkin."}]


async def test_a_collector_that_is_away_costs_no_turn_and_gets_everything_later(home: Path):
    clock = FakeClock()
    async with trace_collector() as collector:
        send_to(home, collector)
        collector.there = False
        async with running_app(home, script(), clock=clock) as house:
            await asked(house)
            await looks(clock, collector, 1)
            assert collector.spans == []
        collector.there = True
        async with running_app(home, ScriptedModel([]), clock=clock):
            await looks(clock, collector, 2)
    assert named(collector, "invoke_agent observer").attributes["gen_ai.agent.name"] == "observer"


async def test_without_the_packages_the_start_says_what_to_install(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    (home / "bellhop.yaml").write_text("traces: {endpoint: 'http://localhost:4318'}\n")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter.otlp.proto.http", None)
    with pytest.raises(
        SettingsError, match=r"line 1: traces\.endpoint: .* install bellhop-assistant\[traces\]"
    ):
        async with running_app(home, ScriptedModel([])):
            pass


def test_a_model_that_gave_no_answer_and_a_run_that_failed_are_errors():
    cycle = Cycles(FakeClock(), redact_json).of(CycleKey(1, "s1", "ann", "assistant"))
    trouble = str(ModelError(ModelTrouble("overloaded", "the service is overloaded", tries=3)))
    events = [
        cycle.start("hi"),
        cycle.llm_request("model:1", model="claude-x", messages=1, tools=0, max_tokens=9),
        cycle.llm_error("model:1", trouble, 30),
        cycle.complete(CycleStatus.ERROR, error=trouble),
    ]
    agent, chat = spans_of(events, cycle_id(1))
    assert (agent.error, chat.error) == ("error", "model_error")
    assert chat.attributes["gen_ai.provider.name"] == "anthropic"
    assert spans_of(events[:-1], cycle_id(1)) == []
