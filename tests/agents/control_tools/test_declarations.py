"""The control tools' files declare exactly what their argument models take, and stay small."""

import json

import pytest
from pydantic import BaseModel

from bot.agents import arguments
from bot.agents.cycle_log import inspect
from bot.domain.json_types import JsonObject
from bot.domain.tools import ToolCall
from bot.errors import ToolError
from bot.testing.shipped_tools import shipped_tool
from bot.tools.running.executor import arguments_of
from bot.tools.schemas.argument_models import args_schema

MODELS: dict[str, type[BaseModel]] = {
    "shared/finish_task": arguments.FinishArguments,
    "shared/ask_user_for_clarification": arguments.AskArguments,
    "shared/save_fact": arguments.SaveFactArguments,
    "shared/request_more_turns": arguments.MoreTurnsArguments,
    "shared/plan_calls": arguments.PlanArguments,
    "shared/send": arguments.SendArguments,
    "shared/get_capabilities": arguments.CapabilitiesArguments,
    "shared/activate_skill": arguments.SkillArguments,
    "shared/deactivate_skill": arguments.SkillArguments,
    "planner/call_agent": arguments.CallAgentArguments,
    "planner/cancel_agent": arguments.CancelArguments,
    "planner/plan": arguments.PlannerArguments,
    "planner/recovery": arguments.RecoveryArguments,
    "observer/inspect_cycle": inspect.InspectArguments,
    "observer/recall_recent": inspect.RecallArguments,
}
ALWAYS_ON = ("finish_task", "ask_user_for_clarification", "save_fact", "send", "get_capabilities")


@pytest.mark.parametrize("path", MODELS)
def test_the_file_declares_what_the_arguments_model_takes(path: str):
    tool = shipped_tool(path)
    assert tool.parameters == args_schema(MODELS[path])
    assert tool.name == path.split("/")[1]
    assert tool.access.roles is None


@pytest.mark.parametrize("path", MODELS)
def test_the_one_liner_stands_alone_as_a_sentence(path: str):
    text = f"{' '.join(shipped_tool(path).description.split())} "
    assert 30 <= min(text.find(". "), 120) <= 120, "the first sentence must fit into the one-liner"


def test_the_always_on_control_tools_stay_small():
    sizes = {
        name: len(json.dumps(shipped_tool(f"shared/{name}").declaration(), separators=(",", ":")))
        for name in ALWAYS_ON
    }
    assert max(sizes.values()) <= 550, sizes
    assert sum(sizes.values()) / len(sizes) <= 470, sizes


@pytest.mark.parametrize(
    ("kind", "given", "problem"),
    [
        (
            arguments.SendArguments,
            {"text": " \n"},
            r"text: String should have at least 1 character\. Correct",
        ),
        (arguments.AskArguments, {"question": None}, "question: "),
        (arguments.AgentArguments, {"instruction": "look", "task": "look"}, "task: Extra inputs"),
        (
            arguments.SaveFactArguments,
            {"key": "k" * 81, "value": "v"},
            "key: String should have at most 80",
        ),
        (
            arguments.SaveFactArguments,
            {"key": "k", "value": "v" * 501},
            "value: String should have at most 500",
        ),
        (arguments.MoreTurnsArguments, {"additional": 11, "reason": "more"}, "additional: "),
    ],
)
def test_wrong_arguments_are_refused_by_name(
    kind: type[BaseModel], given: JsonObject, problem: str
):
    with pytest.raises(ToolError, match=problem):
        arguments_of(kind, ToolCall("toolu_1", "send", given, "tool:1.0"))


def test_null_for_an_optional_argument_counts_as_not_given():
    call = ToolCall(
        "toolu_1", "finish_task", {"answer": "Done.", "status": None, "follow_up": None}, "tool:1.0"
    )
    assert arguments_of(arguments.FinishArguments, call) == arguments.FinishArguments(
        answer="Done."
    )


def test_instruction_and_context_are_trimmed():
    given = arguments.AgentArguments.model_validate(
        {"instruction": " look \n", "context": "\tthere "}
    )
    assert (given.instruction, given.context) == ("look", "there")
