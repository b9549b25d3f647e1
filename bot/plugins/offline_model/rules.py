"""Chooses the script for what the person wrote: the first rule that understands it wins.

Of a skill, the steps that the rules understand are carried out, and the others named.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from bot.plugins.offline_model import (
    acquaintances,
    files,
    knowledge,
    meetings,
    notes,
    people,
    schedules,
    sums,
    talk,
    todos,
)
from bot.plugins.offline_model.phrases import listing, sentences
from bot.plugins.offline_model.script import JustSay, Script
from bot.plugins.offline_model.situation import RunSkill, Situation

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
    acquaintances.who_is,
    files.match,
    acquaintances.what_was_said,
    knowledge.match,
    people.match,
)


_STEPS = (sums.match, todos.match, notes.match, meetings.match, files.match, knowledge.match)
"""Rules for the steps of a skill: without small talk and questions to other agents."""
_STEPS_MAX = 5
"""The most steps carried out; each takes rounds of calls, and a request has few."""
_SHOWN_CHARS = 3_000
_STEP_CHARS = 120
_STEP = re.compile(r"^\d{1,2}[.)]\s+(?P<text>\S.*)$")
_SENTENCE_ENDS = re.compile(r"[.!?;]\s+\S")
_EMPHASIS = re.compile(r"\*\*|`")
_Match = Callable[[str], Script | None]


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
        return _run_skill(situation.skill, task, lambda step: _first(_STEPS, step, now))
    if any(file.name in text for file in situation.files):
        return files.keep(situation.files)
    known = _understood(text, now, situation.listed)
    if known is None and situation.files:
        return files.keep(situation.files)
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


def _run_skill(skill: RunSkill, task: str, match: _Match) -> Script:
    """Carry out what the person wrote after the command, then the skill's steps."""
    steps = _steps(skill.body) if skill.vouched else []
    known = [
        (step, script) for step in steps if _simple(step) and (script := match(step)) is not None
    ][:_STEPS_MAX]
    own = match(task) if task else None
    if not known and own is None:
        return _only_shown(skill)
    return _carried_out(skill.name, [*([(task, own)] if own else []), *known], steps)


def _steps(body: str) -> list[str]:
    """Its numbered lines, without emphasis."""
    found = [_STEP.match(line) for line in body.splitlines()]
    return [_EMPHASIS.sub("", step["text"]).strip() for step in found if step]


def _simple(step: str) -> bool:
    """Whether a step is one short wish; the rules don't understand explanations and cases."""
    return len(step) <= _STEP_CHARS and not _SENTENCE_ENDS.search(step)


def _carried_out(name: str, known: list[tuple[str, Script]], steps: list[str]) -> Script:
    told: list[str] = []
    for step, script in known:
        try:
            result = yield from script
        except JustSay as said:
            result = said.text
        told.append(f"*{step}*\n{result}")
    done = {step for step, _ in known}
    left = [step for step in steps if step not in done]
    rest = f"\n\nThese steps I don't understand; they are yours:\n\n{listing(left)}" if left else ""
    head = f"I'm running on the offline model and carry out what I understand of the skill {name}:"
    return "\n\n".join([head, *told]) + rest


def _only_shown(skill: RunSkill) -> Script:
    yield from ()
    name, body = skill.name, skill.body
    text = body if len(body) <= _SHOWN_CHARS else body[:_SHOWN_CHARS].rstrip() + "\n…"
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    why = "understands no step" if skill.vouched else "does nothing by itself for the sake"
    return (
        f"I'm running on the offline model, which follows simple rules and {why} of the skill "
        f"{name}. It says:\n\n{quoted}"
    )
