"""slack_canvas and slack_canvas_write, with the person's own account.

Others wrote the text of canvases, and its origin says so.

https://docs.slack.dev/surfaces/canvases and …/reference/methods/canvases.getContent,
…/canvases.edit, …/canvases.create, …/canvases.sections.lookup, …/canvases.access.set,
…/search.files, …/conversations.canvases.create
"""

import json
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from bot.plugin.services import (
    WORKS_IN_ACCOUNT,
    ServiceAnswer,
    ServiceClient,
    ServiceRequest,
    as_object,
    as_objects,
    reading_tool,
)
from bot.plugin.tools import (
    KIND_MARK,
    MARK,
    JsonObject,
    NativeTool,
    Noun,
    Person,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Translations,
    coded,
    titled,
)
from bot.plugins.slack import call_words
from bot.plugins.slack.documents import (
    NAMED_CHARS,
    Access,
    Channel,
    Member,
    SlackFile,
    Takes,
    check_fields,
    file_id,
    find_files,
    whom,
)

Operation = Literal["insert_at_end", "insert_after", "replace", "delete"]

_LISTED = re.compile(r"(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|>\s*")
"""How markdown begins a list item or a quote, which a canvas keeps apart from its words."""
_HEADING = re.compile(r"(#{1,3})\s+(?=\S)")


@dataclass(frozen=True)
class Canvases:
    """The canvases that a person's account may see and change."""

    client: ServiceClient

    async def find(self, person: Person, query: str, most: int) -> tuple[list[SlackFile], int]:
        return await find_files(self.client, person, query, "canvases", most)

    async def of_channel(self, person: Person, channel: str) -> str:
        """The id of a channel's own canvas; empty without one."""
        answer = await self.client.get(person, "/conversations.info", {"channel": channel})
        properties = as_object(as_object(answer["channel"]).get("properties"))
        return str(as_object(properties.get("canvas")).get("file_id") or "")

    async def content(self, person: Person, canvas: str) -> str:
        """The whole canvas as markdown."""
        body: JsonObject = {"canvas_id": canvas, "content_type": "markdown"}
        return str((await self._read(person, "/canvases.getContent", body))["content"] or "")

    async def section(self, person: Person, canvas: str, words: str) -> str:
        """The id of the one block that holds these words; `## words` is a heading.

        Slack gives the blocks new ids with each change, so nobody keeps one. Raises ToolError if no
        block or several hold them.
        """
        criteria: JsonObject = {"contains_text": _LISTED.sub("", words, count=1)}
        if heading := _HEADING.match(words):
            criteria = {
                "contains_text": words[heading.end() :],
                "section_types": [f"h{len(heading[1])}"],
            }
        body: JsonObject = {"canvas_id": canvas, "criteria": criteria}
        answer = await self._read(person, "/canvases.sections.lookup", body)
        match as_objects(answer["sections"]):
            case [only]:
                return str(only.get("id") or "")
            case []:
                raise ToolError(
                    "No block of the canvas holds the text of `at`. Read the canvas, and copy "
                    "words of one block from it, without bold, links and other marks."
                )
            case several:
                raise ToolError(
                    f"{len(several)} blocks of the canvas hold the text of `at`. Give more words "
                    "of the one that you mean; `## Title` finds headings alone."
                )

    async def create(self, person: Person, title: str, markdown: str, channel: str) -> JsonObject:
        """Make a canvas of the person, or with `channel` the channel's own; its id and address."""
        whose = as_object((await self.client.get(person, "/auth.test")).value)
        body: JsonObject = {"title": title} if title else {}
        if markdown:
            body["document_content"] = _document(markdown)
        path = "/conversations.canvases.create" if channel else "/canvases.create"
        made = await self._write(person, path, body | ({"channel_id": channel} if channel else {}))
        id_, base = str(made["canvas_id"]), str(whose.get("url") or "").rstrip("/")
        url = f"{base}/docs/{whose.get('team_id')}/{id_}" if base else ""
        return {"id": id_, "title": title, "url": url}

    async def edit(
        self, person: Person, canvas: str, operation: Operation, markdown: str, section: str
    ) -> None:
        """One change; Slack takes one in a call."""
        change: JsonObject = {"operation": operation}
        if markdown:
            change["document_content"] = _document(markdown)
        if section:
            change["section_id"] = section
        await self._write(person, "/canvases.edit", {"canvas_id": canvas, "changes": [change]})

    async def share(
        self, person: Person, canvas: str, access: Access, *, channel: str, member: str
    ) -> bool:
        """Let a channel or a person see or change it; whether Slack did so."""
        body: JsonObject = {"canvas_id": canvas, "access_level": access, **whom(channel, member)}
        told = as_object((await self._write(person, "/canvases.access.set", body)).value)
        failed = told.get("failed_to_update_channel_ids") or told.get("failed_to_update_user_ids")
        return not failed

    async def _read(self, person: Person, path: str, body: JsonObject) -> ServiceAnswer:
        return await self.client.call(person, ServiceRequest("POST", path, body=body, reads=True))

    async def _write(self, person: Person, path: str, body: JsonObject) -> ServiceAnswer:
        return await self.client.call(person, ServiceRequest("POST", path, body=body))


def _document(markdown: str) -> JsonObject:
    return {"type": "markdown", "markdown": markdown}


CHANGED = "pictures, previews and mentions became plain text"
_BARE = re.compile(r"!\[\]\(([^()\s]*)\)")
_FENCE = re.compile(r"```[^`]*")


def quiet(markdown: str) -> tuple[str, bool]:
    """The text without what loads or mentions, and whether that changed it.

    In a canvas `![](https://…)` shows a page or picture, so that everybody who opens the canvas
    tells that server so, and `![](@U…)` calls a person. Code between fences stays as it is.
    """
    lines = markdown.split("\n")
    shown = [
        line if code else _quiet_line(line) for line, code in zip(lines, _code(lines), strict=True)
    ]
    return "\n".join(shown), shown != lines


def _quiet_line(line: str) -> str:
    return _BARE.sub(r"\1", line).replace("![", "! [")


def _code(lines: list[str]) -> list[bool]:
    """For each line, whether it stands between two fences that every reader takes for such."""
    inside = [False] * len(lines)
    begin: int | None = None
    for number, line in enumerate(lines):
        if begin is None:
            begin = number if _FENCE.fullmatch(line) else None
        elif line.rstrip() == "```":
            inside[begin + 1 : number] = [True] * (number - begin - 1)
            begin = None
    return inside


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


class SlackCanvasArguments(ToolArguments):
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


class SlackCanvasWriteArguments(ToolArguments):
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
