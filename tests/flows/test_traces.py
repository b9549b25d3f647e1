"""Runs as traces: a collector's spans, without people's words, at no cost of a turn."""

import asyncio
import json
import sys
from pathlib import Path

import pytest
import yaml

from bot.agents.cycle_log.events import CycleKey, Cycles, cycle_id
from bot.agents.cycle_log.spans import spans_of
from bot.domain.cycles import CycleStatus
from bot.errors import ModelError, ModelTrouble, SettingsError
from bot.log import redact_json
from bot.storage.values import HomeValue, home_value
from bot.testing.engine_lives import PATIENCE_S
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.trace_collector import Received, TraceCollector, trace_collector

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
    await house.until_idle()


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
