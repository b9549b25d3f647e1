"""Tool files of the connectors and skills say exactly what their handlers take, and read well."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.assembly.own_plugins import OWN, OWN_SERVICES
from bot.connections.access import Connections
from bot.connections.client import ServiceClient
from bot.connections.credentials import Credentials, Keyring
from bot.connections.oauth import OAuth
from bot.connections.services import services
from bot.connections.settings import ServicesSettings
from bot.connectors.shipped import Machine, build_connectors
from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tools import ONE_LINER_CHARS, NativeImplementation, ToolDefinition
from bot.files.database_files import DatabaseFiles
from bot.files.store import FileRows
from bot.files.versions import VersionedFiles
from bot.plugin.plugin import Given
from bot.skills.library import SkillLibrary
from bot.storage.database import SqliteDatabase
from bot.testing.contexts import make_person
from bot.testing.fake_clock import FakeClock
from bot.testing.fake_directory import FakeDirectory
from bot.testing.shipped_tools import SHIPPED_ROOTS, shipped_files, shipped_natives, shipped_tool
from bot.tools.native.registry import NativeTools
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ProgramRunner
from bot.tools.schemas.argument_models import args_schema
from bot.tools.settings import ToolSettings
from bot.web.client import WebClient
from bot.web.settings import WebSettings

FOLDERS = [root / "tools" / name for root in SHIPPED_ROOTS for name in ("shared", "subagents")]


class _Working(Sandbox):
    """As on a machine where bubblewrap works: every tool is offered; none is run here."""

    @property
    def hindrance(self) -> str | None:
        return None


def tools() -> list[NativeTool[Any]]:
    """Every native tool of this part of the house; nothing of it needs an open database."""
    scope = ToolScope(make_person(role=Role.MASTER_ADMIN), "assistant")
    clock, settings = FakeClock(), ToolSettings()
    programs = ProgramRunner(settings.shell, settings.output_chars, clock)
    web = WebClient(WebSettings())
    machine = Machine(
        Path("nowhere"), _Working(settings.shell), programs, web, secret=lambda name: name
    )
    database = SqliteDatabase(Path("never-opened.db"))
    documents = VersionedFiles(
        DatabaseFiles(database, clock, "/documents", "person"), FileRows(database)
    )
    accounts = clients(database, web, clock)
    connectors = build_connectors(
        database,
        clock,
        files={"documents": documents},
        machine=machine,
        usable=lambda _person: accounts.keys(),
        clients=accounts,
        directory=FakeDirectory(),
    )
    for plugin in OWN:
        given = Given[Any](
            plugin.settings(),
            lambda _name: "",
            clock,
            "UTC",
            database,
            web,
            accounts,
            lambda _person: accounts.keys(),
            Path("nowhere"),
        )
        connectors += plugin.build(given).connectors
    natives = NativeTools([one for each in connectors for one in each.registrations()])
    found = natives.handlers(scope)
    return [*found.values(), SkillLibrary(()).read_skill_tool()]


def clients(database: Database, web: WebClient, clock: Clock) -> Mapping[str, ServiceClient]:
    """As if everybody had connected every service."""
    known = services(ServicesSettings(), lambda _name: None, OWN_SERVICES)
    credentials = Credentials(database, Keyring(lambda _name: None), clock)
    connections = Connections(known, credentials, OAuth(web, clock), clock)
    return {id_: ServiceClient(service, connections, web, clock) for id_, service in known.items()}


def definition(name: str) -> ToolDefinition:
    path = next(path for folder in FOLDERS if (path := folder / f"{name}.md").exists())
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
    known = {path.stem for folder in FOLDERS for path in folder.glob("*.md")}
    for tool in tools():
        for name in re.findall(
            r"\b(?:manage|knowledge|current|read|tool)_[a-z]+\b", definition(tool.name).description
        ):
            assert name in known, (tool.name, name)
