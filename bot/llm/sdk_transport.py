"""HTTP to the model's server, through the anthropic SDK.

The only importer of anthropic and httpx2; import it lazily (a tenth of a second).
"""

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

import httpx2

from bot.domain.json_types import JsonObject
from bot.llm.endpoint import Endpoint
from bot.llm.lean_import import LeanImport
from bot.llm.requests import request_betas

# Of the SDK's 3,000 modules, 2,600 are types of the API that nothing here uses.
LEAN_SDK = LeanImport(
    "anthropic",
    uses=(
        "AnthropicError",
        "AsyncAnthropic",
        "DefaultAioHttpClient",
    ),
    left_out=(
        # Sets up logging if the environment has ANTHROPIC_LOG; Bellhop has its own log level.
        "_setup_logging()",
        # Gives classes shorter names in messages.
        "__locals = locals()",
        "for __name in __all__:",
        # A proxy for the package `anthropic.resources`, which hides it anyway once it is imported.
        "if not _t.TYPE_CHECKING:",
    ),
    on_call=(
        # Spans, which the client is told not to make.
        "anthropic.lib._tracing.finish_api_call_span",
        # Reads the details of an error's status into 200 types; for samples that is done here.
        "anthropic._error_classes.make_status_error",
    ),
)
LEAN_SDK.load()
import anthropic  # noqa: E402 - as lean as it was just imported

_CONNECT_S = 10.0


class NoResponse(Exception):
    """The request got no response."""


class CutOff(Exception):
    """The connection failed while the response came in."""


class TimedOut(Exception):
    """The server was silent for longer than the time limit, before or in its response."""


class SdkTransport:
    """Carries requests for samples to one server.

    Samples go out on the SDK's own HTTP client, with the SDK's headers. Its `messages.stream` would
    copy the whole body three times and make a pydantic model of every event, and its `post` would
    prepare again what is equal for all requests, which takes longer than to send them (see
    docs/decisions.md).
    """

    def __init__(self, endpoint: Endpoint) -> None:
        silence = endpoint.timeout_s
        timeout = httpx2.Timeout(None, connect=_CONNECT_S, read=silence, write=silence)
        # Reads and writes HTTP in C: a turn takes a third less CPU than with the SDK's own default.
        self._http = anthropic.DefaultAioHttpClient(timeout=timeout)
        # Key, address and header are explicit; otherwise the SDK takes them from the environment.
        self._client = anthropic.AsyncAnthropic(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            max_retries=0,
            open_telemetry=False,
            timeout=timeout,
            default_headers={} if endpoint.anthropic else {"x-api-key": endpoint.key},
            http_client=self._http,
        )
        self._prepared = self._prepare(endpoint)

    async def send(self, body: Sequence[bytes]) -> "Response":
        """Send a body in pieces, and return when the headers of the response have come.

        Raises NoResponse, TimedOut.
        """
        prepared, whole = self._prepared, len(body) == 1
        # With `content`, a request would look for headers that `_prepare` has set already.
        request = httpx2.Request(
            prepared.method,
            prepared.url,
            headers=prepared.headers,
            extensions=prepared.extensions,
            stream=httpx2.ByteStream(body[0]) if whole else _Pieces(body),
        )
        request.headers["Content-Length"] = str(sum(map(len, body)))
        if whole:
            request.read()  # so that it goes out with the headers
        try:
            return Response(await self._http.send(request, stream=True))
        except httpx2.TimeoutException as error:
            raise TimedOut(_named(error)) from error
        except Exception as error:
            # Some errors of aiohttp have no counterpart in httpx2.
            raise NoResponse(_named(error)) from error

    async def look_up(self, path: str, body: JsonObject | None) -> bytes:
        """The body of an answer to a GET of this path, or to a POST of `body`.

        Raises NoResponse, also where the server refuses.
        """
        options: dict[str, Any] = {"cast_to": httpx2.Response}
        try:
            if body is None:
                response = await self._client.get(path, **options)
            else:
                response = await self._client.post(path, body=body, **options)
            return await response.aread()
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.StreamError) as error:
            raise NoResponse(_named(error)) from error

    async def aclose(self) -> None:
        await self._client.close()

    def _prepare(self, endpoint: Endpoint) -> httpx2.Request:
        """What the requests of all samples share: only the body is missing."""
        sdk = self._client.default_headers
        headers = {name: value for name, value in sdk.items() if isinstance(value, str)}
        headers["X-Stainless-Async"] = "async:asyncio"  # the SDK asks for the library in a loop
        path = "v1/messages"
        if betas := request_betas(endpoint):
            path, headers["anthropic-beta"] = f"{path}?beta=true", ",".join(betas)
        address = f"{endpoint.base_url.rstrip('/')}/{path}"
        request = self._http.build_request("POST", address, headers=headers)
        del request.headers["content-length"]
        return request


class _Pieces(httpx2.AsyncByteStream):
    """A body that is never joined. It can be sent again, where a redirect asks for it."""

    def __init__(self, pieces: Sequence[bytes]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncGenerator[bytes]:
        for piece in self._pieces:
            yield piece


class Response:
    """A response whose headers have come; its body comes uncompressed.

    Close it when it is read, or to give up the rest.
    """

    def __init__(self, response: httpx2.Response) -> None:
        self._response = response
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        """Their names are found in any case."""
        # Decoding costs each piece two more generators, also where there is nothing to decode.
        encoded = "content-encoding" in response.headers
        self._pieces = response.aiter_bytes() if encoded else response.aiter_raw()
        _fail_with_connection(response)

    async def piece(self) -> bytes:
        """The next bytes of the body as soon as there are any; empty at its end.

        Raises CutOff, TimedOut.
        """
        try:
            return await anext(self._pieces, b"")
        except httpx2.TimeoutException as error:
            raise TimedOut(_named(error)) from error
        except (httpx2.HTTPError, httpx2.StreamError) as error:
            raise CutOff(_named(error)) from error

    async def read(self) -> bytes:
        """The whole body. Raises like `piece`."""
        pieces: list[bytes] = []
        while piece := await self.piece():
            pieces.append(piece)
        return b"".join(pieces)

    async def aclose(self) -> None:
        await self._response.aclose()


def _fail_with_connection(response: httpx2.Response) -> None:
    """End the wait for a body with an error when its connection fails.

    After a malformed chunk, aiohttp closes the connection and forgets who reads the body, who would
    then wait for ever: the limit of silence ends with the connection, too. What belongs to aiohttp
    is looked up with care, because a version without it only lacks this.
    """
    received: Any = getattr(getattr(response.stream, "_stream", None), "_aiohttp_response", None)
    connection = getattr(received, "connection", None)
    closed = getattr(getattr(connection, "protocol", None), "closed", None)
    if connection is None or closed is None:  # the body has come as a whole
        return
    protocol, body = connection.protocol, received.content

    def end(_: object) -> None:
        if not body.is_eof() and body.exception() is None and (error := protocol.exception()):
            body.set_exception(httpx2.RemoteProtocolError(str(error)))

    closed.add_done_callback(end)
    body.on_eof(lambda: closed.remove_done_callback(end))  # the connection goes on


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"
