"""What `/why` tells of a run: its calls of models and tools, and what it handed on."""

from collections.abc import Iterator, Mapping, Sequence

from bot.domain.cycles import CycleEvent, CycleEventType
from bot.domain.languages import CountedPhrase, Phrase, number
from bot.domain.step_keys import read_step_key
from bot.sessions.reports.rule_words import is_secret, meaning
from bot.sessions.reports.trail import ERROR_CHARS, TRIES, Trail, cut

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
    yield from _cut_lines(list(_events(trail)), trail)


def _events(trail: Trail) -> Iterator[str]:
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


def handed_on(trail: Trail) -> Iterator[str]:
    """The cost of delegated agents, beside that of the answering agent."""
    top = trail.events[0].cycle_id if trail.events else ""
    asked = [event for event in trail.events if event.type is CycleEventType.LLM_RESPONSE]
    others = [event for event in asked if event.cycle_id != top]
    agents = {event.cycle_id for event in others}
    if not agents:
        return
    whole, extra = sum(map(_tokens, asked)), sum(map(_tokens, others))
    percent = (
        trail.said(Phrase("{percent} % of this request"), percent=round(100 * extra / whole))
        if whole
        else ""
    )
    share, tokens = f" ({percent})" if whole else "", number(extra, trail.language)
    yield CountedPhrase(
        Phrase("Handed to {count} agent: {tokens} tokens{share}"),
        Phrase("Handed to {count} agents: {tokens} tokens{share}"),
    ).said(trail.language, len(agents), tokens=tokens, share=share)


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
        what = cut(error if trail.operator else error.partition(":")[0], ERROR_CHARS)
        return trail.said(
            Phrase("Model call {step} failed: {what}{took}"), step=step, what=what, took=took
        )
    came_in = sum(
        int(data.get(name) or 0)
        for name in ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    )
    tries = int(data.get("attempts") or 1)
    return trail.said(
        Phrase(
            "Model call {step}: {model}, {read} tokens in, {written} out, ended with "
            "{reason}{tries}{took}"
        ),
        step=step,
        model=data.get("model"),
        read=number(came_in, trail.language),
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


def _cut_lines(lines: Sequence[str], trail: Trail) -> Iterator[str]:
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        more, cycle = len(lines) - MOST_LINES, trail.events[0].cycle_id[:8]
        yield trail.said(
            Phrase("… and {count} more: `bellhop cycles show {cycle}`"), count=more, cycle=cycle
        )
