"""What Bellhop asks of a connection to an MCP server, in words that need no SDK."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias

from bot.domain.json_types import JsonObject
from bot.errors import BotError


@dataclass(frozen=True)
class ServerAddress:
    """Where a server is, secrets resolved: a program to start (`command`) or an address (`url`).

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
    """What a call gave: content blocks as the protocol writes them in JSON."""

    content: tuple[JsonObject, ...]
    structured: Any = None
    is_error: bool = False
    declined: tuple[str, ...] = ()
    """Questions of the server that nobody was asked; the server got a no."""


class McpTrouble(BotError):
    """A call to a server did not give a result."""


class Unreachable(McpTrouble):
    """There is no connection and none could be made: the call was not sent."""


class ConnectionLost(McpTrouble):
    """The connection ended during the call: its effect is unknown, so it is never repeated."""


class SessionGone(McpTrouble):
    """The server does not know our session any more (it was restarted): the call did not run."""


class ServerRefused(McpTrouble):
    """The server answered with an error of the protocol; the message is the server's."""


class ConnectFailed(McpTrouble):
    """No connection; the message is for the operator and may hold the program's last words."""


Progress: TypeAlias = Callable[[str], None]
"""Takes one line about how far a call is; never blocks."""


@dataclass(frozen=True)
class RemoteQuestion:
    """What a server wants to know from a person while it works on a call (elicitation)."""

    message: str
    schema: JsonObject = field(default_factory=dict[str, Any])
    """A flat object: what it wants to know, by name; empty for a yes or no."""
    url: str | None = None
    """A page that the person shall visit instead."""


@dataclass(frozen=True)
class RemoteAnswer:
    action: Literal["accept", "decline", "cancel"]
    content: JsonObject = field(default_factory=dict[str, Any])


Ask: TypeAlias = Callable[[RemoteQuestion], Awaitable[RemoteAnswer]]
"""Puts a server's question to whoever the call is for."""


class Connection(Protocol):
    """A connection that stands.

    Only the task that opened it may close it; calls may come from any task.
    """

    closed: asyncio.Event
    """Set when it is of no use any more."""
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
