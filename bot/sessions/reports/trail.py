"""The trail of one message, from its event to the last send: what `/why` is told from.

With it, what `/why` tells of a run: its calls of models and tools, and what it handed on.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.approvals import Approval
from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.languages import CountedPhrase, Language, Phrase, number
from bot.domain.step_keys import read_step_key
from bot.domain.turns import TurnRecord
from bot.log import redact
from bot.sessions.outbox.outbox_store import KeptSend
from bot.tools.budget.budgets import Measure, Span
from bot.tools.permission.gate import ABSENT, BUDGET, CONFINED, ELSEWHERE, MISFIT, REPEATED
from bot.tools.toolset.view import ToolStanding

TRIES = CountedPhrase(Phrase("{count} try"), Phrase("{count} tries"))
ERROR_CHARS = 200


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

    @property
    def top(self) -> str:
        """The cycle of the agent that answers; empty without any event."""
        return self.events[0].cycle_id if self.events else ""

    def said(self, phrase: Phrase, **parts: object) -> str:
        return phrase.said(self.language, **parts)

    def source_of(self, rule: str) -> str:
        """File and line of a rule, in brackets; empty for the house's own."""
        source = self.sources.get(rule, "")
        return f" ({source})" if source else ""

    def at(self, moment: datetime | None, record: TurnRecord) -> str:
        """The time alone, on the day of acceptance."""
        if moment is None:
            return ""
        time, day = f"{moment:%H:%M:%S}", moment.date()
        if day == record.accepted_at.date():
            return self.said(Phrase("at {time}"), time=time)
        return self.said(Phrase("on {day} at {time}"), day=f"{day:%Y-%m-%d}", time=time)


def cut(text: str, chars: int) -> str:
    """One line of a text that others wrote, without secrets."""
    folded = " ".join(redact(text).split()).replace("`", "'")
    return folded if len(folded) <= chars else folded[: chars - 1] + "…"


NOT_ASKED = Phrase("The model was not asked: refused by the rule {rule}")
MORE_CALLS = Phrase("More model calls were granted: {count}")
ENDED_AFTER = Phrase("Ended after {seconds} s: {what}")
RATED: Mapping[bool, Phrase] = {True: Phrase("it helped"), False: Phrase("it did not help")}
DECIDED: Mapping[str, Phrase] = {
    "allow": Phrase("allowed by {rule}"),
    "ask": Phrase("asked about by {rule}"),
    "defer": Phrase("nobody was there to say yes, put off by {rule}"),
}
_WAITS = frozenset({"ask", "defer"})
MOST_LINES = 40
"""Lines about models and tools; `bellhop cycles show` tells longer runs."""


def run_lines(trail: Trail) -> Iterator[str]:
    """A line for each call, the first `MOST_LINES`."""
    lines = list(_events(trail))
    yield from lines[:MOST_LINES]
    if (more := len(lines) - MOST_LINES) > 0:
        yield trail.said(
            Phrase("… and {count} more: `bellhop cycles show {cycle}`"),
            count=more,
            cycle=trail.events[0].cycle_id[:8],
        )


def _events(trail: Trail) -> Iterator[str]:
    results = _by_step(trail, CycleEventType.TOOL_RESULT)
    decided = _by_step(trail, CycleEventType.POLICY_DECISION)
    for event in trail.events:
        who = "" if event.cycle_id == trail.top else f"{event.agent}: "
        match event.type:
            case CycleEventType.LLM_RESPONSE:
                yield f"{who}{_model(event, trail)}"
            case CycleEventType.TOOL_CALL:
                at = (event.cycle_id, event.step)
                line = _tool(event, results.get(at), decided.get(at), trail)
                yield f"{who}{line}{_withheld(event, decided, trail)}"
            case CycleEventType.POLICY_DECISION if event.data.get("gate") == "budget":
                yield f"{who}{trail.said(NOT_ASKED, rule=_rule(event, trail))}"
            case CycleEventType.TOOL_TURNS_EXTENDED:
                yield f"{who}{trail.said(MORE_CALLS, count=event.data.get('additional'))}"
            case CycleEventType.WATCHDOG_FIRE:
                seconds, what = event.data.get("after_s"), event.data.get("what")
                yield f"{who}{trail.said(ENDED_AFTER, seconds=seconds, what=what)}"
            case CycleEventType.RATED:
                rated = trail.said(RATED[bool(event.data.get("helped"))])
                yield trail.said(
                    Phrase("You said: {what}") if trail.own else Phrase("The person said: {what}"),
                    what=rated,
                )
            case _:
                continue


def _by_step(trail: Trail, kind: CycleEventType) -> dict[tuple[str, str], CycleEvent]:
    return {(event.cycle_id, event.step): event for event in trail.events if event.type is kind}


def handed_on(trail: Trail) -> Iterator[str]:
    """The cost of delegated agents, beside that of the answering agent."""
    asked = [event for event in trail.events if event.type is CycleEventType.LLM_RESPONSE]
    others = [event for event in asked if event.cycle_id != trail.top]
    agents = {event.cycle_id for event in others}
    if not agents:
        return
    share, whole, extra = "", sum(map(_tokens, asked)), sum(map(_tokens, others))
    if whole:
        percent = round(100 * extra / whole)
        share = f" ({trail.said(Phrase('{percent} % of this request'), percent=percent)})"
    tokens = number(extra, trail.language)
    yield CountedPhrase(
        Phrase("Handed to {count} agent: {tokens} tokens{share}"),
        Phrase("Handed to {count} agents: {tokens} tokens{share}"),
    ).said(trail.language, len(agents), tokens=tokens, share=share)


def _tokens(event: CycleEvent) -> int:
    return _came_in(event) + int(event.data.get("output_tokens") or 0)


def _came_in(event: CycleEvent) -> int:
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    return sum(int(event.data.get(name) or 0) for name in names)


def _model(event: CycleEvent, trail: Trail) -> str:
    data = event.data
    found = read_step_key(event.step)
    step = found.detail if found is not None else event.step
    took = f", {event.duration_ms / 1000:.1f} s" if event.duration_ms is not None else ""
    if data.get("error"):
        error = str(data["error"])
        what = cut(error if trail.operator else error.partition(":")[0], ERROR_CHARS)
        return trail.said(
            Phrase("Model call {step} failed: {what}{took}"), step=step, what=what, took=took
        )
    tries = int(data.get("attempts") or 1)
    return trail.said(
        Phrase(
            "Model call {step}: {model}, {read} tokens in, {written} out, ended with "
            "{reason}{tries}{took}"
        ),
        step=step,
        model=data.get("model"),
        read=number(_came_in(event), trail.language),
        written=number(int(data.get("output_tokens") or 0), trail.language),
        reason=data.get("stop_reason"),
        tries=f", {TRIES.said(trail.language, tries)}" if tries > 1 else "",
        took=took,
    )


def _withheld(call: CycleEvent, decided: Mapping[tuple[str, str], CycleEvent], trail: Trail) -> str:
    event = decided.get((call.cycle_id, f"{call.step}/post_exec"))
    if event is None:
        return ""
    return trail.said(
        Phrase(", output withheld by {rule}"), rule=cut(str(event.data.get("rule")), ERROR_CHARS)
    )


def _tool(
    call: CycleEvent, result: CycleEvent | None, decision: CycleEvent | None, trail: Trail
) -> str:
    name, how, took = call.data.get("tool_name"), "", ""
    verdict = str(decision.data.get("verdict")) if decision is not None else ""
    rule = _rule(decision, trail) if decision is not None else ""
    if decision is not None and verdict == "deny":
        if is_secret(str(decision.data.get("rule"))) and not trail.operator:
            return trail.said(Phrase("A tool that is not here: refused"))
        fate = trail.said(Phrase("refused by the rule {rule}"), rule=rule)
    elif result is None:
        fate = trail.said(Phrase("begun, no result yet"))
    else:
        took = f", {result.duration_ms} ms" if result.duration_ms is not None else ""
        if verdict in DECIDED:
            how = f", {trail.said(DECIDED[verdict], rule=rule)}"
        fate = trail.said(
            Phrase("ok") if result.data.get("success") else Phrase("failed", context="step")
        )
        if verdict in _WAITS:
            fate = trail.said(Phrase("not run then"))
    return trail.said(
        Phrase("Tool `{tool}`: {fate}{how}{took}"), tool=name, fate=fate, how=how, took=took
    )


def _rule(decision: CycleEvent, trail: Trail) -> str:
    """The name of the rule, its meaning, and its position."""
    name = str(decision.data.get("rule") or "policy")
    meant = f": {cut(means, ERROR_CHARS)}" if (means := meaning(name, trail.language)) else ""
    return f"{cut(name, ERROR_CHARS)}{meant}{trail.source_of(name)}"


_STANDING: Mapping[ToolStanding, Phrase] = {
    ToolStanding.ROLE: Phrase("the person's role lacks it"),
    ToolStanding.FOLDER: Phrase("it belongs to another agent"),
    ToolStanding.UNKNOWN: Phrase("no tool has this name"),
    ToolStanding.RUN: Phrase("it does not exist in this kind of run"),
    ToolStanding.INTEGRATION: Phrase("a service that it needs is not connected"),
    ToolStanding.UNSERVED: Phrase("nothing here can run it"),
}
SPANS: Mapping[Span, Phrase] = {
    Span.TURN: Phrase("for one request"),
    Span.PERSON: Phrase("for one person and day"),
    Span.CHANNEL: Phrase("for this channel and day"),
    Span.GUEST: Phrase("for one guest and day"),
    Span.STRANGERS: Phrase("for all strangers and one day"),
    Span.TOTAL: Phrase("for everybody and one day"),
    Span.SCHEDULE: Phrase("for this scheduled task and month"),
}
MEASURES: Mapping[Measure, Phrase] = {
    Measure.USD: Phrase("the money {whose} is spent"),
    Measure.MODEL_CALLS: Phrase("the model calls {whose} are used up"),
    Measure.TOOL_CALLS: Phrase("the tool calls {whose} are used up"),
}
GIVEN: Mapping[str, Phrase] = {
    MISFIT: Phrase("its arguments did not fit"),
    ELSEWHERE: Phrase("a guest can't have anything posted elsewhere"),
    REPEATED: Phrase("this exact call was made too often"),
}

_SECRET = frozenset(
    f"{ABSENT}:{one}" for one in (ToolStanding.UNKNOWN, ToolStanding.ROLE, ToolStanding.FOLDER)
)
"""Refusals with one text for everybody but the operator, to hide tools that others have."""
_ABSENT = {f"{ABSENT}:{standing}": phrase for standing, phrase in _STANDING.items()}
_SPENT = {
    f"{BUDGET}:{span}_{measure}": (spent, whose)
    for span, whose in SPANS.items()
    for measure, spent in MEASURES.items()
}


def is_secret(rule: str) -> bool:
    """Whether only the operator may read that a call was refused by this rule."""
    return rule in _SECRET


def meaning(rule: str, language: Language = Language.EN) -> str:
    """The rule in words; empty if its name is enough, as for rules of policy.yaml."""
    kind, _, holder = rule.partition(":")
    if kind == CONFINED and holder:
        return Phrase("{holder} does not allow it").said(language, holder=holder)
    if rule in _SPENT:
        spent, whose = _SPENT[rule]
        return spent.said(language, whose=whose.said(language))
    phrase = _ABSENT.get(rule) or GIVEN.get(rule)
    return phrase.said(language) if phrase is not None else ""
