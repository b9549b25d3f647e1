"""The file of a trigger: front matter with its event, and the task below."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, cast

from bot.domain.automations import EventKind, Filter, Trigger
from bot.errors import DefinitionError
from bot.skills.front_matter import FrontMatter, read_front_matter
from bot.tools.text.patterns import TextPattern
from bot.yaml_file import kind_of

NAME_CHARS = 80
PROMPT_CHARS = 4_000
WORD_CHARS = 200
MOST_WORDS = 20
LONGEST_WINDOW_S = 86_400
MOST_MINUTES = 24 * 60

_KEYS = ("name", "enabled", "kind", "event", "filter", "channel", "window", "owner")
_FILTERS: Mapping[EventKind, tuple[str, ...]] = {
    EventKind.MESSAGE: ("channel", "contains", "matches", "from"),
    EventKind.REACTION: ("channel", "emoji", "contains", "matches", "from"),
    EventKind.POLL_ENDED: ("channel", "contains", "matches"),
    EventKind.WEBHOOK: ("contains", "matches"),
    EventKind.NEW_PERSON: (),
    EventKind.MEETING_PREP: ("minutes", "contains"),
    EventKind.TODO_ASSIGNED: ("contains", "matches"),
    EventKind.TODO_WOKEN: ("contains", "matches"),
    EventKind.EMAIL_RECEIVED: ("from", "subject", "label", "contains", "matches"),
    EventKind.EMAIL_SENT: ("to", "subject", "label", "contains", "matches"),
    EventKind.EVENT_ADDED: ("contains", "matches"),
    EventKind.PLUGIN: ("source", "contains", "matches"),
}
_NEEDS = {
    EventKind.MEETING_PREP: "meetings or a calendar",
    EventKind.POLL_ENDED: "the plug-in polls",
    EventKind.EMAIL_RECEIVED: "mail",
    EventKind.EMAIL_SENT: "a mailbox",
    EventKind.EVENT_ADDED: "a calendar",
    EventKind.PLUGIN: "a plug-in with events",
}
_ADDRESSED = {EventKind.EMAIL_RECEIVED: "from", EventKind.EMAIL_SENT: "to"}
"""The name of the filter by mail address."""
_ID = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SENDER = re.compile(r"[^\s@<>,;\"]{0,64}@[^\s@<>,;\"]{1,250}")
_CHANNEL_MENTION = re.compile(r"<#([A-Za-z0-9]+)(?:\|[^>]*)?>")


def read_trigger(
    text: str,
    file: str,
    owner: str = "",
    *,
    mail: bool = False,
    calendar: bool = False,
    unsent: Collection[EventKind] = (),
    sources: Collection[str] | None = (),
) -> Trigger:
    """Read a file. Raises DefinitionError, which names file, line, field and remedy.

    `owner`: the person whose file it is; `owner:` may name nobody else. `mail`: whether mail comes
    in here or into a mailbox that the person connected; `calendar`: whether they connected an
    account, which has a mailbox and a calendar. `unsent`: kinds of events that no plug-in tells of.
    `sources`: the event sources of plug-ins; None: any name is taken.
    """
    head = read_front_matter(text, file)
    refuse_other_keys(head, head.values, _KEYS)
    if (kind := head.text("kind")) and kind != "trigger":
        raise head.bad(
            "kind", "kind must be trigger in this folder; schedules are in /automations/schedules"
        )
    if owner and (named := head.text("owner")) and named != owner:
        raise head.bad("owner", f"owner must be {owner}, who writes the file; leave it out")
    there = {
        EventKind.MEETING_PREP: EventKind.MEETING_PREP not in unsent or calendar,
        EventKind.EMAIL_RECEIVED: mail,
        EventKind.EMAIL_SENT: calendar,
        EventKind.EVENT_ADDED: calendar,
        EventKind.PLUGIN: sources is None or bool(sources),
    }
    event = _event(head, [kind for kind in EventKind if there.get(kind, kind not in unsent)])
    return Trigger(
        name=read_name(head),
        event=event,
        prompt=read_prompt(head),
        filter=_filter(head, event, sources),
        channel=_channel(head, ("channel",), head.values.get("channel")),
        window_s=_number(head, ("window",), head.values.get("window"), 1, LONGEST_WINDOW_S),
        enabled=head.flag("enabled", default=True),
    )


@lru_cache(maxsize=512)
def stored_trigger(text: str, slug: str) -> Trigger:
    """The trigger of a stored text; cached, because each message of its channel needs it.

    Raises DefinitionError.
    """
    return read_trigger(
        text, f"/automations/triggers/{slug}.md", mail=True, calendar=True, sources=None
    )


def write_trigger(trigger: Trigger, owner: str) -> str:
    """The file as `read_trigger` reads it."""
    one = trigger.filter
    filters = {
        "channel": quoted(one.channel) if one.channel else "",
        "contains": _list(one.contains),
        "matches": quoted(one.matches) if one.matches else "",
        "emoji": _list(one.emoji),
        "from": quoted(one.author) if "from" in _FILTERS[trigger.event] else "",
        "to": quoted(one.author) if "to" in _FILTERS[trigger.event] else "",
        "subject": _list(one.subject),
        "label": _list(one.label),
        "source": quoted(one.source) if one.source else "",
        "minutes": str(one.minutes) if trigger.event is EventKind.MEETING_PREP else "",
    }
    said = [f"  {key}: {value}" for key, value in filters.items() if value]
    lines = [
        "---",
        f"name: {quoted(trigger.name)}",
        f"enabled: {str(trigger.enabled).lower()}",
        "kind: trigger",
        f"event: {trigger.event}",
        *(["filter:", *said] if said else []),
        *([f"channel: {quoted(trigger.channel)}"] if trigger.channel else []),
        *([f"window: {trigger.window_s}"] if trigger.window_s else []),
        f"owner: {quoted(owner)}",
        "---",
        "",
        trigger.prompt,
    ]
    return "\n".join(lines) + "\n"


# --- shared by both kinds of file ---


def read_name(head: FrontMatter) -> str:
    """`name:` on one line."""
    name = " ".join(head.text("name").split())
    if not name or len(name) > NAME_CHARS:
        raise head.bad("name", f"name must be a few words, at most {NAME_CHARS} characters")
    return name


def read_prompt(head: FrontMatter) -> str:
    """The task below the front matter."""
    if not head.body:
        raise head.bad("", "the task is missing; write below the second --- what to do, in full")
    if len(head.body) > PROMPT_CHARS:
        raise head.bad(
            "", f"the task has {len(head.body)} characters, the limit is {PROMPT_CHARS}; shorten it"
        )
    return head.body


def refuse_other_keys(
    head: FrontMatter, found: Iterable[Any], known: tuple[str, ...], under: str = ""
) -> None:
    """Refuse unknown keys: a misspelt filter must not match everything."""
    for key in found:
        if key in known:
            continue
        near = get_close_matches(str(key), known, 1)
        remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(known) or 'none'}"
        where = f"{under}.{key}" if under else str(key)
        raise at_line(head, (under, key) if under else (key,), f"{where} is not known; {remedy}")


def at_line(head: FrontMatter, path: tuple[Any, ...], message: str) -> DefinitionError:
    """An error at the line of a key."""
    return DefinitionError(f"{head.file}, line {head.document.line(path)}: {message}")


def quoted(text: str) -> str:
    """Any text as a YAML string."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    return f'"{escaped}"'


# --- fields ---


def _event(head: FrontMatter, kinds: Sequence[EventKind]) -> EventKind:
    """One of the kinds that somebody tells of here."""
    said = head.text("event").casefold()
    if said in kinds:
        return EventKind(said)
    if needs := next((what for kind, what in _NEEDS.items() if kind == said), ""):
        raise head.bad(
            "event",
            f"event: {said} needs {needs}, which is not connected; there are {', '.join(kinds)}",
        )
    raise head.bad(
        "event", f"event: {said[:40] or 'nothing'} is not known; there are {', '.join(kinds)}"
    )


def _filter(head: FrontMatter, event: EventKind, sources: Collection[str] | None) -> Filter:
    value = head.values.get("filter")
    if value is None and event is not EventKind.PLUGIN:
        return Filter()
    if value is None:
        value = {}
    if not isinstance(value, dict):
        raise head.bad(
            "filter", f"filter must be indented lines `key: value`, not a {kind_of(value)}"
        )
    given = cast("dict[str, Any]", value)
    refuse_other_keys(head, given, _FILTERS[event], "filter")
    return Filter(
        channel=_channel(head, ("filter", "channel"), given.get("channel")),
        contains=_words(head, "contains", given.get("contains")),
        matches=_pattern(head, given.get("matches")),
        emoji=tuple(word.strip(":") for word in _words(head, "emoji", given.get("emoji"))),
        author=_address(head, address, given.get(address))
        if (address := _ADDRESSED.get(event))
        else _author(head, given.get("from")),
        subject=_words(head, "subject", given.get("subject")),
        label=_words(head, "label", given.get("label")),
        minutes=_number(head, ("filter", "minutes"), given.get("minutes"), 1, MOST_MINUTES)
        or Filter.minutes,
        source=_source(head, given.get("source"), sources) if event is EventKind.PLUGIN else "",
    )


def _source(head: FrontMatter, value: Any, sources: Collection[str] | None) -> str:
    said = str(value or "").strip()
    if not said or (sources is not None and said not in sources):
        there = ", ".join(sorted(sources or ()))
        raise at_line(
            head,
            ("filter", "source"),
            f"filter.source: {said[:40] or 'nothing'} is no event source of a plug-in; there are "
            f"{there}",
        )
    return said


def _channel(head: FrontMatter, path: tuple[str, ...], value: Any) -> str:
    if value is None:
        return ""
    said = str(value).strip()
    mention = _CHANNEL_MENTION.fullmatch(said)
    said = mention[1] if mention else said
    if isinstance(value, dict | list | bool) or not _ID.fullmatch(said):
        raise at_line(
            head,
            path,
            f"{'.'.join(path)} must be the id of a channel, in quotes; leave it out for this one. "
            "For another the person best says this there",
        )
    return said


def _words(head: FrontMatter, key: str, value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    found = [
        item.strip()
        for item in items
        if isinstance(item, str) and 0 < len(item.strip()) <= WORD_CHARS
    ]
    if len(found) != len(items) or not 0 < len(found) <= MOST_WORDS:
        text = (
            f"filter.{key} must be a text or a list of at most {MOST_WORDS} texts; put each in "
            "quotes"
        )
        raise at_line(head, ("filter", key), text)
    return tuple(found)


def _pattern(head: FrontMatter, value: Any) -> str:
    if value is None:
        return ""
    try:
        TextPattern(regex=value if isinstance(value, str) else "")
    except ValueError as error:
        raise at_line(
            head, ("filter", "matches"), f"filter.matches {error}; quote it, or use contains"
        ) from None
    return str(value)


def _author(head: FrontMatter, value: Any) -> str:
    said = Filter.author if value is None else str(value).strip()
    if not _ID.fullmatch(said):
        raise at_line(
            head, ("filter", "from"), "filter.from must be members, anyone, or the id of one person"
        )
    return said


def _address(head: FrontMatter, key: str, value: Any) -> str:
    """The addresses whose mail matches: anyone, one address, or a domain."""
    said = "anyone" if value is None else str(value).strip().casefold()
    if said != "anyone" and not _SENDER.fullmatch(said):
        text = (
            f'filter.{key} must be an address such as "ann@example.org", a domain such as '
            f'"@example.org", or anyone'
        )
        raise at_line(head, ("filter", key), text)
    return said


def _number(
    head: FrontMatter, path: tuple[str, ...], value: Any, least: int, most: int
) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise at_line(head, path, f"{'.'.join(path)} must be a whole number from {least} to {most}")
    return value


def _list(words: tuple[str, ...]) -> str:
    return f"[{', '.join(quoted(word) for word in words)}]" if words else ""
