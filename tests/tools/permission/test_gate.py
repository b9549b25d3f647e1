"""The gate: order, exact words, questions, and that no role ever gets or sees what it lacks."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Access, Role
from bot.domain.database import Read, Row, Unit, WriteResult
from bot.domain.models import Unlock
from bot.domain.runs import RunShape
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, Risk, ToolCall, ToolDefinition
from bot.testing.tools import Nothing, ToolFolder, a_call, a_scope, a_toolset, say_hello, with_role
from bot.tools.catalog.past_requests import PastRequests, normalised
from bot.tools.catalog.past_requests_store import Lesson
from bot.tools.native.registry import NativeTools, ToolRegistration
from bot.tools.permission.gate import Allowed, Ask, Later, Refused, ToolGate
from bot.tools.policy.rules import FileRule
from bot.tools.policy.verdicts import Strictness
from bot.tools.toolset.toolset import Toolset
from tests.thoroughness import examples

SECRET = (
    '## Access\nPartner\n## Parameters\n{"type": "object", "properties": {"n": {"type": '
    '"integer"}}, "required": ["n"]}'
)


async def toolset_of(files: ToolFolder, scope: ToolScope | None = None, *unlocked: str) -> Toolset:
    catalog = await files.loaded()
    return a_toolset(catalog, scope, unlocked)


async def judged(
    files: ToolFolder, call: ToolCall, scope: ToolScope | None = None, gate: ToolGate | None = None
):
    scope = scope or a_scope()
    return (gate or ToolGate()).check(call, await toolset_of(files, scope, call.name), scope)


async def test_an_unlocked_tool_with_fitting_arguments_is_allowed_also_by_alias(files: ToolFolder):
    files.put("shared/thing", "## Aliases\nit")
    toolset = await toolset_of(files, None, "thing")
    for name in ("thing", "it"):
        verdict = ToolGate().check(a_call(name), toolset, a_scope())
        assert isinstance(verdict, Allowed)
        assert verdict.definition.name == "thing"


async def test_a_locked_tool_with_fitting_arguments_is_allowed(files: ToolFolder):
    files.put("shared/thing")
    toolset = await toolset_of(files)
    assert not toolset.is_callable("thing")
    assert isinstance(ToolGate().check(a_call("thing"), toolset, a_scope()), Allowed)


async def test_a_refusal_does_not_tell_an_unknown_tool_from_a_forbidden_one(files: ToolFolder):
    files.put("shared/hidden", SECRET)
    forbidden = await judged(files, a_call("hidden"))
    unknown = await judged(files, a_call("absent"))
    assert isinstance(forbidden, Refused)
    assert isinstance(unknown, Refused)
    assert forbidden.text.replace("hidden", "absent") == unknown.text
    assert (forbidden.security, unknown.security) == (True, False)


async def test_a_tool_that_was_lost_says_so(files: ToolFolder):
    files.put("shared/thing", "## Access\nPartner, Friend")
    toolset = await toolset_of(files, None, "thing")
    verdict = ToolGate().check(a_call("thing"), toolset, with_role(a_scope(), Role.GUEST))
    assert isinstance(verdict, Refused)
    assert verdict.security
    assert "no longer available" in verdict.text


async def test_the_role_is_checked_before_the_arguments(files: ToolFolder):
    files.put("shared/hidden", SECRET)
    rules = [
        (await toolset_of(files, a_scope(Role.FRIEND)), Role.FRIEND, "absent:role"),
        (await toolset_of(files, a_scope(Role.PARTNER)), Role.PARTNER, "schema"),
        (await toolset_of(files, a_scope(Role.PARTNER), "hidden"), Role.PARTNER, "schema"),
    ]
    for toolset, role, rule in rules:
        verdict = ToolGate([FileRule("no", Strictness.DENY)]).check(
            a_call("hidden", n="x"), toolset, a_scope(role)
        )
        assert isinstance(verdict, Refused)
        assert verdict.rule == rule


async def test_wrong_arguments_are_named(files: ToolFolder):
    files.put("shared/hidden", SECRET)
    verdict = await judged(files, a_call("hidden", n="x"), a_scope(Role.PARTNER))
    assert isinstance(verdict, Refused)
    assert 'n must be an integer, not "x"' in verdict.text


async def test_a_policy_denial_has_exactly_the_ruled_text(files: ToolFolder):
    files.put("shared/thing")
    gate = ToolGate([FileRule("a", Strictness.ALLOW), FileRule("b", Strictness.DENY)])
    assert await judged(files, a_call("thing"), gate=gate) == Refused(
        "tool blocked by policy", "policy:b"
    )


@pytest.mark.parametrize(
    ("risk", "rank"),
    [
        ("external-write", 0),
        ("policy-write", Role.PARTNER.rank),
        ("destructive", Role.MASTER_ADMIN.rank),
    ],
)
async def test_a_risk_asks_those_who_may_say_yes(files: ToolFolder, risk: str, rank: int):
    files.put("shared/thing", f"## Risk\n{risk}\n## Access\nFriend")
    verdict = await judged(files, a_call("thing"))
    assert isinstance(verdict, Ask)
    assert (verdict.needed.risk, verdict.needed.approver_rank) == (Risk(risk), rank)
    assert verdict.needed.call == a_call("thing")
    toolset = await toolset_of(files, None, "thing")
    assert isinstance(
        ToolGate().check(a_call("thing"), toolset, a_scope(), confirmed=True), Allowed
    )


async def test_with_nobody_present_the_question_is_deferred(files: ToolFolder):
    files.put("shared/thing", "## Risk\nexternal-write")
    for shape in set(RunShape) - {RunShape.CHAT}:
        verdict = await judged(files, a_call("thing"), a_scope(shape=shape))
        assert isinstance(verdict, Later)
        assert verdict.deferred.risk is Risk.EXTERNAL_WRITE


async def test_a_confirmed_call_is_still_refused_when_the_role_was_lost(files: ToolFolder):
    files.put("shared/thing", "## Risk\nexternal-write\n## Access\nFriend")
    toolset = await toolset_of(files, None, "thing")
    verdict = ToolGate().check(a_call("thing"), toolset, a_scope(Role.GUEST), confirmed=True)
    assert isinstance(verdict, Refused)


async def test_policy_can_waive_or_raise_a_question_but_never_lower_who_answers(files: ToolFolder):
    files.put("shared/thing", "## Risk\ndestructive\n## Access\nFriend")
    waived = await judged(files, a_call("thing"), gate=ToolGate([FileRule("a", Strictness.ALLOW)]))
    assert isinstance(waived, Allowed)
    asked = await judged(
        files,
        a_call("thing"),
        gate=ToolGate([FileRule("a", Strictness.ASK, reason="why", approver_rank=1)]),
    )
    assert isinstance(asked, Ask)
    assert (asked.needed.approver_rank, asked.needed.reason) == (Role.MASTER_ADMIN.rank, "why")
    files.put("shared/plain")
    raised = await judged(
        files, a_call("plain"), gate=ToolGate([FileRule("a", Strictness.ASK, approver_rank=3)])
    )
    assert isinstance(raised, Ask)
    assert raised.needed.approver_rank == Role.PARTNER.rank


@pytest.mark.parametrize("waivable", [True, False])
async def test_no_rule_waives_the_yes_to_a_tool_that_says_so_whatever_its_file_is_called(
    files: ToolFolder, waivable: bool
):
    files.put(
        "shared/other_name",
        "## Risk\npolicy-write\n## Access\nFriend\n## Implementation\nnative: go",
    )
    catalog = await files.loaded()
    go = NativeTool("go", Nothing, say_hello, waivable=waivable)
    natives = NativeTools([ToolRegistration([go])])
    toolset = Toolset(catalog, a_scope(), natives=natives)
    gate = ToolGate([FileRule("a", Strictness.ALLOW)])
    verdict = gate.check(a_call("other_name"), toolset, a_scope())
    if waivable:
        assert isinstance(verdict, Allowed)
    else:
        assert isinstance(verdict, Ask)
        assert verdict.needed.each_time
    asked = ToolGate().check(a_call("other_name"), toolset, a_scope())
    assert isinstance(asked, Ask)
    assert asked.needed.each_time is not waivable


async def test_writing_the_permissions_file_is_a_policy_write_by_any_path(
    files: ToolFolder,
):
    files.put("shared/write_file")
    for path in (
        "/preferences/permissions.md",
        "//preferences/./permissions.md",
        "/x/../preferences/Permissions.md",
    ):
        verdict = await judged(files, a_call("write_file", path=path))
        assert isinstance(verdict, Ask), path
        assert verdict.needed.risk is Risk.POLICY_WRITE
    assert isinstance(
        await judged(files, a_call("write_file", path="/preferences/global.md")), Allowed
    )


@pytest.mark.parametrize("tool", ["write_file", "edit_file", "delete_file"])
async def test_a_file_tool_is_asked_about_under_any_name_that_a_file_gives_it(
    files: ToolFolder, tool: str
):
    files.put("shared/jot", f"## Aliases\npen\n## Implementation\nnative: {tool}\n")
    gate = ToolGate()
    gate.policy_problem = lambda call: call.name if "bad" in call.arguments else None
    for name in ("jot", "pen"):
        for path, risk in (
            ("/preferences/permissions.md", Risk.POLICY_WRITE),
            ("/automations/triggers/x.md", Risk.EXTERNAL_WRITE),
        ):
            verdict = await judged(files, a_call(name, path=path), gate=gate)
            assert isinstance(verdict, Ask), (name, path)
            assert verdict.needed.risk is risk
        checked = await judged(files, a_call(name, path="/x", bad=1), gate=gate)
        assert isinstance(checked, Refused)
        assert f": {tool}." in checked.text


async def test_sending_elsewhere_is_an_external_write(files: ToolFolder):
    files.put("shared/send")
    assert isinstance(await judged(files, a_call("send", text="hi")), Allowed)
    assert isinstance(await judged(files, a_call("send", text="hi", to="#general")), Ask)


async def test_asking_where_nobody_is_present_tells_the_model_to_go_on(files: ToolFolder):
    files.put("shared/ask_user_for_clarification")
    verdict = await judged(
        files, a_call("ask_user_for_clarification"), a_scope(shape=RunShape.SCHEDULED)
    )
    assert isinstance(verdict, Refused)
    assert "nobody is there" in verdict.text


# --- no role ever gets or sees what it lacks ---

NAMES = ["alpha", "beta", "gamma", "delta", "send", "web_search", "remember"]
ROLES = [*(role.value for role in Role), "Friend+", "Guest+"]
TOOL = st.fixed_dictionaries(
    {
        "folder": st.sampled_from(
            ["shared", "assistant", "observer", "planner", "mrtool", "readytools", "subagents"]
        ),
        "name": st.sampled_from(NAMES),
        "access": st.lists(st.sampled_from(ROLES), max_size=3),
        "alias": st.none() | st.sampled_from([*NAMES, "other"]),
        "runs": st.none() | st.sampled_from(list(RunShape)),
        "requires": st.none() | st.sampled_from(["google", "notion"]),
    }
)
SCOPE = st.builds(
    a_scope,
    role=st.sampled_from(list(Role)),
    agent=st.sampled_from(["assistant", "observer", "mrtool"]),
    shape=st.sampled_from(list(RunShape)),
    folders=st.lists(
        st.sampled_from(["planner", "mrtool", "subagents", "readytools"]), max_size=2
    ).map(tuple),
    integrations=st.frozensets(st.sampled_from(["google", "notion"])),
    active_tools=st.frozensets(st.sampled_from(NAMES), max_size=3),
    depth=st.integers(0, 1),
)


def written(folder: ToolFolder, tool: dict[str, Any]) -> None:
    sections = {
        "Access": ", ".join(map(str, tool["access"])),
        "Aliases": tool["alias"],
        "Runs": tool["runs"],
        "Requires": tool["requires"],
    }
    text = "\n".join(f"## {title}\n{value}" for title, value in sections.items() if value)
    folder.put(f"{tool['folder']}/{tool['name']}", text)


def checked(toolset: Toolset, scope: ToolScope, tool: ToolDefinition) -> None:
    assert tool.access.allows(scope.person.role)
    assert tool.folder != "readytools"
    assert tool.folder != "mrtool" or scope.agent == "mrtool"
    assert tool.runs is None or scope.run.shape in tool.runs
    assert scope.integrations.issuperset(tool.requires)
    assert tool.name != "web_search" or scope.run.researches
    assert tool.name != "remember" or scope.run.shape is RunShape.CHAT
    assert toolset.find(tool.name) == tool


def everything_shown(toolset: Toolset) -> list[ToolDefinition]:
    shown = [*toolset.always_on(), *toolset.describe((*NAMES, "other"))]
    declared = [item["name"] for unlock in Unlock for item in toolset.declarations(unlock)]
    shown += [tool for name in declared if (tool := toolset.find(name)) is not None]
    assert len(shown) >= len(declared)
    shown += toolset.search("*", None).matches
    for name in NAMES:
        shown += toolset.search(None, f"does {name}").matches
    listed = [item.name for item in toolset.listing()]
    for line in toolset.catalogue(10_000).text.splitlines():
        label, _, rest = line.removeprefix("- ").partition(": ")
        servers, _, _ = label.partition("* (")
        listed += [label] if servers == label else [f"{servers}{bare}" for bare in rest.split(", ")]
    for name in listed:
        tool = toolset.find(name)
        assert tool is not None
        shown.append(tool)
    return shown


class NoDatabase:
    """Where nothing is kept: what was learned is in memory alone."""

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        raise AssertionError(sql)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        raise AssertionError(sql)

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        raise AssertionError(reads)

    async def write(self, unit: Unit) -> WriteResult:
        raise AssertionError(unit)

    async def close(self) -> None:
        return


def on_server(name: str, roles: Sequence[Role]) -> ToolDefinition:
    """A server's own tool, which some roles may use."""
    access = Access(frozenset(roles))
    implementation = McpImplementation("srv", name)
    return ToolDefinition(
        f"mcp__srv__{name}", f"Does {name}.", {"type": "object"}, "shared", implementation, access
    )


async def never_called(definition: ToolDefinition, context: ToolContext) -> ToolResult:
    raise AssertionError(definition.name)


REMOTE = st.dictionaries(
    st.sampled_from([*NAMES, "far"]), st.lists(st.sampled_from(list(Role)), min_size=1), max_size=4
)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(TOOL, max_size=8), REMOTE, SCOPE, st.sampled_from(list(Role)))
def test_what_the_role_run_or_integrations_lack_is_never_shown_or_allowed(
    tools: list[dict[str, object]], remote: dict[str, list[Role]], scope: ToolScope, role_then: Role
):
    with TemporaryDirectory() as directory:
        files = ToolFolder(Path(directory))
        for tool in tools:
            written(files, tool)
        catalog = files.catalog()
        asyncio.run(catalog.load())
        # Whatever was learned, even for tools that the role lacks, is a score and opens nothing.
        catalog.past = PastRequests(NoDatabase())
        for name in [*NAMES, *remote]:
            catalog.past.learn(
                Lesson(
                    scope.person.id, (name,), tuple(normalised(f"does {other}") for other in NAMES)
                )
            )
        served = [on_server(name, roles) for name, roles in remote.items()]
        greeters = [NativeTool(name, Nothing, say_hello) for name in [*NAMES, "other"]]
        natives = NativeTools(
            [ToolRegistration(greeters)],
            routes={McpImplementation: never_called},
        )

        def listed(_scope: ToolScope) -> list[ToolDefinition]:
            return served

        toolset = a_toolset(catalog, scope, natives=natives, remote=listed)
        for tool in everything_shown(toolset):
            checked(toolset, scope, tool)
        # Whoever claims to have unlocked everything still gets nothing beyond the role of this
        # moment.
        everything = [*NAMES, "other", *(tool.name for tool in served), *remote]
        toolset.unlock(
            [{"name": name, "description": "", "input_schema": {}} for name in everything]
        )
        now = with_role(scope, role_then)
        for name in everything:
            verdict = ToolGate().check(a_call(name), toolset, now)
            if isinstance(verdict, Allowed):
                checked(toolset, scope, verdict.definition)
                assert verdict.definition.access.allows(role_then)
            else:
                assert isinstance(verdict, Refused)
