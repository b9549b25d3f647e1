"""Builds tools: those in files, those that are functions, and what runs them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, Self

from bot.assembly.ground import Ground
from bot.assembly.permission import Permission
from bot.assembly.plugged import Plugged
from bot.assembly.plugins import tool_roots
from bot.assembly.written import WrittenHome
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import (
    HttpImplementation,
    McpImplementation,
    ShellImplementation,
    ToolDefinition,
)
from bot.errors import SettingsError
from bot.plugin.tool_servers import ToolServers, not_set_up
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


@dataclass(frozen=True)
class ServersOfPlugins:
    """Each server belongs to one plug-in, which runs its calls."""

    known: Sequence[ToolServers]
    by_name: Mapping[str, ToolServers]

    @classmethod
    def of(cls, plugged: Sequence[Plugged]) -> Self:
        """Raises SettingsError for a name that two plug-ins have."""
        known = {
            one.plugin.name: it for one in plugged if (it := one.parts.tool_servers) is not None
        }
        owners: dict[str, str] = {}
        for plugin, servers in known.items():
            for name in servers.names:
                if (other := owners.setdefault(name, plugin)) != plugin:
                    raise SettingsError(
                        f"the plug-ins {other!r} and {plugin!r} both have a server of tools "
                        f"{name!r}; rename it in the settings of one of them"
                    )
        by_name = {name: known[plugin] for name, plugin in owners.items()}
        return cls(list(known.values()), by_name)

    @property
    def hindrance(self) -> str | None:
        """Why no tool of a server can run."""
        return None if self.by_name else "no server of tools is set up here (mcp.servers)"

    def definitions(self, scope: ToolScope) -> tuple[ToolDefinition, ...]:
        return tuple(tool for one in self.known for tool in one.definitions(scope))

    async def call(self, definition: ToolDefinition, context: ToolContext) -> ToolResult:
        """The route of their tools. Raises ToolError."""
        implementation = definition.implementation
        if not isinstance(implementation, McpImplementation):
            raise TypeError(f"{definition.name} is no tool of a server")
        servers = self.by_name.get(implementation.server)
        if servers is None:
            raise not_set_up(definition, implementation.server)
        return await servers.call(definition, context)

    async def settled(self) -> None:
        """Wait until each server was tried once."""
        await asyncio.gather(*(one.settled() for one in self.known))


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
