"""slack_list and slack_list_write, with the person's own account.

Others wrote what stands in lists, and its origin says so.

https://docs.slack.dev/surfaces/lists and …/reference/methods/slackLists.create, …/files.info,
…/slackLists.items.list, …/slackLists.items.create, …/slackLists.items.update,
…/slackLists.items.delete, …/slackLists.access.set, …/search.files
"""

import json
from collections.abc import Sequence
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
    by_token,
    reading_tool,
)
from bot.plugin.tools import (
    KIND_MARK,
    MARK,
    JsonObject,
    Language,
    NativeTool,
    Noun,
    Person,
    Phrase,
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
from bot.plugins.slack.list_cells import Column, cell_text, field_of, people_field

MOST_ROWS = 500
_ROWS_AT_ONCE = 100
_COLORS = ("red", "yellow", "green")
_NEXT = by_token("cursor", "response_metadata.next_cursor")


@dataclass(frozen=True)
class SlackList:
    """A list: its title and columns, and which of them names its rows."""

    id: str
    title: str
    url: str
    columns: Sequence[Column]

    def column(self, name: str) -> Column:
        """The column of this name. Raises ToolError if there is none."""
        for one in self.columns:
            if one.name.casefold() == name.casefold():
                return one
        # Others named them, and perhaps this person alone sees the list: no error tells them.
        raise ToolError(f"the list has no column {name!r:.80}; slack_list shows those that it has")

    @property
    def people_column(self) -> Column:
        """The one column that takes people. Raises ToolError if there is none, or several."""
        taking = [one for one in self.columns if one.takes_people]
        own = [one for one in taking if one.kind == "todo_assignee"] or taking
        if len(own) != 1:
            raise ToolError(f"the list has {len(own)} columns that take a person, not one")
        return own[0]


@dataclass(frozen=True)
class Row:
    """A row: the text of its primary column, and its other cells that hold something."""

    id: str
    title: str
    cells: JsonObject


@dataclass(frozen=True)
class SlackLists:
    """The lists that a person's account may see and change."""

    client: ServiceClient

    async def find(self, person: Person, query: str, most: int) -> tuple[list[SlackFile], int]:
        return await find_files(self.client, person, query, "lists", most)

    async def get(self, person: Person, list_id: str) -> SlackList:
        answer = await self.client.get(person, "/files.info", {"file": list_id})
        file = as_object(answer["file"])
        columns = as_objects(as_object(file.get("list_metadata")).get("schema"))
        if not columns:
            raise ToolError("this is no list; find one with slack_list")
        title = str(file.get("title") or file.get("name") or "") or "(untitled)"
        url = str(file.get("permalink") or "")
        return SlackList(list_id, title, url, [Column.of(one) for one in columns])

    async def rows(self, person: Person, which: SlackList) -> tuple[list[Row], bool]:
        """Up to 500 rows, and whether there are more."""
        body: JsonObject = {"list_id": which.id, "limit": _ROWS_AT_ONCE}
        onward: ServiceRequest | None = ServiceRequest(
            "POST", "/slackLists.items.list", body=body, reads=True
        )
        found: list[Row] = []
        while onward is not None and len(found) < MOST_ROWS:
            answer = await self.client.call(person, onward)
            found += [_row(one, which) for one in as_objects(answer["items"])]
            onward = _NEXT(onward, answer)
        return found, onward is not None

    async def create(
        self, person: Person, name: str, columns: Sequence[JsonObject], *, todo: bool
    ) -> JsonObject:
        body: JsonObject = {"name": name}
        if columns:
            body["schema"] = list(columns)
        if todo:
            body["todo_mode"] = True
        made = await self._write(person, "create", body)
        schema = as_objects(as_object(made["list_metadata"]).get("schema"))
        shown = {one.name: one.described for one in map(Column.of, schema)}
        return {"id": made["list_id"], "title": name, "columns": shown}

    async def add(self, person: Person, list_id: str, fields: Sequence[JsonObject]) -> str:
        body: JsonObject = {"list_id": list_id, "initial_fields": list(fields)}
        return str(as_object((await self._write(person, "items.create", body))["item"]).get("id"))

    async def change(
        self, person: Person, list_id: str, row: str, fields: Sequence[JsonObject]
    ) -> None:
        cells = [{**one, "row_id": row} for one in fields]
        await self._write(person, "items.update", {"list_id": list_id, "cells": cells})

    async def remove(self, person: Person, list_id: str, row: str) -> None:
        await self._write(person, "items.delete", {"list_id": list_id, "id": row})

    async def share(
        self, person: Person, list_id: str, access: Access, *, channel: str, member: str
    ) -> None:
        body: JsonObject = {"list_id": list_id, "access_level": access, **whom(channel, member)}
        await self._write(person, "access.set", body)

    async def _write(self, person: Person, method: str, body: JsonObject) -> ServiceAnswer:
        return await self.client.call(
            person, ServiceRequest("POST", f"/slackLists.{method}", body=body)
        )


def column_schema(number: int, name: str, kind: str, choices: Sequence[str]) -> JsonObject:
    """A column as Slack defines it; the first one names the rows."""
    schema: JsonObject = {"key": f"column_{number}", "name": name, "type": kind}
    if number == 0:
        schema["is_primary_column"] = True
    if choices:
        options = [
            {"value": f"choice_{at}", "label": label, "color": _COLORS[at % len(_COLORS)]}
            for at, label in enumerate(choices)
        ]
        schema["options"] = {"format": "single_select", "choices": options}
    return schema


def _row(found: dict[str, Any], which: SlackList) -> Row:
    by_id = {one.id: one for one in which.columns}
    title, cells = "", JsonObject()
    for field in as_objects(found.get("fields")):
        column = by_id.get(str(field.get("column_id")))
        text = cell_text(field, column) if column else ""
        if column and column.primary:
            title = text
        elif column and text:
            cells[column.name] = text
    return Row(str(found.get("id") or ""), title, cells)


MOST = 20
SHOWN_CHARS = 12_000
MOST_CELLS, MOST_COLUMNS, MOST_CHOICES = 30, 20, 50
_VALUE_CHARS = 3_000

Action = Literal["create", "add", "change", "remove", "share"]
_ListId = Annotated[
    str | None,
    Field(max_length=NAMED_CHARS, json_schema_extra={MARK: True, KIND_MARK: "slack_list"}),
]
_RowId = Annotated[
    str | None,
    Field(max_length=100, json_schema_extra={MARK: True, KIND_MARK: "slack_row"}),
]
_TAKES: Takes = {
    "create": (frozenset({"title"}), frozenset({"columns", "todo"})),
    "add": (frozenset({"list", "cells"}), frozenset({"member"})),
    "change": (frozenset({"list", "row"}), frozenset({"cells", "member"})),
    "remove": (frozenset({"list", "row"}), frozenset()),
    "share": (frozenset({"list"}), frozenset({"channel", "member", "access"})),
}


class SlackListArguments(ToolArguments):
    """A search for lists, or one list."""

    list: Annotated[str | None, Field(max_length=NAMED_CHARS)] = Field(
        default=None, description="Read this one: its id or address."
    )
    query: str | None = Field(
        default=None,
        max_length=300,
        description="Words to look for; of one list, only rows with them.",
    )


class NewCell(ToolArguments):
    """One cell of a row."""

    column: str = Field(min_length=1, max_length=200, description="Its name.")
    value: Annotated[str, Field(max_length=_VALUE_CHARS)] | bool | int | float


class NewColumn(ToolArguments):
    """One column of a new list."""

    name: str = Field(min_length=1, max_length=200)
    type: Literal["text", "number", "date", "checkbox", "select", "user"] = "text"
    choices: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=100)], ...],
        Field(max_length=MOST_CHOICES),
    ] = Field(default=(), description="select")


class SlackListWriteArguments(ToolArguments):
    """One change of one list."""

    action: Action
    list: _ListId = Field(default=None, description="Its id or address; not for create.")
    row: _RowId = Field(default=None, description="change, remove: the row's id.")
    cells: Annotated[tuple[NewCell, ...], Field(max_length=MOST_CELLS)] = Field(
        default=(), description="add, change"
    )
    title: str | None = Field(default=None, max_length=200, description="create")
    columns: Annotated[tuple[NewColumn, ...], Field(max_length=MOST_COLUMNS)] = Field(
        default=(), description="create; the first one is text and names the rows."
    )
    todo: bool | None = Field(
        default=None, description="create: with Completed, Assignee and Due date."
    )
    channel: Channel = Field(default=None, description="share: with the channel of this id.")
    member: Member = Field(
        default=None, description="A person's Slack id. add, change: whose row it is; share: with."
    )
    access: Access | None = Field(default=None, description="share; read if left out.")


class ListTools:
    """The two tools over one client."""

    def __init__(self, slack: ServiceClient) -> None:
        self._lists = SlackLists(slack)
        self._slack = slack
        self._origin = slack.service.origin

    def read_tool(self) -> NativeTool[Any]:
        return reading_tool(self._slack, "slack_list", SlackListArguments, self._read)

    def write_tool(self) -> NativeTool[Any]:
        return NativeTool(
            "slack_list_write",
            SlackListWriteArguments,
            self._write,
            acts=True,
            check=self._check,
            tells=self._tell,
            doing=WORKS_IN_ACCOUNT,
            deed=ToolDeed(Noun.PAGE, "title"),
        )

    async def _read(self, context: ToolContext, arguments: SlackListArguments) -> ToolResult:
        query = arguments.query or ""
        if not arguments.list:
            return await self._find(context, query)
        which = await self._lists.get(context.person, _id(arguments.list))
        rows, more = await self._lists.rows(context.person, which)
        shown, cut = _fitting(rows, query)
        told: JsonObject = {
            "id": which.id,
            "title": which.title,
            "url": which.url,
            "columns": {one.name: one.described for one in which.columns},
            "rows": shown,
        }
        if cut or more:
            told["more"] = (
                "There are more rows; give a query to see those that hold its words."
                if not more
                else f"Only the first {len(rows)} rows were read."
            )
        return self._told(told, f"Slack list: {which.title[:60]}")

    async def _find(self, context: ToolContext, query: str) -> ToolResult:
        lists, total = await self._lists.find(context.person, query, MOST)
        told: JsonObject = {"lists": [one.shown for one in lists], "total": total}
        if not lists:
            told["hint"] = "No list that this person sees fits; fewer words find more."
        return self._told(told, f"{len(lists)} lists found in Slack")

    async def _check(self, context: ToolContext, arguments: SlackListWriteArguments) -> None:
        """Whether the fields fit, and the list takes them, so that nobody is asked in vain."""
        _check(arguments)
        await self._fields(context, arguments)

    async def _fields(
        self, context: ToolContext, arguments: SlackListWriteArguments
    ) -> list[JsonObject]:
        """The cells of a row as its list takes them; none for what writes no row."""
        if arguments.action not in {"add", "change"}:
            return []
        which = await self._lists.get(context.person, _id(arguments.list or ""))
        fields = [field_of(which.column(one.column), one.value) for one in arguments.cells]
        if arguments.member:
            fields.append(people_field(which.people_column, arguments.member))
        return fields

    async def _tell(self, _: ToolContext, arguments: SlackListWriteArguments) -> Translations:
        list_, row = coded(arguments.list or ""), coded(arguments.row or "")
        cells = titled("; ".join(f"{one.column}: {one.value}" for one in arguments.cells), 300)
        member = coded(arguments.member) if arguments.member else ""

        def of_row(phrase: Phrase) -> Translations:
            def said(language: Language) -> str:
                whose = call_words.FOR_MEMBER.said(language, member=member) if member else ""
                return phrase.said(language, row=row, whose=whose, list=list_, cells=cells)

            return Translations.by(said)

        match arguments.action:
            case "create":
                return call_words.MAKE_LIST.filled(title=titled(arguments.title or ""))
            case "add":
                return of_row(call_words.ADD_ROW)
            case "change":
                return of_row(call_words.CHANGE_ROW)
            case "remove":
                return call_words.REMOVE_ROW.filled(row=row, list=list_)
            case "share":
                writes = arguments.access == "write"
                let = call_words.LET_CHANGE_LIST if writes else call_words.LET_READ_LIST
                whom = coded(arguments.channel or arguments.member or "")
                return let.filled(whom=whom, list=list_)

    async def _write(self, context: ToolContext, arguments: SlackListWriteArguments) -> ToolResult:
        _check(arguments)
        person, row = context.person, arguments.row or ""
        if arguments.action == "create":
            return await self._create(context, arguments)
        id_, fields = _id(arguments.list or ""), await self._fields(context, arguments)
        told: JsonObject = {"id": id_, "row": row} if row else {"id": id_}
        match arguments.action:
            case "add":
                told["row"] = await self._lists.add(person, id_, fields)
            case "change":
                await self._lists.change(person, id_, row, fields)
            case "remove":
                await self._lists.remove(person, id_, row)
            case "share":
                told["access"] = access = arguments.access or "read"
                channel, member = arguments.channel or "", arguments.member or ""
                await self._lists.share(person, id_, access, channel=channel, member=member)
        return self._told(told, f"Slack list: {arguments.action}")

    async def _create(self, context: ToolContext, arguments: SlackListWriteArguments) -> ToolResult:
        title = arguments.title or ""
        columns = [
            column_schema(number, one.name, one.type, one.choices)
            for number, one in enumerate(arguments.columns)
        ]
        told = await self._lists.create(context.person, title, columns, todo=bool(arguments.todo))
        return self._told(told, f"Slack list: {title[:60]}")

    def _told(self, told: JsonObject, summary: str) -> ToolResult:
        text = json.dumps(told, ensure_ascii=False)
        return ToolResult(text, origin=self._origin, summary=summary)


def _check(arguments: SlackListWriteArguments) -> None:
    """What the fields alone say."""
    check_fields(arguments.action, arguments, _TAKES)
    if arguments.action == "change" and not arguments.cells and not arguments.member:
        raise ToolError("change needs cells or member")
    if arguments.columns and arguments.columns[0].type != "text":
        raise ToolError("the first column names the rows: it is of type text")
    for one in arguments.columns:
        if (one.type == "select") != bool(one.choices):
            raise ToolError(
                f"column {one.name}: a select needs choices, and nothing else takes any"
            )
    if arguments.list:
        _id(arguments.list)


def _id(named: str) -> str:
    return file_id(named, "list", "slack_list")


def _fitting(rows: Sequence[Row], query: str) -> tuple[list[JsonObject], bool]:
    """The rows with any word of the query, or all of them; and whether some didn't fit."""
    words = query.casefold().split()
    shown: list[JsonObject] = []
    left = SHOWN_CHARS
    for one in rows:
        row = {"id": one.id, "title": one.title, **({"cells": one.cells} if one.cells else {})}
        said = " ".join([one.title, *map(str, one.cells.values())]).casefold()
        if words and not any(word in said for word in words):
            continue
        left -= len(json.dumps(row, ensure_ascii=False))
        if left < 0:
            return shown, True
        shown.append(row)
    return shown, False
