"""The text of `/why`: the trail of one message from its event to the last send.

The only input is rows. The output quotes nobody but the reader, and contains no tool input or
output and no secrets.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, assert_never, cast

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed
from bot.domain.step_keys import StepKind, read_step_key
from bot.domain.tool_outcomes import SILENT
from bot.domain.turns import TurnRecord
from bot.domain.work import (
    Accepted,
    CompactionWork,
    ControlWork,
    DecisionWork,
    DelegationWork,
    GivenAnswer,
    HeardMessage,
    InterviewWork,
    MessageWork,
    ReminderWork,
    ScheduleWork,
    SkillWork,
    StrangerWork,
    TodoWork,
    TriggerWork,
    find_work,
)
from bot.log import redact
from bot.sessions.outbox.outbox_store import KeptSend
from bot.sessions.reports.rule_words import is_secret, meaning

WORDS_CHARS = 100
ERROR_CHARS = 200
MOST_LINES = 40
"""Lines about models and tools; `bellhop cycles show` tells longer runs."""

_ADDRESSED = {
    "dm": "a direct message",
    "mention": "a mention",
    "reply": "a reply to me",
    "followed": "a message in a thread that I follow",
    "command": "a command or click",
    "none": "not addressed to me",
}
_RATED = {True: "it helped", False: "it did not help"}
_FORGOTTEN = "words that were forgotten"
_OWN = "work of my own"
_SILENT = {
    "banned": "not answered: the sender is banned; it was only recorded",
    "bot": "not answered: the sender is a bot; it was only recorded",
    "missed": (
        "not answered: it was written while I was away, and catch_up excludes it; I kept it as "
        "context"
    ),
    "guests": "not answered: guests get no answer in this place; it was only recorded",
    "unknown": ("not answered: nobody has said yet who the sender is (access.unknown_people)"),
    "quiet": "not answered: I only listen in this place; I kept it as context",
    "not_addressed": ("not answered: it was not addressed to me; I kept it as context"),
    "edit": "an edit: the recorded message was changed, which starts no turn",
    "changed": "an edit or deletion of a message that waited, or that became one to me by it",
    "delete": "a deletion: the recorded message was emptied, which starts no turn",
    "joined": "somebody joined, which starts no turn",
}


@dataclass(frozen=True)
class Trail:
    """All rows about one piece of work, and the reader."""

    ref: str
    record: TurnRecord | None
    """None if the turn was purged; the cycle log outlives it."""
    events: Sequence[CycleEvent]
    sends: Mapping[str, KeptSend] = field(default_factory=dict[str, KeptSend])
    approvals: Sequence[tuple[Approval, str | None]] = ()
    """Contains the reference of the turn that the decision started."""
    running: bool = False
    own: bool = True
    """Whether the reader sent the message: only the sender sees its words."""
    operator: bool = False
    """Whether the reader may see every error's text and every tool's name."""
    sources: Mapping[str, str] = field(default_factory=dict[str, str])
    """File and line of the rules that decided, by their names."""
    taken_by: "Trail | None" = None
    """The turn that took it as steering, asked its question, or was started by its command."""


def render(trail: Trail) -> str:
    """The trail as markdown, one line per event."""
    lines = [f"**{trail.ref}**", *(f"- {line}" for line in _lines(trail))]
    if trail.taken_by is not None:
        lines += ["", render(trail.taken_by)]
    return "\n".join(lines)


def _lines(trail: Trail) -> Iterator[str]:
    if trail.record is None:
        yield "Its turn was purged by now; the cycle log still knows this:"
    else:
        yield from _accepted(trail, trail.record)
        yield from _attempts(trail, trail.record)
    yield from _cut_lines(list(_run(trail)), trail)
    yield from _handed_on(trail)
    if trail.record is not None:
        yield from _questions(trail, trail.record)
    for approval, decided in trail.approvals:
        yield _approval(approval, decided)
    if trail.record is not None:
        yield from _sends(trail, trail.record)
    yield f"Outcome: {_outcome(trail)}"


# --- accepted ---


def _accepted(trail: Trail, record: TurnRecord) -> Iterator[str]:
    how, said = _accepted_as(find_work(record.body)) if record.body else (_FORGOTTEN, "")
    yield f"Accepted {record.accepted_at:%Y-%m-%d %H:%M:%S} UTC, {how}, key `{record.key}`"
    words = _cut(said, WORDS_CHARS) if trail.own else ""
    if words:
        yield f'You wrote: "{words}"'


def _accepted_as(work: Accepted | None) -> tuple[str, str]:
    """How it arrived, with the person's words."""
    match work:
        case None:
            return _OWN, ""
        case GivenAnswer():
            return f"the answer to my question {work.question}", work.text
        case HeardMessage():
            return _ADDRESSED.get(work.addressed or "", _OWN), ""
        case DecisionWork():
            return f"the decision about approval {work.ref}", ""
        case DelegationWork():
            return f"agent {work.agent} in the background", ""
        case (
            MessageWork()
            | SkillWork()
            | ControlWork()
            | StrangerWork()
            | CompactionWork()
            | InterviewWork()
            | ScheduleWork()
            | TodoWork()
            | ReminderWork()
            | TriggerWork()
        ):
            said = work.envelope
            how = str(said.get("addressed", Addressed.DM))
            return _ADDRESSED.get(how, _OWN), str(said.get("text", ""))
        case _:
            assert_never(work)


def _attempts(trail: Trail, record: TurnRecord) -> Iterator[str]:
    if record.attempts > 1:
        yield f"Attempts: {record.attempts}"
    if record.error and record.state != "recorded":
        # The text of an unexpected exception can hold anything; its kind can't.
        known = (
            _cut(record.error, ERROR_CHARS)
            if trail.operator
            else record.error.partition(":")[0][:60]
        )
        yield f"An attempt failed: {known}"
    if record.stop:
        yield "You told me to stop" if trail.own else "The person told me to stop"


# --- the run ---


def _run(trail: Trail) -> Iterator[str]:
    results = {
        (event.cycle_id, event.step): event
        for event in trail.events
        if event.type is CycleEventType.TOOL_RESULT
    }
    decided = {
        (event.cycle_id, event.step): event
        for event in trail.events
        if event.type is CycleEventType.POLICY_DECISION
    }
    top = trail.events[0].cycle_id if trail.events else ""
    for event in trail.events:
        who = "" if event.cycle_id == top else f"{event.agent}: "
        match event.type:
            case CycleEventType.LLM_RESPONSE:
                yield f"{who}{_model(event, trail.operator)}"
            case CycleEventType.TOOL_CALL:
                at = (event.cycle_id, event.step)
                line = _tool(event, results.get(at), decided.get(at), trail)
                yield f"{who}{line}{_withheld(event, decided)}"
            case CycleEventType.POLICY_DECISION if event.data.get("gate") == "budget":
                yield f"{who}The model was not asked: refused by the rule {_rule(event, trail)}"
            case CycleEventType.TOOL_TURNS_EXTENDED:
                yield f"{who}More model calls were granted: {event.data.get('additional')}"
            case CycleEventType.WATCHDOG_FIRE:
                yield f"{who}Ended after {event.data.get('after_s')} s: {event.data.get('what')}"
            case CycleEventType.RATED:
                whose = "You" if trail.own else "The person"
                yield f"{whose} said: {_RATED[bool(event.data.get('helped'))]}"
            case _:
                continue


def _handed_on(trail: Trail) -> Iterator[str]:
    """The cost of delegated agents, beside that of the answering agent."""
    top = trail.events[0].cycle_id if trail.events else ""
    asked = [event for event in trail.events if event.type is CycleEventType.LLM_RESPONSE]
    others = [event for event in asked if event.cycle_id != top]
    agents = {event.cycle_id for event in others}
    if not agents:
        return
    whole, extra = sum(map(_tokens, asked)), sum(map(_tokens, others))
    share = f" ({round(100 * extra / whole)} % of this request)" if whole else ""
    yield f"Handed to {len(agents)} agent{'s' if len(agents) > 1 else ''}: {extra:,} tokens{share}"


def _tokens(event: CycleEvent) -> int:
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    return sum(int(event.data.get(name) or 0) for name in names)


def _model(event: CycleEvent, operator: bool) -> str:
    data = event.data
    found = read_step_key(event.step)
    step = found.detail if found is not None else event.step
    took = f", {event.duration_ms / 1000:.1f} s" if event.duration_ms is not None else ""
    if data.get("error"):
        error = str(data["error"])
        return (
            f"Model call {step} failed: "
            f"{_cut(error if operator else error.partition(':')[0], ERROR_CHARS)}{took}"
        )
    came_in = sum(
        int(data.get(name) or 0)
        for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    )
    tries = f", {data['attempts']} tries" if (data.get("attempts") or 1) > 1 else ""
    return (
        f"Model call {step}: {data.get('model')}, {came_in:,} tokens in, "
        f"{int(data.get('output_tokens') or 0):,} out,"
        f" ended with {data.get('stop_reason')}{tries}{took}"
    )


def _withheld(call: CycleEvent, decided: Mapping[tuple[str, str], CycleEvent]) -> str:
    event = decided.get((call.cycle_id, f"{call.step}/post_exec"))
    return (
        ""
        if event is None
        else f", output withheld by {_cut(str(event.data.get('rule')), ERROR_CHARS)}"
    )


_DECIDED = {
    "allow": "allowed by",
    "ask": "asked about by",
    "defer": "nobody was there to say yes, put off by",
}
_WAITS = frozenset({"ask", "defer"})


def _tool(
    call: CycleEvent, result: CycleEvent | None, decision: CycleEvent | None, trail: Trail
) -> str:
    name = f"Tool `{call.data.get('tool_name')}`"
    verdict = decision.data.get("verdict") if decision is not None else None
    rule = _rule(decision, trail) if decision is not None else ""
    if decision is not None and verdict == "deny":
        if is_secret(str(decision.data.get("rule"))) and not trail.operator:
            return "A tool that is not here: refused"
        return f"{name}: refused by the rule {rule}"
    if result is None:
        return f"{name}: begun, no result yet"
    took = f", {result.duration_ms} ms" if result.duration_ms is not None else ""
    how = f", {_DECIDED[verdict]} {rule}" if verdict in _DECIDED else ""
    fate = "ok" if result.data.get("success") else "failed"
    if verdict in _WAITS:
        fate = "not run then"
    return f"{name}: {fate}{how}{took}"


def _rule(decision: CycleEvent, trail: Trail) -> str:
    """The name of the rule, its meaning, and its position."""
    name = str(decision.data.get("rule") or "policy")
    meant = f": {_cut(means, ERROR_CHARS)}" if (means := meaning(name)) else ""
    return f"{_cut(name, ERROR_CHARS)}{meant}{_at_source(name, trail)}"


def _at_source(rule: str, trail: Trail) -> str:
    source = trail.sources.get(rule, "")
    return f" ({source})" if source else ""


def _cut_lines(lines: Sequence[str], trail: Trail) -> Iterator[str]:
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        yield (
            f"… and {len(lines) - MOST_LINES} more: `bellhop cycles show "
            f"{trail.events[0].cycle_id[:8]}`"
        )


# --- questions and approvals ---


def _questions(trail: Trail, record: TurnRecord) -> Iterator[str]:
    for question in record.questions:
        text = f' "{_cut(question.text, WORDS_CHARS)}"' if trail.own else ""
        closed = f" {_at(question.closed_at, record)}" if question.closed_at else ""
        yield (
            f"Question {question.ref}{text}: asked {_at(question.asked_at, record)}, "
            f"{question.state}{closed}"
        )


def _approval(approval: Approval, decided: str | None) -> str:
    by = f" by {approval.decided_by}" if approval.decided_by else ""
    state = {
        ApprovalState.OPEN: f"open until {approval.expires_at:%Y-%m-%d %H:%M} UTC",
        ApprovalState.DONE: f"approved{by}, and it ran",
    }.get(approval.state, f"{approval.state.value}{by}")
    then = f" (went on as {decided})" if decided else ""
    why = f", asked because {_cut(approval.reason, ERROR_CHARS)}" if approval.reason else ""
    return f"Approval {approval.ref} for `{approval.tool}`{why}{_doubtful(approval)}: {state}{then}"


def _doubtful(approval: Approval) -> str:
    """Unnamed targets and their origin; never their values, which are somebody's text."""
    found = dict.fromkeys(
        f"{stem.target.field} comes from {stem.source or 'no text here'}" for stem in approval.stems
    )
    return f", and its {_cut(' and '.join(found), ERROR_CHARS)}" if found else ""


# --- sends ---


def _sends(trail: Trail, record: TurnRecord) -> Iterator[str]:
    done = [
        (key, cast("JsonObject", value)) for key, value in record.steps.items() if _send_name(key)
    ]
    for key, value in sorted(done, key=lambda item: str(item[1].get("sent_at", "~"))):
        yield (
            f"{_send_name(key)}: {_delivery(value, trail.sends.get(f'{record.ref}/{key}'), record)}"
        )
    for key in record.begun:
        if name := _send_name(key):
            yield f"{name}: begun; whether the platform took it is not known yet"


def _send_name(key: str) -> str:
    found = read_step_key(key)
    if found is None or found.kind is not StepKind.SEND:
        return ""
    asked = read_step_key(found.detail)
    match found.detail.partition(":")[0]:
        case "answer":
            return "Send of the answer"
        case "apology":
            return "Send of the apology"
        case "approval":
            return "Send of the approval card"
        case _:
            of_question = asked is not None and asked.kind is StepKind.ASK and not asked.detail
            return "Send of the question" if of_question else "Send in between"


def _delivery(value: JsonObject, kept: KeptSend | None, record: TurnRecord) -> str:
    if "refused" in value:
        return f"dropped, the platform refused it: {_cut(str(value['refused']), ERROR_CHARS)}"
    if "pending" not in value:
        return f"delivered {_at(datetime.fromisoformat(str(value['sent_at'])), record)}"
    if kept is None:
        return f"kept for later: {_cut(str(value['pending']), ERROR_CHARS)}"
    error = _cut(kept.error or str(value["pending"]), ERROR_CHARS)
    match kept.state:
        case "sent":
            return (
                f"delivered, try {kept.attempts + 1} (before that: "
                f"{_cut(str(value['pending']), ERROR_CHARS)})"
            )
        case "dropped":
            return f"dropped after {_tries(kept)}: {error}"
        case _:
            return (
                f"pending after {_tries(kept)} ({error}), next try {_at(kept.next_try_at, record)}"
            )


def _tries(kept: KeptSend) -> str:
    return "1 try" if kept.attempts == 1 else f"{kept.attempts} tries"


# --- the outcome ---


def _recorded(work: Accepted | None, trail: Trail) -> str:
    """Why it got no turn of its own."""
    if isinstance(work, GivenAnswer):
        return f"taken as the answer to {work.question}"
    rule, why = (work.rule, work.why) if isinstance(work, HeardMessage) else ("", "")
    told = _SILENT.get(why, "recorded; it starts no turn")
    return f"{told}; the rule is {rule}{_at_source(rule, trail)}" if rule else told


def _outcome(trail: Trail) -> str:
    record = trail.record
    if record is None or record.state in {"done", "failed"}:
        return _settled(trail)
    match record.state:
        case "recorded":
            return _recorded(find_work(record.body), trail)
        case "withdrawn":
            return "deleted before I had begun, so I left it alone"
        case "joined":
            return f"joined to {record.joined_to}, which was already running"
        case "waiting":
            return "waits for a person's answer"
        case "running" if trail.running:
            return "running right now"
        case _:
            return _queued(record)


def _queued(record: TurnRecord) -> str:
    if record.behind:
        return f"waits behind {record.behind} of the same session"
    if record.due:
        return f"goes on {_at(record.due, record)}"
    return "waits for its turn"


def _settled(trail: Trail) -> str:
    record = trail.record
    if record is not None and record.state == "failed":
        return f"given up after {record.attempts} attempts, {_at(record.settled_at, record)}"
    top = trail.events[0].cycle_id if trail.events else ""
    ends = (CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE)
    mine = (event for event in reversed(trail.events) if event.cycle_id == top)
    end = next((event for event in mine if event.type in ends), None)
    when = f", {_at(record.settled_at, record)}" if record is not None else ""
    if end is None:
        return f"done{when}" if record is not None else "it was never finished"
    return f"{_ending(end.data, trail)}{when}"


_ENDINGS = {
    "partial": "answered in part",
    "unresolved": "answered, without a result",
    SILENT: "nothing to say, so nothing was posted",
}


def _ending(data: Mapping[str, Any], trail: Trail) -> str:
    match data.get("status"):
        case "complete":
            return _ENDINGS.get(str(data.get("outcome")), "answered")
        case "abandoned":
            return "stopped"
        case status:
            model_failed = any(
                event.data.get("error")
                for event in trail.events
                if event.type is CycleEventType.LLM_RESPONSE
            )
            if not data.get("error") or (model_failed and not trail.operator):
                return f"no answer ({status})"
            return f"no answer: {_cut(str(data['error']), ERROR_CHARS)}"


def _at(moment: datetime | None, record: TurnRecord) -> str:
    """The time alone, on the day of acceptance."""
    if moment is None:
        return ""
    same_day = moment.date() == record.accepted_at.date()
    return f"at {moment:%H:%M:%S}" if same_day else f"on {moment:%Y-%m-%d at %H:%M:%S}"


def _cut(text: str, chars: int) -> str:
    folded = " ".join(redact(text).split()).replace("`", "'")
    return folded if len(folded) <= chars else folded[: chars - 1] + "…"
