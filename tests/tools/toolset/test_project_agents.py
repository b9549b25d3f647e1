"""What agents that work in a project are declared."""

from dataclasses import replace

import pytest

from bot.testing.tools import ToolFolder, a_scope, a_toolset
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
    catalog = files.catalog()
    await catalog.load()
    scope = a_scope(depth=2, folders=("subagents",), tools=assigned)
    toolset = a_toolset(catalog, replace(scope, assigned=frozenset(assigned)))
    assert [tool.name for tool in toolset.always_on()] == expected
    assert toolset.catalogue(10_000).text == ""
