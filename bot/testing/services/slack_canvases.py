"""Canvases of the loopback Slack: who sees and edits each, blocks with ids, and Slack's refusals.

https://docs.slack.dev/reference/methods/canvases.edit, …/canvases.getContent, …/canvases.create,
…/canvases.sections.lookup, …/canvases.access.set, …/conversations.canvases.create
"""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.domain.json_types import JsonObject
from bot.testing.services.account_api import AccountCall, ApiRefusal

_MOST_CHARS = 1_048_576
_MOST_SHARED = 20
_CHANGES = {
    "insert_after": {"section_id", "document_content"},
    "insert_before": {"section_id", "document_content"},
    "insert_at_start": {"document_content"},
    "insert_at_end": {"document_content"},
    "replace": {"document_content"},
    "delete": {"section_id"},
}
"""What each operation needs; `replace` without a section replaces everything."""
_LEVELS = {"h1": r"# ", "h2": r"## ", "h3": r"### ", "any_header": r"#{1,3} "}
_MARKS = re.compile(r"^(#{1,3} |[-*] (\[[ x]\] )?|\d+\. |> )")


@dataclass
class StoredCanvas:
    """A canvas: its blocks by id, and access levels by person and channel."""

    title: str
    blocks: dict[str, str]
    access: dict[str, str]
    channel: str = ""
    """The channel whose own canvas it is."""
    updated: int = 1_795_251_600

    @property
    def markdown(self) -> str:
        return "\n".join(self.blocks.values())


@dataclass
class SlackCanvases:
    """Canvases by id. `channels_of` gives the channels of a person by id."""

    by_id: dict[str, StoredCanvas] = field(default_factory=dict[str, StoredCanvas])
    free_plan: bool = False
    _ids: "itertools.count[int]" = field(default_factory=itertools.count)

    def add(self, title: str, markdown: str, owner: str, channel: str = "") -> str:
        id_ = f"F{len(self.by_id) + 1:09}"
        access = {owner: "owner", **({channel: "write"} if channel else {})}
        canvas = StoredCanvas(title, self._blocks(markdown), access, channel)
        canvas.updated += len(self.by_id)
        self.by_id[id_] = canvas
        return id_

    def seen(self, id_: str, who: set[str]) -> StoredCanvas:
        """Return a canvas that the person, or one of their channels, may see."""
        canvas = self.by_id.get(id_)
        if canvas is None or not who & canvas.access.keys():
            raise ApiRefusal(200, "canvas_not_found")
        return canvas

    def editable(self, id_: str, who: set[str]) -> StoredCanvas:
        canvas = self.seen(id_, who)
        if not any(canvas.access.get(one) in {"write", "owner"} for one in who):
            raise ApiRefusal(200, "restricted_action")
        if self.free_plan and not canvas.channel:
            raise ApiRefusal(200, "free_teams_cannot_edit_standalone_canvases")
        return canvas

    # --- the methods; `who` is the person with the channels that they are in ---

    def content(self, call: AccountCall, who: set[str]) -> Any:
        only(call.body, {"canvas_id", "content_type"})
        if call.body.get("content_type", "markdown") != "markdown":
            raise ApiRefusal(200, "invalid_arguments")
        return {"ok": True, "content": self.seen(str(call.body.get("canvas_id")), who).markdown}

    def lookup(self, call: AccountCall, who: set[str]) -> Any:
        only(call.body, {"canvas_id", "criteria"})
        canvas = self.seen(str(call.body.get("canvas_id")), who)
        criteria: JsonObject = call.body.get("criteria") or {}
        only(criteria, {"section_types", "contains_text"})
        kinds, words = criteria.get("section_types", ()), criteria.get("contains_text", "")
        if not (kinds or words) or len(kinds) > 3 or not set(kinds) <= _LEVELS.keys():
            raise ApiRefusal(200, "invalid_arguments")
        return {
            "ok": True,
            "sections": [
                {"id": id_}
                for id_, text in canvas.blocks.items()
                if words.casefold() in _MARKS.sub("", text).casefold()
                and (not kinds or any(re.match(_LEVELS[kind], text) for kind in kinds))
            ],
        }

    def edit(self, call: AccountCall, who: set[str]) -> Any:
        only(call.body, {"canvas_id", "changes"})
        canvas = self.editable(str(call.body.get("canvas_id")), who)
        match call.body.get("changes"):
            case [{"operation": str(operation), **given}] if operation in _CHANGES:
                pass
            case _:
                raise ApiRefusal(200, "invalid_arguments")
        only(given, {"section_id", "document_content"})
        if missing := _CHANGES[operation] - given.keys():
            raise ApiRefusal(200, f"invalid_arguments.{missing.pop()}")
        section = str(given.get("section_id", ""))
        if section and section not in canvas.blocks:
            raise ApiRefusal(200, "canvas_editing_failed")
        new = _markdown(given["document_content"]).split("\n") if operation != "delete" else []
        texts = list(canvas.blocks.values())
        begin, end = _span(operation, list(canvas.blocks), section)
        canvas.blocks = self._blocks("\n".join([*texts[:begin], *new, *texts[end:]]))
        canvas.updated += 1000
        return {"ok": True}

    def create(self, call: AccountCall, who: set[str], *, in_channel: bool) -> Any:
        only(call.body, {"title", "document_content", "channel_id"})
        channel = str(call.body.get("channel_id", ""))
        if in_channel and channel not in who:
            raise ApiRefusal(200, "channel_not_found")
        if in_channel and any(one.channel == channel for one in self.by_id.values()):
            raise ApiRefusal(200, "channel_canvas_already_exists")
        if self.free_plan and not channel:
            raise ApiRefusal(200, "free_teams_cannot_create_non_tabbed_canvases")
        content = call.body.get("document_content")
        markdown = _markdown(content) if content else ""
        return {
            "ok": True,
            "canvas_id": self.add(
                str(call.body.get("title", "")),
                markdown,
                call.person,
                channel if in_channel else "",
            ),
        }

    def share(self, call: AccountCall, who: set[str], known: set[str]) -> Any:
        """Set access for people or channels; `known` are the ids that Slack finds."""
        only(call.body, {"canvas_id", "access_level", "channel_ids", "user_ids"})
        canvas = self.editable(str(call.body.get("canvas_id")), who)
        canvas.access |= shared_with(call.body, known)
        return {"ok": True}

    def found(self, query: str, who: set[str]) -> list[JsonObject]:
        """Return the files that search.files gives for a query with `type:canvases`."""
        words = [one for one in query.casefold().split() if one != "type:canvases"]
        return [
            {
                "id": id_,
                "title": canvas.title,
                "filetype": "quip",
                "pretty_type": "Canvas",
                "updated": canvas.updated,
                "permalink": f"https://team.slack.com/docs/T000001/{id_}",
            }
            for id_, canvas in sorted(
                self.by_id.items(), key=lambda pair: pair[1].updated, reverse=True
            )
            if who & canvas.access.keys()
            and all(one in f"{canvas.title}\n{canvas.markdown}".casefold() for one in words)
        ]

    def _blocks(self, markdown: str) -> dict[str, str]:
        """Give each line a new id, as Slack does after each change."""
        return {f"temp:C:{next(self._ids):06}": line for line in markdown.split("\n") if line}


def _span(operation: str, ids: list[str], section: str) -> tuple[int, int]:
    """Return which blocks the new ones replace."""
    place = ids.index(section) if section else 0
    match operation:
        case "insert_at_start":
            return 0, 0
        case "insert_at_end":
            return len(ids), len(ids)
        case "insert_before":
            return place, place
        case "insert_after":
            return place + 1, place + 1
        case _:
            return (place, place + 1) if section else (0, len(ids))


def _markdown(content: JsonObject) -> str:
    only(content, {"type", "markdown"})
    if content.get("type") != "markdown" or len(content.get("markdown", "")) > _MOST_CHARS:
        raise ApiRefusal(200, "invalid_arguments")
    return str(content["markdown"])


def shared_with(body: Mapping[str, Any], known: set[str]) -> dict[str, str]:
    """Return the access that canvases.access.set or slackLists.access.set gives to whom."""
    level = str(body.get("access_level"))
    channels, people = body.get("channel_ids"), body.get("user_ids")
    if level not in {"read", "write", "owner"} or (channels is None) == (people is None):
        raise ApiRefusal(200, "invalid_parameters")
    ids: list[str] = channels or people or []
    if not 1 <= len(ids) <= _MOST_SHARED:
        raise ApiRefusal(200, "invalid_parameters")
    if set(ids) - known:
        raise ApiRefusal(200, "channel_not_found" if channels else "user_not_found")
    return dict.fromkeys(ids, level)


def only(given: Mapping[str, Any], known: set[str]) -> None:
    """Refuse a field that the reference does not list."""
    if given.keys() - known:
        raise ApiRefusal(200, "invalid_arguments")
