"""Memories as `remember` finds them, without a store."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bot.domain.database import Unit
from bot.domain.memory import RecallQuery, Recollection
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext


@dataclass
class Remembers:
    """Implements `Recalls` over these memories."""

    things: Sequence[Recollection]
    id: str = "kept"
    recalled_by: str = ""
    asked: list[RecallQuery] = field(default_factory=list[RecallQuery])

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> Sequence[Recollection]:
        self.asked.append(wanted)
        return self.things

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        return next((one for one in self.things if one.id == id_), None)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return Unit()


def told(text: str, now: datetime, days_ago: float = 1, **more: Any) -> Recollection:
    """Return a memory of something that the person said."""
    origin = Origin(Trust.PERSON, "conversation")
    return Recollection(
        f"kept:{text}", "their request", text, origin, now - timedelta(days=days_ago), **more
    )
