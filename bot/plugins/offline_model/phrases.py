"""Reads small parts of English: politeness around a wish, lists, file paths, titles, and when.

A tool reads the words of a time (`call Ann tomorrow at 5pm`), in the person's own zone.
"""

import re
from collections.abc import Generator, Iterable, Sequence
from datetime import datetime, time

from bot.plugin.dates import read_repeat, says_when
from bot.plugin.models import JsonObject
from bot.plugins.offline_model.script import Round, ask
from bot.plugins.offline_model.situation import CallOutcome

_POLITE = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|then|also|now|well|bellhop|please|kindly|just)\b[\s,!.:]*"
    r"|(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to |i want you to |i want "
    r"to |let's )+",
    re.IGNORECASE,
)
_CLOSING = ("please", "thanks", "thank you", "for me")
_QUOTES = "\"'“”\u2018\u2019`"
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[A-Z“\"'/]|[a-z]+ )|\n+")
_LIST = re.compile(r"\s*(?:,\s*and\b|,|;|\band\b|\n)\s*", re.IGNORECASE)
_PATH = re.compile(
    r"(?<![\w/])(?:/[\w][\w.\-]*(?:/[\w.\-]+)*/?"
    r"|[\w][\w\-]*(?:/[\w\-]+)*\.(?:md|txt|csv|json|yaml|log))\b/?"
)
_DAILY = re.compile(
    r"\b(?:(?:my|the)\s+)?(?:(?P<of>today|yesterday)['\u2019]s\s+(?:daily\s+)?note(?!s)"
    r"|daily\s+note(?!s)(?:\s+(?:of|for|from)\s+(?P<day>today|yesterday))?)\b",
    re.IGNORECASE,
)
DOCUMENTS = "/documents"
_MOST_WORDS = 7
_INTRODUCTION = re.compile(r"^(?:(?:due|by|on|for|until|before)\s+)+", re.IGNORECASE)
_ANY_TIME = datetime(2026, 1, 1)  # noqa: DTZ001 - only whether the words mean a repetition matters
_CHOICE = re.compile(r"(\d{4}-\d\d-\d\d\S*) \(((?:[^()]|\([^()]*\))*)\)")


def plain(text: str) -> str:
    """The wish without greeting, politeness and closing punctuation."""
    wish = _POLITE.sub("", text.strip())
    before = None
    while wish != before:
        before = wish
        wish = wish.rstrip(" \t\n,.!?")
        for word in _CLOSING:
            if wish.casefold().endswith((f" {word}", f",{word}")):
                wish = wish[: -len(word)]
    return wish.strip()


def unquote(text: str) -> str:
    """A name or title without the quotes, colons and dashes around it."""
    return text.strip().strip(":,;\u2013—").strip().strip(_QUOTES).strip()


def sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


def items(text: str) -> list[str]:
    """`milk, bread and eggs` as three titles."""
    return [item for part in _LIST.split(text) if (item := unquote(part))]


def find_path(text: str) -> str | None:
    """The first file or folder in the text, as an absolute path; bare names are in /documents."""
    found = _PATH.search(text)
    return absolute(found.group()) if found else None


def absolute(name: str) -> str:
    cleaned = name.strip().strip(_QUOTES).rstrip(".,;:")
    return cleaned if cleaned.startswith("/") else f"{DOCUMENTS}/{cleaned}"


def with_daily_note(text: str) -> str:
    """The path of the note of a day, where the text names it in words."""
    return _DAILY.sub(
        lambda found: f"/daily-notes/{(found['of'] or found['day'] or 'today').lower()}.md", text
    )


def without_path(text: str) -> str:
    return _PATH.sub("", text, count=1)


def listing(lines: Iterable[str]) -> str:
    """A markdown list; every item on one line."""
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def with_left_out(answer: str, result: JsonObject) -> str:
    """The answer, with the tool's note about private things that it left out here."""
    said = result.get("left_out")
    return f"{answer}\n\n{said}." if said else answer


def spoken(stored: str) -> str:
    """A tool's time (`2026-11-22T15:56+01:00`) for people to read; other texts stay the same."""
    if "T" not in stored:
        return stored
    try:
        moment = datetime.fromisoformat(stored)
    except ValueError:
        return stored
    return f"{moment:%A} {moment.day} {moment:%B %Y, %H:%M}"


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def best_matches(wanted: str, titles: Sequence[str]) -> list[int]:
    """Positions of the best titles: equal, else containing `wanted`, else sharing most words."""
    goal = _folded(wanted)
    if not goal:
        return []
    folded = [_folded(title) for title in titles]
    if same := [index for index, title in enumerate(folded) if title == goal]:
        return same
    if within := [
        index for index, title in enumerate(folded) if goal in title or (title and title in goal)
    ]:
        return within
    words = set(goal.split())
    shared = [len(words & set(title.split())) for title in folded]
    best = max(shared, default=0)
    return [index for index, count in enumerate(shared) if best and count == best]


def _folded(text: str) -> str:
    words = re.sub(r"[^\w\s]", " ", text.casefold()).split()
    return " ".join(word for word in words if word not in {"the", "a", "an", "my"})


def split_due(text: str, now: datetime) -> tuple[str, str | None]:
    """A title and the date or time at its end, as said; a text that is only a date is all title."""
    words = list(re.finditer(r"\S+", text))
    for word in words[1:][-_MOST_WORDS:]:
        phrase = text[word.start() :].strip(" ,()")
        if says_when(phrase, now):
            return text[: word.start()].strip(" ,("), _INTRODUCTION.sub("", phrase)
    return text, None


def split_repeat(text: str) -> tuple[str, str | None]:
    """A title and its repetition, said at its end (`water the plants every Monday at 9`)."""
    words = list(re.finditer(r"\S+", text))
    for word in words[1:][-_MOST_WORDS:]:
        phrase = text[word.start() :].strip(" ,()")
        if read_repeat(phrase, time(), _ANY_TIME) is not None:
            return text[: word.start()].strip(" ,("), phrase
    return text, None


def split_repeat_first(text: str) -> tuple[str, str | None]:
    """Like `split_repeat`, with the repetition first (`every Monday at 9 water the plants`)."""
    words = list(re.finditer(r"\S+", text))
    for word in reversed(words[1 : _MOST_WORDS + 1]):
        often = text[: word.start()].strip(" ,:")
        if read_repeat(often, time(), _ANY_TIME) is not None:
            return text[word.start() :], often
    return text, None


def chosen(refusal: CallOutcome) -> Generator[Round, tuple[CallOutcome, ...], str | None]:
    """The person's choice between two readings of a date; None if the tool found fewer."""
    choices = {spoken: written for written, spoken in _CHOICE.findall(refusal.text)}
    if not refusal.is_error or len(choices) < 2:
        return None
    answer = yield from ask("Which one do you mean?", *choices)
    return choices.get(answer, answer)
