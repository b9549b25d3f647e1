"""All MCP servers of an installation: their tools, the route of calls, their status."""

import asyncio
import logging
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from bot.plugin.clock import Clock
from bot.plugin.tables import Database, StorageError
from bot.plugin.tool_servers import (
    ERROR,
    McpImplementation,
    ToolDefinition,
    not_set_up,
    schema_problem,
)
from bot.plugin.tools import Origin, ToolContext, ToolError, ToolResult, ToolScope, Trust
from bot.plugins.mcp import store
from bot.plugins.mcp.content import result_of
from bot.plugins.mcp.questions import QuestionDesk
from bot.plugins.mcp.remote import (
    Connect,
    Connection,
    ConnectionLost,
    RemoteTool,
    ServerAddress,
    ServerRefused,
    Unreachable,
)
from bot.plugins.mcp.schemas import adopted, own_text, standing_of, tool_name
from bot.plugins.mcp.server import McpServer, ServerState
from bot.plugins.mcp.settings import REFERENCE, McpServerSettings, McpSettings

log = logging.getLogger(__name__)

MAX_TOOLS = 1_000
"""The limit for one server."""
MAX_DESCRIPTION_CHARS = 8_000
_FOLDER = "shared"


@dataclass(frozen=True)
class ServerStatus:
    """The state of a server, for operators."""

    name: str
    state: ServerState
    tools: int
    reason: str = ""


@dataclass
class _Member:
    """A server of the fleet. `owner` is None if its configuration doesn't allow a start."""

    name: str
    settings: McpServerSettings
    owner: McpServer | None
    problem: str = ""
    definitions: tuple[ToolDefinition, ...] = ()


class McpServers:
    """The servers of `mcp.servers`.

    Nothing is connected before `run`; a failed server never affects the others.
    """

    def __init__(
        self,
        settings: McpSettings,
        secret: Callable[[str], str],
        clock: Clock,
        database: Database | None = None,
    ) -> None:
        self._clock = clock
        self._database = database
        self._members = {
            name: self._member(name, server, secret) for name, server in settings.servers.items()
        }

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._members)

    def _member(
        self, name: str, settings: McpServerSettings, secret: Callable[[str], str]
    ) -> _Member:
        try:
            target = _target(name, settings, secret)
        except LookupError as error:
            return _Member(name, settings, None, str(error.args[0]))

        async def learn(tools: tuple[RemoteTool, ...]) -> None:
            await self._learn(name, tools)

        owner = McpServer(target, _connect, self._clock, learn)
        return _Member(name, settings, owner)

    # --- life ---

    async def load(self) -> None:
        """Load each server's last list, for sessions that know those tools."""
        if self._database is None or not self._members:
            return
        for name, tools in (await store.read_listed(self._database)).items():
            if (member := self._members.get(name)) is not None:
                member.definitions = await asyncio.to_thread(_definitions, member, tools)

    async def run(self) -> None:
        """Keep all servers connected until cancelled."""
        async with asyncio.TaskGroup() as group:
            for member in self._members.values():
                if member.owner is None:
                    log.error(
                        "server=<%s>, reason=<%s> | an MCP server can't be started",
                        member.name,
                        member.problem,
                    )
                else:
                    group.create_task(member.owner.run(), name=f"mcp:{member.name}")

    async def settled(self) -> None:
        """Wait until each server has connected or failed once."""
        await asyncio.gather(
            *(member.owner.settled.wait() for member in self._members.values() if member.owner)
        )

    async def probe(self) -> list[ServerStatus]:
        """Connect to each server once, report the result, and disconnect: for `bellhop doctor`."""
        task = asyncio.create_task(self.run(), name="mcp-probe")
        try:
            await self.settled()
            return self.status()
        finally:
            task.cancel()
            await asyncio.wait({task})

    def status(self) -> list[ServerStatus]:
        return [
            ServerStatus(member.name, owner.state, len(member.definitions), owner.reason)
            if (owner := member.owner) is not None
            else ServerStatus(
                member.name, ServerState.DOWN, len(member.definitions), member.problem
            )
            for member in self._members.values()
        ]

    async def _learn(self, name: str, tools: tuple[RemoteTool, ...]) -> None:
        member = self._members[name]
        if len(tools) > MAX_TOOLS:
            log.warning(
                "server=<%s>, tools=<%d> | an MCP server lists more tools than are taken",
                name,
                len(tools),
            )
        named: dict[str, RemoteTool] = {}
        for tool in tools[:MAX_TOOLS]:
            named.setdefault(tool_name(name, tool.name), tool)
        member.definitions = await asyncio.to_thread(_definitions, member, named)
        if self._database is not None:
            try:
                await self._database.write(store.listed(name, named, self._clock.now()))
            except StorageError:
                log.exception("server=<%s> | the tools of an MCP server can't be remembered", name)

    # --- tools ---

    def definitions(self, scope: ToolScope) -> tuple[ToolDefinition, ...]:
        """Available tools; those of a failed server only for sessions that had them."""
        return tuple(
            definition
            for member in self._members.values()
            if member.owner is not None and _known(member.owner, scope)
            for definition in member.definitions
        )

    async def call(self, definition: ToolDefinition, context: ToolContext) -> ToolResult:
        implementation = definition.implementation
        assert isinstance(implementation, McpImplementation)  # noqa: S101 - the house routes no other
        server, tool = implementation.server, implementation.tool
        member = self._members[server]
        if (owner := member.owner) is None:
            raise not_set_up(definition, server)

        def progress(line: str) -> None:
            context.progress(f"{definition.name} {line}")

        try:
            desk = QuestionDesk(server, definition.name, context.ask_now)
            result = await desk.serve(
                lambda ask: owner.call(
                    tool,
                    context.call.arguments,
                    progress,
                    ask,
                    repeatable=definition.idempotent,
                )
            )
        except Unreachable as error:
            raise ToolError(
                f"{definition.name} did not run: the MCP server {server} can't be reached at the "
                "moment. Bellhop goes on trying to. Go on without it, or tell the person; later "
                "it may work again."
            ) from error
        except ConnectionLost as error:
            effect = (
                "It may be called again."
                if definition.idempotent
                else "Whether it took effect is unknown: don't repeat it blindly, check first."
            )
            raise ToolError(
                f"the connection to the MCP server {server} ended while {definition.name} ran. "
                f"{effect} The connection is being made anew."
            ) from error
        except ServerRefused as error:
            text = f"{ERROR}the MCP server {server} refused the call: {error}"
            given = ToolResult(
                text, is_error=True, origin=Origin(Trust.EXTERNAL, f"tool:{definition.name}")
            )
        else:
            given = result_of(definition, result)
        if not own_text(member.settings.trust, tool):
            return given
        return replace(given, origin=Origin(Trust.MEMBER, given.origin.source))


def _known(owner: McpServer, scope: ToolScope) -> bool:
    return owner.state is ServerState.UP or (
        scope.since is not None and scope.since < owner.lost_at
    )


# --- settings and lists ---


def _target(name: str, settings: McpServerSettings, secret: Callable[[str], str]) -> ServerAddress:
    """The server's address or program, with secrets filled in.

    Raises LookupError, for the operator, when one is missing.
    """
    return ServerAddress(
        name,
        settings.command,
        settings.args,
        {
            key: _filled(value, f"mcp.servers.{name}.env.{key}", secret)
            for key, value in settings.env.items()
        },
        settings.url,
        {
            key: _filled(value, f"mcp.servers.{name}.headers.{key}", secret)
            for key, value in settings.headers.items()
        },
        legacy=settings.protocol == "legacy",
    )


def _filled(text: str, where: str, secret: Callable[[str], str]) -> str:
    def fill(match: re.Match[str]) -> str:
        if value := secret(match[1]):
            return value
        raise LookupError(
            f"{where} needs {match[1]}, which is not set; put it into the environment or .env"
        )

    return REFERENCE.sub(fill, text)


def _definitions(member: _Member, tools: Mapping[str, RemoteTool]) -> tuple[ToolDefinition, ...]:
    """A server's usable tools; one with unsound parameters is left out and reported."""
    found: list[ToolDefinition] = []
    for name, tool in tools.items():
        parameters, dropped = adopted(tool.parameters)
        if dropped:
            log.info(
                "server=<%s>, tool=<%s>, patterns=<%d> | can't be checked here",
                member.name,
                tool.name[:80],
                dropped,
            )
        problem = schema_problem(parameters)
        if problem is not None:
            log.warning(
                "server=<%s>, tool=<%s> | left out, its schema %s",
                member.name,
                tool.name[:80],
                problem,
            )
            continue
        trust = member.settings.trust
        standing = standing_of(member.name, trust, tool)
        found.append(
            ToolDefinition(
                name=name,
                description=_description(member.name, tool),
                parameters=parameters,
                folder=_FOLDER,
                implementation=McpImplementation(member.name, tool.name),
                access=member.settings.access,
                timeout_s=member.settings.timeout_s,
                idempotent=standing.reads_only or tool.idempotent,
                may_write=not standing.reads_only,
                described_by="" if trust.descriptions else member.name,
                trusted=standing.rules,
            )
        )
    return tuple(found)


def _description(server: str, tool: RemoteTool) -> str:
    text = tool.description.strip()[:MAX_DESCRIPTION_CHARS]
    return text or f"{tool.name} of the MCP server {server}."


@asynccontextmanager
async def _connect(target: ServerAddress) -> AsyncGenerator[Connection]:
    """Connect with the SDK, imported here in a thread: it takes a second, when needed only."""
    async with (await asyncio.to_thread(_sdk))(target) as connection:
        yield connection


def _sdk() -> Connect:
    from bot.plugins.mcp.sdk import connect  # noqa: PLC0415 - imports the SDK

    return connect
