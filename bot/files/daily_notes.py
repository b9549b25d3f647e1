"""/daily-notes: one note per person, day and audience; `today.md` names the right one.

A note from a direct message must not show in other places, and a note from a channel must stay
writable there. So a day has one note for direct messages, one for public places, and one for each
private channel. `yesterday.md` works in the same way.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.database import Read, Row, Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.places import Reach
from bot.domain.privacy import PUBLICLY, Learned, Viewer
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files.database_files import DatabaseFiles
from bot.files.store import FileRows, Owner, several_read

ROOT = "/daily-notes"
TODAY = f"{ROOT}/today.md"
_ALIASES = {"today.md": timedelta(0), "yesterday.md": timedelta(days=1)}
_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})(\.[a-z0-9-]+)?\.md", re.ASCII)


class DailyNotes:
    """Implements `FileSource` over the files of a person; the day is that of the person's zone."""

    prefix = ROOT
    writable = True
    verbatim = True

    def __init__(self, files: DatabaseFiles) -> None:
        """`files` keeps the texts: a person's own namespace at ROOT."""
        self._files = files

    def resolved(self, context: ToolContext, path: str) -> str:
        return _dated(context, path)

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        return await self._files.read(context, _dated(context, path))

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        return await self._files.write(context, _writable(context, path), text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        return await self._files.delete(context, _writable(context, path), version)

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit:
        return await self._files.take_back(context, _dated(context, path), text)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        return await self._files.list(context, path)


def today(now: datetime, timezone: str) -> date:
    """Today in a time zone; in UTC if this machine doesn't know the zone."""
    try:
        return now.astimezone(ZoneInfo(timezone)).date()
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return now.date()


def note_path(day: date, learned: Learned) -> str:
    """`/daily-notes/2026-11-28.md` in direct messages; elsewhere the name includes the place."""
    return f"{ROOT}/{day.isoformat()}{_circle(learned)}.md"


async def notes_of(rows: FileRows, viewer: Viewer, day: date) -> list[Row]:
    """The notes that a run opens with: the place's, and public ones if they may be seen there."""
    owner = Owner("person", viewer.person)
    return notes_in(await rows.several(owner, _opening_paths(viewer, day)), viewer, day)


def notes_read(viewer: Viewer, day: date) -> Read:
    """What `notes_of` reads, for `notes_in`."""
    return several_read(Owner("person", viewer.person), _opening_paths(viewer, day))


def notes_in(rows: Sequence[Row], viewer: Viewer, day: date) -> list[Row]:
    paths = _opening_paths(viewer, day)
    seen = [row for row in rows if viewer.sees(viewer.person, Learned.of(row))]
    return sorted(seen, key=lambda row: paths.index(row["path"]))


def _opening_paths(viewer: Viewer, day: date) -> tuple[str, ...]:
    return tuple(dict.fromkeys((note_path(day, viewer.place), note_path(day, PUBLICLY))))


def _circle(learned: Learned) -> str:
    if learned.reach is Reach.DM:
        return ""
    if learned.reach is Reach.PUBLIC:
        return ".public"
    return "." + re.sub(r"[^a-z0-9]+", "-", learned.channel.casefold()).strip("-")


def _dated(context: ToolContext, path: str) -> str:
    back = _ALIASES.get(path.removeprefix(f"{ROOT}/"))
    return (
        path
        if back is None
        else note_path(today(context.now, context.timezone) - back, context.learned)
    )


def _writable(context: ToolContext, path: str) -> str:
    """As `_dated`. Raises ToolError for what is no note, or not the one of this place."""
    dated = _dated(context, path)
    named = _NAME.fullmatch(dated.removeprefix(f"{ROOT}/"))
    try:
        day = date.fromisoformat(named[1]) if named else None
    except ValueError:
        day = None
    if day is None:
        raise ToolError(
            f"{path} is no daily note; write {TODAY}, or a day such as {ROOT}/2026-11-28.md"
        )
    if dated != (own := note_path(day, context.learned)):
        raise ToolError(
            f"{path} belongs to another place; the note of that day for this place is {own}"
        )
    return dated
