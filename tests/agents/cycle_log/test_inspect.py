"""inspect_cycle and recall_recent: what the tree shows, and whose cycles anybody may see."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.agents.cycle_log.events import Cycle, CycleKey, Cycles
from bot.agents.cycle_log.inspect import (
    NONE_YET,
    InspectArguments,
    RecallArguments,
    inspect_cycle_tool,
    recall_recent_tool,
)
from bot.agents.cycle_log.log_store import CycleLog
from bot.agents.cycle_log.store import events_unit
from bot.agents.cycle_log.tree import render_tree
from bot.domain.access import Person, Role
from bot.domain.cycles import CycleEvent, CycleStatus
from bot.domain.database import Database, Unit, Write
from bot.domain.finding import SearchResult
from bot.domain.messages import Conversation
from bot.domain.models import ModelReply, Usage
from bot.domain.origins import Trust
from bot.domain.places import AT_TERMINAL, Location, Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned
from bot.domain.runs import RunKind
from bot.domain.tool_context import ListedTool, ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import ToolCall, ToolDefinition
from bot.log import redact_json
from bot.testing.contexts import a_place
from bot.testing.fake_clock import FakeClock


class NoTools:
    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        return SearchResult(())

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        return ()

    def listing(self) -> tuple[ListedTool, ...]:
        return ()


async def no_send(text: str, *, key: str, to: str | None = None) -> None:
    raise AssertionError("inspecting sends nothing")


def context(cycle_id: str = "f" * 32, **more: Any) -> ToolContext:
    fields: dict[str, Any] = {
        "person": Person("ann", "Ann", Role.FRIEND),
        "agent": "observer",
        "run": RunKind(),
        "session_id": "s1",
        "conversation": Conversation("terminal", "home", "1"),
        "location": AT_TERMINAL,
        "private": True,
        "cycle_id": cycle_id,
        "call": ToolCall("toolu_1", "inspect_cycle", {}, "tool:1.0"),
        "tools": NoTools(),
        "now": datetime(2026, 11, 21, 9, tzinfo=UTC),
        "timezone": "UTC",
        "send": no_send,
        "progress": str,
    }
    return ToolContext(**{**fields, **more})


def in_channel(reach: Reach = Reach.PUBLIC, name: str = "room-1", **more: Any) -> ToolContext:
    where = a_place(reach, name)
    return context(private=False, conversation=where, location=Location.of(where), **more)


def admin(**more: Any) -> ToolContext:
    return context(person=Person("root", "Root", Role.MASTER_ADMIN), **more)


CYCLES = Cycles(FakeClock(), redact_json)


@pytest.fixture
def log(database: Database) -> CycleLog:
    return CycleLog(database)


def top(turn: int = 1, person: str = "ann", *, learned: Learned = IN_DM) -> Cycle:
    return CYCLES.of(CycleKey(turn, "s1", person, "assistant", learned=learned))


def below(parent: Cycle, scope: str = "tool:1.1") -> Cycle:
    key = CycleKey(
        parent.key.turn, "s1", parent.key.person, "observer", scope, parent.id, parent.key.learned
    )
    return CYCLES.of(key)


def call(name: str, key: str, **arguments: Any) -> ToolCall:
    return ToolCall(f"toolu_{key}", name, arguments, key)


def reply(tokens: Usage = Usage(100, 900, 0, 40)) -> ModelReply:
    return ModelReply((), "tool_use", tokens, "m-1")


def delegation(log: CycleLog) -> list[CycleEvent]:
    parent = top()
    child = below(parent)
    todo, delegate = (
        call("manage_todos", "tool:1.0", action="list"),
        call("agent_observer", "tool:1.1", instruction="why"),
    )
    inner = call("inspect_cycle", "tool:1.0", cycle_id="x" * 8)
    return [
        parent.start("why did that fail?"),
        parent.llm_request("model:1", model="m-1", messages=2, tools=14, max_tokens=4096),
        parent.llm_response("model:1", reply(), 800),
        parent.tool_call(todo),
        parent.tool_result(todo, "no such todo", success=False, ms=2),
        parent.tool_call(delegate),
        child.start("why"),
        child.llm_response("tool:1.1/model:1", reply(), 500),
        child.tool_call(inner),
        child.tool_result(inner, "y" * 900, success=True),
        child.complete(
            CycleStatus.ERROR, error="agent: max_turns=8 exhausted without final reply", ms=900
        ),
        parent.tool_result(
            delegate,
            "agent_observer: agent: max_turns=8 exhausted without final reply",
            success=False,
        ),
        parent.policy_decision(
            call("send_email", "tool:2.0"), "tool", "deny", "no mail on Sundays"
        ),
        parent.llm_response("model:2", reply(), 700),
        parent.complete(
            CycleStatus.COMPLETE, text="It could not be read.", outcome="partial", ms=2400
        ),
    ]


async def ask(
    log: CycleLog, asked: ToolContext, cycle_id: str, detail: str = "summary"
) -> ToolResult:
    arguments = InspectArguments.model_validate({"cycle_id": cycle_id, "detail": detail})
    outcome = await inspect_cycle_tool(log).run(asked, arguments)
    assert isinstance(outcome, ToolResult)
    return outcome


async def recall(log: CycleLog, asked: ToolContext, **arguments: Any) -> ToolResult:
    outcome = await recall_recent_tool(log).run(asked, RecallArguments.model_validate(arguments))
    assert isinstance(outcome, ToolResult)
    return outcome


def test_the_tree_shows_outcomes_tokens_tools_gates_and_children(log: CycleLog):
    events = delegation(log)
    parent, child = events[0].cycle_id[:8], events[6].cycle_id[:8]
    assert render_tree(events).splitlines() == [
        f"cognitive assistant {parent}: partial",
        "  at: 2026-11-21 09:00:00 UTC, 2400 ms",
        "  tokens: 2000 in (1800 cached), 80 out",
        "  model: m-1 (2 calls)",
        "  tools: manage_todos [failed], agent_observer [failed]",
        '    manage_todos {"action": "list"}',
        "    gave no such todo",
        "  gate tool: deny send_email (no mail on Sundays)",
        f"  agent observer {child}: failure: agent: max_turns=8 exhausted without final reply",
        "    at: 2026-11-21 09:00:00 UTC, 900 ms",
        "    tokens: 1000 in (900 cached), 40 out",
        "    model: m-1 (1 call)",
        "    tools: inspect_cycle",
    ]


def test_prices_show_the_cost_of_a_cycle_with_and_without_its_agents(log: CycleLog):
    def cost(model: str, usage: Usage) -> int | None:
        assert model == "m-1"
        return usage.output_tokens * 1_000_000

    lines = render_tree(delegation(log), cost=cost).splitlines()
    assert lines[2:4] == [
        "  tokens: 2000 in (1800 cached), 80 out, 0.0800 USD",
        "  with the agents below: 3000 in (2700 cached), 120 out, 0.1200 USD",
    ]
    assert "    tokens: 1000 in (900 cached), 40 out, 0.0400 USD" in lines


def test_calls_of_unknown_price_are_counted_and_failed_ones_are_not(log: CycleLog):
    cycle = top()
    events = [
        cycle.start("hi"),
        cycle.llm_response("model:1", reply(), 1),
        cycle.llm_error("model:2", "overloaded", 1),
    ]
    tree = render_tree(events, cost=lambda _model, _usage: None)
    assert (
        "  tokens: 1000 in (900 cached), 40 out, 0.0000 USD + 1 call of unknown price"
        in tree.splitlines()
    )


def test_the_full_tree_cuts_inputs_and_outputs_of_tools_at_500(log: CycleLog):
    lines = render_tree(delegation(log), full=True).splitlines()
    assert "  asked: why did that fail?" in lines
    assert "  answered: It could not be read." in lines
    assert '    IN  {"action": "list"}' in lines
    assert "    OUT no such todo" in lines
    assert "      OUT " + "y" * 499 + "…" in lines


def test_a_cycle_without_an_end_is_in_flight_only_when_it_runs_now(log: CycleLog):
    cycle = top()
    assert (
        render_tree([cycle.start("hi")], in_flight=[cycle.id])
        .splitlines()[0]
        .endswith(": in-flight")
    )
    assert render_tree([cycle.start("hi")]).splitlines()[0].endswith(": pending")


@pytest.mark.parametrize(
    ("status", "outcome", "error", "shown"),
    [
        (CycleStatus.COMPLETE, "resolved", None, "success"),
        (CycleStatus.COMPLETE, "partial", None, "partial"),
        (CycleStatus.COMPLETE, "unresolved", None, "failure: unresolved"),
        (CycleStatus.ERROR, "resolved", "model: overloaded", "failure: model: overloaded"),
        (
            CycleStatus.ABANDONED,
            "resolved",
            "stopped by the person",
            "abandoned: stopped by the person",
        ),
        (CycleStatus.BLOCKED, "resolved", None, "blocked"),
    ],
)
def test_every_end_has_its_word(
    log: CycleLog, status: CycleStatus, outcome: str, error: str | None, shown: str
):
    cycle = top()
    tree = render_tree([cycle.start("hi"), cycle.complete(status, outcome=outcome, error=error)])
    assert tree.splitlines()[0] == f"cognitive assistant {cycle.id[:8]}: {shown}"


def test_a_call_whose_result_was_never_logged_says_so(log: CycleLog):
    cycle = top()
    assert "  tools: shell [no result]" in render_tree(
        [cycle.start("x"), cycle.tool_call(call("shell", "tool:1.0"))]
    )


def test_nothing_renders_as_nothing():
    assert render_tree([]) == ""


async def test_one_can_inspect_ones_own_cycle_by_its_first_characters(
    log: CycleLog, database: Database
):
    events = delegation(log)
    await database.write(events_unit(events))
    found = await ask(log, context(), events[0].cycle_id[:8])
    assert found.content == render_tree(events)
    assert (found.is_error, found.private) == (False, True)


@pytest.mark.parametrize(("success", "trust"), [(True, Trust.OPERATOR), (False, Trust.EXTERNAL)])
async def test_a_summary_taints_only_where_it_quotes_an_error(
    log: CycleLog, database: Database, success: bool, trust: Trust
):
    cycle, shell = top(), call("shell", "tool:1.0")
    events = [cycle.start("x"), cycle.tool_call(shell)]
    events += [cycle.tool_result(shell, "rm -rf /", success=success)]
    await database.write(events_unit(events))
    found = await ask(log, context(), cycle.id)
    assert (found.origin.trust, "rm -rf /" in found.content) == (trust, not success)


async def test_without_an_id_the_run_before_the_asking_one_is_shown(
    log: CycleLog, database: Database
):
    assert (await ask(log, context(), "")).content == NONE_YET
    before, asking, theirs = top(1), top(2), top(3, person="ben")
    child = below(asking)
    await database.write(
        events_unit(
            [before.start("hi"), asking.start("why?"), child.start("w"), theirs.start("no")]
        )
    )
    found = await ask(log, context(child.id), "")
    assert found.content.startswith(f"cognitive assistant {before.id[:8]}")


async def test_the_list_names_the_tools_that_failed(log: CycleLog, database: Database):
    await database.write(events_unit(delegation(log)))
    line = (await recall(log, context())).content
    assert "[complete; failed in it: manage_todos, agent_observer]" in line


async def test_the_run_that_asks_and_its_callers_are_in_flight(log: CycleLog, database: Database):
    parent = top()
    child = below(parent)
    other = top(2)
    await database.write(
        events_unit([parent.start("why?"), child.start("why"), other.start("slow")])
    )
    tree = (await ask(log, context(child.id), parent.id)).content
    assert tree.count(": in-flight") == 2
    assert ": pending" in (await ask(log, context(child.id), other.id)).content


async def test_full_detail_taints_the_context_that_reads_it(log: CycleLog, database: Database):
    events = delegation(log)
    await database.write(events_unit(events))
    assert (await ask(log, context(), events[0].cycle_id, "full")).origin.trust is Trust.EXTERNAL


@pytest.mark.parametrize("cycle_id", ["deadbeef", "dead", "f" * 32, "%%%%%%%%"])
async def test_an_unknown_id_is_answered_plainly_and_is_no_error(log: CycleLog, cycle_id: str):
    found = await ask(log, context(), cycle_id)
    assert (found.content, found.is_error) == (f"cycle not found: {cycle_id}", False)


async def test_somebody_elses_cycle_is_as_unknown_as_one_that_never_was(
    log: CycleLog, database: Database
):
    theirs = top(person="ben")
    await database.write(events_unit([theirs.start("secret plan")]))
    assert (await ask(log, context(), theirs.id)).content == f"cycle not found: {theirs.id}"
    assert "in-flight" not in (await ask(log, admin(), theirs.id)).content
    assert theirs.id[:8] in (await ask(log, admin(), theirs.id)).content


async def test_private_cycles_are_not_shown_in_a_channel(log: CycleLog, database: Database):
    private, shared = top(1), top(2, learned=PUBLICLY)
    await database.write(events_unit([private.start("my salary"), shared.start("lunch?")]))
    assert "not found" in (await ask(log, in_channel(), private.id)).content
    assert "not found" not in (await ask(log, in_channel(), shared.id)).content
    lines = (await recall(log, in_channel())).content
    assert "lunch?" in lines
    assert "salary" not in lines


async def test_cycles_of_a_private_channel_are_shown_there_and_in_dms(
    log: CycleLog, database: Database
):
    vault = in_channel(Reach.PRIVATE, "vault")
    there = top(1, learned=vault.learned)
    await database.write(events_unit([there.start("the merger")]))
    elsewhere = [
        in_channel(Reach.PRIVATE, "attic"),
        in_channel(),
        in_channel(person=admin().person),
    ]
    for asked in elsewhere:
        assert "not found" in (await ask(log, asked, there.id)).content
        assert "merger" not in (await recall(log, asked)).content
    assert (
        await recall(log, elsewhere[0])
    ).content == "no cycles yet that may be shown here\n1 more is private; ask me in a DM."
    for asked in (vault, context(), admin()):
        assert "not found" not in (await ask(log, asked, there.id)).content
        assert "merger" in (await recall(log, asked)).content


async def test_cycles_without_a_recorded_place_are_shown_in_dms_only(
    log: CycleLog, database: Database
):
    old = [top(1), top(2, learned=PUBLICLY)]
    await database.write(events_unit([cycle.start("old") for cycle in old]))
    await database.write(Unit.of(Write("UPDATE cycle_events SET reach = NULL")))
    assert "old" not in (await recall(log, in_channel())).content
    assert (await recall(log, context())).content.count("old") == 2


async def test_hidden_cycles_do_not_hide_older_ones(log: CycleLog, database: Database):
    await database.write(events_unit([top(1, learned=PUBLICLY).start("lunch?")]))
    await database.write(events_unit([top(turn).start("mine") for turn in range(2, 30)]))
    lines = (await recall(log, in_channel())).content.splitlines()
    assert lines[0].endswith("lunch?")
    assert lines[1:] == ["28 more are private; ask me in a DM."]


async def test_recall_gives_one_line_per_cycle_newest_first(log: CycleLog, database: Database):
    for turn in range(1, 8):
        cycle = top(turn)
        end = [cycle.complete(CycleStatus.COMPLETE, text="ok")] if turn < 7 else []
        await database.write(events_unit([cycle.start(f"question\n{turn} " + "x" * 300), *end]))
    result = await recall(log, context())
    lines = result.content.splitlines()
    assert len(lines) == 5
    assert lines[0].startswith(f"2026-11-21 09:00 UTC [running] {top(7).id[:8]} question 7 xxx")
    assert lines[1].startswith(f"2026-11-21 09:00 UTC [complete] {top(6).id[:8]} question 6 xxx")
    assert all(len(line) < 250 for line in lines)
    assert result.origin.trust is Trust.PERSON


async def test_recall_shows_other_people_only_to_a_master_admin(log: CycleLog, database: Database):
    await database.write(events_unit([top(1).start("mine"), top(2, "ben").start("theirs")]))
    assert "theirs" not in (await recall(log, context())).content
    everything = await recall(log, admin())
    assert "ben: theirs" in everything.content
    assert everything.origin.trust is Trust.EXTERNAL


async def test_recall_without_cycles_says_so(log: CycleLog):
    assert (await recall(log, context())).content == "no cycles yet that may be shown here"


async def test_the_tree_survives_events_of_unknown_shape(log: CycleLog):
    cycle = top()
    events = [replace(event, data={}) for event in delegation(log)] + [
        cycle.event(cycle.start("x").type, "again")
    ]
    assert json.dumps(render_tree(events, full=True))
