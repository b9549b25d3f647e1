"""Schedules in words: for the model, for `/schedule` and for the command line."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.dates.reading import Moment
from bot.dates.repeats import spoken_repeat
from bot.domain.privacy import left_out
from bot.domain.schedules import ScheduledTask, ScheduleTick
from bot.turns.schedules.cron import find_zone

SHOWN_PROMPT_CHARS = 200
NOTHING_TO_SAY = "nothing to say"
"""The detail of a run that ended without a message."""


def shown(task: ScheduledTask, now: datetime) -> str:
    """One task with everything that its owner needs to know."""
    lines = [
        f"{task.name} ({task.ref}), for {task.owner}",
        f"when: {repeats(task)}",
        f"next: {next_in_words(task, now)}",
        f"does: {task.prompt[:SHOWN_PROMPT_CHARS]}"
        f"{'…' if len(task.prompt) > SHOWN_PROMPT_CHARS else ''}",
    ]
    return "\n".join(lines)


def listed(tasks: Sequence[ScheduledTask], now: datetime, *, hidden: int = 0) -> str:
    """A line per task, the next due first; `hidden` counts private ones left out in this place."""
    lines = [
        f"- {task.ref} {task.name}: {repeats(task)}; next {next_in_words(task, now)}"
        for task in tasks
    ]
    if hidden:
        lines.append(f"{left_out(hidden)}.")
    return "\n".join(lines) or "Nothing is scheduled."


def ticks_shown(ticks: Sequence[ScheduleTick], zone: str) -> str:
    """The outcomes of its last times, newest first."""
    return "\n".join(_tick(tick, zone) for tick in ticks) or "It has not come due yet."


def repeats(task: ScheduledTask) -> str:
    """When it runs, in words."""
    if not task.cron:
        return "once"
    return f"{spoken_repeat(task.cron) or f'cron {task.cron}'} ({task.zone})"


def next_in_words(task: ScheduledTask, now: datetime) -> str:
    """When it runs next, or why it does not."""
    if task.next_due is None:
        return "never: it is over"
    if task.paused:
        return f"paused ({task.paused_why})" if task.paused_why else "paused"
    return Moment(task.next_due, find_zone(task.zone).key).spoken()


def _tick(tick: ScheduleTick, zone: str) -> str:
    due = tick.due.astimezone(find_zone(zone))
    parts = [f"- {due:%Y-%m-%d %H:%M}: {tick.state}"]
    if tick.ran_at is not None:
        late = tick.ran_at - tick.due
        parts.append(
            f"began {_span(late)} late" if late > timedelta(seconds=5) else "began on time"
        )
    if tick.state in {"done", "failed"} and tick.detail != NOTHING_TO_SAY:
        parts.append("answer posted" if tick.posted_at else "answer not posted yet")
    if tick.detail:
        parts.append(tick.detail)
    return ", ".join(parts)


def _span(span: timedelta) -> str:
    seconds = round(span.total_seconds())
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"
