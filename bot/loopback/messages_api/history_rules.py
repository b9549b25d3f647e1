"""Rules for histories, checked as strictly as the API's documentation allows.

`structure_problem` checks one request alone. `HistoryRules` remembers earlier requests and requires
that each session is append-only: `system` never changes, and `tools` and `messages` only grow at
their end.
"""

import json
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, cast

from bot.plugin.models import JsonObject, ModelCapabilities, Unlock, as_object, blocks_of

_SYSTEM_BLOCKS = {"text", "tool_addition", "tool_removal"}
_USER_BLOCKS = {"text", "image", "document", "search_result", "tool_result"}


def canonical(value: object) -> str:
    """Return canonical text without cache breakpoints, which move without changing the content."""
    return json.dumps(_without_marks(value), sort_keys=True)


def _without_marks(value: Any) -> Any:
    if isinstance(value, dict):
        items = cast("JsonObject", value).items()
        return {key: _without_marks(item) for key, item in items if key != "cache_control"}
    if isinstance(value, list | tuple):
        return [_without_marks(item) for item in cast("Sequence[Any]", value)]
    return value


def structure_problem(
    messages: Sequence[JsonObject], *, system_notes: bool = True, paused: Container[str] = ()
) -> str | None:
    """Return the first broken rule in words, or None.

    `paused` holds the contents (`canonical`) of replies that stopped with pause_turn. Such a reply
    is sent back as the last message, and the reply that continues it follows directly.
    """
    return next(_problems(messages, system_notes=system_notes, paused=paused), None)


def _problems(
    messages: Sequence[JsonObject], *, system_notes: bool, paused: Container[str]
) -> Iterator[str]:
    if not messages:
        yield "messages: at least one message is required"
        return
    if messages[0].get("role") != "user":
        yield "messages.0: the first message must use the user role"
    for index, message in enumerate(messages):
        yield from (f"messages.{index}: {problem}" for problem in _message_problems(message))
        previous = messages[index - 1] if index else None
        following = messages[index + 1] if index + 1 < len(messages) else None
        yield from (
            f"messages.{index}: {problem}"
            for problem in _place_problems(
                message, previous, following, system_notes=system_notes, paused=paused
            )
        )
        yield from (
            f"messages.{index}: {problem}" for problem in _result_problems(message, previous)
        )
    seen = Counter(ident for message in messages for ident in _ids(message, "tool_use"))
    yield from (
        f"messages: tool_use ids must be unique, {ident} stands there {n} times"
        for ident, n in seen.items()
        if n > 1
    )
    last = messages[-1]
    if last.get("role") == "assistant" and canonical(blocks_of(last)) not in paused:
        yield (
            f"messages.{len(messages) - 1}: the conversation must end with a user message (prefill "
            "is not supported)"
        )
    if unanswered := _ids(last, "tool_use"):
        yield f"messages.{len(messages) - 1}: tool_use {unanswered[0]} has no tool_result after it"


def _message_problems(message: JsonObject) -> Iterator[str]:
    role = message.get("role")
    if role not in {"user", "assistant", "system"}:
        yield f"unexpected role {role!r}"
        return
    blocks = blocks_of(message)
    if not blocks:
        yield "content must not be empty"
    allowed = {"user": _USER_BLOCKS, "system": _SYSTEM_BLOCKS}.get(role)
    for position, block in enumerate(blocks):
        kind = block.get("type")
        if allowed is not None and kind not in allowed:
            yield f"content.{position}: {kind!r} may not stand in a {role} message"
        if kind == "text" and not str(block.get("text") or "").strip():
            yield f"content.{position}: text content blocks must be non-empty"
        if kind == "tool_addition" and not _is_addition(block):
            yield (
                f"content.{position}: tool_addition needs tool.type tool_definition with a "
                "definition, or a reference"
            )


def _is_addition(block: JsonObject) -> bool:
    tool = as_object(block.get("tool"))
    if tool.get("type") == "tool_reference":
        return bool(tool.get("name"))
    definition = as_object(tool.get("definition"))
    return (
        tool.get("type") == "tool_definition"
        and bool(definition.get("name"))
        and bool(as_object(definition.get("input_schema")))
    )


def _place_problems(
    message: JsonObject,
    previous: JsonObject | None,
    following: JsonObject | None,
    *,
    system_notes: bool,
    paused: Container[str],
) -> Iterator[str]:
    role = message.get("role")
    before = previous.get("role") if previous else None
    if role == "system":
        if not system_notes:
            yield "role 'system' is not supported here"
        if before != "user":
            yield "a system message must directly follow a user message"
        if following is not None and following.get("role") != "assistant":
            yield (
                "a system message must be followed by an assistant message or end the conversation"
            )
    elif role == "user" and before == "user":
        yield "two user messages in a row"
    elif (
        role == "assistant"
        and previous
        and before == "assistant"
        and canonical(blocks_of(previous)) not in paused
    ):
        yield "two assistant messages in a row"


def _result_problems(message: JsonObject, previous: JsonObject | None) -> Iterator[str]:
    results = _ids(message, "tool_result")
    calls = _ids(previous, "tool_use") if previous and previous.get("role") == "assistant" else []
    if calls and message.get("role") != "user":
        yield f"tool_use {calls[0]} must be answered by a user message that follows at once"
        return
    for call in calls:
        if results.count(call) != 1:
            yield (
                f"tool_use {call} needs exactly one tool_result in this message, found "
                f"{results.count(call)}"
            )
    for result in results:
        if result not in calls:
            yield f"tool_result {result} answers no tool_use of the message before"
    kinds = [block.get("type") == "tool_result" for block in blocks_of(message)]
    if kinds != sorted(kinds, reverse=True):
        yield "tool_result blocks must come first"


def _ids(message: JsonObject | None, kind: str) -> list[str]:
    key = "id" if kind == "tool_use" else "tool_use_id"
    return [str(block.get(key)) for block in blocks_of(message) if block.get("type") == kind]


# --- across requests ---


@dataclass
class _Head:
    """The last request of one session."""

    system: str
    tools: list[str]
    messages: list[str]


@dataclass
class HistoryRules:
    """Checks each request of a server or scripted model, and that it continues earlier ones.

    A request without an assistant message opens a session. One with an unknown beginning counts as
    resumed from elsewhere. `forget` opens a new epoch on purpose.
    """

    system_notes: bool = True
    append_tools: bool = True
    """Whether `tools` may grow at its end (unlock mode append)."""
    append_deferred: bool = True
    """Whether it may grow by tools that the model doesn't see yet (unlock mode reference)."""
    _heads: list[_Head] = field(default_factory=list[_Head])
    _thinking: dict[str, str] = field(default_factory=dict[str, str])
    _paused: set[str] = field(default_factory=set[str])
    _replies: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, capabilities: ModelCapabilities) -> Self:
        """Return the rules of a model with these capabilities."""
        append, refer = (
            capabilities.unlock is Unlock.APPEND,
            capabilities.unlock is Unlock.REFERENCE,
        )
        return cls(
            system_notes=capabilities.system_notes,
            append_tools=append,
            append_deferred=append or refer,
        )

    def check(
        self, system: object, tools: Sequence[JsonObject], messages: Sequence[JsonObject]
    ) -> str | None:
        """Return the first broken rule in words; without one, record the request as the latest."""
        new = _Head(
            canonical(system),
            [canonical(tool) for tool in tools],
            [canonical(message) for message in messages],
        )
        head = self._match(new)
        opening = all(message.get("role") != "assistant" for message in messages)
        problem = structure_problem(messages, system_notes=self.system_notes, paused=self._paused)
        problem = problem or reference_problem(tools, messages) or self._thinking_problem(messages)
        problem = problem or self._growth_problem(head, new, messages)
        if problem is None:
            # A repeated opening may be a second session that begins the same way.
            if head is not None and not (opening and head.messages == new.messages):
                self._heads.remove(head)
            self._heads.append(new)
        return problem

    def replied(self, content: Sequence[JsonObject], stop_reason: str | None) -> None:
        """Record a reply: its thinking must come back unchanged, and a pause may be continued."""
        for block in content:
            if block.get("type") == "thinking" and block.get("signature"):
                self._thinking[str(block["signature"])] = canonical(block)
        self._replies.add(canonical(content))
        if stop_reason == "pause_turn":
            self._paused.add(canonical(content))

    def refused(self) -> None:
        """A request was refused, so the next one may tell its conversation in another form."""
        self._heads.clear()
        self._replies.clear()

    def forget(self) -> None:
        """Forget every session, so that the next requests may begin anew."""
        self._heads.clear()

    def _match(self, new: _Head) -> _Head | None:
        """Return the session that this request continues: the longest one that it begins with."""
        fitting = [
            head for head in self._heads if new.messages[: len(head.messages)] == head.messages
        ]
        grown = [head for head in fitting if self._frozen_problem(head, new) is None]
        return max(grown or fitting, key=lambda head: len(head.messages), default=None)

    def _growth_problem(
        self, head: _Head | None, new: _Head, messages: Sequence[JsonObject]
    ) -> str | None:
        first = next((message for message in messages if message.get("role") == "assistant"), None)
        if first is None:
            return None
        if head is not None:
            return self._frozen_problem(head, new)
        for known in self._heads:
            same = _common(known.messages, new.messages)
            if same:
                return f"messages.{same}: differs from what was sent before; history is append-only"
        if canonical(blocks_of(first)) in self._replies:
            return (
                "messages: differ from what was sent before a reply that was given here; history "
                "is append-only"
            )
        return None

    def _thinking_problem(self, messages: Sequence[JsonObject]) -> str | None:
        for index, message in enumerate(messages):
            for block in blocks_of(message):
                known = self._thinking.get(str(block.get("signature") or ""))
                if block.get("type") == "thinking" and known not in {None, canonical(block)}:
                    return f"messages.{index}: a thinking block was changed"
        return None

    def _frozen_problem(self, head: _Head, new: _Head) -> str | None:
        if new.system != head.system:
            return "system: differs from the session's earlier requests; the prefix is frozen"
        if new.tools[: len(head.tools)] != head.tools:
            return "tools: differ from the session's earlier requests; the prefix is frozen"
        for tool in new.tools[len(head.tools) :]:
            if not (self.append_deferred if _is_deferred(json.loads(tool)) else self.append_tools):
                return "tools: grew within a session"
        return None


def reference_problem(tools: Sequence[JsonObject], messages: Sequence[JsonObject]) -> str | None:
    """Return what is wrong with deferred tools and the references to them."""
    if tools and all(_is_deferred(tool) for tool in tools):
        return "tools: at least one tool must have defer_loading=false"
    if marked := next(
        (tool for tool in tools if _is_deferred(tool) and tool.get("cache_control")), None
    ):
        return f"tools: {marked.get('name')} is deferred and cannot carry cache_control"
    names = {tool.get("name") for tool in tools}
    for index, message in enumerate(messages):
        for block in blocks_of(message):
            parts = blocks_of(block) if block.get("type") == "tool_result" else []
            wanted = [
                part.get("tool_name") for part in parts if part.get("type") == "tool_reference"
            ]
            if unknown := next((name for name in wanted if name not in names), None):
                return f"messages.{index}: tool reference {unknown!r} not found in available tools"
            if wanted and len(wanted) != len(parts):
                return (
                    f"messages.{index}: tool_reference blocks must be the only content of their "
                    "tool_result"
                )
    return None


def _is_deferred(tool: JsonObject) -> bool:
    return tool.get("defer_loading") is True


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many messages two histories share at their beginning."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count
