"""/automations as virtual files: triggers from a table, schedules of schedule_task."""

import hashlib
from collections.abc import Collection

from bot.automations import guide
from bot.automations.schedule_file import ScheduleText, read_schedule
from bot.automations.schedule_files import SCHEDULES, ScheduleFiles
from bot.automations.trigger_file import read_trigger
from bot.automations.trigger_files import TRIGGERS, TriggerFiles
from bot.dates.repeats import spoken_repeat
from bot.domain.automations import EventKind, Filter, Trigger
from bot.domain.card_words import coded, titled
from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileSource, FileText
from bot.domain.tool_context import ToolContext
from bot.domain.tools import ToolCall
from bot.errors import DefinitionError, ToolError
from bot.tools.policy.verdicts import automation_path

ROOT = "/automations"

PROMPT_CHARS = 300


def trigger_words(trigger: Trigger) -> str:
    """Behind "Ann asks to"."""
    where = f", told in channel {coded(trigger.channel)}" if trigger.channel else ""
    begins = "have this done" if trigger.enabled else "keep this, switched off"
    return f"{begins} whenever {_event(trigger)}{where}: {titled(trigger.prompt, PROMPT_CHARS)}"


def schedule_words(said: ScheduleText) -> str:
    """Behind "Ann asks to"."""
    if said.cron:
        when = f"again and again, {spoken_repeat(said.cron) or coded(said.cron)}"
    else:
        when = f"once, at {titled(said.at)}"
    zone = f" ({coded(said.timezone)})" if said.timezone else ""
    begins = "have this done" if said.enabled else "keep this, switched off"
    return f"{begins} {when}{zone}: {titled(said.prompt, PROMPT_CHARS)}"


def _event(trigger: Trigger) -> str:
    rule = trigger.filter
    parts = [_happens(trigger.event, rule)]
    if rule.contains:
        parts.append(f"with {_any(rule.contains)}")
    if rule.subject:
        parts.append(f"with the subject {_any(rule.subject)}")
    if rule.label:
        parts.append(f"labelled {_any(rule.label)}")
    if rule.matches:
        parts.append(f"matching {coded(rule.matches)}")
    if trigger.event.in_channel:
        parts.append(f"in channel {coded(rule.channel)}" if rule.channel else "here")
    return " ".join(parts)


def _who(rule: Filter) -> str:
    known = {"members": "a member", "anyone": "anybody at all"}
    return known.get(rule.author) or coded(rule.author)


def _happens(event: EventKind, rule: Filter) -> str:
    if event is EventKind.REACTION:
        how = f" with {_any(rule.emoji)}" if rule.emoji else ""
        return f"{_who(rule)} reacts{how} to something"
    address = "anybody" if rule.author in {"members", "anyone"} else coded(rule.author)
    words = {
        EventKind.MESSAGE: f"{_who(rule)} writes something",
        EventKind.POLL_ENDED: "a poll that I posted ends",
        EventKind.WEBHOOK: "its web address is called, by whoever knows that,",
        EventKind.NEW_PERSON: "somebody new writes",
        EventKind.MEETING_PREP: f"a meeting begins in {rule.minutes} minutes",
        EventKind.TODO_ASSIGNED: "I begin to work on a todo of theirs",
        EventKind.TODO_WOKEN: "a todo of theirs wakes up, and I begin to work on it",
        EventKind.EMAIL_RECEIVED: f"a mail comes from {address}",
        EventKind.EMAIL_SENT: f"they send a mail to {address}",
        EventKind.EVENT_ADDED: "an event comes into their calendar",
        EventKind.PLUGIN: f"{coded(rule.source)} happens",
    }
    return words[event]


def _any(words: tuple[str, ...]) -> str:
    return " or ".join(map(titled, words))


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
