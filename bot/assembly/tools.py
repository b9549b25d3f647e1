"""Builds tools: those in files, those that are functions, and what runs them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from bot.assembly.ground import Ground
from bot.assembly.permission import Permission
from bot.assembly.plugged import Plugged
from bot.assembly.plugins import tool_roots
from bot.assembly.tool_servers import ServersOfPlugins
from bot.assembly.written import WrittenHome
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tools import (
    HttpImplementation,
    McpImplementation,
    ShellImplementation,
    ToolDefinition,
)
from bot.sessions.approvals.decisions import CARDS_OF_THE_HOUSE
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.catalog.past_requests import PastRequests
from bot.tools.native.connector import Connector
from bot.tools.native.discovery import discovery_registration
from bot.tools.native.registry import NativeTools, Route, RoutedKind, ToolRegistration
from bot.tools.running.executor import ToolExecutor
from bot.tools.running.http_route import HttpRoute
from bot.tools.running.output import OUTPUT_CHARS
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
    executor: ToolExecutor
    servers: ServersOfPlugins
    toolset: ComposeTools
    """The tools of one request."""


def build_tooling(
    ground: Ground,
    written: WrittenHome,
    permission: Permission,
    plugged: Sequence[Plugged],
    connectors: Sequence[Connector],
    own_tools: Sequence[NativeTool[Any]],
) -> Tooling:
    """`own_tools` exist for everybody. Rooms that are built later add theirs to `natives`."""
    settings, database, clock = ground.settings, ground.database, ground.clock
    limits, sandbox = settings.get(ToolSettings), ground.sandbox
    servers = ServersOfPlugins.of(plugged)
    web = WebClient(settings.get(WebSettings))
    http = HttpRoute(web, settings.secret, limits.http, OUTPUT_CHARS, clock)
    routes: dict[RoutedKind, Route] = {
        ShellImplementation: ShellRoute(limits.shell, OUTPUT_CHARS, clock, sandbox),
        HttpImplementation: http,
        **({McpImplementation: servers.call} if servers.known else {}),
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
            McpImplementation: lambda _tool: servers.hindrance,
        },
        reserved=CARDS_OF_THE_HOUSE,
    )
    folders = [*written.prompts, *tool_roots(ground.plugins)]
    catalog = ToolCatalog(folders, PastRequests(database), natives)
    toolset = partial(
        Toolset,
        catalog,
        natives=natives,
        chat_web=settings.get(RunShapeSettings).chat.allow_web,
        remote=servers.definitions if servers.by_name else None,
        limits=permission.rights.limits,
    )
    return Tooling(catalog, natives, ToolExecutor(natives, clock), servers, toolset)
