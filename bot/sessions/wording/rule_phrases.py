"""Why a rule refuses a call, as `/why` says it behind the rule's name."""

from collections.abc import Mapping

from bot.domain.languages import Phrase
from bot.tools.budget.budgets import Measure, Span
from bot.tools.permission.gate import ELSEWHERE, MISFIT, REPEATED
from bot.tools.toolset.view import ToolStanding

ABSENT: Mapping[ToolStanding, Phrase] = {
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
CONFINED = Phrase("{holder} does not allow it")
