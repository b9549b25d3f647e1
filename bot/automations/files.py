"""/automations as virtual files: triggers from a table, schedules of schedule_task."""

import asyncio
import hashlib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from bot.automations.schedule_file import ScheduleText, read_schedule
from bot.automations.schedule_files import SCHEDULES, ScheduleFiles
from bot.automations.trigger_file import read_trigger
from bot.automations.trigger_files import TRIGGERS, TriggerFiles
from bot.dates.repeats import spoken_repeat
from bot.domain.automations import EventKind, Filter, Trigger
from bot.domain.card_words import coded, titled
from bot.domain.database import Unit
from bot.domain.files import FileEntry, FileSource, FileText
from bot.domain.languages import Language, Phrase, Translations
from bot.domain.tool_context import ToolContext
from bot.domain.tools import ToolCall
from bot.errors import DefinitionError, ToolError
from bot.tools.policy.verdicts import automation_path

OR = Phrase("or")
WHO: Mapping[str, Phrase] = {"members": Phrase("a member"), "anyone": Phrase("anybody at all")}
HAPPENS: Mapping[EventKind, Phrase] = {
    EventKind.REACTION: Phrase("{who} reacts to something"),
    EventKind.MESSAGE: Phrase("{who} writes something"),
    EventKind.POLL_ENDED: Phrase("a poll that I posted ends"),
    EventKind.WEBHOOK: Phrase("its web address is called, by whoever knows that,"),
    EventKind.NEW_PERSON: Phrase("somebody new writes"),
    EventKind.MEETING_PREP: Phrase("a meeting begins in {minutes} minutes"),
    EventKind.TODO_ASSIGNED: Phrase("I begin to work on a todo of theirs"),
    EventKind.TODO_WOKEN: Phrase("a todo of theirs wakes up, and I begin to work on it"),
    EventKind.EMAIL_RECEIVED: Phrase("a mail comes from {address}"),
    EventKind.EMAIL_SENT: Phrase("they send a mail to {address}"),
    EventKind.EVENT_ADDED: Phrase("an event comes into their calendar"),
    EventKind.PLUGIN: Phrase("{source} happens"),
}
"""What starts an automation, by its event."""

_GUIDE_PATH = "/automations/README.md"

ROOT = "/automations"

PROMPT_CHARS = 300


@cache
def _guide() -> str:
    """Instructions for the model on these files."""
    return Path(__file__).with_name("guide.md").read_text(encoding="utf-8")


def trigger_words(trigger: Trigger) -> Translations:
    """Behind "Ann asks to"."""
    phrase = (
        Phrase("have this done whenever {event}{where}: {what}")
        if trigger.enabled
        else Phrase("keep this, switched off whenever {event}{where}: {what}")
    )
    what, channel = titled(trigger.prompt, PROMPT_CHARS), trigger.channel

    def said(language: Language) -> str:
        where = (
            Phrase(", told in channel {channel}").said(language, channel=coded(channel))
            if channel
            else ""
        )
        return phrase.said(language, event=_event(trigger, language), where=where, what=what)

    return Translations.by(said)


def schedule_words(said: ScheduleText) -> Translations:
    """Behind "Ann asks to"."""
    phrase, what = (
        Phrase("have this done {when}{zone}: {what}")
        if said.enabled
        else Phrase("keep this, switched off {when}{zone}: {what}"),
        titled(said.prompt, PROMPT_CHARS),
    )
    zone = f" ({coded(said.timezone)})" if said.timezone else ""

    def told(language: Language) -> str:
        if said.cron:
            repeat = spoken_repeat(said.cron, language) or coded(said.cron)
            when = Phrase("again and again, {repeat}").said(language, repeat=repeat)
        else:
            when = Phrase("once, at {at}").said(language, at=titled(said.at))
        return phrase.said(language, when=when, zone=zone, what=what)

    return Translations.by(told)


def _event(trigger: Trigger, language: Language) -> str:
    rule = trigger.filter
    parts = [_happens(trigger.event, rule, language)]
    if rule.contains:
        parts.append(Phrase("with {words}").said(language, words=_any(rule.contains, language)))
    if rule.subject:
        parts.append(
            Phrase("with the subject {words}").said(language, words=_any(rule.subject, language))
        )
    if rule.label:
        parts.append(Phrase("labelled {words}").said(language, words=_any(rule.label, language)))
    if rule.matches:
        parts.append(Phrase("matching {words}").said(language, words=coded(rule.matches)))
    if trigger.event.in_channel:
        channel = rule.channel
        in_it = (
            Phrase("in channel {channel}").said(language, channel=coded(channel)) if channel else ""
        )
        parts.append(in_it or Phrase("here").said(language))
    return " ".join(parts)


def _happens(event: EventKind, rule: Filter, language: Language) -> str:
    known = WHO.get(rule.author)
    who = known.said(language) if known is not None else coded(rule.author)
    if event is EventKind.REACTION and rule.emoji:
        return Phrase("{who} reacts with {emoji} to something").said(
            language, who=who, emoji=_any(rule.emoji, language)
        )
    address = Phrase("anybody").said(language) if known is not None else coded(rule.author)
    minutes, source = rule.minutes, coded(rule.source)
    phrase = HAPPENS[event]
    return phrase.said(language, who=who, address=address, minutes=minutes, source=source)


def _any(wanted: tuple[str, ...], language: Language) -> str:
    return f" {OR.said(language)} ".join(map(titled, wanted))


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
        if path == _GUIDE_PATH:
            guide = await asyncio.to_thread(_guide)
            return FileText(path, guide, hashlib.sha256(guide.encode()).hexdigest())
        source = self._source(path)
        return None if source is None else await source.read(context, path)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        return await self._writable(path).write(context, path, text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        return await self._writable(path).delete(context, path, version)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path == ROOT:
            guided = FileEntry(
                _GUIDE_PATH,
                size=len((await asyncio.to_thread(_guide)).encode()),
                note="read-only: how to write these files",
            )
            return (guided, *(FileEntry(folder, directory=True) for folder in self._folders))
        source = self._folders.get(path)
        return None if source is None else await source.list(context, path)

    def tells(self, path: str, text: str | None) -> Translations:
        """Implements `BeginsWork`."""
        if text is None:
            return Phrase("stop and delete the automation {path}").filled(path=coded(path))
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
    call: ToolCall,
    *,
    mail: bool,
    calendar: bool = False,
    unsent: Collection[EventKind] = (),
    sources: Collection[str] = (),
) -> str | None:
    """The problem of an automation that a file tool would write; None for any other call.

    It is checked before anybody is asked, so that a card always shows a valid file. `mail`: whether
    mail comes in here or people can connect their mailboxes; `calendar`: whether they can connect
    calendars; `unsent`: kinds of events that no plug-in tells of; `sources`: the event sources of
    plug-ins.
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
            read_trigger(text, path, mail=mail, calendar=calendar, unsent=unsent, sources=sources)
    except DefinitionError as error:
        return str(error)
    return None
