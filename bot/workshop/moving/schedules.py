"""Jobs of other assistants as schedules: the same times, where a cron says them."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.errors import TurnError
from bot.log import redact
from bot.turns.schedules.cron import find_zone, first_due
from bot.workshop.moving.foreign_home import mapping, word
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
    try:
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
    except TurnError as error:
        raise Unfit(str(error)) from None
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
