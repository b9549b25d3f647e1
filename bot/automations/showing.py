"""Automations in words: for `/automations` and for the command line."""

from collections.abc import Callable
from datetime import datetime

from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.webhooks import KEY, secret_of
from bot.domain.automations import Automation, EventKind, Trigger
from bot.domain.database import Database
from bot.errors import DefinitionError, SettingsError

SHOWN_PROMPT_CHARS = 200


def problem_of(automation: Automation) -> str:
    """Why the file starts nothing: it can't be read. Empty when it can."""
    try:
        stored_trigger(automation.text, automation.slug)
    except DefinitionError as error:
        return f"starts nothing: {error}"
    return ""


async def hindrances(
    database: Database, secret: Callable[[str], str | None]
) -> tuple[int, list[str]]:
    """The number of automations, and the obstacles of active ones."""
    automations = Automations(database)
    found, problems = await automations.of(None), list[str]()
    for one in found:
        path = f"/automations/triggers/{one.slug}.md of {one.owner}"
        if problem := problem_of(one):
            problems.append(f"{path} ({one.ref}) {problem}")
        elif one.enabled and one.watches and await automations.opened_by(one.watches) is None:
            problems.append(
                f"{path} ({one.ref}) waits until a Partner says `/automations on` in {one.watches}"
            )
        elif one.enabled and one.event == EventKind.WEBHOOK:
            try:
                secret_of(one, secret(KEY) or "")
            except SettingsError as error:
                problems.append(f"{path} ({one.ref}): {error}")
    return len(found), problems


def standing(automation: Automation) -> str:
    """The event that it waits for, or why it is paused."""
    try:
        trigger = stored_trigger(automation.text, automation.slug)
    except DefinitionError:
        return problem_of(automation)
    if not automation.enabled:
        return f"paused ({automation.paused_why})" if automation.paused_why else "paused"
    return f"on {_asked(trigger, automation.watches)}"


def line(automation: Automation, opened: bool) -> str:
    """One line of a list. `opened`: whether the watched channel is open to automations."""
    closed = automation.watches and not opened and automation.enabled
    waits = "; waits until a Partner says `/automations on` in that channel" if closed else ""
    return f"- {automation.ref} {_name(automation)}: {standing(automation)}{waits}"


def shown(automation: Automation, opened: bool, now: datetime) -> str:
    """One automation with everything that its owner needs to know."""
    lines = [
        line(automation, opened).removeprefix("- "),
        f"file: /automations/triggers/{automation.slug}.md",
    ]
    try:
        trigger = stored_trigger(automation.text, automation.slug)
    except DefinitionError:
        return "\n".join(lines)
    where = f"channel {trigger.channel}" if trigger.channel else "where it was made"
    cut = "…" if len(trigger.prompt) > SHOWN_PROMPT_CHARS else ""
    lines += [f"answers: {where}", f"does: {trigger.prompt[:SHOWN_PROMPT_CHARS]}{cut}"]
    if automation.due is not None:
        lines.append(f"next run: in {max(0, round((automation.due - now).total_seconds()))} s")
    return "\n".join(lines)


def _name(automation: Automation) -> str:
    try:
        return stored_trigger(automation.text, automation.slug).name
    except DefinitionError:
        return automation.slug


def _asked(trigger: Trigger, watches: str) -> str:
    rule = trigger.filter
    parts = [trigger.event.replace("_", " ")]
    if trigger.event.in_channel:
        parts.append(f"in {watches.split(':', 2)[-1]}")
        parts.append(
            {"members": "by members", "anyone": "by anyone"}.get(rule.author, f"by {rule.author}")
        )
    if rule.emoji:
        parts.append(f"of {' or '.join(rule.emoji)}")
    if rule.contains:
        parts.append(f"with {' or '.join(repr(word) for word in rule.contains)}")
    if rule.matches:
        parts.append(f"that matches {rule.matches!r}")
    if trigger.event is EventKind.MEETING_PREP:
        parts.append(f"{rule.minutes} minutes before")
    return " ".join(parts)
