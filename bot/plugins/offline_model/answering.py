"""The reply to a request of the Messages API, made by rules."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from bot.plugin.models import (
    OFFLINE_NAME,
    JsonObject,
    ModelReply,
    ModelRequest,
    Usage,
    as_objects,
    blocks_of,
    through_dispatcher,
)
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
from bot.plugins.offline_model.script import JustSay, Round, Say, Script, decide
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


_WORD = re.compile(r"\s*\S+|\s+\Z")
_TRANSCRIPT = re.compile(r'\A<quoted kind="transcript"[^>\n]*>\n(.*)\n</quoted>\Z', re.DOTALL)
_SAID = re.compile(r"^\[(person:[^\]\n]+|you)\] (.+)$", re.MULTILINE)
_ENTRIES = 40
_ENTRY_CHARS = 200


def answer(
    request: ModelRequest,
    now: datetime,
    first: Callable[[Situation], Script | None] = lambda _situation: None,
) -> ModelReply:
    """The same request gets the same reply, except for the day of `tomorrow`.

    `first` may give the script for a situation; else the rules do.
    """
    situation = Situation.read(request)
    if summary := _extract(request):
        return _said(summary)
    match decide(situation, first(situation) or script_for(situation, now)):
        case Say(text):
            return _said(text)
        case step:
            return _calling(step.calls, situation.calls_before, request)


def request_of(body: JsonObject) -> ModelRequest:
    """What a body of the Messages API asks."""
    return ModelRequest(
        tuple(blocks_of({"content": body.get("system")})),
        tuple(as_objects(body.get("tools"))),
        tuple(as_objects(body.get("messages"))),
        int(body.get("max_tokens", 0)),
    )


def words(text: str) -> list[str]:
    """Word-sized pieces that join to exactly this text."""
    return _WORD.findall(text)


def _said(text: str) -> ModelReply:
    return _reply(({"type": "text", "text": text},), "end_turn", text)


def _calling(calls: Round, before: int, request: ModelRequest) -> ModelReply:
    uses: list[JsonObject] = [
        {
            "type": "tool_use",
            "id": f"toolu_offline_{number}",
            "name": call.name,
            "input": call.arguments,
        }
        for number, call in enumerate(calls, before + 1)
    ]
    content = through_dispatcher(uses, request.tools)
    return _reply(content, "tool_use", str(list(content)))


def _reply(content: tuple[JsonObject, ...], stop_reason: str, text: str) -> ModelReply:
    # Nothing is counted or paid here, so each word of the reply counts as a token.
    usage = Usage(output_tokens=len(words(text)))
    return ModelReply(content, stop_reason, usage, OFFLINE_NAME, "req_offline")


def _extract(request: ModelRequest) -> str | None:
    """In place of a summary: first lines of the newest messages in a quoted transcript.

    None if there is none.
    """
    if len(request.messages) != 1:
        return None
    for block in blocks_of(request.messages[0]):
        if found := _TRANSCRIPT.match(str(block.get("text") or "")):
            lines = [f"- {who}: {_short(text)}" for who, text in _SAID.findall(found[1])]
            told = "\n".join(lines[-_ENTRIES:]) or "- nothing in words"
            return (
                "<summary>\n## Said (an extract: the offline model can't "
                f"summarise)\n{told}\n</summary>"
            )
    return None


def _short(text: str) -> str:
    return text if len(text) <= _ENTRY_CHARS else text[: _ENTRY_CHARS - 1] + "…"
