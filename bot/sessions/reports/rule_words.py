"""Rules about calls in words for people: `/why` adds them to a rule's name."""

from collections.abc import Mapping

from bot.domain.languages import Language, Phrase
from bot.tools.budget.budgets import Measure, Span
from bot.tools.permission.gate import ABSENT, BUDGET, CONFINED, ELSEWHERE, MISFIT, REPEATED
from bot.tools.toolset.view import ToolStanding

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
