"""Parts of the gate besides the toolset: risks, policy rules and budgets.

See docs/rules.md#order-of-checks.
"""

import posixpath
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol, TypeAlias

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.tool_context import ToolScope
from bot.domain.tools import HttpImplementation, Risk, ToolCall, ToolDefinition

PERMISSIONS_FILE = "/preferences/permissions.md"
SKILL_FILES = "/custom-skills/"
AUTOMATION_FILES = "/automations/"
WRITING_FILE_TOOLS = frozenset({"write_file", "edit_file", "delete_file"})

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


class PolicyRule(Protocol):
    """One rule of policy.yaml."""

    def judge(
        self, definition: ToolDefinition, call: ToolCall, scope: ToolScope
    ) -> PolicyVerdict | None:
        """The verdict about this call; None if the rule doesn't match."""
        ...


RiskUpgrade: TypeAlias = Callable[[ToolDefinition, JsonObject], Risk | None]
"""A risk that comes from a call's arguments and not from the tool."""


def send_elsewhere(definition: ToolDefinition, arguments: JsonObject) -> Risk | None:
    """`send` to another conversation is an external write."""
    return Risk.EXTERNAL_WRITE if definition.acts_as == "send" and arguments.get("to") else None


def permissions_file(definition: ToolDefinition, arguments: JsonObject) -> Risk | None:
    """Writing the view of policy.yaml is a policy write, whichever file tool does it."""
    return Risk.POLICY_WRITE if names_permissions(definition.acts_as, arguments) else None


def names_permissions(tool: str, arguments: JsonObject) -> bool:
    """Whether a writing file call names the policy's view, however the path is spelled."""
    path = arguments.get("path")
    if tool not in WRITING_FILE_TOOLS or not isinstance(path, str):
        return False
    return posixpath.normpath(f"/{path}").replace("//", "/").casefold() == PERMISSIONS_FILE


def writes_skill(tool: str, arguments: JsonObject) -> bool:
    """Whether a call of a file tool puts a text among the skills of a person or workspace."""
    path = arguments.get("path")
    if tool not in {"write_file", "edit_file"} or not isinstance(path, str):
        return False
    return posixpath.normpath(f"/{path}").replace("//", "/").casefold().startswith(SKILL_FILES)


def automation_path(tool: str, arguments: JsonObject) -> str | None:
    """The path below /automations that a call of a file tool changes; None for any other call."""
    path = arguments.get("path")
    if tool not in WRITING_FILE_TOOLS or not isinstance(path, str):
        return None
    written = posixpath.normpath(f"/{path}").replace("//", "/")
    return written if f"{written.casefold()}/".startswith(AUTOMATION_FILES) else None


def any_address(definition: ToolDefinition, arguments: JsonObject) -> Risk | None:
    """A request whose address is an argument can leak anything, even if it only reads."""
    implementation = definition.implementation
    free = isinstance(implementation, HttpImplementation) and implementation.free
    return Risk.EXTERNAL_WRITE if free else None


UPGRADES: tuple[RiskUpgrade, ...] = (send_elsewhere, permissions_file, any_address)


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
    found = [
        definition.risk_of(arguments),
        *(upgrade(definition, arguments) for upgrade in UPGRADES),
    ]
    risks = [risk for risk in found if risk is not None]
    return max(risks, key=lambda risk: APPROVER_RANK[risk], default=None)
