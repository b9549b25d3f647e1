"""What exists, what is always on, listed and unlocked: the matrix, roles, folders, integrations."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict, Field

from bot.domain.access import Access, Role
from bot.domain.runs import RunShape
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, NativeImplementation, ToolDefinition
from bot.testing.tools import (
    Nothing,
    ToolFolder,
    a_call,
    a_scope,
    a_toolset,
    native,
    say_hello,
)
from bot.tools.native.registry import NativeTools, Needs, ToolRegistration
from bot.tools.permission.gate import Allowed, Refused, ToolGate
from bot.tools.toolset.toolset import Toolset
from bot.tools.toolset.view import OWN_DECLARED, ToolStanding

FILES = ["read_file", "write_file", "edit_file", "delete_file", "list_directory"]
EVERYWHERE = ["tool_search", "get_capabilities", "send", "finish_task", "save_fact"]
WEB = ["web_search", "web_fetch"]
NAMED = [*EVERYWHERE, "ask_user_for_clarification", *FILES, "remember", *WEB, "read_skill"]
MATRIX = [
    (RunShape.CHAT, None, [*EVERYWHERE, "ask_user_for_clarification", *FILES, "remember"]),
    (RunShape.TRIGGERED, None, [*EVERYWHERE, *FILES]),
    (RunShape.TRIGGERED, "EMAIL_RECEIVED", [*EVERYWHERE, *FILES]),
    (RunShape.TRIGGERED, "NEW_PERSON", [*EVERYWHERE, *FILES, *WEB]),
    (RunShape.SCHEDULED, None, [*EVERYWHERE, *FILES]),
    (RunShape.TODO, None, [*EVERYWHERE, *FILES]),
    (RunShape.RESEARCH, None, [*EVERYWHERE, *WEB, "read_skill"]),
]


def names(toolset: Toolset) -> list[str]:
    return [tool.name for tool in toolset.always_on()]


def agent(name: str) -> ToolDefinition:
    implementation = NativeImplementation(f"agent_{name}")
    return ToolDefinition(
        f"agent_{name}", f"Asks {name}.", {"type": "object"}, "agents", implementation
    )


async def toolset_of(files: ToolFolder, scope: ToolScope | None = None, **more: Any) -> Toolset:
    catalog = await files.loaded()
    return a_toolset(catalog, scope, **more)


PARAMETERS = """\
## Parameters
{{"type": "object", {required} "properties": {{"mode": {mode}, "to": {{}}, "color": {color}}}}}
"""


@pytest.mark.parametrize(("shape", "event", "expected"), MATRIX)
async def test_the_always_on_matrix_is_exact_and_the_rest_exists_nowhere(
    files: ToolFolder, shape: RunShape, event: str | None, expected: list[str]
):
    for name in [*NAMED, "request_more_turns"]:
        files.put(f"shared/{name}")
    toolset = await toolset_of(files, a_scope(shape=shape, event=event))
    assert names(toolset) == expected
    assert [tool.name for tool in toolset.search("*", None).matches] == sorted(expected)
    assert {tool.name for tool in toolset.describe(tuple(NAMED))} == set(expected)
    assert {item.name for item in toolset.listing()} == set(expected)
    assert toolset.catalogue(10_000).text == ""
    assert all(not toolset.is_callable(name) for name in set(NAMED) - set(expected))
    assert toolset.is_callable("request_more_turns")


def keeping(*keeps: str, other: str) -> NativeTools:
    """Tools that change a person's things, and one that does not."""
    tools = [NativeTool(name, Nothing, say_hello, keeps=True) for name in keeps]
    return NativeTools([ToolRegistration([*tools, NativeTool(other, Nothing, say_hello)])])


async def test_everyday_tools_are_declared_in_chats_and_listed_elsewhere(
    files: ToolFolder,
):
    everyday = ["manage_todos", "knowledge_store", "calculate"]
    natives = keeping(*everyday[:2], other="calculate")
    for name in everyday:
        files.put(f"shared/{name}")
    assert names(await toolset_of(files, natives=natives)) == everyday
    for scope, listed in ((a_scope(depth=1), 1), (a_scope(shape=RunShape.SCHEDULED), 3)):
        toolset = await toolset_of(files, scope, natives=natives)
        assert names(toolset) == []
        assert toolset.catalogue(600).shown == listed, (
            "a specialist calculates, and changes nothing"
        )


async def test_an_unlisted_tool_is_found_and_called_but_in_no_catalogue(files: ToolFolder):
    files.put("shared/look")
    files.put("shared/plan_trip")
    tools = [
        NativeTool("look", Nothing, say_hello),
        NativeTool("plan_trip", Nothing, say_hello, listed=False),
    ]
    natives = NativeTools([ToolRegistration(tools)])
    toolset = await toolset_of(files, natives=natives)
    listed = toolset.catalogue(600).text
    assert "look" in listed
    assert "plan_trip" not in listed
    assert [tool.name for tool in toolset.search("plan*", None).matches] == ["plan_trip"]
    assert isinstance(ToolGate().check(a_call("plan_trip"), toolset, toolset.scope), Allowed)


async def test_allowing_the_web_in_chat_makes_its_tools_findable_not_always_on(files: ToolFolder):
    files.put("shared/web_search")
    toolset = await toolset_of(files, chat_web=True)
    assert names(toolset) == []
    assert not toolset.is_callable("web_search")
    assert [tool.name for tool in toolset.search("web*", None).matches] == ["web_search"]
    assert (await toolset_of(files, a_scope(shape=RunShape.TODO), chat_web=True)).find(
        "web_search"
    ) is None


async def test_agents_that_the_file_names_are_always_on_and_others_listed(
    files: ToolFolder,
):
    toolset = await toolset_of(
        files, a_scope(specialists=("researcher",)), extra=[agent("researcher"), agent("observer")]
    )
    assert names(toolset) == ["agent_researcher"]
    assert toolset.catalogue(600).text == "- agent_observer: Asks observer."
    assert toolset.search(None, "asks observer").matches[0].name == "agent_observer"


async def test_a_listed_tool_says_what_a_call_needs(files: ToolFolder):
    files.put("shared/nothing")
    files.put("shared/mixed", PARAMETERS.format(
        required='"required": ["mode", "to"],',
        mode='{"enum": ["list", "add"]}', color='{"default": "red"}',
    ))  # fmt: skip
    files.put("shared/optional", PARAMETERS.format(
        required="", mode='{"enum": ["a very long word", "another very long word"]}',
        color='{"default": "red"}',
    ))  # fmt: skip
    lines = (await toolset_of(files)).catalogue(600).text.splitlines()
    assert [line.partition(": Does")[0] for line in lines] == [
        "- mixed(mode: list|add, to)",
        "- nothing",
        "- optional(mode, to)",
    ]


async def test_each_listed_agent_has_a_line_and_the_others_are_found(files: ToolFolder):
    quiet = replace(agent("planner"), listed=False)
    toolset = await toolset_of(files, a_scope(), extra=[agent("observer"), quiet])
    lines = toolset.catalogue(600).text.splitlines()
    assert [line.partition("(")[0] for line in lines] == ["- agent_observer: Asks observer."]
    found = [one.name for one in toolset.search("agent_*", None).matches]
    assert found == ["agent_observer", "agent_planner"]


@pytest.mark.parametrize(("folders", "lines"), [((), 0), (("planner",), 1)])
async def test_of_specialists_only_those_that_plan_are_shown_agents(
    files: ToolFolder, folders: tuple[str, ...], lines: int
):
    scope = replace(a_scope(folders=folders), agent="scout", depth=1)
    toolset = await toolset_of(files, scope, extra=[agent("observer")])
    assert len(toolset.catalogue(600).text.splitlines()) == lines
    assert toolset.find("agent_observer") is not None


async def test_a_folder_lists_only_what_the_agents_file_names_of_it(files: ToolFolder):
    for name in ("hammer", "saw"):
        files.put(f"crew/{name}")
    some = await toolset_of(files, a_scope(folders=("crew",), tools=("hammer",)))
    all_of_it = await toolset_of(files, a_scope(folders=("crew",)))
    assert names(some) == ["hammer"]
    assert "saw" not in some.catalogue(600).text
    assert some.find("saw") is not None
    assert "- saw" in all_of_it.catalogue(600).text


async def test_only_tools_that_the_agents_file_names_are_declared_at_once(
    files: ToolFolder,
):
    files.put("shared/paint_wall")
    files.put("shared/buy_paint")
    files.put("shared/owner_only", "\n## Access\nMasterAdmin\n")
    toolset = await toolset_of(files, a_scope(tools=("paint_wall", "owner_only", "gone")))
    assert names(toolset) == ["paint_wall"]
    assert toolset.is_callable("paint_wall")
    assert not toolset.is_callable("buy_paint")
    assert not toolset.is_callable("owner_only")


async def test_an_agents_own_tool_hides_the_shared_one_from_everybody(
    files: ToolFolder,
):
    files.put("shared/thing", "## Access\nGuest, Friend")
    files.put("assistant/thing", "## Access\nPartner")
    assert (await toolset_of(files, a_scope(Role.FRIEND))).find("thing") is None
    partner = (await toolset_of(files, a_scope(Role.PARTNER))).find("thing")
    assert partner is not None
    assert partner.folder == "assistant"
    other = (await toolset_of(files, a_scope(Role.FRIEND, agent="observer"))).find("thing")
    assert other is not None
    assert other.folder == "shared"


async def test_folders_are_seen_as_ruled(files: ToolFolder):
    for where in (
        "planner/outline",
        "subagents/pm_shell",
        "mrtool/create_tool",
        "readytools/draft",
        "observer/inspect",
    ):
        files.put(where)

    async def seen(**scope: Any) -> set[str]:
        toolset = await toolset_of(files, a_scope(Role.MASTER_ADMIN, **scope))
        return {tool.name for tool in toolset.search("*", None).matches}

    assert await seen() == set()
    assert await seen(folders=("planner",)) == {"outline"}
    assert await seen(agent="queen", folders=("subagents", "mrtool", "readytools")) == {"pm_shell"}
    assert await seen(agent="mrtool") == {"create_tool"}
    assert await seen(agent="observer") == {"inspect"}
    everything = frozenset({"outline", "pm_shell", "create_tool", "draft", "inspect", "unknown"})
    assert await seen(active_tools=everything) == {"outline", "pm_shell", "inspect"}


async def test_an_active_skill_never_goes_beyond_the_role(files: ToolFolder):
    files.put("subagents/pm_shell", "## Access\nPartner")
    toolset = await toolset_of(files, a_scope(active_tools=frozenset({"pm_shell"})))
    assert toolset.find("pm_shell") is None


async def test_tools_without_their_connector_handler_or_run_are_absent(files: ToolFolder):
    files.put("shared/mail", "## Requires\ngoogle")
    files.put("shared/nightly", "## Runs\nscheduled")
    files.put("shared/unserved")
    files.put("shared/remote", "## Implementation\nhttp: GET https://example.org/")
    files.put("shared/bridged", "## Implementation\nmcp: files.read")
    catalog = await files.loaded()
    natives = native("mail", "nightly")
    toolset = Toolset(catalog, a_scope(), natives=natives)
    assert toolset.search("*", None).matches == ()
    standings = {
        name: toolset.standing(name)
        for name in ("mail", "nightly", "unserved", "remote", "bridged", "x")
    }
    assert standings == {
        "mail": ToolStanding.INTEGRATION,
        "nightly": ToolStanding.RUN,
        "unserved": ToolStanding.UNSERVED,
        "remote": ToolStanding.UNSERVED,
        "bridged": ToolStanding.UNSERVED,
        "x": ToolStanding.UNKNOWN,
    }
    connected = Toolset(catalog, a_scope(integrations=frozenset({"google"})), natives=natives)
    assert connected.find("mail") is not None


async def test_handlers_are_composed_anew_for_each_scope(files: ToolFolder):
    files.put("shared/thing")
    catalog = await files.loaded()
    tool = NativeTool("thing", Nothing, say_hello)
    natives = NativeTools(
        [ToolRegistration([tool], Needs(also=lambda scope: scope.person.role is Role.PARTNER))]
    )
    assert Toolset(catalog, a_scope(Role.PARTNER), natives=natives).find("thing") is not None
    assert Toolset(catalog, a_scope(Role.FRIEND), natives=natives).find("thing") is None


def test_a_registration_that_fails_takes_only_its_own_tools_away():
    def fails(scope: ToolScope) -> bool:
        raise RuntimeError("no network")

    tool = NativeTool("thing", Nothing, say_hello)
    natives = NativeTools(
        [
            ToolRegistration([tool], Needs(also=fails)),
            ToolRegistration([tool, tool]),
        ]
    )
    assert set(natives.handlers(a_scope())) == {"thing"}
    natives.add(NativeTool("other", Nothing, say_hello))
    assert set(natives.handlers(a_scope())) == {"thing", "other"}


async def test_a_reserved_name_is_served_by_its_handler_alone(files: ToolFolder):
    greet = NativeTool("greet", Nothing, say_hello, reserved=True)
    other = NativeTool("other", Nothing, say_hello)
    natives = NativeTools([ToolRegistration([greet, other])])
    files.put("shared/greet").with_suffix(".sh").write_text("echo no\n")
    for name, line in (
        ("greet", "shell: greet.sh"),
        ("greet", "native: other"),
        ("welcome", "native: greet"),
    ):
        path = files.put(f"shared/{name}")
        path.write_text(f"# {name}\n## Description\nGreet.\n## Implementation\n{line}\n")
        catalog = await files.loaded(natives)
        toolset = Toolset(catalog, a_scope(), natives=natives)
        found = toolset.find("greet")
        assert found is not None
        assert found.implementation == NativeImplementation("greet")
        assert [problem.warning for problem in catalog.problems] == [True], "the file is told"
        assert toolset.find("welcome") is None, "nothing else may call it"


async def test_a_native_tool_whose_file_has_parameters_of_its_own_is_refused(files: ToolFolder):
    files.put("shared/dice")
    natives = NativeTools([ToolRegistration([NativeTool("dice", _Dice, say_hello)])])
    catalog = await files.loaded(natives)
    assert [problem.message for problem in catalog.problems] == [
        "## Parameters: those of the native tool dice are its own; remove the section"
    ]
    files.put("shared/dice").with_suffix(".sh").write_text("echo 4\n")
    await catalog.reload_changed()
    assert catalog.problems == (), "the parameters are those of the script"


async def test_the_catalogue_fits_its_budget_and_is_the_same_each_time(files: ToolFolder):
    for number in range(40):
        files.put(f"shared/thing_{number:02}", "Long. " * 40)
    files.put("assistant/own")
    toolset = await toolset_of(files)
    catalogue = toolset.catalogue(300)
    assert len(catalogue.text) <= 1200
    assert catalogue.shown + catalogue.hidden == 41
    assert catalogue.text.startswith("- own: Does own.\n- thing_00: ")
    assert catalogue == (await toolset_of(files)).catalogue(300)
    assert toolset.catalogue(0).shown == 0


def on_server(server: str, tool: str) -> ToolDefinition:
    name, parameters = f"mcp__{server}__{tool}", {"type": "object"}
    return ToolDefinition(
        name, "Words of a server.", parameters, "shared", McpImplementation(server, tool)
    )


async def never_called(definition: ToolDefinition, context: ToolContext) -> ToolResult:
    raise AssertionError(definition.name)


async def test_a_server_is_one_line_of_the_catalogue_behind_all_that_is_ours(files: ToolFolder):
    files.put("shared/zebra")
    remote = [on_server("acme", f"do_{number:02}") for number in range(40)] + [
        on_server("tiny", "only")
    ]
    catalog = await files.loaded()
    handlers = NativeTools(
        [ToolRegistration([NativeTool("zebra", Nothing, say_hello)])],
        routes={McpImplementation: never_called},
    )

    def listed(_scope: ToolScope) -> list[ToolDefinition]:
        return remote

    toolset = a_toolset(catalog, natives=handlers, remote=listed)
    catalogue = toolset.catalogue(600)
    own, acme, tiny = catalogue.text.splitlines()
    assert own == "- zebra: Does zebra."
    assert acme.startswith("- mcp__acme__* (40): do_00, do_01, ")
    assert acme.endswith(" …")
    assert len(acme) < 160
    assert tiny == "- mcp__tiny__* (1): only"
    assert (catalogue.shown, catalogue.hidden) == (42, 0)
    assert toolset.listing()[0].name == "zebra"


async def test_names_are_case_sensitive_and_aliases_never_beat_names(files: ToolFolder):
    files.put("shared/mail", "## Aliases\npost, letter")
    files.put("shared/post")
    toolset = await toolset_of(files)
    assert toolset.find("Mail") is None
    letter, post = toolset.find("letter"), toolset.find("post")
    assert letter is not None
    assert post is not None
    assert (letter.name, post.name) == ("mail", "post")


async def test_unlocking_keeps_the_first_declaration_and_its_order(files: ToolFolder):
    files.put("shared/b")
    files.put("shared/a")
    toolset = await toolset_of(files, unlocked=["b", "a"])
    first = list(toolset.unlocked.values())
    files.put("shared/b", "Changed.")
    toolset.unlock([{"name": "b", "description": "other", "input_schema": {}}])
    assert list(toolset.unlocked.values()) == first
    assert [item["name"] for item in first] == ["b", "a"]


async def test_a_narrower_scope_at_refresh_takes_tools_away(files: ToolFolder):
    files.put("shared/thing", "## Access\nPartner")
    toolset = await toolset_of(files, a_scope(Role.PARTNER), unlocked=["thing"])
    assert toolset.is_callable("thing")
    toolset.refresh(a_scope(Role.GUEST))
    assert not toolset.is_callable("thing")
    assert toolset.standing("thing") is ToolStanding.ROLE


async def test_extra_definitions_follow_roles_and_hide_files_of_their_name(files: ToolFolder):
    files.put("shared/agent_boss")
    boss = ToolDefinition(
        "agent_boss",
        "Boss.",
        {"type": "object"},
        "agents",
        NativeImplementation("agent_boss"),
        access=Access(frozenset({Role.PARTNER})),
    )
    assert (await toolset_of(files, a_scope(Role.FRIEND), extra=[boss])).search(
        "*", "boss"
    ).matches == ()
    assert (await toolset_of(files, a_scope(Role.PARTNER), extra=[boss])).search(
        "*", "boss"
    ).matches == (boss,)


async def test_a_specialist_has_its_folders_tools_but_none_that_write_files(
    files: ToolFolder,
):
    for where in (
        "observer/inspect",
        "observer/secret",
        "shared/read_file",
        "shared/write_file",
        "shared/edit_file",
    ):
        files.put(where, "## Access\nMasterAdmin" if where.endswith("secret") else "")
    specialist = await toolset_of(files, a_scope(agent="observer", depth=1))
    assert [tool.name for tool in specialist.always_on()] == ["read_file", "inspect"]
    assert specialist.is_callable("inspect")
    assert specialist.find("write_file") is None
    assert specialist.find("secret") is None
    at_the_top = await toolset_of(files, a_scope(agent="observer"))
    assert {tool.name for tool in at_the_top.always_on()} == {
        "read_file",
        "write_file",
        "edit_file",
    }


async def test_a_large_folder_of_its_own_is_found_by_search(files: ToolFolder):
    for number in range(OWN_DECLARED + 1):
        files.put(f"observer/inspect_{number}")
    specialist = await toolset_of(files, a_scope(agent="observer", depth=1))
    assert specialist.always_on() == ()


class _Dice(BaseModel):
    model_config = ConfigDict(extra="forbid")

    count: int = Field(ge=1, le=20, description="How many.")


async def test_a_native_tool_takes_its_parameters_from_its_model(
    files: ToolFolder,
):
    path = files.put("shared/dice")
    path.write_text("# dice\n## Description\nRolls dice.\n")
    natives = NativeTools([ToolRegistration([NativeTool("dice", _Dice, say_hello)])])
    catalog = await files.loaded(natives)
    tool = Toolset(catalog, a_scope(), natives=natives).find("dice")
    assert tool is not None
    assert tool.declaration()["input_schema"] == {
        "type": "object",
        "properties": {
            "count": {"type": "integer", "minimum": 1, "maximum": 20, "description": "How many."}
        },
        "required": ["count"],
    }
    toolset = Toolset(catalog, a_scope(), natives=natives)
    misfit = ToolGate().check(a_call("dice", count=3, colour="red"), toolset, a_scope())
    assert isinstance(misfit, Refused)
    assert isinstance(ToolGate().check(a_call("dice", count=3), toolset, a_scope()), Allowed)
