"""What specialists have, and agents that work in a project."""

from dataclasses import replace

import pytest

from bot.domain.tool_context import NativeTool
from bot.testing.tools import Nothing, ToolFolder, a_scope, a_toolset, say_hello
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.toolset.run_rules import ALWAYS_ON


@pytest.mark.parametrize(
    ("assigned", "expected"),
    [
        ((), ["tool_search", "get_capabilities", "finish_task", "read_file"]),
        (("ant_execute_task",), ["tool_search", "get_capabilities", "read_file"]),
    ],
)
async def test_who_works_in_a_project_has_nothing_of_a_persons_and_an_ant_ends_by_handing_in(
    files: ToolFolder, assigned: tuple[str, ...], expected: list[str]
):
    for name in [*ALWAYS_ON, "catch_me_up"]:
        files.put(f"shared/{name}")
    catalog = await files.loaded()
    scope = a_scope(depth=2, folders=("subagents",), tools=assigned)
    toolset = a_toolset(catalog, replace(scope, assigned=frozenset(assigned)))
    assert [tool.name for tool in toolset.always_on()] == expected
    assert toolset.catalogue(10_000).text == ""


async def test_a_specialist_changes_only_what_its_file_names_a_tool_for(files: ToolFolder):
    risky = "## Access\nFriend+\n## Risk\nexternal-write\n"
    for name in ("manage_todos", "schedule_task", "post_ticket"):
        files.put(f"shared/{name}", risky if name == "post_ticket" else "")
    files.put("clerk/stamp", risky)
    files.put("shared/todos_of_ours", "## Implementation\nnative: manage_todos\n")
    tools = {"manage_todos", "todos_of_ours", "schedule_task", "post_ticket", "stamp", "look"}
    files.put("shared/look")
    keeping = [
        NativeTool(name, Nothing, say_hello, keeps=True)
        for name in ("manage_todos", "schedule_task", "post_ticket", "stamp")
    ]
    natives = NativeTools([ToolRegistration([*keeping, NativeTool("look", Nothing, say_hello)])])
    catalog = await files.loaded()
    for agent, named, kept in (
        ("clerk", (), {"stamp", "look"}),
        ("observer", ("manage_todos",), {"manage_todos", "look"}),
    ):
        scope = a_scope(depth=1, agent=agent, tools=named)
        toolset = a_toolset(catalog, scope, natives=natives)
        assert {name for name in tools if toolset.find(name)} == kept


async def test_another_name_gives_a_specialist_no_tool_that_is_for_the_person(files: ToolFolder):
    for name in ("forget", "send", "look"):
        files.put(f"shared/my_{name}", f"## Implementation\nnative: {name}\n")
    names = ("forget", "send", "look")
    natives = NativeTools(
        [ToolRegistration([NativeTool(one, Nothing, say_hello) for one in names])]
    )
    catalog = await files.loaded()
    for depth, there in ((0, {"my_forget", "my_send", "my_look"}), (1, {"my_look"})):
        toolset = a_toolset(catalog, a_scope(depth=depth), natives=natives)
        assert {name for name in ("my_forget", "my_send", "my_look") if toolset.find(name)} == there


async def test_a_delegated_agent_has_no_send_and_asks_nobody(files: ToolFolder):
    for name in ALWAYS_ON:
        files.put(f"shared/{name}")
    catalog = await files.loaded()
    found = [tool.name for tool in a_toolset(catalog, a_scope(depth=1)).always_on()]
    assert "finish_task" in found
    assert "send" not in found
    assert "ask_user_for_clarification" not in found
