"""What canvases and lists share: how they are found, named and shared, and what calls take."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from bot.plugin.services import ServiceClient, as_object, as_objects
from bot.plugin.tools import MARK, JsonObject, Person, ToolArguments, ToolError

Access = Literal["read", "write"]
Takes = Mapping[str, tuple[frozenset[str], frozenset[str]]]
"""By action: what a call needs, and what it takes besides."""
NAMED_CHARS = 300
Channel = Annotated[str | None, Field(max_length=100, json_schema_extra={MARK: "channel"})]
Member = Annotated[str | None, Field(max_length=100, json_schema_extra={MARK: "id"})]

_ID = re.compile(r"F[A-Z0-9]{6,30}")


@dataclass(frozen=True)
class SlackFile:
    """A canvas or list as the search shows it."""

    id: str
    title: str
    url: str
    edited: str
    """The day of the last change; empty where Slack doesn't say."""

    @classmethod
    def of(cls, found: JsonObject) -> "SlackFile":
        edited = found.get("updated") or found.get("timestamp") or found.get("created")
        day = f"{datetime.fromtimestamp(edited, UTC):%Y-%m-%d}" if isinstance(edited, int) else ""
        return cls(
            str(found.get("id") or ""),
            str(found.get("title") or found.get("name") or "") or "(untitled)",
            str(found.get("permalink") or ""),
            day,
        )

    @property
    def shown(self) -> JsonObject:
        return {"id": self.id, "title": self.title, "edited": self.edited, "url": self.url}


async def find_files(
    slack: ServiceClient, person: Person, query: str, kind: Literal["canvases", "lists"], most: int
) -> tuple[list[SlackFile], int]:
    """The files of a kind that fit, last edited first, and how many there are."""
    asked = {
        "query": f"{query} type:{kind}".strip(),
        "count": most,
        "sort": "timestamp",
        "sort_dir": "desc",
    }
    found = as_object((await slack.get(person, "/search.files", asked))["files"])
    files, total = (
        [SlackFile.of(one) for one in as_objects(found.get("matches"))],
        found.get("total"),
    )
    return files, total if isinstance(total, int) else len(files)


def file_id(named: str, what: str, tool: str) -> str:
    """The id in what somebody gave: an id, or the address of a canvas or list.

    Raises ToolError without one.
    """
    last = named.partition("?")[0].rstrip("/").rsplit("/", 1)[-1]
    if not _ID.fullmatch(last):
        raise ToolError(
            f"{what} takes an id (F0123ABCDEF) or the address of a {what}; find it with {tool}"
        )
    return last


def whom(channel: str, member: str) -> JsonObject:
    """Whom access is given to, as canvases.access.set and slackLists.access.set take it."""
    return {"channel_ids": [channel]} if channel else {"user_ids": [member]}


def check_fields(action: str, arguments: ToolArguments, takes: Takes) -> None:
    """Raises ToolError if the action lacks a field, or was given one that it doesn't take."""
    needed, further = takes[action]
    given: dict[str, Any] = arguments.model_dump(exclude={"action"})
    names = {name for name, value in given.items() if value not in (None, "", [], ())}
    if missing := needed - names:
        raise ToolError(f"{action} needs {' and '.join(sorted(missing))}")
    if strange := names - needed - further:
        raise ToolError(f"{action} takes no {' and no '.join(sorted(strange))}")
    if action == "share" and ("channel" in names) == ("member" in names):
        raise ToolError("share needs channel or member, and not both")
