"""Schedules in words: for the model, for `/schedule` and for the command line."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.dates.reading import Moment
from bot.dates.repeats import spoken_repeat
from bot.domain.languages import Language, Phrase
from bot.domain.privacy import left_out
from bot.domain.schedules import ScheduledTask, ScheduleTick
from bot.turns.schedules.cron import find_zone
from bot.turns.schedules.reason_words import REASONS

FOR = Phrase("for {person}")
DOES = Phrase("does: {what}")
NOTHING_SCHEDULED = Phrase("Nothing is scheduled.")

SHOWN_PROMPT_CHARS = 200
NOTHING_TO_SAY = "nothing to say"
"""The detail of a run that ended without a message."""
_BY = "by "
_STATES = {
    "claimed": Phrase("claimed"),
    "running": Phrase("running"),
    "done": Phrase("done"),
    "failed": Phrase("failed"),
    "stopped": Phrase("stopped", context="schedule"),
    "skipped": Phrase("skipped"),
    "folded": Phrase("folded"),
}


def shown(task: ScheduledTask, now: datetime, language: Language = Language.EN) -> str:
    """One task with everything that its owner needs to know."""
    cut = "…" if len(task.prompt) > SHOWN_PROMPT_CHARS else ""
    does = f"{task.prompt[:SHOWN_PROMPT_CHARS]}{cut}"
    lines = [
        f"{task.name} ({task.ref}), {FOR.said(language, person=task.owner)}",
        Phrase("when: {when}").said(language, when=repeats(task, language)),
        Phrase("next: {when}").said(language, when=next_in_words(task, now, language)),
        DOES.said(language, what=does),
    ]
    return "\n".join(lines)


def listed(
    tasks: Sequence[ScheduledTask],
    now: datetime,
    *,
    hidden: int = 0,
    language: Language = Language.EN,
) -> str:
    """A line per task, the next due first; `hidden` counts private ones left out in this place."""
    lines = [f"- {task.ref} {task.name}: {_when(task, now, language)}" for task in tasks]
    if hidden:
        lines.append(f"{left_out(hidden, language)}.")
    return "\n".join(lines) or NOTHING_SCHEDULED.said(language)


def _when(task: ScheduledTask, now: datetime, language: Language) -> str:
    when, following = repeats(task, language), next_in_words(task, now, language)
    return Phrase("{when}; next {next}").said(language, when=when, next=following)


def ticks_shown(ticks: Sequence[ScheduleTick], zone: str, language: Language = Language.EN) -> str:
    """The outcomes of its last times, newest first."""
    lines = [_tick(tick, zone, language) for tick in ticks]
    return "\n".join(lines) or Phrase("It has not come due yet.").said(language)


def repeats(task: ScheduledTask, language: Language = Language.EN) -> str:
    """When it runs, in words."""
    if not task.cron:
        return Phrase("once").said(language)
    spoken = spoken_repeat(task.cron, language) or Phrase("cron {cron}").said(
        language, cron=task.cron
    )
    return f"{spoken} ({task.zone})"


def next_in_words(task: ScheduledTask, now: datetime, language: Language = Language.EN) -> str:
    """When it runs next, or why it does not."""
    if task.next_due is None:
        return Phrase("never: it is over").said(language)
    if task.paused:
        return paused_in_words(task.paused_why, language)
    return Moment(task.next_due, find_zone(task.zone).key).spoken(language)


def paused_by(person: str) -> str:
    """The stored reason of a pause that a person asked for."""
    return f"{_BY}{person}"


def paused_in_words(why: str, language: Language) -> str:
    """`paused (by ann)`, from the stored reason."""
    if not why:
        return Phrase("paused").said(language)
    person = why.removeprefix(_BY)
    own = person == why
    told = (
        REASONS.told(why, language) if own else Phrase("by {person}").said(language, person=person)
    )
    return Phrase("paused ({why})").said(language, why=told)


def _tick(tick: ScheduleTick, zone: str, language: Language) -> str:
    due = tick.due.astimezone(find_zone(zone))
    state = _STATES[tick.state].said(language) if tick.state in _STATES else tick.state
    parts = [f"- {due:%Y-%m-%d %H:%M}: {state}"]
    if tick.ran_at is not None:
        late = tick.ran_at - tick.due
        on_time = late <= timedelta(seconds=5)
        began = Phrase("began on time") if on_time else Phrase("began {span} late")
        parts.append(began.said(language, span=_span(late)))
    if tick.state in {"done", "failed"} and tick.detail != NOTHING_TO_SAY:
        parts.append(
            (Phrase("answer posted") if tick.posted_at else Phrase("answer not posted yet")).said(
                language
            )
        )
    if tick.detail:
        silent = tick.detail == NOTHING_TO_SAY
        parts.append(
            Phrase("nothing to say").said(language)
            if silent
            else REASONS.told(tick.detail, language)
        )
    return ", ".join(parts)


def _span(span: timedelta) -> str:
    seconds = round(span.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
