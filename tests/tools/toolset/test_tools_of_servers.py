"""MCP tools in a toolset: who sees them, which names lead to them, and what they give way to."""

from collections.abc import Sequence

import pytest

from bot.domain.access import Access, Role
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.plugins.mcp.schemas import tool_name
from bot.testing.tools import Nothing, ToolFolder, a_call, a_scope, say_hello
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.permission.gate import Allowed, Refused, ToolGate
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import ToolStanding

PARTNERS = Access.parse("Partner+")


def remote_tool(
    server: str, tool: str, access: Access = PARTNERS, description: str = "Ask the weather."
) -> ToolDefinition:
    implementation = McpImplementation(server, tool)
    return ToolDefinition(
        tool_name(server, tool),
        description,
        {"type": "object"},
        "shared",
        implementation,
        access,
        timeout_s=5,
    )


async def a_toolset(
    files: ToolFolder, tools: Sequence[ToolDefinition], role: Role = Role.PARTNER
) -> Toolset:
    catalog = ToolCatalog((files.home, files.shipped))
    await catalog.load()
    natives = NativeTools([ToolRegistration([NativeTool("own", Nothing, say_hello)])])
    return Toolset(catalog, a_scope(role), natives=natives, remote=lambda _: tools)


async def test_those_whose_role_may_find_and_unlock_it(files: ToolFolder):
    toolset = await a_toolset(files, [remote_tool("sky", "forecast")])
    assert [tool.name for tool in toolset.search("mcp__*", None).matches] == ["mcp__sky__forecast"]
    assert [tool.name for tool in toolset.search(None, "weather").matches] == ["mcp__sky__forecast"]
    assert toolset.catalogue(600).text == "- mcp__sky__* (1): forecast"
    call = a_call("mcp__sky__forecast")
    assert not toolset.is_callable(call.name)
    toolset.unlock([tool.declaration() for tool in toolset.describe(("mcp__sky__forecast",))])
    assert isinstance(ToolGate().check(call, toolset, toolset.scope), Allowed)


@pytest.mark.parametrize("role", [Role.GUEST, Role.BUSINESS, Role.FRIEND])
async def test_others_never_learn_of_it(role: Role, files: ToolFolder):
    toolset = await a_toolset(files, [remote_tool("sky", "forecast")], role)
    assert toolset.search("*", None).matches == ()
    assert toolset.search(None, "weather").matches == ()
    assert toolset.listing() == ()
    assert toolset.describe(("mcp__sky__forecast", "forecast")) == ()
    assert toolset.catalogue(600).text == ""
    assert toolset.standing("mcp__sky__forecast") is ToolStanding.ROLE
    for name in ("mcp__sky__forecast", "forecast"):
        verdict = ToolGate().check(a_call(name), toolset, toolset.scope)
        assert isinstance(verdict, Refused)
        assert "there is no tool named" in verdict.text


async def test_the_servers_own_name_is_understood_in_calls_and_globs(files: ToolFolder):
    toolset = await a_toolset(files, [remote_tool("sky", "get.forecast")])
    name = tool_name("sky", "get.forecast")
    found = toolset.find("get.forecast")
    assert found is not None
    assert found.name == name
    assert [tool.name for tool in toolset.search("get.*", None).matches] == [name]
    assert not toolset.is_callable("get.forecast")
    toolset.unlock([found.declaration()])
    assert toolset.is_callable("get.forecast")


async def test_a_bare_name_of_two_servers_leads_nowhere(files: ToolFolder):
    toolset = await a_toolset(
        files, [remote_tool("sky", "forecast"), remote_tool("sea", "forecast")]
    )
    assert toolset.find("forecast") is None
    assert toolset.find("mcp__sea__forecast") is not None


@pytest.mark.parametrize(
    "taken", ["send", "ask_user_for_clarification", "agent_observer", "own", "secret_one", "hush"]
)
async def test_a_bare_name_never_replaces_a_tool_that_has_it_even_if_closed(
    taken: str, files: ToolFolder
):
    files.put(
        "shared/secret_one",
        "## Access\nMasterAdmin\n## Aliases\nhush\n## Implementation\nnative: own\n",
    )
    toolset = await a_toolset(files, [remote_tool("sky", taken)])
    found = toolset.find(taken)
    assert found is None or not isinstance(found.implementation, McpImplementation)
    assert toolset.find(tool_name("sky", taken)) is not None


async def test_a_file_for_the_tool_takes_its_place_for_everybody(files: ToolFolder):
    files.put("shared/weather", "## Access\nMasterAdmin\n## Implementation\nmcp: sky.forecast\n")
    catalog = ToolCatalog((files.home, files.shipped))
    await catalog.load()

    async def route(definition: ToolDefinition, context: object) -> object:
        raise AssertionError

    natives = NativeTools(routes={McpImplementation: route})  # pyright: ignore[reportArgumentType]

    def composed(role: Role) -> Toolset:
        return Toolset(
            catalog,
            a_scope(role),
            natives=natives,
            remote=lambda _: [remote_tool("sky", "forecast")],
        )

    assert composed(Role.PARTNER).find("mcp__sky__forecast") is None
    assert composed(Role.PARTNER).find("weather") is None
    assert composed(Role.MASTER_ADMIN).find("weather") is not None
    assert composed(Role.MASTER_ADMIN).find("mcp__sky__forecast") is None


async def test_a_file_of_the_same_name_wins_also_over_those_who_may_not_use_it(files: ToolFolder):
    files.put(
        "shared/mcp__sky__forecast", "## Access\nMasterAdmin\n## Implementation\nnative: own\n"
    )
    tools = [remote_tool("sky", "forecast")]
    assert (await a_toolset(files, tools)).find("mcp__sky__forecast") is None
    found = (await a_toolset(files, tools, Role.MASTER_ADMIN)).find("mcp__sky__forecast")
    assert found is not None
    assert not isinstance(found.implementation, McpImplementation)


async def test_a_servers_new_tools_appear_at_the_next_refresh(files: ToolFolder):
    tools: list[ToolDefinition] = []

    def remote(scope: ToolScope) -> Sequence[ToolDefinition]:
        return tuple(tools)

    catalog = ToolCatalog((files.home, files.shipped))
    await catalog.load()
    toolset = Toolset(catalog, a_scope(Role.PARTNER), natives=NativeTools(), remote=remote)
    assert toolset.find("mcp__sky__forecast") is None
    tools.append(remote_tool("sky", "forecast"))
    toolset.refresh()
    assert toolset.find("mcp__sky__forecast") is not None
