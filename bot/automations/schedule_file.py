"""The file of a schedule: its name, when it comes due, and the task below."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, time

from bot.automations.trigger_file import quoted, read_name, read_prompt, refuse_other_keys
from bot.dates.repeats import read_repeat
from bot.domain.schedules import ScheduledTask
from bot.errors import ToolError, TurnError
from bot.skills.front_matter import read_front_matter
from bot.turns.schedules.cron import check_cron, find_zone

_SLUG_CHARS = 60
_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?")


def slug_of(name: str) -> str:
    """The stem of a file for something with this name."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_CHARS].strip("-") or "schedule"


def read_slug(path: str, folder: str) -> str:
    """The stem of the file at a path of a folder. Raises ToolError for another kind of name."""
    name = path.removeprefix(f"{folder}/")
    stem = name.removesuffix(".md")
    if stem == name or not _SLUG.fullmatch(stem):
        raise ToolError(
            f"{path}: a file here is named with small letters, digits and hyphens, such as "
            f"{folder}/bug-triage.md"
        )
    return stem


_MORNING, _ANY_DAY = time(9), datetime(2026, 1, 1)  # noqa: DTZ001 - a local time
"""To know words such as "every other tuesday": when they first come true is told later."""
_KEYS = ("name", "enabled", "kind", "cron", "at", "timezone", "owner")


@dataclass(frozen=True)
class ScheduleText:
    """The content of a schedule file; exactly one of `cron` and `at` is set."""

    name: str
    prompt: str
    cron: str
    at: str
    """In words, or as a date and time."""
    timezone: str
    enabled: bool


def read_schedule(text: str, file: str, owner: str = "") -> ScheduleText:
    """Read a file. Raises DefinitionError, which names file, line, field and remedy."""
    head = read_front_matter(text, file)
    refuse_other_keys(head, head.values, _KEYS)
    if (kind := head.text("kind")) and kind != "schedule":
        raise head.bad(
            "kind", "kind must be schedule in this folder; triggers are in /automations/triggers"
        )
    if owner and (named := head.text("owner")) and named != owner:
        raise head.bad("owner", f"owner must be {owner}, who writes the file; leave it out")
    cron, at, zone = head.text("cron"), head.text("at"), head.text("timezone")
    if bool(cron) == bool(at):
        raise head.bad(
            "cron" if cron else "", "give exactly one of cron (again and again) and at (once)"
        )
    try:
        if zone:
            find_zone(zone)
    except TurnError as error:
        raise head.bad("timezone", f"timezone: {error}") from None
    try:
        if cron:
            check_cron(cron)
    except TurnError as error:
        if read_repeat(cron, _MORNING, _ANY_DAY) is None:
            raise head.bad("cron", str(error)) from None
    enabled = head.flag("enabled", default=True)
    return ScheduleText(read_name(head), read_prompt(head), cron, at, zone, enabled)


def write_schedule(task: ScheduledTask) -> str:
    """The file of a scheduled task, as `read_schedule` reads it."""
    lines = [
        "---",
        f"name: {quoted(task.name)}",
        f"enabled: {str(not task.paused).lower()}",
        "kind: schedule",
        f"cron: {quoted(task.cron)}" if task.cron else f"at: {quoted(_at(task))}",
        f"timezone: {task.zone}",
        f"owner: {quoted(task.owner)}",
        "---",
        "",
        task.prompt,
    ]
    return "\n".join(lines) + "\n"


def _at(task: ScheduledTask) -> str:
    return "" if task.next_due is None else local_time(task.next_due, task.zone)


def local_time(moment: datetime, zone: str) -> str:
    return f"{moment.astimezone(find_zone(zone)):%Y-%m-%d %H:%M}"
