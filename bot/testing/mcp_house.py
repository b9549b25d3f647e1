"""MCP servers for tests: one that runs as a program, and one on loopback that restarts."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any

from bot.app import App
from bot.clock import SystemClock
from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.tools import ToolDefinition
from bot.plugins.mcp.fleet import McpServers
from bot.plugins.mcp.settings import McpSettings
from bot.testing.forked_programs import forked
from bot.testing.tools import a_scope
from bot.testing.waiting import until

MODULE = "bot.testing.mcp_server"


def a_program(*arguments: str, **more: Any) -> JsonObject:
    """Return the settings of a server on standard input and output."""
    command, *rest = forked(MODULE, *arguments)
    return {"command": command, "args": rest, **more}


class LoopbackServer:
    """A streamable HTTP server that keeps its port across restarts."""

    def __init__(self, module: str = MODULE, *arguments: str, path: str = "/mcp") -> None:
        self._command = forked(module, *arguments)
        self._path = path
        self._port = 0
        self._process: asyncio.subprocess.Process | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}{self._path}"

    async def start(self) -> None:
        """Start the process and return at once; a client that connects waits until it is ready."""
        with socket.socket() as listening:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(("127.0.0.1", self._port))
            listening.listen()
            self._port = listening.getsockname()[1]
            number = listening.fileno()
            self._process = await asyncio.create_subprocess_exec(
                *self._command, "--http", str(number), pass_fds=[number]
            )

    async def kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()
            self._process = None
            await until(self._is_gone)

    def _is_gone(self) -> bool:
        """Whether nobody listens any more: the fork ends a moment after whoever asked for it."""
        with socket.socket() as asking:
            return asking.connect_ex(("127.0.0.1", self._port)) != 0


@asynccontextmanager
async def loopback_server() -> AsyncGenerator[LoopbackServer]:
    """Run a server until the block ends, then kill it."""
    server = LoopbackServer()
    await server.start()
    try:
        yield server
    finally:
        await server.kill()


@asynccontextmanager
async def running_servers(
    servers: Mapping[str, JsonObject],
    *,
    secrets: Mapping[str, str] | None = None,
    clock: Clock | None = None,
    database: Database | None = None,
) -> AsyncGenerator[McpServers]:
    """Connect to the servers in these settings, trying each once."""
    settings = McpSettings.model_validate({"servers": servers})
    known = secrets or {}
    fleet = McpServers(settings, lambda name: known.get(name, ""), clock or SystemClock(), database)
    await fleet.load()
    task = asyncio.create_task(fleet.run(), name="fleet")
    try:
        await fleet.settled()
        yield fleet
    finally:
        task.cancel()
        await asyncio.wait({task})


def servers_of(app: App) -> McpServers:
    """Return the servers of an app."""
    known = app.house.tooling.servers.known
    return next(one for one in known if isinstance(one, McpServers))


def tools_of(fleet: McpServers, role: Role = Role.PARTNER) -> dict[str, ToolDefinition]:
    """Return the tools offered to a person with this role in a session that begins now."""
    scope = a_scope(role)
    return {tool.name: tool for tool in fleet.definitions(scope) if tool.access.allows(role)}
