"""Builds tools: files, gate and runners."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from bot.assembly.ground import Ground
from bot.connectors.shipped import RESERVED
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tools import (
    HttpImplementation,
    McpImplementation,
    ShellImplementation,
    ToolDefinition,
)
from bot.tools.budget.settings import BudgetSettings
from bot.tools.budget.usage import Meter
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.catalog.past_requests import PastRequests
from bot.tools.mcp.fleet import McpServers
from bot.tools.mcp.settings import McpSettings
from bot.tools.native.connector import Connector
from bot.tools.native.discovery import discovery_registration
from bot.tools.native.registry import NativeTools, Route, RoutedKind, ToolRegistration
from bot.tools.permission.approvals import ApprovalStore
from bot.tools.permission.gate import ToolGate
from bot.tools.permission.grants import GrantStore
from bot.tools.permission.plans import Plans
from bot.tools.policy.book import PolicyBook
from bot.tools.policy.file import Policy
from bot.tools.policy.redaction import Redaction
from bot.tools.policy.rights import Rights
from bot.tools.policy.view import written_policy_problem
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.http_route import HttpRoute
from bot.tools.running.sandbox import Sandbox
from bot.tools.running.shell import ShellRoute
from bot.tools.settings import RunShapeSettings, ToolSettings
from bot.tools.toolset.toolset import BeyondOf, Toolset
from bot.web.client import WebClient
from bot.web.settings import WebSettings


class ComposeTools(Protocol):
    def __call__(
        self, scope: ToolScope, *, extra: Sequence[ToolDefinition] = (), beyond: BeyondOf
    ) -> Toolset:
        """`extra` are definitions that no file holds; `beyond`: what the person could have."""
        ...


@dataclass(frozen=True)
class Tooling:
    """The tools of one app."""

    catalog: ToolCatalog
    natives: NativeTools
    gate: ToolGate
    executor: ToolExecutor
    approvals: ApprovalStore
    grants: GrantStore
    plans: Plans
    meter: Meter
    redaction: Redaction
    mcp: McpServers
    sandbox: Sandbox
    rights: Rights
    toolset: ComposeTools
    """The tools of one request."""


def build_tooling(
    ground: Ground,
    own_tools: Sequence[NativeTool[Any]],
    connectors: Sequence[Connector],
    policy: PolicyBook,
    rights: Rights,
    approvals: ApprovalStore,
    prompts: Sequence[Path],
) -> Tooling:
    """Build the tools.

    `own_tools` exist for everybody. Rooms that are built later add theirs to `natives`. `prompts`
    are the folders that hold `tools/`, the home's first.
    """
    settings, database, clock = ground.settings, ground.database, ground.clock
    gate, redaction = ToolGate(), Redaction()

    def in_force(rules: Policy) -> None:
        gate.rules, redaction.outputs = rules.rules, rules.outputs
        rights.take(rules)

    policy.on_change.append(in_force)
    gate.policy_problem = partial(written_policy_problem, policy)
    policy.on_doubt.append(in_force)
    tool_settings = settings.get(ToolSettings)
    mcp = McpServers(settings.get(McpSettings), settings.secret, clock, database)
    sandbox = Sandbox(tool_settings.shell, settings.home)
    web = WebClient(settings.get(WebSettings))
    http = HttpRoute(web, settings.secret, tool_settings.http, tool_settings.output_chars, clock)
    routes: dict[RoutedKind, Route] = {
        ShellImplementation: ShellRoute(
            tool_settings.shell, tool_settings.output_chars, clock, sandbox
        ),
        HttpImplementation: http,
        **({McpImplementation: mcp.call} if mcp else {}),
    }
    natives = NativeTools(
        [
            discovery_registration(),
            ToolRegistration(own_tools),
            *(
                registration
                for connector in connectors
                for registration in connector.registrations()
            ),
        ],
        routes=routes,
        hindrances={
            ShellImplementation: lambda _tool: sandbox.hindrance,
            HttpImplementation: http.hindrance,
        },
        reserved=RESERVED,
    )
    catalog = ToolCatalog(prompts, PastRequests(database), natives)
    return Tooling(
        catalog=catalog,
        natives=natives,
        gate=gate,
        executor=ToolExecutor(natives, tool_settings, clock),
        approvals=approvals,
        grants=GrantStore(database, clock),
        plans=Plans(database, clock),
        meter=Meter(database, clock, settings.timezone, settings.get(BudgetSettings)),
        redaction=redaction,
        mcp=mcp,
        sandbox=sandbox,
        rights=rights,
        toolset=partial(
            Toolset,
            catalog,
            natives=natives,
            chat_web=settings.get(RunShapeSettings).chat.allow_web,
            remote=mcp.definitions if mcp else None,
            limits=rights.limits,
        ),
    )
