"""A model that answers while the first is down, overloaded or out of credit.

A `Circuit` decides which of the two is asked. See docs/models.md#fallback.

A request for the one is made again for the other, which may know less, and its reply for the first.
A session keeps what its own model was sent: system notes, inline or deferred tools, thinking with
signatures. None of it means anything to another provider. So the other one gets texts, calls,
results and pictures, with all found tools in `tools`; and of its reply only what the first
understands is kept.
"""

import logging
import string
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import sha256

from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.models import (
    DeltaReset,
    Images,
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
)
from bot.domain.sessions import count_chars, pictures_in, text_block, without_pictures
from bot.errors import ModelError, ModelTrouble
from bot.llm.blocks import blocks_of
from bot.llm.plain_blocks import append, plain, undeferred
from bot.llm.unlocking import added_tool, referenced_tools, removed_tool

CHARS_PER_TOKEN = 3
GO_ON = "(go on)"
BLIND = "the model that answers meanwhile is sent no pictures"
LEFT_OUT = "(Earlier messages are left out: the model that answers meanwhile reads less at once.)"
_DECLARED = ("name", "description", "input_schema")
_LETTERS = frozenset(string.ascii_letters + string.digits + "_-")
_LONGEST = 64
"""What the Messages API takes as a name, and as the id of a call."""


def remade(request: ModelRequest, context_tokens: int, *, pictures: bool) -> ModelRequest:
    """The request in blocks that every server takes, within this window as far as that can be."""
    found: list[JsonObject] = []
    for message in request.messages:
        role = str(message["role"])
        said = [one for block in blocks_of(message) for one in plain(role, block, pictures=True)]
        if not pictures:
            said = [without_pictures(block, BLIND) for block in said]
        append(found, "assistant" if role == "assistant" else "user", said)
    if found and found[-1]["role"] == "assistant":  # only its own API goes on with a reply
        found.append({"role": "user", "content": [text_block(GO_ON)]})
    tools = _tools(request)
    room = (context_tokens - min(request.max_tokens, context_tokens // 2)) * CHARS_PER_TOKEN
    found = _newest(found, room - count_chars(request.system) - count_chars(tools))
    shown = any(True for one in found for block in blocks_of(one) for _ in pictures_in(block))
    return replace(request, tools=tools, messages=tuple(found), pictures=shown)


def _tools(request: ModelRequest) -> tuple[JsonObject, ...]:
    """What the model may call by now. What is deferred and not found yet stays hidden."""
    declared = {str(tool.get("name")): tool for tool in request.tools}
    known = {name: tool for name, tool in declared.items() if not tool.get("defer_loading")}
    for message in request.messages:
        for block in blocks_of(message):
            if (added := added_tool(block)) is not None:
                known[str(added.get("name"))] = added
            elif (gone := removed_tool(block)) is not None:
                known.pop(gone, None)
            for name in referenced_tools(block):
                if name in declared:
                    known[name] = declared[name]
    return tuple(
        {key: tool[key] for key in _DECLARED if key in tool}
        for tool in map(undeferred, known.values())
        if "input_schema" in tool
    )


def _newest(messages: list[JsonObject], chars: int) -> list[JsonObject]:
    """The messages from the first turn on from which they fit; at least the running turn."""
    sizes = [count_chars(message["content"]) for message in messages]
    turns = [number for number, message in enumerate(messages) if _begins_turn(message)]
    if sum(sizes) <= chars or not turns:
        return messages
    begins = next((number for number in turns if sum(sizes[number:]) <= chars), turns[-1])
    if not begins:
        return messages
    first = messages[begins]
    told = {**first, "content": [text_block(LEFT_OUT), *first["content"]]}
    return [told, *messages[begins + 1 :]]


def _begins_turn(message: JsonObject) -> bool:
    return message["role"] == "user" and not any(
        block.get("type") == "tool_result" for block in blocks_of(message)
    )


def understood(reply: ModelReply, asked: ModelRequest, name: str) -> ModelReply:
    """The reply of another model as the first may be sent it later: texts, and calls it can name.

    Thinking is left out: the first would check signatures that are not its own.
    """
    taken = {
        str(block.get("id"))
        for message in asked.messages
        for block in blocks_of(message)
        if block.get("type") == "tool_use"
    }
    content: list[JsonObject] = []
    for number, block in enumerate(reply.content):
        match block.get("type"):
            case "text":
                content.append(text_block(str(block.get("text") or "")))
            case "tool_use":
                call = _call(block, taken, f"{len(asked.messages)}.{number}")
                taken.add(str(call["id"]))
                content.append(call)
            case _:
                continue
    return replace(reply, content=tuple(content), answered_by=name)


def _call(block: JsonObject, taken: set[str], place: str) -> JsonObject:
    called, given = str(block.get("id")), str(block.get("name"))
    if called in taken or not _valid(called):
        called = f"toolu_{sha256(f'{place}/{called}'.encode()).hexdigest()[:24]}"
    if not _valid(given):  # no tool has such a name, and the history must stay valid
        given = "".join(one if one in _LETTERS else "_" for one in given)[:_LONGEST] or "unnamed"
    return {"type": "tool_use", "id": called, "name": given, "input": block.get("input")}


def _valid(name: str) -> bool:
    return 0 < len(name) <= _LONGEST and _LETTERS.issuperset(name)


FIRST_PAUSE_S = 60.0
"""Seconds in which a model that failed is not asked. The pause doubles after each failure."""
_LONGEST_PAUSE_S = 900.0
CREDIT_PAUSE_S = 900.0
"""Somebody has to pay first."""
_LONGEST_ASKED_S = 3_600.0
"""The longest pause that the model's server itself can ask for."""
_SERVER_FAILED = 500


class _Way(StrEnum):
    """What a request does with a model."""

    ASK = "ask"
    PROBE = "probe"
    """Ask it once: it has failed before, and nobody knows whether it works again."""
    AVOID = "avoid"


@dataclass(eq=False)
class Circuit:
    """The state of one model. Kept in memory: after a restart it is simply asked."""

    clock: Clock
    failures: int = 0
    """In a row."""
    _until: float | None = None
    """The end (monotonic) of its pause; None while it works."""
    _probing: bool = False
    _suspect: str | None = None
    """The conversation in which its server failed with HTTP 500, which may be its fault."""

    @property
    def broken(self) -> bool:
        return self._until is not None

    def way(self) -> _Way:
        """What the next request does. The caller of a PROBE ends it with one of the three below."""
        if self._until is None:
            return _Way.ASK
        if self._probing or self.clock.monotonic() < self._until:
            return _Way.AVOID
        self._probing = True
        return _Way.PROBE

    def worked(self) -> None:
        self.failures, self._until, self._probing, self._suspect = 0, None, False, None

    def failed(self, trouble: ModelTrouble, conversation: str) -> float | None:
        """Begin a pause; its length in seconds, or None where the model is not given up yet.

        HTTP 500 in one conversation alone is no reason: it must not move everybody.
        """
        self._probing = False
        alone = trouble.status == _SERVER_FAILED and self._until is None
        if alone and (self._suspect is None or (conversation and self._suspect == conversation)):
            self._suspect = conversation
            return None
        pause = min(FIRST_PAUSE_S * 2**self.failures, _LONGEST_PAUSE_S)
        if trouble.kind == "credit":
            pause = CREDIT_PAUSE_S
        if trouble.retry_after_s is not None:
            pause = max(pause, min(trouble.retry_after_s, _LONGEST_ASKED_S))
        self.failures += 1
        self._until = self.clock.monotonic() + pause
        return pause

    def unknown(self) -> None:
        """A request ended without telling anything, such as one that its person stopped."""
        self._probing = False

    def ask_soon(self) -> None:
        """Let the next request try it, because there is nobody else."""
        if self._until is not None:
            self._until = self.clock.monotonic()


log = logging.getLogger(__name__)

DOWN = frozenset({
    *("overloaded", "rate_limit", "unreachable", "timeout", "cut", "nonsense", "credit"),
})  # fmt: skip
"""Troubles of a model in which another one answers. All others are the request's or the key's."""
_KEPT_TURNS = 1_000


class FallbackModel:
    """A `domain.models.Model` of two: it looks like the first, whose sessions it continues.

    Each size has a circuit of its own, unless both sizes are one model. Within a turn, whoever
    answered its last request is asked first.
    """

    def __init__(self, first: Model, second: Model, clock: Clock) -> None:
        self.first = first
        self.second = second
        self.capabilities: ModelCapabilities = replace(
            first.capabilities, fallback={size: second.name(size) for size in ModelSize}
        )
        self._circuits = defaultdict[str, Circuit](lambda: Circuit(clock))
        self._turns: OrderedDict[tuple[str, str], None] = OrderedDict()
        """The turns that the second goes on with."""

    def name(self, size: ModelSize) -> str:
        return self.first.name(size)

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        """See `Model.sample`. Raises ModelError when neither can answer."""
        circuit = self._circuits[self.name(request.size)]
        stays = bool(request.turn) and self._turn(request) in self._turns
        way = _Way.AVOID if stays else circuit.way()
        if way is _Way.AVOID:
            return await self._without_first(request, on_delta, circuit, stays=stays)
        screen = _Screen(on_delta)
        try:
            return await self._ask_first(request, screen, circuit, way)
        except ModelError as error:
            if error.trouble.kind not in DOWN:
                raise
            trouble = error.trouble
        screen.clear(trouble.kind)
        try:
            return await self._ask_second(request, on_delta)
        except ModelError as error:
            told = _of_both(trouble, error.trouble)
        raise ModelError(told)

    def _turn(self, request: ModelRequest) -> tuple[str, str]:
        return self.name(request.size), request.turn

    async def close(self) -> None:
        try:
            await self.first.close()
        finally:
            await self.second.close()

    async def _ask_first(
        self, request: ModelRequest, screen: "_Screen", circuit: Circuit, way: _Way
    ) -> ModelReply:
        """Raises ModelError; the circuit knows of it then."""
        wanted = replace(request, once=True) if way is _Way.PROBE else request
        try:
            reply = await self.first.sample(wanted, screen.show)
        except ModelError as error:
            self._note(request, error.trouble, circuit)
            raise
        except BaseException:
            circuit.unknown()
            raise
        if circuit.broken:
            log.info("model=<%s> | it answers again", self.name(request.size))
        circuit.worked()
        return reply

    def _note(self, request: ModelRequest, trouble: ModelTrouble, circuit: Circuit) -> None:
        if trouble.kind not in DOWN:
            circuit.unknown()
            return
        pause = circuit.failed(trouble, request.turn.rpartition("/")[0])
        log.warning(
            "model=<%s>, fallback=<%s>, error=<%s: %s>, pause_s=<%.0f> | the fallback answers",
            self.name(request.size),
            self.second.name(request.size),
            trouble.kind,
            trouble.detail,
            pause or 0,
        )

    async def _ask_second(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        second, able = self.second, self.second.capabilities
        made = remade(request, able.context_tokens, pictures=able.images is not Images.OFF)
        reply = await second.sample(made, on_delta)
        if request.turn:
            turn = self._turn(request)
            self._turns[turn] = None
            self._turns.move_to_end(turn)
            if len(self._turns) > _KEPT_TURNS:
                self._turns.popitem(last=False)
        return understood(reply, request, second.name(request.size))

    async def _without_first(
        self,
        request: ModelRequest,
        on_delta: Callable[[ModelDelta], None],
        circuit: Circuit,
        *,
        stays: bool,
    ) -> ModelReply:
        """Ask the second; the first only if the second is down and has no part in the turn."""
        screen = _Screen(on_delta)
        try:
            return await self._ask_second(request, screen.show)
        except ModelError as error:
            trouble = error.trouble
        told = replace(trouble, detail=f"the fallback: {trouble.detail}")
        if trouble.kind not in DOWN:
            raise ModelError(told)
        circuit.ask_soon()
        if stays or circuit.way() is _Way.AVOID:
            raise ModelError(told)
        screen.clear(trouble.kind)
        try:
            return await self._ask_first(request, _Screen(on_delta), circuit, _Way.PROBE)
        except ModelError as error:
            told = _of_both(error.trouble, trouble)
        raise ModelError(told)


class _Screen:
    """Knows whether a person sees a part of an answer that will not be finished."""

    def __init__(self, on_delta: Callable[[ModelDelta], None]) -> None:
        self._on_delta = on_delta
        self._shown = False

    def show(self, delta: ModelDelta) -> None:
        self._shown = not isinstance(delta, DeltaReset)
        self._on_delta(delta)

    def clear(self, reason: str) -> None:
        """Take back what is shown, before another model begins the answer anew."""
        if self._shown:
            self._shown = False
            self._on_delta(DeltaReset(reason))


def _of_both(first: ModelTrouble, second: ModelTrouble) -> ModelTrouble:
    """What both said. A refusal of the request itself counts more: another form of it may do."""
    told = f"{first.detail}; the fallback: {second.detail}"
    return replace(first if second.kind in DOWN else second, detail=told)
