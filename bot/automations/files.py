"""/automations as virtual files: triggers from a table, schedules of schedule_task."""

import hashlib
from collections.abc import Collection

from bot.automations import guide
from bot.automations.schedule_file import read_schedule
from bot.automations.schedule_files import SCHEDULES, ScheduleFiles
from bot.automations.trigger_file import read_trigger
from bot.automations.trigger_files import TRIGGERS, TriggerFiles
from bot.automations.wording import schedule_words, trigger_words
from bot.domain.card_words import coded
from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileSource, FileText
from bot.domain.tool_context import ToolContext
from bot.domain.tools import ToolCall
from bot.errors import DefinitionError, ToolError
from bot.tools.policy.verdicts import automation_path

ROOT = "/automations"


class AutomationFiles:
    """Implements `FileSource`.

    Only its own person sees a file, and only where its content may be shown.
    """

    prefix = ROOT
    writable = True
    reschedules = True

    def __init__(self, triggers: TriggerFiles, schedules: ScheduleFiles) -> None:
        self._folders: dict[str, FileSource] = {TRIGGERS: triggers, SCHEDULES: schedules}
        self._working = {TRIGGERS: triggers, SCHEDULES: schedules}

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        if path == guide.PATH:
            return FileText(path, guide.TEXT, hashlib.sha256(guide.TEXT.encode()).hexdigest())
        source = self._source(path)
        return None if source is None else await source.read(context, path)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        return await self._writable(path).write(context, path, text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        return await self._writable(path).delete(context, path, version)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path == ROOT:
            guided = FileEntry(
                guide.PATH,
                size=len(guide.TEXT.encode()),
                note="read-only: how to write these files",
            )
            return (guided, *(FileEntry(folder, directory=True) for folder in self._folders))
        source = self._folders.get(path)
        return None if source is None else await source.list(context, path)

    def tells(self, path: str, text: str | None) -> str:
        """Implements `BeginsWork`."""
        if text is None:
            return f"stop and delete the automation {coded(path)}"
        if path.startswith(f"{SCHEDULES}/"):
            return schedule_words(read_schedule(text, path))
        return trigger_words(read_trigger(text, path, mail=True, calendar=True, sources=None))

    async def began(self, context: ToolContext, path: str, text: str) -> str:
        """Implements `BeginsWork`."""
        folder = SCHEDULES if path.startswith(f"{SCHEDULES}/") else TRIGGERS
        return await self._working[folder].began(context, path, text)

    def _source(self, path: str) -> FileSource | None:
        return next(
            (source for folder, source in self._folders.items() if path.startswith(f"{folder}/")),
            None,
        )

    def _writable(self, path: str) -> FileSource:
        if (source := self._source(path)) is None:
            raise ToolError(
                f"{path} can't be changed; automations are in {TRIGGERS} and {SCHEDULES}"
            )
        return source


def written_automation_problem(
    call: ToolCall, *, mail: bool, calendar: bool = False, sources: Collection[str] = ()
) -> str | None:
    """The problem of an automation that a file tool would write; None for any other call.

    It is checked before anybody is asked, so that a card always shows a valid file. `mail`: whether
    mail comes in here or people can connect their mailboxes; `calendar`: whether they can connect
    calendars; `sources`: the event sources of plug-ins.
    """
    path = automation_path(call.name, call.arguments)
    if path is None or call.name == "delete_file":
        return None
    if call.name != "write_file":
        return (
            f"{path}: write the whole file with write_file, so that the person sees all of it "
            "before they say yes"
        )
    text = str(call.arguments.get("content") or "")
    try:
        if path.startswith(f"{SCHEDULES}/"):
            read_schedule(text, path)
        else:
            read_trigger(text, path, mail=mail, calendar=calendar, sources=sources)
    except DefinitionError as error:
        return str(error)
    return None
