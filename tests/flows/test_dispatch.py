"""Agents that are called: briefs, results, facts, and what runs side by side."""

import asyncio
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from bot.app import AppOptions, open_app
from bot.domain.access import Person, Role
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, ModelRequest
from bot.domain.origins import Origin, Trust
from bot.domain.runs import RunKind
from bot.domain.tool_context import ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ModelError, ModelTrouble
from bot.testing.harness import running_app
from bot.testing.scripted_model import Answer, ScriptedModel, call, calls, result_texts, say, unlock
from bot.testing.scripted_model import results as blocks_of
from bot.tools.toolset.view import ToolStanding

AGENTS = {
    "one": "description: One.\nspecialists: [two]\nturns: 2",
    "two": "description: Two.\nspecialists: [one]\nturns: 2",
    "hers": "description: Hers.\naccess: MasterAdmin",
}


@pytest.fixture
def crew(home: Path) -> Path:
    folder = home / "prompts" / "agents"
    folder.mkdir(parents=True)
    for name, front in AGENTS.items():
        (folder / f"{name}.md").write_text(f"---\n{front}\n---\n\nYou are {name}.\n")
    return home


def results(request: ModelRequest) -> list[tuple[str, bool]]:
    """Content and `is_error` of the results that a request ends with, without their mark."""
    last = replace(request, messages=request.messages[-2:])
    return [
        (text.removeprefix("ERROR: "), bool(block.get("is_error")))
        for text, block in zip(result_texts(last), blocks_of(last), strict=True)
    ]


async def told(home: Path, given: ModelReply, *agents: Answer) -> list[tuple[str, bool]]:
    """What the assistant is told of one round of calls, in which the agents are asked in turn."""
    model = ScriptedModel([given, *agents, say("Done.")], strict=True)
    async with running_app(home, model) as house:
        assert await house.ask("ann", "go") == "Done."
    assert model.left == 0
    return results(model.requests[-1])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"instruction": " look \n"}, "look"),
        ({"instruction": "look", "context": " there "}, "Context: there\n\nInstruction: look"),
    ],
)
async def test_the_message_of_the_agent_and_its_reply_are_exact(
    crew: Path, given: JsonObject, message: str
):
    model = ScriptedModel([call("agent_one", given), say("Seen."), say("Done.")], strict=True)
    async with running_app(crew, model) as house:
        await house.ask("ann", "go")
    [asked] = [item for item in model.requests[1].messages if item["role"] == "user"]
    assert asked["content"][-1]["text"] == message
    assert results(model.requests[2]) == [("Seen.", False)]


LOOK = call("current_time", {})
ON_FIRE = ModelError(ModelTrouble("overloaded", "the server is on fire", tries=4))


@pytest.mark.parametrize(
    ("replies", "reason"),
    [
        ([LOOK, LOOK], "max_turns=2 exhausted without final reply"),
        ([ON_FIRE], "4 consecutive LLM errors (last: the server is on fire)"),
    ],
)
async def test_too_many_turns_and_model_errors_are_told_with_their_number(
    crew: Path, replies: list[Answer], reason: str
):
    asked = call("agent_one", {"instruction": "look"})
    assert await told(crew, asked, *replies) == [(f"agent_one: agent: {reason}", True)]


@pytest.mark.parametrize(
    ("agent", "instruction", "reason"),
    [
        ("one", "  ", "agent_one: the instruction is blank; say what to do"),
        ("nobody", "look", "agent_nobody: there is no such agent for you; callable agents: "),
        ("hers", "look", "agent_hers: there is no such agent for you; callable agents: "),
        ("assistant", "look", "agent_assistant: there is no such agent for you; callable agents: "),
    ],
)
async def test_uncallable_agents_are_refused_before_any_model_call(
    crew: Path, agent: str, instruction: str, reason: str
):
    model = ScriptedModel(
        [
            unlock("call_agent"),
            call("call_agent", {"agent": agent, "task": instruction}),
            say("Done."),
        ],
        strict=True,
    )
    async with running_app(crew, model) as house:
        assert await house.ask("ann", "go") == "Done."
    [(text, is_error)] = results(model.requests[-1])
    assert is_error
    assert text.startswith(reason)
    assert "hers" not in text.removeprefix(reason)


@pytest.mark.parametrize("second", ["two", "one"])
async def test_different_agents_run_in_parallel_and_one_does_one_thing_after_another(
    crew: Path, second: str
):
    both = calls(
        ("agent_one", {"instruction": "first"}), (f"agent_{second}", {"instruction": "second"})
    )
    model = ScriptedModel([both, _answer, _answer, say("Done.")])
    late = model.hold(2)
    async with running_app(crew, model) as house:
        await house.chat.say("ann", "go")
        await model.asked(3 if second == "two" else 2)  # while the first has no answer
        assert len(model.requests) == (3 if second == "two" else 2)
        late.set()
        await house.chat.until(1)
    told = [("one said first", False), (f"{second} said second", False)]
    assert results(model.requests[-1]) == told, "in the order of the calls"


async def test_agents_that_call_each_other_in_a_circle_end_by_depth(crew: Path):
    one, two = (call(f"agent_{name}", {"instruction": "you do it"}) for name in ("one", "two"))
    model = ScriptedModel(
        [one, two, one, two, say("three"), say("two"), say("one"), say("Done.")], strict=True
    )
    async with running_app(crew, model) as house:
        assert await house.ask("ann", "go") == "Done."
    deepest = "agent_two: delegation is at its deepest level (3); do it yourself"
    assert results(model.requests[4]) == [(deepest, True)]


async def test_facts_go_down_and_come_back_also_from_an_agent_that_failed(crew: Path):
    save = call("save_fact", {"key": "colour", "value": "blue"})
    find = call("save_fact", {"key": "size", "value": "large"})
    look = call("current_time", {})
    model = ScriptedModel(
        [save, call("agent_one", {"instruction": "look"}), find, look, say("Done."), say("Yes.")]
    )
    async with running_app(crew, model) as house:
        assert await house.ask("ann", "go") == "Done."
        assert "colour: blue" in str(model.requests[2].messages[0])
        assert "agent: max_turns=2 exhausted" in str(results(model.requests[4]))
        await house.ask("ann", "and the size?")
        assert "size: large" in str(model.requests[5].messages)


def _answer(request: ModelRequest) -> ModelReply:
    """Says who is asked, and what."""
    name = "one" if "You are one." in str(request.system) else "two"
    return say(f"{name} said {request.messages[0]['content'][-1]['text']}")


async def test_tools_named_by_shipped_agents_exist_for_their_callers(home: Path):
    async with open_app(AppOptions(home)) as app:
        for agent in filter(lambda agent: agent.tools, app.house.written.agents.all()):
            owner = Person("owner", "Olga", Role.MASTER_ADMIN)
            run = RunKind(agent.run_shape) if agent.run_shape else RunKind()
            scope = ToolScope(
                owner,
                agent.name,
                run,
                agent.folders,
                agent.specialists,
                agent.tools,
                app.house.resolver.integrations.of(owner),
                depth=1,
            )
            toolset = app.house.crew.compose(agent, scope)
            standing = {name: toolset.standing(name) for name in agent.tools}
            # pm_shell is there only where scripts run in a sandbox.
            assert set(standing.values()) <= {
                ToolStanding.CALLABLE,
                ToolStanding.INTEGRATION,
                ToolStanding.UNSERVED,
            }, standing
            there = {name for name, how in standing.items() if how is ToolStanding.CALLABLE}
            assert there
            assert {tool.name for tool in toolset.always_on()} >= there


ALLOWED = "run_shapes: {chat: {allow_web: true}}\n"


@dataclass
class Pages:
    """Pages that are answered only when `together` of them were asked for."""

    together: int
    asked: list[str] = field(default_factory=list[str])
    open: int = 0
    most: int = 0

    def __post_init__(self) -> None:
        self._barrier = asyncio.Barrier(self.together)

    async def read(self, context: ToolContext, given: Any) -> ToolResult:
        del context
        self.asked.append(given.url)
        self.open += 1
        self.most = max(self.most, self.open)
        async with asyncio.timeout(10):
            await self._barrier.wait()
        self.open -= 1
        return ToolResult(f"text of {given.url}", origin=Origin(Trust.EXTERNAL, "web_fetch"))


async def test_four_pages_are_read_at_a_time_and_results_keep_the_order_of_the_calls(home: Path):
    pages = Pages(together=4)
    fetches = [("web_fetch", {"url": f"https://pages.example/{n}"}) for n in range(8)]
    model = ScriptedModel([calls(*fetches), say("Done.")])
    with (home / "bellhop.yaml").open("a") as settings:
        settings.write(ALLOWED)
    async with running_app(home, model) as house:
        natives = house.app.house.tooling.natives
        (fetch,) = (tool for tool in natives.tools if tool.name == "web_fetch")
        natives.stand_in(replace(fetch, run=pages.read))
        assert await house.ask("ann", "read these pages") == "Done."
    read = [block["content"][0]["text"] for block in blocks_of(model.requests[-1])]
    assert read == [f"text of https://pages.example/{n}" for n in range(8)]
    assert pages.most == 4
