"""The interface of a connection to an MCP server, without a dependency on the SDK."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from bot.plugin.tool_servers import BotError
from bot.plugin.tools import JsonObject


@dataclass(frozen=True)
class ServerAddress:
    """A server's address, secrets resolved: a program to start (`command`) or an address (`url`).

    Never logged.
    """

    name: str
    command: str | None = None
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    url: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    legacy: bool = False


@dataclass(frozen=True)
class RemoteTool:
    """A tool as its server lists it."""

    name: str
    description: str
    parameters: JsonObject
    reads_only: bool = False
    """Whether its server says that it changes nothing."""
    idempotent: bool = False
    """Whether the server says that a repeat with the same arguments has no further effect."""


@dataclass(frozen=True)
class RemoteResult:
    """The result of a call: content blocks in the protocol's JSON."""

    content: tuple[JsonObject, ...]
    structured: Any = None
    is_error: bool = False
    declined: tuple[str, ...] = ()
    """The server's questions that nobody was asked; the server got a no."""


class McpTrouble(BotError):
    """A call to a server gave no result."""


class Unreachable(McpTrouble):
    """There is no connection and none could be made: the call was not sent."""


class ConnectionLost(McpTrouble):
    """The connection ended during the call: its effect is unknown."""


class SessionGone(McpTrouble):
    """The server no longer knows our session (it was restarted): the call did not run."""


class ServerRefused(McpTrouble):
    """The server answered with an error of the protocol; the message is the server's."""


class ConnectFailed(McpTrouble):
    """No connection; the message is for the operator and may contain the program's last output."""


Progress: TypeAlias = Callable[[str], None]
"""Takes one line about a call's progress; never blocks."""


@dataclass(frozen=True)
class RemoteQuestion:
    """A server's question to a person while it works on a call (elicitation)."""

    message: str
    schema: JsonObject = field(default_factory=dict[str, Any])
    """A flat object: the requested values by name; empty for a yes or no."""
    url: str | None = None
    """A page that the person should visit instead."""


@dataclass(frozen=True)
class RemoteAnswer:
    action: Literal["accept", "decline", "cancel"]
    content: JsonObject = field(default_factory=dict[str, Any])


Ask: TypeAlias = Callable[[RemoteQuestion], Awaitable[RemoteAnswer]]
"""Passes a server's question to the person of the call."""


class Connection(Protocol):
    """An open connection.

    Only the task that opened it may close it; calls may come from any task.
    """

    closed: asyncio.Event
    """Set when the connection is no longer usable."""
    changed: asyncio.Event
    """Set when the server says that its tools have changed."""

    async def list_tools(self) -> tuple[RemoteTool, ...]:
        """All pages. Raises McpTrouble."""
        ...

    async def call(
        self, tool: str, arguments: JsonObject, progress: Progress, ask: Ask | None = None
    ) -> RemoteResult:
        """Run a tool; cancelling it tells the server and leaves the connection usable.

        Raises McpTrouble.

        `ask` gets the server's questions, where it is clear that they belong to this call.
        """
        ...


Connect: TypeAlias = Callable[[ServerAddress], AbstractAsyncContextManager[Connection]]
"""Opens a connection; entering raises ConnectFailed."""
