"""Search: what people said, and where something is written."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.dates.past import Period, read_past
from bot.domain.json_types import JsonObject
from bot.llm.blocks import as_objects
from bot.llm.offline.phrases import listing, plain, spoken, unquote
from bot.llm.offline.script import Script, need

TOOL = "search"
SHOWN = 5
MOST_WORDS = 4
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

_SEEN = {"them": "you", "you, Bellhop": "I"}
"""The tool's result speaks of the person; the answer speaks to the person."""


def match(text: str, now: datetime) -> Script | None:
    """The script for a wish to find what was said, or None."""
    wish = plain(text)
    if found := _SAID.match(wish):
        what, when = _split_when(unquote(found["what"] or found["what2"]), now)
        by = _by(found["who"] or "we")
        return _found(what, when, entityType="chat", **({"from": by} if by else {}))
    if found := _SEARCH.match(wish):
        what, when = _split_when(unquote(found["what"] or found["what2"]), now)
        return _found(what, when)
    return None


def _by(who: str) -> str:
    if who.casefold() in _ALL:
        return ""
    return "me" if who.casefold() == "i" else who


def _split_when(text: str, now: datetime) -> tuple[str, str]:
    """The words to look for, and the time at their end (`the budget last week`)."""
    words = list(re.finditer(r"\S+", text))
    for word in words[1:][-MOST_WORDS:]:
        phrase = text[word.start() :]
        if isinstance(read_past(phrase, now, ZoneInfo("UTC")), Period):
            return text[: word.start()].strip(" ,"), phrase
    return text, ""


def _found(what: str, when: str, **more: str) -> Script:
    period = {"after": when, "before": when} if when else {}
    outcome = yield from need(TOOL, query=what, **more, **period)
    hits = as_objects(outcome.object.get("hits"))
    hidden = outcome.object.get("leftOut")
    left_out = f"\n\n{hidden}." if hidden else ""
    if not hits:
        return f"I found nothing about {what} that you may read here.{left_out}"
    return f"About {what}:\n\n{listing(map(_line, hits[:SHOWN]))}{left_out}"


def _line(hit: JsonObject) -> str:
    where = " ".join(str(hit[part]) for part in ("where", "title") if hit.get(part)) or str(
        hit.get("ref", "")
    )
    by = f"{_SEEN.get(str(hit['by']), str(hit['by']))}, " if hit.get("by") else ""
    link = f" ({hit['link']})" if hit.get("link") else ""
    text = " ".join(str(hit.get("text", "")).split())
    again = f", and {len(others)} times more" if (others := as_objects(hit.get("again"))) else ""
    return f"{by}{where}, {spoken(str(hit.get('when', '')))}{again}: “{text}”{link}"
