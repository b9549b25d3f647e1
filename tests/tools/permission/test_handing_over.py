"""A file whose path a tool names as what it reads passes the checks of reading it."""

import pytest

from bot.domain.confinement import Confinement
from bot.domain.tool_context import NativeTool, ToolScope
from bot.testing.tools import (
    Nothing,
    ToolFolder,
    a_call,
    a_scope,
    a_toolset,
    native,
    say_hello,
)
from bot.tools.native.registry import NativeTools
from bot.tools.permission.gate import Allowed, Ask, Refused, ToolGate, Verdict
from bot.tools.policy.rules import FileRule, RuleScope
from bot.tools.policy.verdicts import Strictness
from bot.tools.text.patterns import TextPattern

PLAN = "/documents/plan.md"
PATHS = '## Parameters\n{"type": "object", "properties": {"path": {"type": "string"}}}'
SEND = (
    '## Parameters\n{"type": "object", "properties": {"text": {"type": "string"}, "file": {"type": '
    '"string"}, "to": {"type": "string", "x-target": true}}}'
)


def of_reading(decision: Strictness) -> FileRule:
    """A rule about reading the plan."""
    scope = RuleScope(tools=(TextPattern("read_file"),))
    return FileRule("plans", decision, scope, {"path": (TextPattern(PLAN),)}, approver_rank=3)


def natives(*others: str) -> NativeTools:
    made = native(*others)
    made.add(NativeTool("send", Nothing, say_hello, reads="file"))
    return made


async def judged(
    files: ToolFolder, gate: ToolGate, scope: ToolScope | None = None, **given: str
) -> Verdict:
    files.put("shared/send", SEND)
    files.put("shared/read_file", PATHS)
    catalog = await files.loaded()
    scope = scope or a_scope()
    toolset = a_toolset(catalog, scope, natives=natives("read_file"))
    return gate.check(a_call("send", text="Here.", **given), toolset, scope)


async def test_it_is_sent_like_text(files: ToolFolder):
    gate = ToolGate()
    assert isinstance(await judged(files, gate, file=PLAN), Allowed)
    assert isinstance(await judged(files, gate, file=PLAN, to="#ops"), Ask)


@pytest.mark.parametrize("path", [PLAN, f"  {PLAN} "])
async def test_what_may_not_be_read_may_not_be_sent(files: ToolFolder, path: str):
    verdict = await judged(files, ToolGate([of_reading(Strictness.DENY)]), file=path)
    assert isinstance(verdict, Refused)
    assert verdict.rule == "policy:plans"


async def test_a_question_about_reading_is_asked_for_sending(files: ToolFolder):
    verdict = await judged(files, ToolGate([of_reading(Strictness.ASK)]), file=PLAN)
    assert isinstance(verdict, Ask)
    assert verdict.needed.approver_rank == 3


async def test_a_rule_that_allows_reading_spares_no_question_about_sending(files: ToolFolder):
    gate = ToolGate([of_reading(Strictness.ALLOW)])
    assert isinstance(await judged(files, gate, file=PLAN, to="#ops"), Ask)


@pytest.mark.parametrize(
    ("limits", "allowed"),
    [
        (Confinement("the skill triage", tools=("manage_todos",)), False),
        (Confinement("the skill triage", paths=("/documents/other",)), False),
        (Confinement("the skill triage", paths=("/documents",)), True),
    ],
)
async def test_the_limits_of_a_skill_hold(files: ToolFolder, limits: Confinement, allowed: bool):
    scope = a_scope(confinements=(limits,))
    verdict = await judged(files, ToolGate(), scope, file=PLAN)
    assert isinstance(verdict, Allowed if allowed else Refused)
    assert isinstance(await judged(files, ToolGate(), scope), Allowed)  # text alone


async def test_without_read_file_no_file_is_sent(files: ToolFolder):
    files.put("shared/send", SEND)
    catalog = await files.loaded()
    call = a_call("send", text="Here.", file=PLAN)
    toolset = a_toolset(catalog, natives=natives())
    verdict = ToolGate().check(call, toolset, a_scope())
    assert isinstance(verdict, Refused)
