"""Tool files say exactly what their handlers take, read well, and fit the catalogue."""

import re
from pathlib import Path
from typing import Any

import pytest

from bot.app import every_connector
from bot.domain.access import Role
from bot.domain.tool_context import NativeTool
from bot.domain.tools import ONE_LINER_CHARS, NativeImplementation, ToolDefinition
from bot.skills.library import SkillLibrary
from bot.testing.shipped_tools import SHIPPED_ROOTS, shipped_files, shipped_natives, shipped_tool
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.discovery import discovery_registration
from bot.tools.schemas.argument_models import args_schema

OF_EXAMPLES = {"csf_management"}
"""Their tool files lie in examples/."""


def tools() -> list[NativeTool[Any]]:
    """The native tools of all connectors, and of skills."""
    found = [
        tool
        for connector in every_connector(Path("nowhere"))
        for registration in connector.registrations()
        for tool in registration.tools
        if tool.name not in OF_EXAMPLES
    ]
    return [*found, SkillLibrary(()).read_skill_tool()]


def definition(name: str) -> ToolDefinition:
    path = next(path for path in shipped_files() if path.stem == name)
    return shipped_tool(f"{path.parent.name}/{name}")


@pytest.mark.parametrize("tool", tools(), ids=lambda tool: tool.name)
def test_parameters_equal_the_handlers_model(tool: NativeTool[Any]):
    assert definition(tool.name).parameters == args_schema(tool.arguments)


def test_native_tool_files_leave_parameters_to_registered_models():
    for path in shipped_files():
        tool = shipped_tool(f"{path.parent.name}/{path.stem}")
        assert isinstance(tool.implementation, NativeImplementation)
        model = shipped_natives().parameters(tool.implementation.name)
        assert model is not None, path.name
        assert tool.parameters == model
        assert "## Parameters" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("tool", tools(), ids=lambda tool: tool.name)
def test_the_one_liner_is_a_sentence_that_says_when_to_use_the_tool(tool: NativeTool[Any]):
    description = definition(tool.name).description
    first = description.split("\n\n")[0].split("\n")[0]
    assert len(first) <= ONE_LINER_CHARS, len(first)
    assert first.endswith(".")


def test_notes_begin_with_the_words_of_the_seed():
    seed = (
        "Manage your user's personal notes, todo lists, and reminders.\n**Board Selection "
        "Guide:**\n"
        "- Agent Board (is_agent_note: true): YOUR workspace - full autonomy\n"
        "- User Board (is_agent_note: false): GUEST - only add when explicitly asked\n"
    )
    notes = definition("manage_notes")
    assert notes.description.startswith(seed)
    assert notes.access.roles == {Role.FRIEND, Role.PARTNER, Role.BUSINESS, Role.MASTER_ADMIN}
    properties = notes.parameters["properties"]
    assert properties["action"] == {"type": "string", "enum": ["add", "list", "update"]}
    assert properties["title"] == {"type": "string"}
    assert properties["is_agent_note"] == {"type": "boolean"}
    assert notes.parameters["required"] == ["action", "is_agent_note"]


def test_todos_take_exactly_these_parameters():
    parameters = definition("manage_todos").parameters
    named = {"action", "title", "todoId", "description", "priority", "dueDate", "repeats"}
    named |= {"waitingFor", "wakeAt", "assign"}
    assert set(parameters["properties"]) == named
    actions = ["list", "create", "complete", "update", "dismiss", "delete"]
    assert parameters["properties"]["action"]["enum"] == actions
    assert parameters["properties"]["priority"]["enum"] == ["low", "medium", "high"]


def test_descriptions_name_only_tools_that_exist():
    known = {path.stem for path in shipped_files()}
    for tool in tools():
        for name in re.findall(
            r"\b(?:manage|knowledge|current|read|tool)_[a-z]+\b", definition(tool.name).description
        ):
            assert name in known, (tool.name, name)


# The shipped tool files: sound, with descriptions that fit the catalogue.


async def shipped() -> ToolCatalog:
    catalog = ToolCatalog(SHIPPED_ROOTS, natives=shipped_natives())
    await catalog.load()
    return catalog


async def test_no_shipped_tool_file_has_an_error_or_a_warning():
    catalog = await shipped()
    assert catalog.problems == ()
    assert catalog.definitions(["shared"])


def test_tool_search_declares_what_its_handler_takes():
    (handler,) = discovery_registration().tools
    assert isinstance(handler, NativeTool)
    assert shipped_tool("shared/tool_search").parameters == args_schema(handler.arguments)


async def test_no_two_shipped_tools_share_a_name_or_alias():
    catalog = await shipped()
    names = [
        label
        for tool in catalog.snapshot.tools
        for label in (tool.definition.name, *tool.definition.aliases)
    ]
    assert len(names) == len(set(names))
