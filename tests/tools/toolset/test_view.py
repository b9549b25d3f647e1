"""A toolset shows the tools of its own scope, whatever was composed before it."""

from typing import Any

import pytest

from bot.domain.access import Role
from bot.domain.places import Location
from bot.domain.runs import RunShape
from bot.domain.tool_context import ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, NativeImplementation, ToolDefinition
from bot.place_settings import PlaceTerms, PlaceTools
from bot.testing.tools import ToolFolder, a_scope, everything_native
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
    catalog = files.catalog()
    await catalog.load()
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
