"""The control tools' files declare exactly what their argument models take, and stay small."""

import json

import pytest
from pydantic import BaseModel, ValidationError

from bot.agents import arguments, inspect
from bot.domain.tools import ToolDefinition
from bot.shipped import shipped_dir
from bot.tools.definition import parse_tool_file
from bot.tools.schema import args_schema

MODELS: dict[str, type[BaseModel]] = {
    "shared/finish_task": arguments.FinishArguments,
    "shared/ask_user_for_clarification": arguments.AskArguments,
    "shared/save_fact": arguments.SaveFactArguments,
    "shared/request_more_turns": arguments.MoreTurnsArguments,
    "shared/send": arguments.SendArguments,
    "shared/get_capabilities": arguments.CapabilitiesArguments,
    "planner/call_agent": arguments.CallAgentArguments,
    "observer/inspect_cycle": inspect.InspectArguments,
    "observer/recall_recent": inspect.RecallArguments,
}
ALWAYS_ON = ("finish_task", "ask_user_for_clarification", "save_fact", "send", "get_capabilities")


def shipped(path: str) -> ToolDefinition:
    file = shipped_dir("prompts") / "tools" / f"{path}.md"
    return parse_tool_file(file.read_text(encoding="utf-8"), path=file, folder=path.split("/", maxsplit=1)[0])


@pytest.mark.parametrize("path", MODELS)
def test_the_file_declares_what_the_arguments_model_takes(path: str):
    tool = shipped(path)
    assert tool.parameters == args_schema(MODELS[path])
    assert tool.name == path.split("/")[1]
    assert tool.access.roles is None


@pytest.mark.parametrize("path", MODELS)
def test_the_one_liner_stands_alone_as_a_sentence(path: str):
    text = " ".join(shipped(path).description.split())
    assert 30 <= min(text.find(". "), 120) <= 120, "the first sentence must fit into the one-liner"


def test_the_always_on_control_tools_stay_small():
    sizes = {
        name: len(json.dumps(shipped(f"shared/{name}").declaration(), separators=(",", ":"))) for name in ALWAYS_ON
    }
    assert max(sizes.values()) <= 650, sizes
    assert sum(sizes.values()) / len(sizes) <= 560, sizes


def test_blank_and_unknown_arguments_are_refused():
    with pytest.raises(ValidationError):
        arguments.AgentArguments.model_validate({"instruction": " \n"})
    with pytest.raises(ValidationError):
        arguments.AgentArguments.model_validate({"instruction": "look", "task": "look"})
    with pytest.raises(ValidationError):
        arguments.SaveFactArguments.model_validate({"key": "k" * 81, "value": "v"})
    with pytest.raises(ValidationError):
        arguments.MoreTurnsArguments.model_validate({"additional": 11, "reason": "more"})


def test_instruction_and_context_are_trimmed():
    given = arguments.AgentArguments.model_validate({"instruction": " look \n", "context": "\tthere "})
    assert (given.instruction, given.context) == ("look", "there")
