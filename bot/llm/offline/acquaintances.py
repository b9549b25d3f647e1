"""People: who somebody is, and when the person last talked with them."""

import re
from datetime import datetime
from typing import cast

from bot.domain.json_types import JsonObject
from bot.llm.blocks import as_objects
from bot.llm.offline.phrases import plain, unquote
from bot.llm.offline.script import JustSay, Script, need

TOOL = "people"
_WHO = re.compile(r"^who(?:'s| is| are| am)\s+(?P<name>.+)$", re.IGNORECASE)
_TALKED = re.compile(
    r"^when\s+(?:did|have)\s+(?:we|i)\s+last\s+(?:talk|speak|spoke|talked|spoken|hear|heard)"
    r"(?:\s+(?:to|with|from))?\s*(?P<name>.*)$",
    re.IGNORECASE,
)
_FORGET = re.compile(r"^forget\s+me$", re.IGNORECASE)
_SOMEBODY = re.compile(r"@?<?@?[^\W\d_a-z]|me$|am i$|i$|@|<@")
"""A name begins with a capital; "my dentist" is looked up in the person's knowledge."""


def match(text: str, now: datetime) -> Script | None:
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
    outcome = yield from need(TOOL, action="find", query=name)
    people = as_objects(outcome.object.get("people"))
    if not people:
        return f"I don't know anybody called {name} here."
    return "\n\n".join(_described(person) for person in people)


def _talked(name: str) -> Script:
    if not name:
        raise JustSay("With whom? Say *when did we last talk to Ann?*")
    outcome = yield from need(TOOL, action="find", query=name)
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
    yield from need(TOOL, action="forget")
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
    found = person.get(field)
    return [str(one) for one in cast("list[object]", found)] if isinstance(found, list) else []
