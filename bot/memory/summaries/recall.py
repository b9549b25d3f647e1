"""Summaries of conversations for `remember` and `forget`, each as a few lines for a model."""

from collections.abc import Sequence

from bot.domain.characters import shortened
from bot.domain.database import Database, Unit
from bot.domain.memory import RecallQuery, Recollection
from bot.domain.origins import Origin
from bot.domain.summaries import ConversationSummary
from bot.domain.tool_context import ToolContext
from bot.memory.summaries.store import forgotten_write, summaries_of

SEARCHED = 500
"""The number of a person's latest summaries that are searched."""
CHARS = 1_500


class PastSummaries:
    """Implements `Recalls` over a person's summaries."""

    id = "summary"
    recalled_by = ""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        return [
            _recollection(one)
            for one in await summaries_of(self._database, context.person.id, SEARCHED)
        ]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        summaries = await summaries_of(self._database, context.person.id)
        return next((_recollection(one) for one in summaries if f"{self.id}:{one.id}" == id_), None)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        """Its line in memory/<agent>_conversations.jsonl is removed after it."""
        return Unit.of(forgotten_write(context.person.id, id_.removeprefix(f"{self.id}:")))


def _recollection(summary: ConversationSummary) -> Recollection:
    fields = summary.fields
    known = "; ".join((*fields.facts_learned, *fields.preferences_noted))
    return Recollection(
        f"{PastSummaries.id}:{summary.id}",
        "summary of a conversation",
        f"{in_words(summary)}\nKnown: {known}" if known else in_words(summary),
        Origin(summary.trust, "summary of a conversation"),
        summary.ended_at,
        fields.significance,
        summary.learned,
    )


def in_words(summary: ConversationSummary) -> str:
    """The time, the request, the result and open points; at most CHARS characters."""
    fields = summary.fields
    lines = [
        f"{summary.ended_at:%Y-%m-%d} ({fields.outcome}): {fields.intent}",
        *_line("Heard", fields.wih),
        *_line("Said", fields.wis),
        *_line("Done", fields.wid),
        *_line("Open", fields.follow_up),
    ]
    return shortened("\n".join(lines), CHARS)


def _line(label: str, text: str) -> list[str]:
    return [f"{label}: {text}"] if text else []
