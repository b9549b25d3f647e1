"""Which script serves what the person wrote: the first rule that understands it."""

from collections.abc import Callable
from datetime import datetime

from bot.llm.offline import files, knowledge, notes, people, sums, talk, todos
from bot.llm.offline.phrases import sentences
from bot.llm.offline.script import JustSay, Script

PARTS_MAX = 5
LONGEST = 4_000
"""Longer texts are no simple wish; the rules don't look at them."""

_RULES: tuple[Callable[[str, datetime], Script | None], ...] = (
    talk.match,
    sums.match,
    todos.match,
    notes.match,
    files.match,
    knowledge.match,
    people.match,
)


def script_for(text: str, now: datetime) -> Script:
    """The script for a message. Several sentences that are each understood are served one after another."""
    if len(text) > LONGEST:
        return talk.fallback(text)
    parts = sentences(text)
    if 1 < len(parts) <= PARTS_MAX:
        scripts = [_match(part, now) for part in parts]
        known = [script for script in scripts if script is not None]
        if len(known) == len(parts):
            return _in_turn(known)
    return _match(text, now) or talk.fallback(text)


def _match(text: str, now: datetime) -> Script | None:
    return next((script for rule in _RULES if (script := rule(text, now)) is not None), None)


def _in_turn(scripts: list[Script]) -> Script:
    told: list[str] = []
    for script in scripts:
        try:
            told.append((yield from script))
        except JustSay as said:
            told.append(said.text)
    return "\n\n".join(told)
