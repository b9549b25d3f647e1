"""/meetings/YYYY-MM-DD/{slug}/: transcript.md, summary.md and notes.md of each meeting."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Self

from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.files import FileEntry, FileText
from bot.plugin.tables import Unit
from bot.plugin.tools import (
    IN_DM,
    Origin,
    RecordProvenance,
    Role,
    ToolContext,
    ToolError,
    Trust,
    as_read_by,
    new_id,
    slug_of,
)
from bot.plugins.meetings import store
from bot.plugins.meetings.store import ROOT, Meeting, MeetingRows, MeetingText, TextName

MOST_MEETINGS = 2_000
"""Meetings of one person."""
LISTED = 5_000
_WHERE = (
    f"write {ROOT}/2026-11-28/review/notes.md: day, name, and transcript.md, summary.md or notes.md"
)


@dataclass(frozen=True)
class MeetingPath:
    """A path below /meetings, split into parts; missing parts are empty."""

    day: str = ""
    slug: str = ""
    file: str = ""

    @classmethod
    def parse(cls, path: str) -> Self | None:
        """None for a path that is too deep."""
        parts = path.removeprefix(ROOT).strip("/").split("/")
        return cls(*parts) if len(parts) <= 3 else None

    @property
    def name(self) -> TextName | None:
        stem, _, ending = self.file.rpartition(".")
        return TextName(stem) if ending == "md" and stem in set(TextName) else None


class MeetingFiles:
    """Implements `FileSource`.

    A meeting is visible where it was made; its owner also sees it in direct messages.
    """

    prefix = ROOT
    writable = True

    def __init__(self, rows: MeetingRows) -> None:
        self._rows = rows

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        where = MeetingPath.parse(path)
        if where is None or where.name is None:
            return None
        meeting = await self.find(context, where.day, where.slug)
        text = await self._rows.text(meeting.id, where.name) if meeting else None
        if meeting is None or text is None:
            return None
        return FileText(
            path,
            text.text,
            text.version,
            origin_for(context, text),
            meeting.provenance.learned.private,
            parse_utc(text.updated_at),
        )

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        where = MeetingPath.parse(path)
        if where is None or where.name is None:
            raise ToolError(f"{path} is no file of a meeting; {_WHERE}")
        meeting = await self.find(context, where.day, where.slug)
        before = await self._rows.text(meeting.id, where.name) if meeting else None
        if (before.version if before else None) != version:
            raise ToolError(
                f"{path} was changed meanwhile; read it again and repeat the change on its present "
                "text"
            )
        made = Unit()
        if meeting is None:
            meeting = await self._new(context, where)
            made = store.insert(meeting)
        return made + store.put_text(
            meeting, written(context, meeting, where.name, text, before), version
        )

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        where = MeetingPath.parse(path)
        name = where.name if where else None
        meeting = await self.find(context, where.day, where.slug) if where else None
        if meeting is None or name is None:
            raise ToolError(f"{path} is not there any more; nothing was changed")
        if meeting.owner != context.person.id and context.person.role.rank < Role.PARTNER.rank:
            raise ToolError(
                "only who made a meeting, or a Partner, deletes its files; nothing was changed"
            )
        require_same_readers(context, meeting)
        return store.delete_text(meeting, name, version)

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit | None:
        """None for a meeting that begins with this write, and for somebody else's."""
        where = MeetingPath.parse(path)
        name = where.name if where else None
        meeting = await self.find(context, where.day, where.slug) if where else None
        if meeting is None or name is None or meeting.owner != context.person.id:
            return None
        before = await self._rows.text(meeting.id, name)
        if before is None:
            return store.delete_text(meeting, name, store.version_of(text or ""))
        if text is None and len(await self._rows.sizes(meeting.id)) == 1:
            return None  # the meeting goes with its last text
        return store.put_text(meeting, before, None if text is None else store.version_of(text))

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        where = MeetingPath.parse(path)
        if where is None or where.file:
            return None
        if where.slug:
            meeting = await self.find(context, where.day, where.slug)
            return None if meeting is None else await self._files(context, meeting)
        condition, params = ("day = ?", (where.day,)) if where.day else ("TRUE", ())
        seen = await self._rows.seen(context.viewer, condition, params)
        meetings = await self._rows.newest(seen, LISTED)
        hidden = [
            FileEntry(f"{path}/{n}", directory=True, private=True) for n in range(seen.left_out)
        ]
        if not meetings and not hidden and where.day:
            return None
        return (*_folders(meetings, path), *hidden)

    async def find(self, context: ToolContext, day: str, slug: str) -> Meeting | None:
        """The meeting, if it is visible here.

        Raises ToolError for a private one of the person's own.
        """
        meeting = await self._rows.at(day, slug)
        if meeting is None or context.viewer.sees(meeting.owner, meeting.provenance.learned):
            return meeting
        if meeting.owner == context.person.id:
            raise ToolError(
                "this meeting is private and not shown here; the person can ask for it in a DM"
            )
        return None

    async def _files(self, context: ToolContext, meeting: Meeting) -> tuple[FileEntry, ...]:
        return tuple(
            FileEntry(
                f"{meeting.path}/{name}.md", size=size, origin=as_read_by(context.person.id, origin)
            )
            for name, size, origin in await self._rows.sizes(meeting.id)
        )

    async def _new(self, context: ToolContext, where: MeetingPath) -> Meeting:
        """A meeting that a file is written for before it has any other content."""
        if where.slug != slug_of(where.slug) or not where.slug:
            raise ToolError(
                f"a meeting is named like {slug_of(where.slug) or 'weekly-review'}; {_WHERE}"
            )
        if await self._rows.at(where.day, where.slug) is not None:
            raise ToolError(f"{ROOT}/{where.day}/{where.slug} can't be used; choose another name")
        await require_room(self._rows, context)
        now = format_utc(context.now)
        return Meeting(
            id=await new_id(context, self._rows.taken),
            owner=context.person.id,
            day=day_of(where.day),
            slug=where.slug,
            title=where.slug.replace("-", " ").capitalize(),
            provenance=RecordProvenance.of(context),
            created_at=now,
            updated_at=now,
        )


def day_of(text: str) -> str:
    """The day of a path. Raises ToolError for an invalid day."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise ToolError(f"{text[:40]!r} is no day like 2026-11-28; {_WHERE}") from None


async def require_room(rows: MeetingRows, context: ToolContext) -> None:
    """Raises ToolError when the person has as many meetings as anybody may."""
    if await rows.count_of(context.person.id) >= MOST_MEETINGS:
        raise ToolError(
            f"they have {MOST_MEETINGS} meetings, which is the most; delete old ones first"
        )


def require_same_readers(context: ToolContext, meeting: Meeting) -> None:
    """Raises ToolError if a reader of the meeting may not read the sources of this call."""
    before = meeting.provenance.learned
    if meeting.owner == context.person.id and before == IN_DM:
        return
    if before.narrowed(context.learned) != before:
        raise ToolError(
            "people who can't read this conversation can read this meeting; ask for the change "
            "where it was made, or make a meeting of your own here"
        )


def written(
    context: ToolContext, meeting: Meeting, name: TextName, text: str, before: MeetingText | None
) -> MeetingText:
    """The meeting's text after this call's write, as trusted as its least trusted source."""
    require_same_readers(context, meeting)
    origins = [Origin(Trust.PERSON, f"person:{context.person.id}"), context.origin]
    origins += [origin_for(context, before)] if before is not None else []
    worst = max(origins, key=lambda origin: origin.trust)
    return MeetingText.of(name, text, worst, format_utc(context.now), context.person.id)


def origin_for(context: ToolContext, text: MeetingText) -> Origin:
    """The origin of a text from the reader's point of view."""
    return as_read_by(context.person.id, text.origin)


def _folders(meetings: Sequence[Meeting], path: str) -> list[FileEntry]:
    entries: dict[str, FileEntry] = {}
    for meeting in meetings:
        child = meeting.path if path != ROOT else f"{ROOT}/{meeting.day}"
        worst = max(
            meeting.provenance.origin,
            entries.get(child, FileEntry(child)).origin,
            key=lambda one: one.trust,
        )
        entries[child] = FileEntry(child, directory=True, origin=worst)
    return [entries[key] for key in sorted(entries)]
