"""Runs a skill: carries out the steps that the rules understand, and names the others."""

import re
from collections.abc import Callable

from bot.llm.offline.phrases import listing
from bot.llm.offline.script import JustSay, Script
from bot.llm.offline.situation import RunSkill

STEPS_MAX = 5
"""The most steps carried out; each takes rounds of calls, and a request has few."""
SHOWN_CHARS = 3_000
STEP_CHARS = 120
_STEP = re.compile(r"^\d{1,2}[.)]\s+(?P<text>\S.*)$")
_SENTENCE_ENDS = re.compile(r"[.!?;]\s+\S")
_EMPHASIS = re.compile(r"\*\*|`")
Match = Callable[[str], Script | None]


def run(skill: RunSkill, task: str, match: Match) -> Script:
    """Carry out what the person wrote after the command, then the skill's steps."""
    steps = _steps(skill.body) if skill.vouched else []
    known = [
        (step, script) for step in steps if _simple(step) and (script := match(step)) is not None
    ][:STEPS_MAX]
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
    return len(step) <= STEP_CHARS and not _SENTENCE_ENDS.search(step)


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
    text = body if len(body) <= SHOWN_CHARS else body[:SHOWN_CHARS].rstrip() + "\n…"
    quoted = "\n".join(f"> {line}" for line in text.splitlines())
    why = "understands no step" if skill.vouched else "does nothing by itself for the sake"
    return (
        f"I'm running on the offline model, which follows simple rules and {why} of the skill "
        f"{name}. It"
        f" says:\n\n{quoted}"
    )
