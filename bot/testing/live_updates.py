"""One live update of each kind, to be shown through every door."""

from bot.domain.chat import (
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)
from bot.domain.languages import Phrase
from bot.domain.plans import PlanTask, TaskState

EACH_KIND: tuple[LiveUpdate, ...] = (
    Thinking("they want to know the weather"),
    Status("waiting for researcher"),
    PlanShown("compare", (PlanTask("1", "read", state=TaskState.COMPLETED), PlanTask("1.1", "ä"))),
    ToolStarted(
        "c1", "search", "search late", "late", Phrase("Looking", "Schau", "Vois", "Miro", "Vedo")
    ),
    ToolEnded("c1", "search", ok=False, seconds=0.5, note="nothing found", waits=True),
    WorkShown("Looking out of the window"),
    TextDelta("It is"),
    TextReset(),
    TextDelta("It is sunny."),
)
