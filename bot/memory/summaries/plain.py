"""A summary without a model: typed words, answers and calls, quoted and cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.domain.summaries import Resolution, SummaryFields, ToolUse
from bot.memory.summaries.form import ITEM_CHARS, ITEMS, clipped

_MOST_REQUESTS = 5


@dataclass(frozen=True)
class TranscriptReading:
    """The facts that a transcript shows without being understood."""

    requests: Sequence[str]
    """The person's typed words, oldest first."""
    answers: Sequence[str]
    tools: Sequence[str]
    """Names, in the order of their first call."""
    errors: Sequence[str] = ()
    facts: Sequence[str] = ()


def plain_fields(said: TranscriptReading) -> SummaryFields:
    """Draws no conclusions: neither preferences nor moods, and never more than significance 2."""
    requests = [clipped(text, ITEM_CHARS) for text in said.requests if text.strip()]
    heard = (
        requests
        if len(requests) <= _MOST_REQUESTS
        else [requests[0], "…", *requests[1 - _MOST_REQUESTS :]]
    )
    tools = tuple(dict.fromkeys(said.tools))
    return SummaryFields(
        intent=requests[0] if requests else "nothing was asked",
        wih=clipped(" / ".join(heard)),
        wis=clipped(said.answers[-1]) if said.answers else "",
        wid=clipped(f"called {', '.join(tools)}") if tools else "",
        significance=2 if tools else 1,
        tools_used=tuple(ToolUse(name) for name in tools[: 2 * ITEMS]),
        outcome=Resolution.PARTIAL if said.answers else Resolution.UNRESOLVED,
        facts_learned=tuple(clipped(fact, ITEM_CHARS) for fact in said.facts)[:ITEMS],
        errors_encountered=tuple(clipped(error, ITEM_CHARS) for error in said.errors)[:ITEMS],
    )


def with_facts(fields: SummaryFields, facts: Sequence[str]) -> SummaryFields:
    """A model's summary, plus all facts that agents saved, newest first."""
    saved = [clipped(fact, ITEM_CHARS) for fact in reversed(facts)]
    learned = tuple(dict.fromkeys((*saved, *fields.facts_learned)))[:ITEMS]
    return replace(fields, facts_learned=learned)
