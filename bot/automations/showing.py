"""Automations in words: for `/automations` and for the command line."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import reduce

from bot.automations.store import Automations
from bot.automations.trigger_file import stored_trigger
from bot.automations.webhooks import KEY, secret_of
from bot.domain.automations import Automation, EventKind, Trigger
from bot.domain.database import Database
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.errors import DefinitionError, SettingsError
from bot.turns.schedules.showing import DOES, paused_in_words

WAITS_FOR_PARTNER = Phrase("waits until a Partner says `/automations on` in that channel")
EVENTS: Mapping[EventKind, Phrase] = {
    EventKind.MESSAGE: Phrase("message"),
    EventKind.REACTION: Phrase("reaction"),
    EventKind.POLL_ENDED: Phrase("poll ended"),
    EventKind.WEBHOOK: Phrase("webhook"),
    EventKind.NEW_PERSON: Phrase("new person"),
    EventKind.MEETING_PREP: Phrase("meeting prep"),
    EventKind.TODO_ASSIGNED: Phrase("todo assigned"),
    EventKind.TODO_WOKEN: Phrase("todo woken"),
    EventKind.EMAIL_RECEIVED: Phrase("email received"),
    EventKind.EMAIL_SENT: Phrase("email sent"),
    EventKind.EVENT_ADDED: Phrase("event added"),
    EventKind.PLUGIN: Phrase("plugin"),
}

SHOWN_PROMPT_CHARS = 200
_AUTHORS = {"members": Phrase("by members"), "anyone": Phrase("by anyone")}


def problem_of(automation: Automation, language: Language = Language.EN) -> str:
    """Why the file starts nothing: it can't be read. Empty when it can."""
    try:
        stored_trigger(automation.text, automation.slug)
    except DefinitionError as error:
        return Phrase("starts nothing: {error}").said(language, error=error)
    return ""


async def hindrances(
    database: Database,
    secret: Callable[[str], str | None],
    unsent: Collection[EventKind] = (),
) -> tuple[int, list[str]]:
    """The number of automations, and the obstacles of active ones.

    `unsent`: kinds of events that no plug-in tells of.
    """
    automations = Automations(database)
    found, problems = await automations.of(None), list[str]()
    for one in found:
        path = f"/automations/triggers/{one.slug}.md of {one.owner}"
        if problem := problem_of(one):
            problems.append(f"{path} ({one.ref}) {problem}")
        elif one.enabled and one.event in unsent:
            problems.append(
                f"{path} ({one.ref}), event: {one.event} never happens, because no plug-in that is "
                "on tells of it; take its -NAME out of plugins in bellhop.yaml, or pause or delete "
                "the automation"
            )
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


def standing(automation: Automation, language: Language = Language.EN) -> str:
    """The event that it waits for, or why it is paused."""
    try:
        trigger = stored_trigger(automation.text, automation.slug)
    except DefinitionError:
        return problem_of(automation, language)
    if not automation.enabled:
        return paused_in_words(automation.paused_why, language)
    return Phrase("on {event}").said(language, event=_asked(trigger, automation.watches, language))


def line(automation: Automation, opened: bool, language: Language = Language.EN) -> str:
    """One line of a list. `opened`: whether the watched channel is open to automations."""
    closed = automation.watches and not opened and automation.enabled
    waits = f"; {WAITS_FOR_PARTNER.said(language)}" if closed else ""
    stands = standing(automation, language)
    return f"- {automation.ref} {name_of(automation)}: {stands}{waits}"


def shown(
    automation: Automation, opened: bool, now: datetime, language: Language = Language.EN
) -> str:
    """One automation with everything that its owner needs to know."""
    path = f"/automations/triggers/{automation.slug}.md"
    lines = [
        line(automation, opened, language).removeprefix("- "),
        Phrase("file: {path}").said(language, path=path),
    ]
    try:
        trigger = stored_trigger(automation.text, automation.slug)
    except DefinitionError:
        return "\n".join(lines)
    where = (
        Phrase("channel {channel}").said(language, channel=trigger.channel)
        if trigger.channel
        else Phrase("where it was made").said(language)
    )
    cut = "…" if len(trigger.prompt) > SHOWN_PROMPT_CHARS else ""
    does = f"{trigger.prompt[:SHOWN_PROMPT_CHARS]}{cut}"
    lines += [
        Phrase("answers: {where}").said(language, where=where),
        DOES.said(language, what=does),
    ]
    if automation.due is not None:
        left = max(0, round((automation.due - now).total_seconds()))
        lines.append(Phrase("next run: in {seconds} s").said(language, seconds=left))
    return "\n".join(lines)


def name_of(automation: Automation) -> str:
    """What lists call it."""
    try:
        return stored_trigger(automation.text, automation.slug).name
    except DefinitionError:
        return automation.slug


def _asked(trigger: Trigger, watches: str, language: Language) -> str:
    rule = trigger.filter
    parts = [EVENTS[trigger.event].said(language)]
    if trigger.event.in_channel:
        parts.append(Phrase("in {place}").said(language, place=watches.split(":", 2)[-1]))
        by = _AUTHORS.get(rule.author, Phrase("by {author}"))
        parts.append(by.said(language, author=rule.author))
    if rule.emoji:
        parts.append(Phrase("of {emoji}").said(language, emoji=_either(rule.emoji, language)))
    if rule.contains:
        named = _either([repr(word) for word in rule.contains], language)
        parts.append(Phrase("with {words}").said(language, words=named))
    if rule.matches:
        parts.append(Phrase("that matches {pattern}").said(language, pattern=repr(rule.matches)))
    if trigger.event is EventKind.MEETING_PREP:
        parts.append(
            CountedPhrase(Phrase("{count} minute before"), Phrase("{count} minutes before")).said(
                language, rule.minutes
            )
        )
    return " ".join(parts)


def _either(names: Sequence[str], language: Language) -> str:
    return reduce(
        lambda one, other: Phrase("{one} or {other}").said(language, one=one, other=other), names
    )
