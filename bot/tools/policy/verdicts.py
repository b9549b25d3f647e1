"""Parts of the gate besides the toolset: risks, policy rules and budgets.

See docs/rules.md#order-of-checks.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.tools import HttpImplementation, Risk, ToolDefinition

PERMISSIONS_FILE = "/preferences/permissions.md"
SKILL_FILES = "/custom-skills/"
AUTOMATION_FILES = "/automations/"
WRITING_FILE_TOOLS = frozenset({"write_file", "edit_file", "delete_file"})

SCHEDULING_TOOL = "schedule_task"
"""People with this right may have the assistant work while nobody is present, also by a file."""

APPROVER_RANK = {
    Risk.EXTERNAL_WRITE: 0,
    Risk.POLICY_WRITE: Role.PARTNER.rank,
    Risk.DESTRUCTIVE: Role.MASTER_ADMIN.rank,
}
"""Lowest rank that may say yes; 0 is the person themself (docs/rules.md#approvals)."""
_REASONS = {
    Risk.EXTERNAL_WRITE: "it changes something outside of Bellhop",
    Risk.POLICY_WRITE: "it changes what Bellhop may do",
    Risk.DESTRUCTIVE: "it destroys something that can't be brought back",
}


class Strictness(IntEnum):
    """The effect of a policy rule; the strictest match wins."""

    ALLOW = 0
    """Waives the question that the tool's risk would ask."""
    ASK = 1
    DENY = 2


@dataclass(frozen=True)
class PolicyVerdict:
    strictness: Strictness
    rule: str
    """Name of the rule, for the event and /why; the model never sees it."""
    reason: str = ""
    approver_rank: int = 0
    """Raises the rank that may approve; never lowers it."""
    named: frozenset[str] = frozenset()
    """Argument paths whose values an allowing rule spells out, so that taint is waived."""

    def names(self, path: str) -> bool:
        """Whether the rule spells out the values at this path, or at one that it lies below."""
        steps = _fields(path)
        return any(steps[: len(fields)] == fields for fields in map(_fields, self.named))


def _fields(path: str) -> list[str]:
    """Names on a path without list positions: `items[0].url` and `items.*.url` are equal."""
    return [step for step in re.sub(r"\[\d+\]", "", path).split(".") if step != "*"]


def names_permissions(tool: str, arguments: JsonObject) -> bool:
    """Whether a writing file call names the policy's view, however the path is spelled."""
    return _written_path(tool, arguments).casefold() == PERMISSIONS_FILE


def writes_skill(tool: str, arguments: JsonObject) -> bool:
    """Whether a call of a file tool puts a text among the skills of a person or workspace."""
    written = _written_path(tool, arguments)
    return tool != "delete_file" and written.casefold().startswith(SKILL_FILES)


def automation_path(tool: str, arguments: JsonObject) -> str | None:
    """The path below /automations that a call of a file tool changes; None for any other call."""
    written = _written_path(tool, arguments)
    return written if f"{written.casefold()}/".startswith(AUTOMATION_FILES) else None


def _written_path(tool: str, arguments: JsonObject) -> str:
    """The path that a call of a writing file tool names; empty for any other call."""
    path = arguments.get("path")
    if tool not in WRITING_FILE_TOOLS or not isinstance(path, str):
        return ""
    return posixpath.normpath(f"/{path}").replace("//", "/")


def _risks_of_arguments(definition: ToolDefinition, arguments: JsonObject) -> Iterator[Risk]:
    """Risks that come from a call's arguments and not from the tool."""
    if definition.acts_as == "send" and arguments.get("to"):  # to another conversation
        yield Risk.EXTERNAL_WRITE
    if names_permissions(definition.acts_as, arguments):  # whichever file tool does it
        yield Risk.POLICY_WRITE
    implementation = definition.implementation
    if isinstance(implementation, HttpImplementation) and implementation.free:
        # An address that is an argument can leak anything, even if the request only reads.
        yield Risk.EXTERNAL_WRITE


@dataclass(frozen=True)
class Confirmation:
    """Who must say yes to a call, and why."""

    reason: str
    approver_rank: int
    risk: Risk | None
    rule: str


def strictest_of(verdicts: Iterable[PolicyVerdict]) -> PolicyVerdict | None:
    """The deciding verdict: the strictest, then the highest rank, then the most names.

    See docs/rules.md#approvals.
    """
    return max(
        verdicts, key=lambda one: (one.strictness, one.approver_rank, len(one.named)), default=None
    )


def confirmation_for(risk: Risk | None, verdict: PolicyVerdict | None) -> Confirmation | None:
    """The question that a risk and the strictest verdict (no denial) require together."""
    rank = APPROVER_RANK[risk] if risk else 0
    if verdict is not None and verdict.strictness is Strictness.ASK:
        reason = verdict.reason or (_REASONS[risk] if risk else "the policy wants a confirmation")
        return Confirmation(
            reason, max(rank, verdict.approver_rank), risk, f"policy:{verdict.rule}"
        )
    if risk is None or verdict is not None:
        return None
    return Confirmation(_REASONS[risk], rank, risk, f"risk:{risk}")


def strictest_risk(definition: ToolDefinition, arguments: JsonObject) -> Risk | None:
    """The tool's own risk or one that the arguments bring, whichever needs the higher rank."""
    own = definition.risk_of(arguments)
    risks = [*([own] if own else []), *_risks_of_arguments(definition, arguments)]
    return max(risks, key=lambda risk: APPROVER_RANK[risk], default=None)
