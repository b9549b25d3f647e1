"""The loopback server: POST /v1/messages, as JSON or as a stream of events.

It counts the bytes that a prefix cache would serve from earlier requests.
"""

import asyncio
import hashlib
import itertools
import json
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias, assert_never

from aiohttp import web

from bot.loopback.messages_api.events import encode, stream_events
from bot.loopback.messages_api.faults import (
    BadToolJson,
    Cut,
    ErrorStatus,
    Fault,
    IgnoreStream,
    NoMessageDelta,
    OnlyPings,
    Slow,
    StreamError,
)
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.loopback.serving import LoopbackService, serving
from bot.plugin.models import JsonObject, ModelReply, Usage, as_object, as_objects, blocks_of


@dataclass
class PrefixCache:
    """Remembers every prefix that it has seen, block by block, and never forgets one."""

    total: int = 0
    """Bytes of all prompts, without breakpoints."""
    served: int = 0
    """Bytes of them that an earlier prompt began with."""
    _seen: set[bytes] = field(default_factory=set[bytes])

    @property
    def share(self) -> float:
        """The fraction of all prompt bytes that a cache would have served, from 0 to 1."""
        return self.served / self.total if self.total else 0.0

    def add(self, body: JsonObject) -> tuple[int, int]:
        """Count a request; return its bytes and how many of them a cache would have served."""
        chain = hashlib.sha256()
        total = served = 0
        for block in _blocks(body):
            chain.update(block)
            total += len(block)
            if chain.digest() in self._seen:
                served = total
            self._seen.add(chain.digest())
        self.total += total
        self.served += served
        return total, served


def _blocks(body: JsonObject) -> Iterator[bytes]:
    # A cache belongs to one model, and thinking or effort invalidate its messages.
    yield json.dumps([body.get("model"), body.get("thinking"), body.get("output_config")]).encode()
    for tool in as_objects(body.get("tools")):
        if not tool.get(
            "defer_loading"
        ):  # deferred tools are kept out of the prompt until they are referred to
            yield _bytes("tool", tool)
    for block in blocks_of({"content": body.get("system")}):
        yield _bytes("system", block)
    for message in as_objects(body.get("messages")):
        for block in blocks_of(message):
            yield _bytes(str(message.get("role")), block)


def _bytes(place: str, block: JsonObject) -> bytes:
    unmarked = {key: value for key, value in block.items() if key != "cache_control"}
    return json.dumps([place, unmarked], ensure_ascii=False).encode("utf-8", "replace")


Answer: TypeAlias = ModelReply | Fault | Callable[[JsonObject], "ModelReply | Fault"]
"""One answer: a reply, a failure, or a function of the request body."""

_BYTES_PER_TOKEN = 4
_LARGEST_BODY = 32 * 2**20


@dataclass(frozen=True)
class RecordedRequest:
    body: JsonObject
    headers: dict[str, str]
    """Names in lower case."""
    query: str = ""


class MessagesApi(LoopbackService):
    """A server: `async with MessagesApi([say("hello")]) as api:` serves at `api.base_url`.

    It gives the answers in order, and `respond` answers when none are left. A request that breaks a
    rule of the API gets a 400 with the reason, uses up no answer, and is recorded in `refusals`.
    `strict=False` accepts any history.
    """

    def __init__(
        self,
        answers: Iterable[Answer] = (),
        *,
        respond: Callable[[JsonObject], ModelReply | Fault] | None = None,
        rules: HistoryRules | None = None,
        strict: bool = True,
        key: str | None = None,
        port: int = 0,
    ) -> None:
        self._answers = list(answers)
        self._respond = respond
        self._rules = (rules or HistoryRules()) if strict else None
        self._key = key
        self._port = port
        self._count = itertools.count(1)
        self._holds: dict[int, asyncio.Event] = {}
        self._arrived = asyncio.Condition()
        self.cache = PrefixCache()
        self.pause_s = 0.0
        """Between two pieces of a streamed answer."""
        self.keeps = True
        """Whether `requests` gets them."""
        self.requests: list[RecordedRequest] = []
        self.refusals: list[str] = []
        self.base_url = ""
        self.told: dict[str, JsonObject] = {}
        """The server's answers to questions about itself, by path, such as `/v1/models`."""

    @asynccontextmanager
    async def served(self) -> AsyncGenerator[None]:
        app = web.Application(client_max_size=_LARGEST_BODY)
        app.router.add_post("/v1/messages", self._messages)
        app.router.add_get("/{path:.*}", self._tell)
        async with serving(app, self._port) as place:
            self.base_url = f"http://{place}"
            yield

    @property
    def bodies(self) -> list[JsonObject]:
        return [request.body for request in self.requests]

    def add(self, *answers: Answer) -> None:
        """Append answers to the script."""
        self._answers.extend(answers)

    def hold(self, number: int) -> asyncio.Event:
        """Hold back the answer to request `number` (from 1) until the returned event is set."""
        return self._holds.setdefault(number, asyncio.Event())

    async def asked(self, number: int) -> RecordedRequest:
        """Wait until request `number` (1 is the first) has arrived."""
        async with self._arrived:
            await self._arrived.wait_for(lambda: len(self.requests) >= number)
        return self.requests[number - 1]

    # --- one request ---

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        try:
            body = json.loads(await request.read())
        except ConnectionError:
            return web.Response(status=499)  # the client died while it was sending
        except ValueError as error:
            return _error(400, "invalid_request_error", f"the body is no JSON: {error}")
        headers = {name.lower(): value for name, value in request.headers.items()}
        async with self._arrived:
            number = next(self._count)
            if self.keeps:
                self.requests.append(RecordedRequest(body, headers, request.query_string))
            self._arrived.notify_all()
        if self._key is not None and headers.get("authorization") != f"Bearer {self._key}":
            return _error(401, "authentication_error", "invalid x-api-key")
        if problem := self._problem(body, headers):
            self.refusals.append(problem)
            return _error(400, "invalid_request_error", problem)
        total, served = self.cache.add(body)
        if number in self._holds:
            await self._holds[number].wait()
        answer = self._next(body)
        if answer is None:
            self.refusals.append("no answer left")
            return _error(400, "invalid_request_error", "the script has no answer left")
        exchange = _Exchange(request, body, number, total, served, self._rules, self.pause_s)
        try:
            return await exchange.give(answer)
        except ConnectionResetError:
            return web.Response(status=499)  # the client died while it was reading

    async def _tell(self, request: web.Request) -> web.Response:
        if request.path not in self.told:
            return _error(404, "not_found_error", request.path)
        return web.json_response(self.told[request.path])

    def _problem(self, body: JsonObject, headers: dict[str, str]) -> str | None:
        problem = body_problem(body, headers.get("anthropic-beta", ""))
        if problem is None and self._rules is not None:
            problem = self._rules.check(
                body.get("system"), body.get("tools") or [], body["messages"]
            )
        return problem

    def _next(self, body: JsonObject) -> ModelReply | Fault | None:
        if not self._answers:
            return self._respond(body) if self._respond else None
        answer = self._answers.pop(0)
        return answer(body) if callable(answer) else answer


@dataclass(frozen=True)
class _Exchange:
    """One request and the way back to its client."""

    request: web.Request
    body: JsonObject
    number: int
    total: int
    served: int
    rules: HistoryRules | None
    pause_s: float

    async def give(self, answer: ModelReply | Fault) -> web.StreamResponse:
        match answer:
            case ErrorStatus():
                return _error(answer.status, answer.type, answer.message, answer.headers)
            case IgnoreStream():
                return web.json_response(self._message(answer.reply))
            case OnlyPings():
                return await self._pings(answer)
            case ModelReply() | Slow():
                return await self._reply(answer)
            case _:
                return await self._stream(
                    self._failing(answer), cut=answer if isinstance(answer, Cut) else None
                )

    async def _reply(self, answer: ModelReply | Slow) -> web.StreamResponse:
        reply = answer.reply if isinstance(answer, Slow) else answer
        if self.rules is not None:
            self.rules.replied(reply.content, reply.stop_reason)
        if not self.body.get("stream"):
            return web.json_response(self._message(reply), headers=self._headers())
        return await self._stream(
            self._events(reply), slow=answer if isinstance(answer, Slow) else None
        )

    async def _pings(self, fault: OnlyPings) -> web.StreamResponse:
        response = await self._open()
        await response.write(
            encode(next(self._events(ModelReply((), "end_turn", Usage(), "loopback"))))
        )
        for _ in range(fault.pings):
            await response.write(encode({"type": "ping"}))
        await fault.go.wait()
        return response

    def _failing(self, fault: StreamError | Cut | NoMessageDelta | BadToolJson) -> list[JsonObject]:
        """Yield the events of a stream that fails."""
        match fault:
            case StreamError():
                error = {"type": "error", "error": {"type": fault.type, "message": fault.message}}
                return [*self._first(fault.reply, fault.after), error]
            case Cut():
                return self._first(fault.reply, fault.after)
            case NoMessageDelta():
                ending = ("message_delta", "message_stop")
                return [event for event in self._events(fault.reply) if event["type"] not in ending]
            case BadToolJson():
                use = {
                    "type": "tool_use",
                    "id": "toolu_bad",
                    "name": fault.tool,
                    "input": fault.written,
                }
                return list(self._events(ModelReply((use,), "tool_use", Usage(), "loopback")))
            case _:
                assert_never(fault)

    def _first(self, reply: ModelReply, count: int) -> list[JsonObject]:
        return list(self._events(reply))[:count]

    async def _stream(
        self, events: Iterable[JsonObject], *, slow: Slow | None = None, cut: Cut | None = None
    ) -> web.StreamResponse:
        response = await self._open()
        for position, event in enumerate(events):
            if slow is not None and position == slow.after:
                await slow.go.wait()
            await response.write(encode(event))
            if self.pause_s and event["type"] == "content_block_delta":
                await asyncio.sleep(self.pause_s)
        if cut is None:
            await response.write_eof()
            return response
        cut.then()
        if self.request.transport is not None:
            self.request.transport.close()
        return response

    async def _open(self) -> web.StreamResponse:
        response = web.StreamResponse(
            headers={**self._headers(), "content-type": "text/event-stream; charset=utf-8"}
        )
        await response.prepare(self.request)
        return response

    def _headers(self) -> dict[str, str]:
        return {"request-id": f"req_{self.number}"}

    def _events(self, reply: ModelReply) -> Iterator[JsonObject]:
        return stream_events(self._message(reply))

    def _message(self, reply: ModelReply) -> JsonObject:
        usage: dict[str, Any] = {
            "input_tokens": (self.total - self.served) // _BYTES_PER_TOKEN,
            "cache_read_input_tokens": self.served // _BYTES_PER_TOKEN,
            "cache_creation_input_tokens": 0,
            "output_tokens": reply.usage.output_tokens or 1,
        }
        return {
            "id": f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "model": self.body["model"],
            "content": list(reply.content),
            "stop_reason": reply.stop_reason,
            "stop_sequence": None,
            "usage": usage,
        }


def _error(status: int, kind: str, message: str, headers: Any = None) -> web.Response:
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return web.json_response(
        body, status=status, headers={"request-id": "req_error", **(headers or {})}
    )


# --- rules for request bodies, except for their history ---

MARKS_MAX = 4
_INLINE_TOOLS = "inline-tools-2026-09-15"
"""The beta that lets a message declare tools."""
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_GONE = ("temperature", "top_p", "top_k", "prefill")
_OF_TOOLS = {
    "name",
    "description",
    "input_schema",
    "strict",
    "defer_loading",
    "cache_control",
    "eager_input_streaming",
    "input_examples",
    "allowed_callers",
    "type",
}
_KNOWN = {
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "thinking",
    "output_config",
    "cache_control",
    "metadata",
    "stop_sequences",
    "diagnostics",
    "service_tier",
}


def body_problem(body: JsonObject, betas: str) -> str | None:
    """Return the first broken rule in words, or None. `betas` is the anthropic-beta header."""
    return next(_problems(body, betas), None)


def _problems(body: JsonObject, betas: str) -> Iterator[str]:
    for name in ("model", "max_tokens", "messages"):
        if name not in body:
            yield f"{name}: field required"
    for name in body:
        if name in _GONE:
            yield f"{name}: not supported by this model"
        elif name not in _KNOWN:
            yield f"{name}: extra inputs are not permitted"
    if as_object(body.get("tool_choice")).get("type") in {"any", "tool"}:
        yield "tool_choice: forcing tool use is not supported by this model"
    if "budget_tokens" in (body.get("thinking") or {}):
        yield "thinking.budget_tokens: not supported by this model"
    yield from _tool_problems(body)
    yield from _inline_problems(body, betas)
    marks = _marks(body)
    if len(marks) > MARKS_MAX:
        yield f"cache_control: at most {MARKS_MAX} breakpoints, found {len(marks)}"
    if "1h" in marks[marks.index("5m") :] if "5m" in marks else False:
        yield "cache_control: a ttl of 1h must not come after one of 5m"


def _tool_problems(body: JsonObject) -> Iterator[str]:
    names: set[str] = set()
    for index, tool in enumerate(as_objects(body.get("tools"))):
        name = str(tool.get("name"))
        if not _NAME.fullmatch(name):
            yield f"tools.{index}.name: must match ^[a-zA-Z0-9_-]{{1,64}}$"
        if name in names:
            yield f"tools: tool names must be unique, {name} stands there twice"
        if as_object(tool.get("input_schema")).get("type") != "object":
            yield f"tools.{index}.input_schema.type: must be object"
        yield from (
            f"tools.{index}.{key}: extra inputs are not permitted"
            for key in tool
            if key not in _OF_TOOLS
        )
        if not isinstance(tool.get("defer_loading", False), bool):
            yield f"tools.{index}.defer_loading: must be a boolean"
        names.add(name)


def _inline_problems(body: JsonObject, betas: str) -> Iterator[str]:
    if _INLINE_TOOLS in betas:
        return
    for index, message in enumerate(as_objects(body.get("messages"))):
        for block in blocks_of(message):
            if block.get("type") in {"tool_addition", "tool_removal"}:
                yield f"messages.{index}: {block['type']} needs the beta {_INLINE_TOOLS}"


def _marks(body: JsonObject) -> list[str]:
    """Return the ttl of each breakpoint, in the order in which the prefix is hashed."""
    blocks = as_objects(body.get("tools")) + as_objects(body.get("system"))
    blocks += [
        block for message in as_objects(body.get("messages")) for block in blocks_of(message)
    ]
    marks = [block.get("cache_control") for block in [*blocks, body]]
    return [str(mark.get("ttl") or "5m") for mark in marks if mark]
