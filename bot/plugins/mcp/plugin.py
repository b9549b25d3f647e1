"""Tools of MCP servers, which are connected in the background."""

from collections.abc import Iterable, Sequence

from bot.plugin.plugin import Check, Given, Parts, Plugin, Setup
from bot.plugin.services import redact
from bot.plugins.mcp.fleet import McpServers
from bot.plugins.mcp.server import ServerState
from bot.plugins.mcp.settings import McpSettings


class McpPlugin(Plugin[McpSettings]):
    name = "mcp"
    title = "tools of MCP servers"
    settings = McpSettings
    always_examined = True

    def build(self, given: Given[McpSettings]) -> Parts:
        servers = McpServers(given.settings, given.secret, given.clock, given.database)
        return Parts(
            tool_servers=servers,
            load=servers.load,
            own_tasks=(servers.run,) if given.settings.servers else (),
        )

    def named_secrets(self, settings: McpSettings) -> Iterable[str]:
        return (name for one in settings.servers.values() for name in one.named_secrets)

    async def examine(self, setup: Setup[McpSettings]) -> Sequence[Check]:
        """Connects to each server, and has a line for each."""
        servers = McpServers(setup.settings, setup.secret, setup.clock)
        found: list[Check] = []
        for server in await servers.probe():
            check = f"mcp {server.name}"
            if server.state is ServerState.UP:
                roles = setup.settings.servers[server.name].access.describe()
                found.append(Check(check, "ok", f"{server.tools} tools, for {roles}"))
            else:
                found.append(Check(check, "error", f"{redact(server.reason)}; see mcp.servers"))
        return found
