"""Which script serves what the person wrote: the first rule that understands it."""

from collections.abc import Callable, Sequence
from datetime import datetime

from bot.llm.offline import files, knowledge, notes, people, skills, sums, talk, todos
from bot.llm.offline.phrases import sentences
from bot.llm.offline.script import JustSay, Script
from bot.llm.offline.situation import RunSkill

PARTS_MAX = 5
LONGEST = 4_000
"""Longer texts are no simple wish; the rules don't look at them."""

Rule = Callable[[str, datetime], Script | None]
_RULES: tuple[Rule, ...] = (
    talk.match,
    sums.match,
    todos.match,
    notes.match,
    files.match,
    knowledge.match,
    people.match,
)


_STEPS = (sums.match, todos.match, notes.match, files.match, knowledge.match)
"""What a step of a skill is understood by: nothing that only makes conversation or asks other agents."""


def script_for(text: str, now: datetime, skill: RunSkill | None = None) -> Script:
    """The script for a message. Several sentences that are each understood are served one after another.

    `skill` is what the message runs; what stands behind the command is its task.
    """
    if skill is not None:
        task = text.partition(" ")[2].strip()
        return skills.run(skill, task, lambda step: _first(_STEPS, step, now))
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
    return _first(_RULES, text, now)


def _first(rules: Sequence[Rule], text: str, now: datetime) -> Script | None:
    return next((script for rule in rules if (script := rule(text, now)) is not None), None)


def _in_turn(scripts: list[Script]) -> Script:
    told: list[str] = []
    for script in scripts:
        try:
            told.append((yield from script))
        except JustSay as said:
            told.append(said.text)
    return "\n\n".join(told)
