"""The text of `/why`: the trail of one message from its event to the last send.

The only input is rows. The output quotes nobody but the reader, and contains no tool input or
output and no secrets.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, assert_never, cast

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.cycles import CycleEventType
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Addressed
from bot.domain.step_keys import StepKind, read_step_key
from bot.domain.targets import OWN_WORDS
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
from bot.sessions.outbox.outbox_store import KeptSend
from bot.sessions.reports.trail import ERROR_CHARS, TRIES, Trail, cut, handed_on, run_lines

ADDRESSED: Mapping[str, Phrase] = {
    "dm": Phrase("a direct message"),
    "mention": Phrase("a mention"),
    "reply": Phrase("a reply to me"),
    "followed": Phrase("a message in a thread that I follow"),
    "command": Phrase("a command or click"),
    "none": Phrase("not addressed to me"),
}
OWN_WORK = Phrase("work of my own")
SILENT: Mapping[str, Phrase] = {
    "banned": Phrase("not answered: the sender is banned; it was only recorded"),
    "bot": Phrase("not answered: the sender is a bot; it was only recorded"),
    "missed": Phrase(
        "not answered: it was written while I was away, and catch_up excludes it; I kept it as"
        " context"
    ),
    "guests": Phrase("not answered: guests get no answer in this place; it was only recorded"),
    "unknown": Phrase(
        "not answered: nobody has said yet who the sender is (access.unknown_people)"
    ),
    "quiet": Phrase("not answered: I only listen in this place; I kept it as context"),
    "not_addressed": Phrase("not answered: it was not addressed to me; I kept it as context"),
    "edit": Phrase("an edit: the recorded message was changed, which starts no turn"),
    "changed": Phrase(
        "an edit or deletion of a message that waited, or that became one to me by it"
    ),
    "delete": Phrase("a deletion: the recorded message was emptied, which starts no turn"),
    "joined": Phrase("somebody joined, which starts no turn"),
}
DONE = Phrase("done")
ENDINGS: Mapping[str, Phrase] = {
    "partial": Phrase("answered in part"),
    "unresolved": Phrase("answered, without a result"),
    "silent": Phrase("nothing to say, so nothing was posted"),
}
STATES: Mapping[str, Phrase] = {
    "open": Phrase("open"),
    "answered": Phrase("answered", context="question"),
    "expired": Phrase("expired"),
    "closed": Phrase("closed"),
    "cancelled": Phrase("cancelled"),
    "approved": Phrase("approved"),
    "rejected": Phrase("rejected"),
}
"""Of questions and approvals."""
SENDS: Mapping[str, Phrase] = {
    "answer": Phrase("Send of the answer"),
    "apology": Phrase("Send of the apology"),
    "approval": Phrase("Send of the approval card"),
    "question": Phrase("Send of the question"),
    "between": Phrase("Send in between"),
}
SEND_UNKNOWN = Phrase("begun; whether the platform took it is not known yet")

WORDS_CHARS = 100


def render(trail: Trail) -> str:
    """The trail as markdown, one line per event."""
    lines = [f"**{trail.ref}**", *(f"- {line}" for line in _lines(trail))]
    if trail.taken_by is not None:
        lines += ["", render(trail.taken_by)]
    return "\n".join(lines)


def _lines(trail: Trail) -> Iterator[str]:
    if trail.record is None:
        yield trail.said(Phrase("Its turn was purged by now; the cycle log still knows this:"))
    else:
        yield from _accepted(trail, trail.record)
        yield from _attempts(trail, trail.record)
    yield from run_lines(trail)
    yield from handed_on(trail)
    if trail.record is not None:
        yield from _questions(trail, trail.record)
    for approval, decided in trail.approvals:
        yield _approval(approval, decided, trail)
    if trail.record is not None:
        yield from _sends(trail, trail.record)
    yield trail.said(Phrase("Outcome: {what}"), what=_outcome(trail))


# --- accepted ---


def _accepted(trail: Trail, record: TurnRecord) -> Iterator[str]:
    work = find_work(record.body) if record.body else None
    how, said = (
        _accepted_as(work, trail)
        if record.body
        else (trail.said(Phrase("words that were forgotten")), "")
    )
    time = f"{record.accepted_at:%Y-%m-%d %H:%M:%S}"
    yield trail.said(
        Phrase("Accepted {time} UTC, {how}, key `{key}`"), time=time, how=how, key=record.key
    )
    if wrote := cut(said, WORDS_CHARS) if trail.own else "":
        yield trail.said(Phrase('You wrote: "{words}"'), words=wrote)


def _accepted_as(work: Accepted | None, trail: Trail) -> tuple[str, str]:
    """How it arrived, with the person's words."""
    match work:
        case None:
            return trail.said(OWN_WORK), ""
        case GivenAnswer():
            return trail.said(
                Phrase("the answer to my question {ref}"), ref=work.question
            ), work.text
        case HeardMessage():
            return trail.said(ADDRESSED.get(work.addressed or "", OWN_WORK)), ""
        case DecisionWork():
            return trail.said(Phrase("the decision about approval {ref}"), ref=work.ref), ""
        case DelegationWork():
            return trail.said(Phrase("agent {agent} in the background"), agent=work.agent), ""
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
            phrase = ADDRESSED.get(how, OWN_WORK)
            return trail.said(phrase), str(said.get("text", ""))
        case _:
            assert_never(work)


def _attempts(trail: Trail, record: TurnRecord) -> Iterator[str]:
    if record.attempts > 1:
        yield trail.said(Phrase("Attempts: {count}"), count=record.attempts)
    if record.error and record.state != "recorded":
        # The text of an unexpected exception can hold anything; its kind can't.
        known = (
            cut(record.error, ERROR_CHARS)
            if trail.operator
            else record.error.partition(":")[0][:60]
        )
        yield trail.said(Phrase("An attempt failed: {what}"), what=known)
    if record.stop:
        yield trail.said(
            Phrase("You told me to stop") if trail.own else Phrase("The person told me to stop")
        )


# --- questions and approvals ---


def _questions(trail: Trail, record: TurnRecord) -> Iterator[str]:
    for question in record.questions:
        text = f' "{cut(question.text, WORDS_CHARS)}"' if trail.own else ""
        closed = f" {trail.at(question.closed_at, record)}" if question.closed_at else ""
        yield trail.said(
            Phrase("Question {ref}{text}: asked {asked}, {state}{closed}"),
            ref=question.ref,
            text=text,
            asked=trail.at(question.asked_at, record),
            state=_state(question.state, trail),
            closed=closed,
        )


def _state(state: str, trail: Trail) -> str:
    return trail.said(STATES[state]) if state in STATES else state


def _approval(approval: Approval, decided: str | None, trail: Trail) -> str:
    by = trail.said(Phrase(" by {who}"), who=approval.decided_by) if approval.decided_by else ""
    match approval.state:
        case ApprovalState.OPEN:
            until = f"{approval.expires_at:%Y-%m-%d %H:%M}"
            state = trail.said(Phrase("open until {time} UTC"), time=until)
        case ApprovalState.DONE:
            state = trail.said(Phrase("approved{by}, and it ran"), by=by)
        case _:
            state = f"{_state(approval.state.value, trail)}{by}"
    reason = cut(approval.reason, ERROR_CHARS)
    return trail.said(
        Phrase("Approval {ref} for `{tool}`{why}{doubt}: {state}{then}"),
        ref=approval.ref,
        tool=approval.tool,
        why=trail.said(Phrase(", asked because {reason}"), reason=reason) if reason else "",
        doubt=_doubtful(approval, trail),
        state=state,
        then=trail.said(Phrase(" (went on as {ref})"), ref=decided) if decided else "",
    )


def _doubtful(approval: Approval, trail: Trail) -> str:
    """Unnamed targets and their origin; never their values, which are somebody's text."""
    told = {
        "": trail.said(Phrase("no text here")),
        OWN_WORDS: trail.said(Phrase("words that are no plain order")),
    }
    found = dict.fromkeys(
        trail.said(
            Phrase("{field} comes from {source}"),
            field=stem.target.field,
            source=told.get(stem.source, stem.source),
        )
        for stem in approval.stems
    )
    what = cut(trail.said(Phrase(" and ")).join(found), ERROR_CHARS)
    return trail.said(Phrase(", and its {what}"), what=what) if found else ""


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
            yield f"{_named(key, trail)}{trail.said(SEND_UNKNOWN)}"


def _named(key: str, trail: Trail) -> str:
    """The name of a send before what became of it."""
    colon = " : " if trail.language is Language.FR else ": "
    return f"{trail.said(SENDS[_send_name(key)])}{colon}"


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
        return trail.said(
            Phrase("dropped, the platform refused it: {why}"),
            why=cut(str(value["refused"]), ERROR_CHARS),
        )
    if "pending" not in value:
        sent = datetime.fromisoformat(str(value["sent_at"]))
        return trail.said(Phrase("delivered {at}"), at=trail.at(sent, record))
    before = cut(str(value["pending"]), ERROR_CHARS)
    if kept is None:
        return trail.said(Phrase("kept for later: {why}"), why=before)
    error = cut(kept.error or str(value["pending"]), ERROR_CHARS)
    tries = TRIES.said(trail.language, kept.attempts)
    match kept.state:
        case "sent":
            return trail.said(
                Phrase("delivered, try {number} (before that: {why})"),
                number=kept.attempts + 1,
                why=before,
            )
        case "dropped":
            return trail.said(Phrase("dropped after {tries}: {why}"), tries=tries, why=error)
        case _:
            at = trail.at(kept.next_try_at, record)
            return trail.said(
                Phrase("pending after {tries} ({why}), next try {at}"),
                tries=tries,
                why=error,
                at=at,
            )


# --- the outcome ---


def _recorded(work: Accepted | None, trail: Trail) -> str:
    """Why it got no turn of its own."""
    if isinstance(work, GivenAnswer):
        return trail.said(Phrase("taken as the answer to {ref}"), ref=work.question)
    rule, why = (work.rule, work.why) if isinstance(work, HeardMessage) else ("", "")
    told = trail.said(SILENT.get(why, Phrase("recorded; it starts no turn")))
    named = f"{rule}{trail.source_of(rule)}"
    return trail.said(Phrase("{told}; the rule is {rule}"), told=told, rule=named) if rule else told


def _outcome(trail: Trail) -> str:
    record = trail.record
    if record is None or record.state in {"done", "failed"}:
        return _settled(trail)
    match record.state:
        case "recorded":
            return _recorded(find_work(record.body), trail)
        case "withdrawn":
            return trail.said(Phrase("deleted before I had begun, so I left it alone"))
        case "joined":
            return trail.said(
                Phrase("joined to {ref}, which was already running"), ref=record.joined_to
            )
        case "waiting":
            return trail.said(Phrase("waits for a person's answer"))
        case "running" if trail.running:
            return trail.said(Phrase("running right now"))
        case _:
            return _queued(record, trail)


def _queued(record: TurnRecord, trail: Trail) -> str:
    if record.behind:
        return trail.said(Phrase("waits behind {ref} of the same session"), ref=record.behind)
    if record.due:
        return trail.said(Phrase("goes on {at}"), at=trail.at(record.due, record))
    return trail.said(Phrase("waits for its turn"))


def _settled(trail: Trail) -> str:
    record = trail.record
    if record is not None and record.state == "failed":
        at = trail.at(record.settled_at, record)
        return trail.said(
            Phrase("given up after {count} attempts, {at}"), count=record.attempts, at=at
        )
    ends = (CycleEventType.CYCLE_COMPLETE, CycleEventType.AGENT_CYCLE_COMPLETE)
    mine = (event for event in reversed(trail.events) if event.cycle_id == trail.top)
    end = next((event for event in mine if event.type in ends), None)
    when = f", {trail.at(record.settled_at, record)}" if record is not None else ""
    if end is None:
        done = f"{trail.said(DONE)}{when}"
        return done if record is not None else trail.said(Phrase("it was never finished"))
    return f"{_ending(end.data, trail)}{when}"


def _ending(data: Mapping[str, Any], trail: Trail) -> str:
    match data.get("status"):
        case "complete":
            ending = ENDINGS.get(str(data.get("outcome")), Phrase("answered"))
            return trail.said(ending)
        case "abandoned":
            return trail.said(Phrase("stopped"))
        case status:
            model_failed = any(
                event.data.get("error")
                for event in trail.events
                if event.type is CycleEventType.LLM_RESPONSE
            )
            if not data.get("error") or (model_failed and not trail.operator):
                return trail.said(Phrase("no answer ({status})"), status=status)
            return trail.said(Phrase("no answer: {why}"), why=cut(str(data["error"]), ERROR_CHARS))
