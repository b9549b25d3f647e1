"""Slack's canvases with the person's own account.

https://docs.slack.dev/surfaces/canvases and …/reference/methods/canvases.getContent,
…/canvases.edit, …/canvases.create, …/canvases.sections.lookup, …/canvases.access.set,
…/search.files, …/conversations.canvases.create
"""

import re
from dataclasses import dataclass
from typing import Literal

from bot.plugin.services import ServiceAnswer, ServiceClient, ServiceRequest, as_fields, as_items
from bot.plugin.tools import JsonObject, Person, ToolError
from bot.plugins.slack.documents import Access, SlackFile, find_files, whom

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
        properties = as_fields(as_fields(answer["channel"]).get("properties"))
        return str(as_fields(properties.get("canvas")).get("file_id") or "")

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
        match as_items(answer["sections"]):
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
        whose = as_fields((await self.client.get(person, "/auth.test")).value)
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
        told = as_fields((await self._write(person, "/canvases.access.set", body)).value)
        failed = told.get("failed_to_update_channel_ids") or told.get("failed_to_update_user_ids")
        return not failed

    async def _read(self, person: Person, path: str, body: JsonObject) -> ServiceAnswer:
        return await self.client.call(person, ServiceRequest("POST", path, body=body, reads=True))

    async def _write(self, person: Person, path: str, body: JsonObject) -> ServiceAnswer:
        return await self.client.call(person, ServiceRequest("POST", path, body=body))


def _document(markdown: str) -> JsonObject:
    return {"type": "markdown", "markdown": markdown}
