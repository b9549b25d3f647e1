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
from bot.domain.languages import Language, Phrase, number
from bot.domain.messages import Addressed
from bot.domain.step_keys import StepKind, read_step_key
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
from bot.sessions.wording import why_phrases as words
from bot.sessions.wording import why_step_phrases as steps

WORDS_CHARS = 100
ERROR_CHARS = 200
MOST_LINES = 40
"""Lines about models and tools; `bellhop cycles show` tells longer runs."""


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
    language: Language = Language.EN
    """That of the reader."""

    def said(self, phrase: Phrase, **parts: object) -> str:
        return phrase.said(self.language, **parts)


def render(trail: Trail) -> str:
    """The trail as markdown, one line per event."""
    lines = [f"**{trail.ref}**", *(f"- {line}" for line in _lines(trail))]
    if trail.taken_by is not None:
        lines += ["", render(trail.taken_by)]
    return "\n".join(lines)


def _lines(trail: Trail) -> Iterator[str]:
    if trail.record is None:
        yield trail.said(words.PURGED)
    else:
        yield from _accepted(trail, trail.record)
        yield from _attempts(trail, trail.record)
    yield from _cut_lines(list(_run(trail)), trail)
    yield from _handed_on(trail)
    if trail.record is not None:
        yield from _questions(trail, trail.record)
    for approval, decided in trail.approvals:
        yield _approval(approval, decided, trail)
    if trail.record is not None:
        yield from _sends(trail, trail.record)
    yield trail.said(words.OUTCOME, what=_outcome(trail))


# --- accepted ---


def _accepted(trail: Trail, record: TurnRecord) -> Iterator[str]:
    work = find_work(record.body) if record.body else None
    how, said = _accepted_as(work, trail) if record.body else (trail.said(words.FORGOTTEN), "")
    time = f"{record.accepted_at:%Y-%m-%d %H:%M:%S}"
    yield trail.said(words.ACCEPTED, time=time, how=how, key=record.key)
    if wrote := _cut(said, WORDS_CHARS) if trail.own else "":
        yield trail.said(words.YOU_WROTE, words=wrote)


def _accepted_as(work: Accepted | None, trail: Trail) -> tuple[str, str]:
    """How it arrived, with the person's words."""
    match work:
        case None:
            return trail.said(words.OWN_WORK), ""
        case GivenAnswer():
            return trail.said(words.ANSWER_TO, ref=work.question), work.text
        case HeardMessage():
            return trail.said(words.ADDRESSED.get(work.addressed or "", words.OWN_WORK)), ""
        case DecisionWork():
            return trail.said(words.DECISION_ABOUT, ref=work.ref), ""
        case DelegationWork():
            return trail.said(words.IN_BACKGROUND, agent=work.agent), ""
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
            phrase = words.ADDRESSED.get(how, words.OWN_WORK)
            return trail.said(phrase), str(said.get("text", ""))
        case _:
            assert_never(work)


def _attempts(trail: Trail, record: TurnRecord) -> Iterator[str]:
    if record.attempts > 1:
        yield trail.said(words.ATTEMPTS, count=record.attempts)
    if record.error and record.state != "recorded":
        # The text of an unexpected exception can hold anything; its kind can't.
        known = (
            _cut(record.error, ERROR_CHARS)
            if trail.operator
            else record.error.partition(":")[0][:60]
        )
        yield trail.said(words.ATTEMPT_FAILED, what=known)
    if record.stop:
        yield trail.said(words.YOU_STOPPED if trail.own else words.THEY_STOPPED)


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
                yield f"{who}{_model(event, trail)}"
            case CycleEventType.TOOL_CALL:
                at = (event.cycle_id, event.step)
                line = _tool(event, results.get(at), decided.get(at), trail)
                yield f"{who}{line}{_withheld(event, decided, trail)}"
            case CycleEventType.POLICY_DECISION if event.data.get("gate") == "budget":
                yield f"{who}{trail.said(words.NOT_ASKED, rule=_rule(event, trail))}"
            case CycleEventType.TOOL_TURNS_EXTENDED:
                yield f"{who}{trail.said(words.MORE_CALLS, count=event.data.get('additional'))}"
            case CycleEventType.WATCHDOG_FIRE:
                seconds, what = event.data.get("after_s"), event.data.get("what")
                yield f"{who}{trail.said(words.ENDED_AFTER, seconds=seconds, what=what)}"
            case CycleEventType.RATED:
                rated = trail.said(words.RATED[bool(event.data.get("helped"))])
                yield trail.said(words.YOU_SAID if trail.own else words.THEY_SAID, what=rated)
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
    percent = trail.said(steps.OF_REQUEST, percent=round(100 * extra / whole)) if whole else ""
    share, tokens = f" ({percent})" if whole else "", number(extra, trail.language)
    yield steps.HANDED_TO.said(trail.language, len(agents), tokens=tokens, share=share)


def _tokens(event: CycleEvent) -> int:
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    return sum(int(event.data.get(name) or 0) for name in names)


def _model(event: CycleEvent, trail: Trail) -> str:
    data = event.data
    found = read_step_key(event.step)
    step = found.detail if found is not None else event.step
    took = f", {event.duration_ms / 1000:.1f} s" if event.duration_ms is not None else ""
    if data.get("error"):
        error = str(data["error"])
        what = _cut(error if trail.operator else error.partition(":")[0], ERROR_CHARS)
        return trail.said(steps.MODEL_FAILED, step=step, what=what, took=took)
    came_in = sum(
        int(data.get(name) or 0)
        for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    )
    tries = int(data.get("attempts") or 1)
    return trail.said(
        steps.MODEL_CALL,
        step=step,
        model=data.get("model"),
        read=number(came_in, trail.language),
        written=number(int(data.get("output_tokens") or 0), trail.language),
        reason=data.get("stop_reason"),
        tries=f", {steps.TRIES.said(trail.language, tries)}" if tries > 1 else "",
        took=took,
    )


def _withheld(call: CycleEvent, decided: Mapping[tuple[str, str], CycleEvent], trail: Trail) -> str:
    event = decided.get((call.cycle_id, f"{call.step}/post_exec"))
    if event is None:
        return ""
    return trail.said(steps.WITHHELD, rule=_cut(str(event.data.get("rule")), ERROR_CHARS))


_WAITS = frozenset({"ask", "defer"})


def _tool(
    call: CycleEvent, result: CycleEvent | None, decision: CycleEvent | None, trail: Trail
) -> str:
    name, how, took = call.data.get("tool_name"), "", ""
    verdict = str(decision.data.get("verdict")) if decision is not None else ""
    rule = _rule(decision, trail) if decision is not None else ""
    if decision is not None and verdict == "deny":
        if is_secret(str(decision.data.get("rule"))) and not trail.operator:
            return trail.said(steps.HIDDEN_TOOL)
        fate = trail.said(steps.REFUSED_BY, rule=rule)
    elif result is None:
        fate = trail.said(steps.BEGUN)
    else:
        took = f", {result.duration_ms} ms" if result.duration_ms is not None else ""
        if verdict in steps.DECIDED:
            how = f", {trail.said(steps.DECIDED[verdict], rule=rule)}"
        fate = trail.said(steps.FINE if result.data.get("success") else steps.FAILED)
        if verdict in _WAITS:
            fate = trail.said(steps.NOT_RUN_THEN)
    return trail.said(steps.TOOL, tool=name, fate=fate, how=how, took=took)


def _rule(decision: CycleEvent, trail: Trail) -> str:
    """The name of the rule, its meaning, and its position."""
    name = str(decision.data.get("rule") or "policy")
    meant = f": {_cut(means, ERROR_CHARS)}" if (means := meaning(name, trail.language)) else ""
    return f"{_cut(name, ERROR_CHARS)}{meant}{_at_source(name, trail)}"


def _at_source(rule: str, trail: Trail) -> str:
    source = trail.sources.get(rule, "")
    return f" ({source})" if source else ""


def _cut_lines(lines: Sequence[str], trail: Trail) -> Iterator[str]:
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        more, cycle = len(lines) - MOST_LINES, trail.events[0].cycle_id[:8]
        yield trail.said(steps.AND_MORE, count=more, cycle=cycle)


# --- questions and approvals ---


def _questions(trail: Trail, record: TurnRecord) -> Iterator[str]:
    for question in record.questions:
        text = f' "{_cut(question.text, WORDS_CHARS)}"' if trail.own else ""
        closed = f" {_at(question.closed_at, record, trail)}" if question.closed_at else ""
        yield trail.said(
            steps.QUESTION,
            ref=question.ref,
            text=text,
            asked=_at(question.asked_at, record, trail),
            state=_state(question.state, trail),
            closed=closed,
        )


def _state(state: str, trail: Trail) -> str:
    return trail.said(steps.STATES[state]) if state in steps.STATES else state


def _approval(approval: Approval, decided: str | None, trail: Trail) -> str:
    by = trail.said(steps.BY, who=approval.decided_by) if approval.decided_by else ""
    match approval.state:
        case ApprovalState.OPEN:
            until = f"{approval.expires_at:%Y-%m-%d %H:%M}"
            state = trail.said(steps.OPEN_UNTIL, time=until)
        case ApprovalState.DONE:
            state = trail.said(steps.AND_RAN, by=by)
        case _:
            state = f"{_state(approval.state.value, trail)}{by}"
    reason = _cut(approval.reason, ERROR_CHARS)
    return trail.said(
        steps.APPROVAL,
        ref=approval.ref,
        tool=approval.tool,
        why=trail.said(steps.ASKED_BECAUSE, reason=reason) if reason else "",
        doubt=_doubtful(approval, trail),
        state=state,
        then=trail.said(steps.WENT_ON, ref=decided) if decided else "",
    )


def _doubtful(approval: Approval, trail: Trail) -> str:
    """Unnamed targets and their origin; never their values, which are somebody's text."""
    nowhere = trail.said(steps.NO_TEXT)
    found = dict.fromkeys(
        trail.said(steps.COMES_FROM, field=stem.target.field, source=stem.source or nowhere)
        for stem in approval.stems
    )
    what = _cut(trail.said(steps.AND).join(found), ERROR_CHARS)
    return trail.said(steps.AND_ITS, what=what) if found else ""


# --- sends ---


def _sends(trail: Trail, record: TurnRecord) -> Iterator[str]:
    done = [
        (key, cast("JsonObject", value)) for key, value in record.steps.items() if _send_name(key)
    ]
    for key, value in sorted(done, key=lambda item: str(item[1].get("sent_at", "~"))):
        kept = trail.sends.get(f"{record.ref}/{key}")
        yield f"{_named(key, trail)}{_delivery(value, kept, record, trail)}"
    for key in record.begun:
        if _send_name(key):
            yield f"{_named(key, trail)}{trail.said(steps.SEND_UNKNOWN)}"


def _named(key: str, trail: Trail) -> str:
    """The name of a send before what became of it."""
    colon = " : " if trail.language is Language.FR else ": "
    return f"{trail.said(steps.SENDS[_send_name(key)])}{colon}"


def _send_name(key: str) -> str:
    """One of `steps.SENDS`; empty for a step that sends nothing."""
    found = read_step_key(key)
    if found is None or found.kind is not StepKind.SEND:
        return ""
    asked = read_step_key(found.detail)
    match found.detail.partition(":")[0]:
        case "answer":
            return "answer"
        case "apology":
            return "apology"
        case "approval":
            return "approval"
        case _:
            of_question = asked is not None and asked.kind is StepKind.ASK and not asked.detail
            return "question" if of_question else "between"


def _delivery(value: JsonObject, kept: KeptSend | None, record: TurnRecord, trail: Trail) -> str:
    if "refused" in value:
        return trail.said(steps.SEND_REFUSED, why=_cut(str(value["refused"]), ERROR_CHARS))
    if "pending" not in value:
        sent = datetime.fromisoformat(str(value["sent_at"]))
        return trail.said(steps.DELIVERED, at=_at(sent, record, trail))
    before = _cut(str(value["pending"]), ERROR_CHARS)
    if kept is None:
        return trail.said(steps.KEPT_FOR_LATER, why=before)
    error = _cut(kept.error or str(value["pending"]), ERROR_CHARS)
    tries = steps.TRIES.said(trail.language, kept.attempts)
    match kept.state:
        case "sent":
            return trail.said(steps.DELIVERED_AT_TRY, number=kept.attempts + 1, why=before)
        case "dropped":
            return trail.said(steps.DROPPED_AFTER, tries=tries, why=error)
        case _:
            at = _at(kept.next_try_at, record, trail)
            return trail.said(steps.PENDING_AFTER, tries=tries, why=error, at=at)


# --- the outcome ---


def _recorded(work: Accepted | None, trail: Trail) -> str:
    """Why it got no turn of its own."""
    if isinstance(work, GivenAnswer):
        return trail.said(words.TAKEN_AS, ref=work.question)
    rule, why = (work.rule, work.why) if isinstance(work, HeardMessage) else ("", "")
    told = trail.said(words.SILENT.get(why, words.RECORDED))
    named = f"{rule}{_at_source(rule, trail)}"
    return trail.said(words.THE_RULE, told=told, rule=named) if rule else told


def _outcome(trail: Trail) -> str:
    record = trail.record
    if record is None or record.state in {"done", "failed"}:
        return _settled(trail)
    match record.state:
        case "recorded":
            return _recorded(find_work(record.body), trail)
        case "withdrawn":
            return trail.said(words.WITHDRAWN)
        case "joined":
            return trail.said(words.JOINED_TO, ref=record.joined_to)
        case "waiting":
            return trail.said(words.WAITS_FOR_ANSWER)
        case "running" if trail.running:
            return trail.said(words.RUNNING)
        case _:
            return _queued(record, trail)


def _queued(record: TurnRecord, trail: Trail) -> str:
    if record.behind:
        return trail.said(words.WAITS_BEHIND, ref=record.behind)
    if record.due:
        return trail.said(words.GOES_ON, at=_at(record.due, record, trail))
    return trail.said(words.WAITS_FOR_TURN)


def _settled(trail: Trail) -> str:
    record = trail.record
    if record is not None and record.state == "failed":
        at = _at(record.settled_at, record, trail)
        return trail.said(words.GIVEN_UP, count=record.attempts, at=at)
    top = trail.events[0].cycle_id if trail.events else ""
    ends = (CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE)
    mine = (event for event in reversed(trail.events) if event.cycle_id == top)
    end = next((event for event in mine if event.type in ends), None)
    when = f", {_at(record.settled_at, record, trail)}" if record is not None else ""
    if end is None:
        done = f"{trail.said(words.DONE)}{when}"
        return done if record is not None else trail.said(words.NEVER_FINISHED)
    return f"{_ending(end.data, trail)}{when}"


def _ending(data: Mapping[str, Any], trail: Trail) -> str:
    match data.get("status"):
        case "complete":
            ending = words.ENDINGS.get(str(data.get("outcome")), words.ANSWER_GIVEN)
            return trail.said(ending)
        case "abandoned":
            return trail.said(words.WAS_STOPPED)
        case status:
            model_failed = any(
                event.data.get("error")
                for event in trail.events
                if event.type is CycleEventType.LLM_RESPONSE
            )
            if not data.get("error") or (model_failed and not trail.operator):
                return trail.said(words.NO_ANSWER, status=status)
            return trail.said(words.NO_ANSWER_WHY, why=_cut(str(data["error"]), ERROR_CHARS))


def _at(moment: datetime | None, record: TurnRecord, trail: Trail) -> str:
    """The time alone, on the day of acceptance."""
    if moment is None:
        return ""
    time, day = f"{moment:%H:%M:%S}", moment.date()
    if day == record.accepted_at.date():
        return trail.said(words.AT_TIME, time=time)
    return trail.said(words.ON_DAY, day=f"{day:%Y-%m-%d}", time=time)


def _cut(text: str, chars: int) -> str:
    folded = " ".join(redact(text).split()).replace("`", "'")
    return folded if len(folded) <= chars else folded[: chars - 1] + "…"
