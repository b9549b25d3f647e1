"""How requests reach the model's server: over HTTP, or by a call within this process."""

import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Protocol

from bot.domain.json_types import JsonObject

InProcessServer = Callable[[JsonObject], AsyncIterator[bytes]]
"""Answers a request body with an event stream, like `bot.llm.offline.OfflineServer.stream`."""


class NoResponse(Exception):
    """The request got no response."""


class CutOff(Exception):
    """The connection failed while the response came in."""


class TimedOut(Exception):
    """The server was silent for longer than the time limit, before or in its response."""


class Response(Protocol):
    """A response whose headers have come. Close it when it is read, or to give up the rest."""

    @property
    def status(self) -> int: ...

    @property
    def headers(self) -> Mapping[str, str]:
        """Their names are found in any case."""
        ...

    async def piece(self) -> bytes:
        """The next bytes of the body as soon as there are any; empty at its end.

        Raises CutOff, TimedOut.
        """
        ...

    async def read(self) -> bytes:
        """The whole body. Raises like `piece`."""
        ...

    async def aclose(self) -> None: ...


class Transport(Protocol):
    """Carries requests for samples to one server. Bodies of responses come uncompressed."""

    async def send(self, body: Sequence[bytes]) -> Response:
        """Send a body in pieces, and return when the headers of the response have come.

        Raises NoResponse, TimedOut.
        """
        ...

    async def look_up(self, path: str, body: JsonObject | None) -> bytes:
        """The body of an answer to a GET of this path, or to a POST of `body`; empty if none.

        Raises NoResponse, also where the server refuses.
        """
        ...

    async def aclose(self) -> None: ...


class InProcess:
    """A Transport without a network: passes each body to a function, and streams its pieces."""

    def __init__(self, server: InProcessServer) -> None:
        self._server = server

    async def send(self, body: Sequence[bytes]) -> Response:
        return _Streamed(self._server(json.loads(b"".join(body))))

    async def look_up(self, path: str, body: JsonObject | None) -> bytes:
        return b""

    async def aclose(self) -> None:
        """Nothing is held."""


class _Streamed:
    status = 200
    headers: Mapping[str, str] = {
        "content-type": "text/event-stream",
        "request-id": "req_offline",
    }

    def __init__(self, pieces: AsyncIterator[bytes]) -> None:
        self._pieces = pieces

    async def piece(self) -> bytes:
        return await anext(self._pieces, b"")

    async def read(self) -> bytes:
        return b"".join([piece async for piece in self._pieces])

    async def aclose(self) -> None:
        """The pieces hold nothing."""
