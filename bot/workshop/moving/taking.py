"""Jobs and memories of other assistants, as far as they have a place here.

A job becomes a schedule of the same times, where a cron says them. A text becomes an entry of
memory that stays marked as from outside.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import PurePosixPath
from typing import Any
from zoneinfo import ZoneInfo

from bot.domain.memory import MemoryEntry
from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM
from bot.errors import TurnError, raised_as
from bot.log import redact
from bot.memory.entries import parse_entries
from bot.turns.schedules.cron import find_zone, first_due
from bot.workshop.moving.foreign_home import ForeignHome, mapping, word
from bot.workshop.moving.found import FoundHome, FoundSchedule
from bot.workshop.review.audit import AuditedText, audit_texts
from bot.workshop.review.findings import Severity, shown

PROMPT_CHARS = 4_000
NAME_CHARS = 80
_HOUR = 60
_DAY = 24 * _HOUR


class Unfit(ValueError):
    """Why a job can't be a schedule here."""


@dataclass(frozen=True)
class Clockwork:
    """What decides about times: now, the zone of whoever hands in, and the least interval."""

    now: datetime
    zone: str
    least: timedelta


def take_job(found: FoundHome, job: Any, prompt: Any, clockwork: Clockwork) -> None:
    """Add a job of `{name, enabled, schedule}` that hands this prompt to an agent."""
    given = mapping(job)
    named = word(given.get("name")) or word(given.get("id")) or "a job"
    name = " ".join(shown(named, NAME_CHARS).split())
    try:
        found.schedules.append(_schedule(name, given, prompt, clockwork))
    except Unfit as error:
        found.leave(f"the job “{name}”", str(error))
        return
    text = AuditedText(f"the job “{name}”", 1, word(prompt))
    audited = audit_texts((text,))
    found.findings += [one for one in audited if one.severity is not Severity.INFO]


def _schedule(name: str, job: dict[str, Any], prompt: Any, clockwork: Clockwork) -> FoundSchedule:
    text = word(prompt)
    if job.get("enabled") is False:
        raise Unfit("it is switched off there")
    if not text:
        raise Unfit("it hands no words to an agent: it runs a program, or waits for an event")
    if len(text) > PROMPT_CHARS:
        raise Unfit(f"its words have more than {PROMPT_CHARS:,} characters")
    if redact(text) != text:
        raise Unfit("its words hold what looks like a secret")
    when = job.get("schedule")
    timing = mapping(when) or {"kind": "cron", "expr": when}
    zone = word(timing.get("tz"))
    kind = word(timing.get("kind"))
    with raised_as(Unfit, TurnError):
        if zone:
            find_zone(zone)
        if kind in {"at", "once"}:
            return FoundSchedule(
                name,
                text,
                at=_at(timing, zone or clockwork.zone, clockwork.now),
                zone=zone or clockwork.zone,
            )
        cron = _cron(timing, kind)
        first_due(cron, zone or clockwork.zone, clockwork.now, clockwork.least)
    return FoundSchedule(name, text, cron=cron, zone=zone)


def _cron(timing: dict[str, Any], kind: str) -> str:
    if kind == "cron":
        return word(timing.get("expr"))
    if kind in {"every", "interval"}:
        return _every(timing)
    raise Unfit(f"it starts by {shown(kind, 40) or 'nothing that is known'}, and not by the clock")


def _every(timing: dict[str, Any]) -> str:
    """An interval as a cron; raises Unfit for one that no cron says."""
    length = timing.get("everyMs", timing.get("every_ms"))
    minutes = length / 60_000 if isinstance(length, int) else timing.get("minutes")
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or minutes <= 0:
        raise Unfit("it says no interval")
    if minutes == int(minutes) and (minutes := int(minutes)):
        if minutes < _HOUR and _HOUR % minutes == 0:
            return f"*/{minutes} * * * *"
        if minutes < _DAY and minutes % _HOUR == 0 and _DAY % minutes == 0:
            return f"0 */{minutes // _HOUR} * * *"
        if minutes == _DAY:
            return "0 9 * * *"
        if minutes == 7 * _DAY:
            return "0 9 * * mon"
    raise Unfit(f"no cron says every {minutes:g} minutes; write a schedule with its times")


def _at(timing: dict[str, Any], zone: str, now: datetime) -> str:
    """A moment as words of a schedule in this zone."""
    place = ZoneInfo(find_zone(zone).key)
    given = timing.get("atMs", timing.get("at_ms", timing.get("at", timing.get("run_at"))))
    try:
        if isinstance(given, int):
            moment = datetime.fromtimestamp(given / 1000, UTC)
        else:
            moment = datetime.fromisoformat(word(given))
            moment = moment if moment.tzinfo else moment.replace(tzinfo=place)
        local = moment.astimezone(place)
    except (ValueError, OverflowError, OSError):
        raise Unfit(f"{shown(word(given), 40)} is no time") from None
    if moment <= now:
        raise Unfit("its time is over")
    return f"{local:%Y-%m-%d %H:%M}"


# --- memories ---


ENTRY_CHARS = 2_000
ALL_CHARS = 200_000
"""All entries together; a file of memory is read up to 1 MB."""
_SEPARATOR = "\n§\n"
_SIGNIFICANCE = 2


def take_memories(home: ForeignHome, path: str) -> None:
    """Add the entries of a markdown file: bullets and paragraphs, or pieces between `§`."""
    text = home.text(path)
    if text is None:
        return
    found = home.found
    audited = audit_texts((AuditedText(shown(path), 1, text),))
    found.findings += [one for one in audited if one.severity is not Severity.INFO]
    if "§" in text:
        pieces = [piece for part in text.split(_SEPARATOR) if (piece := part.strip(" \n§"))]
        read = [MemoryEntry(piece) for piece in pieces]
    else:
        read = list(parse_entries(text))
    day = _day(path)
    entries = tuple(
        untrusted(replace(one, day=one.day or day, significance=_SIGNIFICANCE), found.rival)
        for one in _kept(found, path, read)
    )
    if entries:
        found.memories[path] = entries


def untrusted(entry: MemoryEntry, rival: str) -> MemoryEntry:
    """The entry as from outside and for its person alone, whatever its own text claims."""
    return replace(
        entry,
        trust=Trust.EXTERNAL,
        learned=IN_DM,
        source=rival,
        workspace="",
        superseded=None,
    )


def _kept(found: FoundHome, path: str, read: Iterable[MemoryEntry]) -> Iterator[MemoryEntry]:
    used = sum(len(one.text) for entries in found.memories.values() for one in entries)
    known = {one.text for entries in found.memories.values() for one in entries}
    for number, one in enumerate(read, 1):
        what = f"entry {number} of {shown(path)}"
        if one.text in known:
            continue
        if len(one.text) > ENTRY_CHARS:
            found.leave(what, f"it has more than {ENTRY_CHARS:,} characters")
        elif redact(one.text) != one.text:
            found.leave(what, "it holds what looks like a secret")
        elif used + len(one.text) > ALL_CHARS:
            found.leave(f"{shown(path)} from entry {number} on", "there is no room for so much")
            return
        else:
            used += len(one.text)
            known.add(one.text)
            yield one


def _day(path: str) -> date | None:
    """The day of a daily note, by the beginning of its name."""
    try:
        return date.fromisoformat(PurePosixPath(path).stem[:10])
    except ValueError:
        return None
