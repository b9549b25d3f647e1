"""A toolset shows the tools of its own scope, whatever was composed before it."""

import shutil
from collections.abc import Callable
from typing import Any

import pytest

from bot.domain.access import Role
from bot.domain.places import Location
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, NativeImplementation, ToolDefinition
from bot.place_settings import PlaceTerms, PlaceTools
from bot.testing.tools import ToolFolder, a_scope, everything_native, native
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.policy.places import PlaceRule
from bot.tools.policy.rights import Limits
from bot.tools.toolset.toolset import Toolset


async def never_called(definition: ToolDefinition, context: ToolContext) -> ToolResult:
    raise AssertionError(definition.name)


def without_file(name: str, run_by: NativeImplementation | McpImplementation) -> ToolDefinition:
    return ToolDefinition(name, f"Does {name}.", {"type": "object"}, "shared", run_by)


def closing(scope: ToolScope) -> Limits:
    """In one place guests lack a tool."""
    if scope.location.platform != "slack":
        return Limits()
    rule = PlaceRule("desk", (), PlaceTerms(tools=PlaceTools(deny=("wide",))))
    return Limits(places=(rule,), key=(1,))


SPECIALIST: dict[str, Any] = {
    "role": Role.PARTNER,
    "agent": "helper",
    "depth": 1,
    "folders": ("planner",),
    "integrations": frozenset({"notes"}),
}
CHANGES: list[dict[str, Any]] = [
    {"role": Role.GUEST},
    {"agent": "other"},
    {"depth": 0},
    {"folders": ()},
    {"integrations": frozenset[str]()},
    {"shape": RunShape.RESEARCH},
    {"tools": ("wide",)},
    {"specialists": ("coder",)},
    {"active_tools": frozenset({"deep"})},
    {"location": Location("slack", "W1", "C1")},
    {"extra": ("coder", "writer")},
    {"extra": ("writer",)},
    {"remote": ("far",)},
    {"chat_web": True},
]


@pytest.mark.parametrize("change", CHANGES)
async def test_a_toolset_is_never_that_of_another_scope(files: ToolFolder, change: dict[str, Any]):
    for place in ("shared/wide", "shared/write_file", "shared/web_search", "planner/plan"):
        files.put(place)
    files.put("helper/own")
    files.put("hidden/deep")
    files.put("shared/narrow", "## Access\nPartner\n## Requires\nnotes")
    catalog = await files.loaded()
    handlers = everything_native(catalog).handlers(a_scope())
    natives = NativeTools(
        [ToolRegistration([*handlers.values()])], routes={McpImplementation: never_called}
    )
    extra = {
        name: without_file(f"agent_{name}", NativeImplementation("agent"))
        for name in ("coder", "writer")
    }
    remote = {
        name: without_file(f"mcp__srv__{name}", McpImplementation("srv", name))
        for name in ("far", "near")
    }

    def shown(given: dict[str, Any]) -> object:
        toolset = Toolset(
            catalog,
            a_scope(**{key: given[key] for key in given.keys() - {"extra", "remote", "chat_web"}}),
            natives=natives,
            extra=[extra[name] for name in given.get("extra", ("coder",))],
            remote=lambda _scope: [remote[name] for name in given.get("remote", ("near",))],
            chat_web=given.get("chat_web", False),
            limits=closing,
        )
        return toolset.listing(), [tool.name for tool in toolset.always_on()]

    first, second = shown(SPECIALIST), shown({**SPECIALIST, **change})
    assert first != second
    catalog.snapshot.views.clear()
    assert shown({**SPECIALIST, **change}) == second


def put_tools(files: ToolFolder) -> None:
    """A home of some tools, two of them in another folder than `shared`."""
    files.put("shared/plain")
    files.put("shared/named", "## Aliases\nnick, other")
    files.put("shared/held", "## Access\nPartner")
    files.put("shared/twice")
    files.put("shared/zone")
    files.put("assistant/twice", "# twice\n## Description\nThe assistant's.")
    files.put("assistant/own")


EDITS: dict[str, Callable[[ToolFolder], object]] = {
    "words": lambda files: files.put("shared/plain", "## Aliases\nnew"),
    "role": lambda files: files.put("shared/plain", "## Access\nPartner"),
    "opened": lambda files: files.put("shared/held", "## Access\nFriend+\n## Aliases\nsecret"),
    "open": lambda files: files.put("shared/held"),
    "alias": lambda files: files.put("shared/named", "## Aliases\nother"),
    "added": lambda files: files.put("assistant/plain"),
    "removed": lambda files: (files.shipped / "tools/assistant/twice.md").unlink(),
    "emptied": lambda files: shutil.rmtree(files.shipped / "tools/assistant"),
    "broken": lambda files: files.put("shared/plain", "## Access\nNobody"),
    "never read": lambda files: files.put("assistant/named", "## Access\nNobody"),
    "renamed": lambda files: (files.shipped / "tools/shared/plain.md").rename(
        files.shipped / "tools/shared/bare.md"
    ),
    "off": lambda files: files.put("shared/plain", "## Disabled\nyes"),
}


@pytest.mark.parametrize("edits", [*((one,) for one in EDITS), ("removed", "open", "added")])
@pytest.mark.parametrize("role", [Role.FRIEND, Role.PARTNER])
async def test_a_toolset_after_edits_is_that_of_a_new_catalogue(
    files: ToolFolder, role: Role, edits: tuple[str, ...]
):
    put_tools(files)
    catalog = await files.loaded()
    natives = native("plain", "named", "held", "twice", "own", "bare", "zone")
    scope = a_scope(role)

    def shown(known: ToolCatalog) -> object:
        toolset = Toolset(known, scope, natives=natives)
        names = [tool.name for tool in toolset.listing()]
        found = {name: toolset.find(name) for name in (*names, "nick", "other", "new", "secret")}
        searches = [(None, "the assistant's"), (None, "does plain"), ("*", None)]
        return names, found, *(toolset.search(*one) for one in searches)

    before = after = shown(catalog)
    for edit in edits:
        EDITS[edit](files)
        await catalog.reload_changed()
        after = shown(catalog)
    afresh = await files.loaded()
    assert after == shown(afresh)
    assert after != before or role is not Role.FRIEND
