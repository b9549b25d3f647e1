"""People: who somebody is, when the person last talked with them, and what people said."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.plugin.dates import Period, read_past
from bot.plugin.models import JsonObject, as_objects, as_values
from bot.plugins.offline_model.phrases import listing, plain, spoken, unquote
from bot.plugins.offline_model.script import JustSay, Script, need

_PEOPLE_TOOL = "people"
_WHO = re.compile(r"^who(?:'s| is| are| am)\s+(?P<name>.+)$", re.IGNORECASE)
_TALKED = re.compile(
    r"^when\s+(?:did|have)\s+(?:we|i)\s+last\s+(?:talk|speak|spoke|talked|spoken|hear|heard)"
    r"(?:\s+(?:to|with|from))?\s*(?P<name>.*)$",
    re.IGNORECASE,
)
_FORGET = re.compile(r"^forget\s+me$", re.IGNORECASE)
_SOMEBODY = re.compile(r"@?<?@?[^\W\d_a-z]|me$|am i$|i$|@|<@")
"""A name begins with a capital; "my dentist" is looked up in the person's knowledge."""
_SEARCH_TOOL = "search"
_SHOWN = 5
_MOST_WORDS = 4
"""The most words in a time at the end of a wish: `the past two weeks`."""
_SAID = re.compile(
    r"^what\s+(?:did|have|has)\s+(?P<who>\S+(?:\s+\S+)?)\s+(?:say|said|write|written|wrote)"
    r"\s+(?:about|on|of)\s+"
    r"(?:the\s+)?(?P<what>.+)$|^what\s+was\s+(?:said|written)\s+about\s+(?:the\s+)?(?P<what2>.+)$",
    re.IGNORECASE,
)
_SEARCH = re.compile(
    r"^(?:search\s+(?:the\s+)?(?:chat|channels?|messages)\s+for|search(?:\s+for)?|look\s+for)"
    r"\s+(?P<what>.+)$"
    r"|^find\s+(?:the\s+)?(?:messages?|posts?)\s+(?:about|with|of|on)\s+(?:the\s+)?(?P<what2>.+)$",
    re.IGNORECASE,
)
_ALL = frozenset(
    {
        "we",
        "people",
        "they",
        "anybody",
        "anyone",
        "somebody",
        "someone",
        "everybody",
        "everyone",
        "you all",
    }
)
_SEEN = {"the asker": "you", "you, Bellhop": "I"}
"""The tool's result speaks of the person; the answer speaks to the person."""


def who_is(text: str, now: datetime) -> Script | None:
    """The script for a wish about people, or None."""
    wish = plain(text)
    if found := _TALKED.match(wish):
        return _talked(unquote(found["name"]))
    if _FORGET.match(wish):
        return _forget()
    if (found := _WHO.match(wish)) and _SOMEBODY.match(found["name"]):
        name = unquote(found["name"])
        return _who("me" if name.casefold() in {"me", "i", "am i"} else name)
    return None


def _who(name: str) -> Script:
    outcome = yield from need(_PEOPLE_TOOL, action="find", query=name)
    people = as_objects(outcome.object.get("people"))
    if not people:
        return f"I don't know anybody called {name} here."
    return "\n\n".join(_described(person) for person in people)


def _talked(name: str) -> Script:
    if not name:
        raise JustSay("With whom? Say *when did we last talk to Ann?*")
    outcome = yield from need(_PEOPLE_TOOL, action="find", query=name)
    people = as_objects(outcome.object.get("people"))
    lines: list[str] = []
    for person in people:
        talked, wrote = person.get("last_talked"), person.get("last_wrote")
        where = f" in {person['where']}" if person.get("where") else ""
        if talked:
            lines.append(
                f"**{person.get('name')}** last wrote where you write, too: {talked}{where}."
            )
        elif wrote:
            lines.append(
                f"**{person.get('name')}** last wrote {wrote}, where you have written nothing yet."
            )
        else:
            lines.append(
                f"I have seen nothing that **{person.get('name')}** wrote where all can read it."
            )
    return "\n".join(lines) or f"I don't know anybody called {name} here."


def _forget() -> Script:
    yield from need(_PEOPLE_TOOL, action="forget")
    return (
        "I keep no file about you any more. Your name stays where you wrote, and what others noted "
        "for themselves."
    )


def _described(person: JsonObject) -> str:
    about = [str(person[field]) for field in ("title", "timezone") if person.get(field)]
    about += [f"there it is {person['their_time']}"] if person.get("their_time") else []
    also = _texts(person, "also")
    called = f" ({', '.join(also)})" if also else ""
    lines = [f"**{person.get('name')}**{called}{': ' if about else ''}{', '.join(about)}"]
    lines += [f"You last talked {person['last_talked']}."] if person.get("last_talked") else []
    lines += [f"- {note}" for note in _texts(person, "notes")]
    if person.get("offer"):
        lines.append(
            f"Maybe the same as {', '.join(_texts(person, 'maybe_the_same'))}: `{person['offer']}`"
        )
    return "\n".join(lines)


def _texts(person: JsonObject, field: str) -> list[str]:
    return [str(one) for one in as_values(person.get(field))]


def what_was_said(text: str, now: datetime) -> Script | None:
    """The script for a wish to find what was said, or None."""
    wish = plain(text)
    if found := _SAID.match(wish):
        what, when = _split_when(unquote(found["what"] or found["what2"]), now)
        by = _by(found["who"] or "we")
        return _searched(what, when, entityType="chat", **({"from": by} if by else {}))
    if found := _SEARCH.match(wish):
        what, when = _split_when(unquote(found["what"] or found["what2"]), now)
        return _searched(what, when)
    return None


def _by(who: str) -> str:
    if who.casefold() in _ALL:
        return ""
    return "me" if who.casefold() == "i" else who


def _split_when(text: str, now: datetime) -> tuple[str, str]:
    """The words to look for, and the time at their end (`the budget last week`)."""
    words = list(re.finditer(r"\S+", text))
    for word in words[1:][-_MOST_WORDS:]:
        phrase = text[word.start() :]
        if isinstance(read_past(phrase, now, ZoneInfo("UTC")), Period):
            return text[: word.start()].strip(" ,"), phrase
    return text, ""


def _searched(what: str, when: str, **more: str) -> Script:
    period = {"after": when, "before": when} if when else {}
    outcome = yield from need(_SEARCH_TOOL, query=what, **more, **period)
    hits = as_objects(outcome.object.get("hits"))
    hidden = outcome.object.get("leftOut")
    left_out = f"\n\n{hidden}." if hidden else ""
    if not hits:
        return f"I found nothing about {what} that you may read here.{left_out}"
    return f"About {what}:\n\n{listing(map(_line, hits[:_SHOWN]))}{left_out}"


def _line(hit: JsonObject) -> str:
    where = " ".join(str(hit[part]) for part in ("where", "title") if hit.get(part)) or str(
        hit.get("ref", "")
    )
    by = f"{_SEEN.get(str(hit['by']), str(hit['by']))}, " if hit.get("by") else ""
    link = f" ({hit['link']})" if hit.get("link") else ""
    text = " ".join(str(hit.get("text", "")).split())
    again = f", and {len(others)} times more" if (others := as_objects(hit.get("again"))) else ""
    return f"{by}{where}, {spoken(str(hit.get('when', '')))}{again}: “{text}”{link}"
