"""Slack's lists with the person's own account.

https://docs.slack.dev/surfaces/lists and …/reference/methods/slackLists.create, …/files.info,
…/slackLists.items.list, …/slackLists.items.create, …/slackLists.items.update,
…/slackLists.items.delete, …/slackLists.access.set, …/search.files
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.plugin.services import (
    ServiceAnswer,
    ServiceClient,
    ServiceRequest,
    as_fields,
    as_items,
    by_token,
)
from bot.plugin.tools import JsonObject, Person, ToolError
from bot.plugins.slack.documents import Access, SlackFile, find_files, whom
from bot.plugins.slack.list_cells import Column, cell_text

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
        file = as_fields(answer["file"])
        columns = as_items(as_fields(file.get("list_metadata")).get("schema"))
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
            found += [_row(one, which) for one in as_items(answer["items"])]
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
        schema = as_items(as_fields(made["list_metadata"]).get("schema"))
        shown = {one.name: one.described for one in map(Column.of, schema)}
        return {"id": made["list_id"], "title": name, "columns": shown}

    async def add(self, person: Person, list_id: str, fields: Sequence[JsonObject]) -> str:
        body: JsonObject = {"list_id": list_id, "initial_fields": list(fields)}
        return str(as_fields((await self._write(person, "items.create", body))["item"]).get("id"))

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
    for field in as_items(found.get("fields")):
        column = by_id.get(str(field.get("column_id")))
        text = cell_text(field, column) if column else ""
        if column and column.primary:
            title = text
        elif column and text:
            cells[column.name] = text
    return Row(str(found.get("id") or ""), title, cells)
