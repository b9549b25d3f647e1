"""slack_canvas and slack_canvas_write, with the person's own account.

Others wrote the text of canvases, and its origin says so.
"""

import json
from typing import Annotated, Any, Literal

from pydantic import Field

from bot.plugin.services import (
    WORKS_IN_ACCOUNT,
    ServiceClient,
    reading_tool,
)
from bot.plugin.tools import (
    KIND_MARK,
    MARK,
    JsonObject,
    NativeTool,
    Noun,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    coded,
    titled,
)
from bot.plugins.slack import call_words
from bot.plugins.slack.canvas_text import CHANGED, quiet
from bot.plugins.slack.canvases import Canvases, Operation
from bot.plugins.slack.documents import (
    NAMED_CHARS,
    Access,
    Channel,
    Member,
    SlackArguments,
    Takes,
    check_fields,
    file_id,
)

MOST = 20
SHOWN_CHARS = 12_000
CONTENT_CHARS = 30_000
"""Slack takes a million; a model writes less at once."""

Action = Literal["create", "append", "change", "remove", "share"]
_CanvasId = Annotated[
    str | None,
    Field(max_length=NAMED_CHARS, json_schema_extra={MARK: True, KIND_MARK: "slack_canvas"}),
]

_TAKES: Takes = {
    "create": (frozenset({"title"}), frozenset({"content", "channel"})),
    "append": (frozenset({"canvas", "content"}), frozenset({"at"})),
    "change": (frozenset({"canvas", "at", "content"}), frozenset()),
    "remove": (frozenset({"canvas", "at"}), frozenset()),
    "share": (frozenset({"canvas"}), frozenset({"channel", "member", "access"})),
}
_OPERATIONS: dict[Action, Operation] = {"change": "replace", "remove": "delete"}


class SlackCanvasArguments(SlackArguments):
    """A search for canvases, or one canvas."""

    canvas: Annotated[str | None, Field(max_length=NAMED_CHARS)] = Field(
        default=None, description="Read this one: its id or address."
    )
    channel: Annotated[str | None, Field(max_length=100)] = Field(
        default=None, description="Read this channel's own canvas: the channel's id."
    )
    query: str | None = Field(
        default=None,
        max_length=300,
        description="Words to look for; of one canvas, only the parts with them.",
    )


class SlackCanvasWriteArguments(SlackArguments):
    """One change of one canvas."""

    action: Action
    canvas: _CanvasId = Field(default=None, description="Its id or address; not for create.")
    title: str | None = Field(default=None, max_length=200, description="create")
    content: str | None = Field(
        default=None, max_length=CONTENT_CHARS, description="Markdown; headings up to ###."
    )
    at: str | None = Field(
        default=None,
        max_length=NAMED_CHARS,
        description="Words that only one block holds; `## Title` for a heading.",
    )
    channel: Channel = Field(
        default=None, description="create: make it this channel's own canvas; share: with its id."
    )
    member: Member = Field(default=None, description="share: with the person of this Slack id.")
    access: Access | None = Field(default=None, description="share; read if left out.")


class CanvasTools:
    """The two tools over one client."""

    def __init__(self, slack: ServiceClient) -> None:
        self._canvases = Canvases(slack)
        self._slack = slack
        self._origin = slack.service.origin

    def read_tool(self) -> NativeTool[Any]:
        return reading_tool(self._slack, "slack_canvas", SlackCanvasArguments, self._read)

    def write_tool(self) -> NativeTool[Any]:
        return NativeTool(
            "slack_canvas_write",
            SlackCanvasWriteArguments,
            self._write,
            acts=True,
            check=self._check,
            tells=self._tell,
            doing=WORKS_IN_ACCOUNT,
            deed=ToolDeed(Noun.PAGE, "title"),
        )

    async def _read(self, context: ToolContext, arguments: SlackCanvasArguments) -> ToolResult:
        if arguments.canvas and arguments.channel:
            raise ToolError("give canvas or channel, not both")
        if not arguments.canvas and not arguments.channel:
            return await self._find(context, arguments.query or "")
        id_ = await self._named(context, arguments)
        text = await self._canvases.content(context.person, id_)
        shown = f"Canvas {id_}\n\n{_window(text, arguments.query or '')}"
        return ToolResult(shown, origin=self._origin, summary="Slack canvas")

    async def _named(self, context: ToolContext, arguments: SlackCanvasArguments) -> str:
        if arguments.canvas:
            return _id(arguments.canvas)
        if id_ := await self._canvases.of_channel(context.person, arguments.channel or ""):
            return id_
        raise ToolError("This channel has no canvas of its own. Others are found with query.")

    async def _find(self, context: ToolContext, query: str) -> ToolResult:
        canvases, total = await self._canvases.find(context.person, query, MOST)
        told: JsonObject = {"canvases": [one.shown for one in canvases], "total": total}
        if not canvases:
            told["hint"] = (
                "No canvas that this person sees fits. A channel's own canvas is read by `channel`."
            )
        summary = f"{len(canvases)} canvases found in Slack"
        return ToolResult(_json(told), origin=self._origin, summary=summary)

    async def _check(self, context: ToolContext, arguments: SlackCanvasWriteArguments) -> None:
        """Whether the fields fit and the block is there, so that nobody is asked in vain."""
        _check_fields(arguments)
        await self._section(context, arguments)

    async def _section(self, context: ToolContext, arguments: SlackCanvasWriteArguments) -> str:
        if not arguments.at:
            return ""
        id_ = _id(arguments.canvas or "")
        return await self._canvases.section(context.person, id_, arguments.at)

    async def _tell(self, _: ToolContext, arguments: SlackCanvasWriteArguments) -> Translations:
        canvas, at = coded(arguments.canvas or ""), titled(arguments.at or "")
        content = titled(arguments.content or "", 300)
        match arguments.action:
            case "create":
                title = titled(arguments.title or "")
                if not arguments.channel:
                    return call_words.MAKE_CANVAS.filled(title=title)
                channel = coded(arguments.channel)
                return call_words.MAKE_CHANNEL_CANVAS.filled(title=title, channel=channel)
            case "append":
                add = call_words.ADD_BEHIND if arguments.at else call_words.ADD
                return add.filled(canvas=canvas, at=at, content=content)
            case "change":
                return call_words.REPLACE.filled(canvas=canvas, at=at, content=content)
            case "remove":
                return call_words.REMOVE.filled(canvas=canvas, at=at)
            case "share":
                writes = arguments.access == "write"
                let = call_words.LET_CHANGE_CANVAS if writes else call_words.LET_READ_CANVAS
                whom = coded(arguments.channel or arguments.member or "")
                return let.filled(whom=whom, canvas=canvas)

    async def _write(
        self, context: ToolContext, arguments: SlackCanvasWriteArguments
    ) -> ToolResult:
        _check_fields(arguments)
        match arguments.action:
            case "create":
                return await self._create(context, arguments)
            case "share":
                return await self._share(context, arguments)
            case "append" | "change" | "remove":
                return await self._edit(context, arguments)

    async def _create(
        self, context: ToolContext, arguments: SlackCanvasWriteArguments
    ) -> ToolResult:
        title = arguments.title or ""
        text, changed = quiet(arguments.content or "")
        told = await self._canvases.create(context.person, title, text, arguments.channel or "")
        return self._told(told, f"Slack canvas: {title[:60]}", changed=changed)

    async def _edit(self, context: ToolContext, arguments: SlackCanvasWriteArguments) -> ToolResult:
        id_ = _id(arguments.canvas or "")
        text, changed = quiet(arguments.content or "")
        section = await self._section(context, arguments)
        operation = _OPERATIONS.get(
            arguments.action, "insert_after" if section else "insert_at_end"
        )
        await self._canvases.edit(context.person, id_, operation, text, section)
        return self._told({"id": id_, "done": operation}, "Slack canvas changed", changed=changed)

    async def _share(
        self, context: ToolContext, arguments: SlackCanvasWriteArguments
    ) -> ToolResult:
        id_, access = _id(arguments.canvas or ""), arguments.access or "read"
        shared = await self._canvases.share(
            context.person,
            id_,
            access,
            channel=arguments.channel or "",
            member=arguments.member or "",
        )
        if not shared:
            raise ToolError("Slack refused to share the canvas with them, and says no more.")
        return self._told({"id": id_, "access": access}, "Slack canvas shared", changed=False)

    def _told(self, told: JsonObject, summary: str, *, changed: bool) -> ToolResult:
        if changed:
            told = {**told, "changed": CHANGED}
        return ToolResult(_json(told), origin=self._origin, summary=summary)


def _check_fields(arguments: SlackCanvasWriteArguments) -> None:
    """What the fields alone say."""
    check_fields(arguments.action, arguments, _TAKES)
    if arguments.canvas:
        _id(arguments.canvas)


def _id(named: str) -> str:
    return file_id(named, "canvas", "slack_canvas")


def _window(text: str, query: str) -> str:
    """The paragraphs that hold any word of the query, or all of them; as much as fits."""
    if words := query.casefold().split():
        parts = [one for one in text.split("\n\n") if any(w in one.casefold() for w in words)]
        text = "\n\n[…]\n\n".join(parts) or "[No part of the canvas holds any of these words.]"
    if len(text) <= SHOWN_CHARS:
        return text or "[It is empty.]"
    left = len(text) - SHOWN_CHARS
    return (
        f"{text[:SHOWN_CHARS]}\n\n[{left:,} more characters. Give a query to see the parts that "
        "hold its words.]"
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
