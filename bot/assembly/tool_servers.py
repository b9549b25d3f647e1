"""The servers of tools of all plug-ins, as the rest of the house sees them."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from bot.assembly.plugged import Plugged
from bot.domain.tool_context import ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.errors import SettingsError
from bot.plugin.tool_servers import ToolServers, not_set_up


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
