"""Chooses the script for what the person wrote: the first rule that understands it wins."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from bot.llm.offline import (
    acquaintances,
    attachments,
    files,
    knowledge,
    meetings,
    notes,
    people,
    schedules,
    searching,
    skills,
    sums,
    talk,
    todos,
)
from bot.llm.offline.phrases import sentences
from bot.llm.offline.script import JustSay, Script
from bot.llm.offline.situation import Situation

PARTS_MAX = 5
LONGEST = 4_000
"""The most characters of a simple wish; the rules ignore longer texts."""

Rule = Callable[[str, datetime], Script | None]
_RULES: tuple[Rule, ...] = (
    talk.match,
    sums.match,
    schedules.match,
    todos.match,
    notes.match,
    meetings.match,
    acquaintances.match,
    files.match,
    searching.match,
    knowledge.match,
    people.match,
)


_STEPS = (sums.match, todos.match, notes.match, meetings.match, files.match, knowledge.match)
"""Rules for the steps of a skill: without small talk and questions to other agents."""


def script_for(situation: Situation, now: datetime) -> Script:
    """The script for a message.

    Sentences that are each understood are served one after another, and so are lines that joined
    one request. The text behind the command of a skill is its task.
    """
    if situation.decided:
        return talk.said(situation.decided)
    if situation.earlier and situation.skill is None and not situation.files:
        lines = (*situation.earlier, situation.task)
        return _in_turn(
            [script_for(replace(situation, task=line, earlier=()), now) for line in lines]
        )
    text = situation.task
    if situation.skill is not None:
        task = text.partition(" ")[2].strip()
        return skills.run(situation.skill, task, lambda step: _first(_STEPS, step, now))
    if any(file.name in text for file in situation.files):
        return attachments.keep(situation.files)
    known = _understood(text, now, situation.listed)
    if known is None and situation.files:
        return attachments.keep(situation.files)
    return known or talk.fallback(text, situation.listed)


def _understood(text: str, now: datetime, tools: Collection[str]) -> Script | None:
    if len(text) > LONGEST:
        return None
    parts = sentences(text)
    if 1 < len(parts) <= PARTS_MAX:
        scripts = [_match(part, now, tools) for part in parts]
        known = [script for script in scripts if script is not None]
        if len(known) == len(parts):
            return _in_turn(known)
    return _match(text, now, tools)


def _match(text: str, now: datetime, tools: Collection[str]) -> Script | None:
    return talk.abilities(text, tools) or _first(_RULES, text, now)


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
