"""meetings: create one, often from a transcript, store its results, and find decisions."""

import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field

from bot.plugin.clock import format_utc, parse_utc
from bot.plugin.dates import due_in_words, parse_due, show_due, zone
from bot.plugin.files import FileSource, FileText
from bot.plugin.people import FindsPeople, PersonFile
from bot.plugin.tables import STOP_WORDS, Unit, fts_query
from bot.plugin.tools import (
    BELLHOP,
    JsonObject,
    Kept,
    Lasting,
    Makes,
    NativeTool,
    Noun,
    Origin,
    Phrase,
    RecordProvenance,
    ToolArguments,
    ToolContext,
    ToolDeed,
    ToolError,
    ToolResult,
    Undoable,
    as_read_by,
    elsewhere,
    free_slug,
    left_out,
    new_id,
    one_line,
    slug_of,
    tried,
    within,
    worst,
)
from bot.plugins.meetings import store
from bot.plugins.meetings.files import (
    MeetingFiles,
    MeetingPath,
    origin_for,
    require_room,
    written,
)
from bot.plugins.meetings.store import ROOT, Meeting, MeetingMatch, MeetingRows, TextName
from bot.plugins.meetings.summary import MeetingSummary, TaskLine, decisions_of, tasks_of
from bot.plugins.meetings.transcripts import Transcript, read_transcript
from bot.plugins.meetings.when import meeting_time

_LOOKING = Phrase("Looking through meetings")
TITLE_CHARS = 150
LINE_CHARS = 500
SUMMARY_CHARS = 8_000
SHOWN = 10
SNIPPETS = 3
SNIPPET_CHARS = 240
_WORD = re.compile(r"[^\W_]+")


class ActionItemArguments(ToolArguments):
    """Who does a task, and by when."""

    what: str
    owner: str | None = None
    due: str | None = Field(default=None, description="As it was said.")


class MeetingsArguments(ToolArguments):
    """The action decides which fields count."""

    action: Literal["find", "add", "summarise"] = "find"
    query: str | None = Field(default=None, description="find: words of it; without, the newest.")
    meeting: str | None = Field(default=None, description="Its folder: /meetings/2026-11-28/review")
    title: str | None = None
    when: str | None = Field(default=None, description="add: as the person said it; default today.")
    people: list[str] | None = Field(default=None, max_length=100)
    transcript: str | None = Field(default=None, description="add: path of the file that was kept.")
    text: str | None = Field(default=None, description="summarise: the outcome in a few sentences.")
    decisions: list[str] | None = Field(default=None, max_length=50)
    tasks: list[ActionItemArguments] | None = Field(default=None, max_length=50)
    questions: list[str] | None = Field(default=None, max_length=50)


@dataclass(frozen=True)
class Around:
    """The tool's calls to others: the person behind a name, the text of an attached file."""

    people: FindsPeople | None = None
    documents: FileSource | None = None


def meetings_tool(rows: MeetingRows, around: Around) -> NativeTool[MeetingsArguments]:
    """The tool over the tables; a call sees only meetings that `context.person` may see there."""
    tool = _Meetings(rows, around)

    async def run(context: ToolContext, arguments: MeetingsArguments) -> ToolResult:
        match arguments.action:
            case "find":
                return await tool.find(context, arguments)
            case "add":
                return await tool.add(context, arguments)
            case "summarise":
                return await tool.summarise(context, arguments)

    return NativeTool(
        "meetings",
        MeetingsArguments,
        run,
        makes=tool.makes,
        check=tried(run),
        deed=ToolDeed(Noun.MEETING, "title"),
        keeps=True,
        doing=_LOOKING,
    )


class _Meetings:
    def __init__(self, rows: MeetingRows, around: Around) -> None:
        self._rows = rows
        self._files = MeetingFiles(rows)
        self._around = around

    async def makes(self, context: ToolContext, arguments: MeetingsArguments) -> Sequence[Makes]:
        """A second summary replaces the first."""
        if arguments.action != "summarise":
            return ()
        meeting = await self._meeting(context, arguments.meeting)
        before = await self._rows.text(meeting.id, TextName.SUMMARY)
        if before is None:
            return ()
        kept = Kept(f"{meeting.path}/summary.md", ("summary.md",), exact=True)
        return (Makes(Lasting.REPLACES, replaced=kept),)

    # --- find ---

    async def find(self, context: ToolContext, arguments: MeetingsArguments) -> ToolResult:
        seen = await self._rows.seen(context.viewer)
        expression = fts_query(arguments.query or "")
        matches = await self._rows.match(seen, expression, 3 * SHOWN) if expression else []
        meetings = list({match.meeting.id: match.meeting for match in matches}.values())
        if not expression:
            meetings = await self._rows.newest(seen, SHOWN)
        shown, origins = list[JsonObject](), list[Origin]()
        for meeting in meetings[:SHOWN]:
            said, origin = await self._found(context, meeting, arguments.query or "", matches)
            shown.append(said)
            origins.append(origin)
        answer: JsonObject = {"meetings": shown}
        if seen.left_out:
            answer["left_out"] = left_out(seen.left_out)
        if not shown:
            answer["hint"] = (
                "none has these words; find without a query shows the newest"
                if arguments.query
                else "no meeting is kept that may be shown here"
                + elsewhere(context, search="talks in channels")
            )
        private = any(meeting.provenance.learned.private for meeting in meetings[:SHOWN])
        count = f"{len(shown)} meeting{'' if len(shown) == 1 else 's'}"
        return _result(answer, _least(origins), private=private, summary=count)

    async def _found(
        self, context: ToolContext, meeting: Meeting, query: str, matches: Sequence[MeetingMatch]
    ) -> tuple[JsonObject, Origin]:
        summary = await self._rows.text(meeting.id, TextName.SUMMARY)
        origins = [_row_origin(context, meeting)]
        said = _shown(meeting, context)
        if summary is not None:
            origins.append(origin_for(context, summary))
            said |= {"decisions": decisions_of(summary.text), "tasks": tasks_of(summary.text)}
        hits = [
            match
            for match in matches
            if match.meeting.id == meeting.id and match.name is not TextName.SUMMARY
        ]
        if words := [line for hit in hits for line in _lines_with(query, hit.text)]:
            said["said"] = words[:SNIPPETS]
            origins += [as_read_by(context.person.id, hit.origin) for hit in hits]
        said["files"] = [f"{name}.md" for name, _, _ in await self._rows.sizes(meeting.id)]
        return {key: value for key, value in said.items() if value}, _least(origins)

    # --- add ---

    async def add(self, context: ToolContext, arguments: MeetingsArguments) -> ToolResult:
        file = await self._attached(context, arguments.transcript) if arguments.transcript else None
        transcript = None
        if file is not None:
            transcript = await asyncio.to_thread(
                read_transcript, file.path.rpartition("/")[2], file.text
            )
        await require_room(self._rows, context)
        meeting = await self._new(context, arguments, file, transcript)
        unit = store.insert(meeting)
        if transcript is not None:
            context = replace(context, origin=_least([context.origin, meeting.provenance.origin]))
            text = written(context, meeting, TextName.TRANSCRIPT, transcript.markdown(), None)
        else:
            text = written(context, meeting, TextName.NOTES, f"# {meeting.title}\n", None)
        answer = _shown(meeting, context) | _about(transcript)
        summary = (
            f"made a meeting of {file.path.rpartition('/')[2]}"
            if file
            else f"noted “{meeting.title}”"
        )
        private = meeting.provenance.learned.private
        unit += store.put_text(meeting, text, None)
        result = _result(answer, text.origin, private=private, unit=unit, summary=summary)
        back = store.delete_text(meeting, text.name, text.version)
        return replace(result, undo=(Undoable("meeting", "added", meeting.title, back),))

    async def _attached(self, context: ToolContext, path: str) -> FileText:
        documents = self._around.documents
        path = path if path.startswith("/") else f"/documents/incoming/{path}"
        if documents is None or not path.startswith(f"{documents.prefix}/"):
            raise ToolError(
                "transcript is the path of a kept file, such as /documents/incoming/standup.vtt"
            )
        file = await documents.read(context, path)
        if file is None:
            raise ToolError(
                f"there is no file {path}. A short text that you were shown whole is not kept: add "
                "without transcript, and summarise"
            )
        return file

    async def _new(
        self,
        context: ToolContext,
        arguments: MeetingsArguments,
        file: FileText | None,
        transcript: Transcript | None,
    ) -> Meeting:
        stem = file.path.rpartition("/")[2].rpartition(".")[0] if file else ""
        headed = transcript.title if transcript else ""
        title = one_line(
            arguments.title or headed or stem.replace("-", " ").replace("_", " "),
            "title",
            TITLE_CHARS,
        )
        if not title:
            raise ToolError("add needs a title: what the meeting is about, in a few words")
        when = await meeting_time(
            arguments.when or (transcript.when if transcript else ""), context
        )
        now = format_utc(context.now)
        named = (
            arguments.people
            if arguments.people is not None
            else list(transcript.speakers if transcript else ())
        )
        provenance = RecordProvenance.of(context)
        if file is not None:
            origin = _least([provenance.origin, file.origin])
            provenance = replace(provenance, origin=origin)
        id_ = await new_id(context, self._rows.taken)

        async def taken(slug: str) -> bool:
            return await self._rows.at(when.day, slug) is not None

        return Meeting(
            id=id_,
            owner=context.person.id,
            day=when.day,
            slug=await free_slug(slug_of(title), id_, provenance.learned, taken),
            title=title,
            provenance=provenance,
            created_at=now,
            updated_at=now,
            starts_at=when.starts_at,
            people=tuple(one_line(name, "a name", TITLE_CHARS) for name in named if name.strip()),
        )

    # --- summarise ---

    async def summarise(self, context: ToolContext, arguments: MeetingsArguments) -> ToolResult:
        meeting = await self._meeting(context, arguments.meeting)
        if not (arguments.text or arguments.decisions or arguments.tasks or arguments.questions):
            raise ToolError("summarise needs text, decisions, tasks or questions")
        unsure: list[str] = []
        tasks = [await self._task(context, task, unsure) for task in arguments.tasks or ()]
        summary = MeetingSummary(
            within(arguments.text or "", "text", SUMMARY_CHARS),
            tuple(one_line(line, "a decision", LINE_CHARS) for line in arguments.decisions or ()),
            tuple(tasks),
            tuple(one_line(line, "a question", LINE_CHARS) for line in arguments.questions or ()),
        )
        before = await self._rows.text(meeting.id, TextName.SUMMARY)
        made_of = await self._rows.text(meeting.id, TextName.TRANSCRIPT)
        if made_of is not None:
            context = replace(
                context, origin=_least([context.origin, origin_for(context, made_of)])
            )
        text = written(context, meeting, TextName.SUMMARY, summary.markdown(meeting), before)
        answer: JsonObject = {
            "saved": f"{meeting.path}/summary.md",
            "tasks": [task.markdown() for task in tasks],
        }
        if before is not None:
            answer["replaced"] = "the summary of before"
        if unsure:
            answer["unsure"] = unsure
        private = meeting.provenance.learned.private
        unit = store.put_text(meeting, text, before.version if before else None)
        result = _result(
            answer, text.origin, private=private, unit=unit, summary=f"summarised “{meeting.title}”"
        )
        if meeting.owner != context.person.id:
            return result
        if before is None:
            back = store.delete_text(meeting, text.name, text.version)
        else:
            back = store.put_text(meeting, before, text.version)
        return replace(result, undo=(Undoable("summary", "written", meeting.title, back),))

    async def _task(
        self, context: ToolContext, task: ActionItemArguments, unsure: list[str]
    ) -> TaskLine:
        owner, what = (task.owner or "").strip(), one_line(task.what, "what", LINE_CHARS)
        found: Sequence[PersonFile] = ()
        if owner and self._around.people is not None:
            found = await self._around.people.named(context.viewer, owner)
            if len(found) > 1:
                unsure.append(f"{owner} may be {' or '.join(person.path for person in found[:5])}")
        return TaskLine(what, owner, await self._due(context, task, unsure), tuple(found))

    async def _due(self, context: ToolContext, task: ActionItemArguments, unsure: list[str]) -> str:
        """The day, read from words; unreadable words stay, and the model is told."""
        said = one_line(task.due or "", "due", TITLE_CHARS)
        try:
            read = await parse_due(said, "due", context)
        except ToolError as error:
            unsure.append(str(error))
            return said
        return "" if read is None else show_due(read, context.timezone)

    async def _meeting(self, context: ToolContext, path: str | None) -> Meeting:
        where = MeetingPath.parse(path) if path and path.startswith(f"{ROOT}/") else None
        meeting = await self._files.find(context, where.day, where.slug) if where else None
        if meeting is None:
            raise ToolError(
                f"there is no meeting {path or ''}; find shows the newest, with their "
                "folders".replace("  ", " ")
            )
        return meeting


def _about(transcript: Transcript | None) -> JsonObject:
    if transcript is None:
        return {"next": "notes.md takes what is to be prepared"}
    told: JsonObject = {"speakers": list(transcript.speakers[:30]), "lines": len(transcript.lines)}
    if transcript.minutes is not None:
        told["minutes"] = transcript.minutes
    if transcript.remarks:
        told["remarks"] = list(transcript.remarks)
    return told | {
        "next": "summarise what was decided, with owners and dates, when the person wants it"
    }


def _shown(meeting: Meeting, context: ToolContext) -> JsonObject:
    when = meeting.starts_at or meeting.day
    said: JsonObject = {
        "meeting": meeting.path,
        "title": meeting.title,
        "when": due_in_words(when, context.timezone),
    }
    if meeting.starts_at:
        said["starts"] = (
            parse_utc(meeting.starts_at)
            .astimezone(zone(context.timezone))
            .isoformat(timespec="minutes")
        )
    return said | ({"people": list(meeting.people)} if meeting.people else {})


def _lines_with(query: str, text: str) -> list[str]:
    """The lines that contain most of the words, in their order."""
    words = {word.casefold() for word in _WORD.findall(query)} - STOP_WORDS
    lines = text.splitlines()
    hits = {
        number: sum(word in line.casefold() for word in words) for number, line in enumerate(lines)
    }
    best = sorted(
        (number for number, count in hits.items() if count),
        key=lambda number: (-hits[number], number),
    )
    return [_cut(lines[number]) for number in sorted(best[:SNIPPETS])]


def _cut(line: str) -> str:
    return line if len(line) <= SNIPPET_CHARS else f"{line[:SNIPPET_CHARS]}…"


def _row_origin(context: ToolContext, meeting: Meeting) -> Origin:
    return worst([meeting.provenance], "tool:meetings", reader=context.person.id)


def _least(origins: Sequence[Origin]) -> Origin:
    return max(origins, key=lambda origin: origin.trust, default=BELLHOP)


def _result(
    answer: JsonObject, origin: Origin, *, private: bool, summary: str, unit: Unit = Unit()
) -> ToolResult:
    text = json.dumps(answer, ensure_ascii=False)
    return ToolResult(
        text,
        origin=Origin(origin.trust, "tool:meetings"),
        private=private,
        unit=unit,
        summary=summary,
    )
