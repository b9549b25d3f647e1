"""Questions of an MCP server during a call: asked one by one, answered in its form.

Each is marked as the server's: it may not speak as Bellhop. If nobody is present, no answer comes
in time, or it is "no", the server is told so and decides how to continue.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from bot.plugin.tool_servers import AskNow
from bot.plugin.tools import JsonObject
from bot.plugins.mcp.remote import Ask, RemoteAnswer, RemoteQuestion, RemoteResult

ANSWER_S = 600.0
"""The time that a person has for one question."""
MAX_QUESTIONS = 10
"""The most questions that a server may ask in one call."""
MAX_FIELDS = 20
"""The most fields of one question; they are asked one by one."""
MAX_CHARS = 1_000
NO = frozenset({"no", "n", "nein", "cancel", "stop", "never mind", "decline"})
YES = frozenset({"yes", "y", "ja", "ok", "okay", "sure", "done", "true"})
SKIP = frozenset({"skip", "-"})


class QuestionDesk:
    """Links a server's call and its person; the task that awaits the call asks questions."""

    def __init__(self, server: str, tool: str, ask_now: AskNow | None) -> None:
        self._server = server
        self._tool = tool
        self._ask_now = ask_now
        self._queue: asyncio.Queue[tuple[RemoteQuestion, asyncio.Future[RemoteAnswer]]] = (
            asyncio.Queue()
        )
        self._asked = 0

    async def serve(self, call: Callable[[Ask | None], Awaitable[RemoteResult]]) -> RemoteResult:
        """Run the call, and answer its questions.

        Raises what the call raises, and what asking raises.
        """
        if self._ask_now is None:
            return await call(None)
        running = asyncio.ensure_future(call(self._ask))
        try:
            while not running.done():
                coming = asyncio.ensure_future(self._queue.get())
                try:
                    await asyncio.wait({running, coming}, return_when=asyncio.FIRST_COMPLETED)
                    if coming.done():
                        await self._settle(*coming.result(), running)
                finally:
                    coming.cancel()
                    await asyncio.wait({coming})
            return await running
        finally:
            running.cancel()
            self._close()
            await asyncio.wait({running})

    async def _ask(self, question: RemoteQuestion) -> RemoteAnswer:
        answer: asyncio.Future[RemoteAnswer] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((question, answer))
        return await answer

    async def _settle(
        self,
        question: RemoteQuestion,
        answer: asyncio.Future[RemoteAnswer],
        running: asyncio.Future[RemoteResult],
    ) -> None:
        """Ask while the call runs: if the server gives up meanwhile, the question ends."""
        asking = asyncio.ensure_future(self._answer(question))
        given = RemoteAnswer("cancel")
        try:
            await asyncio.wait({asking, running}, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                given = asking.result()
        finally:
            asking.cancel()
            await asyncio.wait({asking})
            if not answer.done():
                answer.set_result(given)

    def _close(self) -> None:
        while not self._queue.empty():
            _, answer = self._queue.get_nowait()
            if not answer.done():
                answer.set_result(RemoteAnswer("cancel"))

    # --- one question ---

    async def _answer(self, question: RemoteQuestion) -> RemoteAnswer:
        self._asked += 1
        fields = _fields(question.schema)
        if self._asked > MAX_QUESTIONS or len(fields) > MAX_FIELDS:
            return RemoteAnswer("decline")
        begin = f"The MCP server {self._server} asks, for {self._tool}: {_quoted(question.message)}"
        if question.url is not None or not fields:
            return await self._yes_or_no(begin, question.url)
        content: JsonObject = {}
        required = cast("list[Any]", question.schema.get("required") or [])
        for number, (name, field) in enumerate(fields.items()):
            text = _wording(name, field, optional=name not in required)
            value = await self._value(
                f"{begin}\n{text}" if number == 0 else text, field, optional=name not in required
            )
            if isinstance(value, RemoteAnswer):
                return value
            if value is not None:
                content[name] = value
        return RemoteAnswer("accept", content)

    async def _yes_or_no(self, text: str, url: str | None) -> RemoteAnswer:
        if url is not None:
            text += (
                f"\nIt wants you to open {_quoted(url)} — only do so if you trust it. Then answer "
                "done, or no."
            )
        else:
            text += "\nAnswer yes or no."
        said = await self._say(text)
        if said is None:
            return RemoteAnswer("cancel")
        return RemoteAnswer("accept" if said.casefold().rstrip(".!") in YES else "decline")

    async def _value(self, text: str, field: Mapping[str, Any], *, optional: bool) -> Any:
        """A field's value, None if skipped, or a RemoteAnswer that ends the question."""
        for _ in range(3):
            said = await self._say(text)
            if said is None:
                return RemoteAnswer("cancel")
            plain = said.casefold().rstrip(".!")
            if optional and plain in SKIP:
                return None
            if (
                plain in NO
                and field.get("type") != "boolean"
                and plain not in map(str.casefold, _choices(field))
            ):
                return RemoteAnswer("decline")
            value = _read(said, field)
            if value is not None:
                return value
            text = f"That is no {_kind(field)}. {_wording('', field, optional=optional)}"
        return RemoteAnswer("cancel")

    async def _say(self, text: str) -> str | None:
        assert self._ask_now is not None  # noqa: S101 - `serve` makes no desk without it
        return await self._ask_now(text, seconds=ANSWER_S)


def _fields(schema: JsonObject) -> dict[str, JsonObject]:
    properties: Any = schema.get("properties")
    if not isinstance(properties, dict):
        return {}
    found = cast("dict[str, Any]", properties)
    return {
        name: cast("JsonObject", field) for name, field in found.items() if isinstance(field, dict)
    }


def _quoted(text: str) -> str:
    folded = " ".join(text.split())
    return f"“{folded[:MAX_CHARS]}{'…' if len(folded) > MAX_CHARS else ''}”"


def _wording(name: str, field: Mapping[str, Any], *, optional: bool) -> str:
    """The instruction for a field: “colour” (“Which one?”): one of red, green — or no to refuse."""
    title = str(field.get("title") or name)
    about = str(field.get("description") or "")
    what = " ".join(
        part for part in (title and _quoted(title), about and f"({_quoted(about)})") if part
    )
    choices = _choices(field)
    expected = f"one of {', '.join(choices)[:MAX_CHARS]}" if choices else f"a {_kind(field)}"
    skip = " — or skip" if optional else ""
    return f"{what + ': ' if what else 'Write '}{expected}{skip}, or no to refuse."


def _kind(field: Mapping[str, Any]) -> str:
    if _choices(field):
        return "choice that it offers"
    kinds = {"boolean": "yes or no", "number": "number", "integer": "whole number", "array": "list"}
    return kinds.get(str(field.get("type")), "text")


def _choices(field: Mapping[str, Any]) -> list[str]:
    """The choices, as the person reads them."""
    return list(_values(field))


def _values(field: Mapping[str, Any]) -> dict[str, Any]:
    """Values by displayed text: plain enums, named enums, and the protocol's titled forms."""
    if field.get("type") == "array" and isinstance(items := field.get("items"), dict):
        return _values(cast("JsonObject", items))
    titled = cast("list[Any]", field.get("oneOf") or field.get("anyOf") or [])
    if titled:
        options = [cast("JsonObject", option) for option in titled if isinstance(option, dict)]
        return {
            str(option.get("title") or option.get("const")): option.get("const")
            for option in options
        }
    plain = cast("list[Any]", field.get("enum") or [])
    names = cast("list[Any]", field.get("enumNames") or plain)
    return {str(name): value for name, value in zip(names, plain, strict=False)}


def _read(said: str, field: Mapping[str, Any]) -> Any:
    """The person's words as a value of the field; None when they don't fit."""
    values = {name.casefold(): value for name, value in _values(field).items()}
    values |= {str(value).casefold(): value for value in values.values()}
    match field.get("type"):
        case "array":
            wanted = [part.strip().casefold() for part in said.split(",")]
            known = [values.get(part) if values else part for part in wanted]
            return None if None in known else known
        case _ if values:
            return values.get(said.strip().casefold())
        case "boolean":
            plain = said.casefold().rstrip(".!")
            return True if plain in YES else False if plain in NO | {"false"} else None
        case "integer" | "number" as kind:
            return _number(said, whole=kind == "integer")
        case _:
            return said


def _number(said: str, *, whole: bool) -> int | float | None:
    try:
        number = float(said.replace(",", "."))
    except ValueError:
        return None
    if number.is_integer() and abs(number) < 2**53:
        return int(number)
    return None if whole or not math.isfinite(number) else number
