"""Rules about calls in words for people: `/why` adds them to a rule's name."""

from bot.tools.budget.budgets import Measure, Span
from bot.tools.permission.gate import ABSENT, BUDGET, CONFINED, ELSEWHERE, MISFIT, REPEATED
from bot.tools.toolset.view import ToolStanding

_SECRET = frozenset(
    f"{ABSENT}:{one}" for one in (ToolStanding.UNKNOWN, ToolStanding.ROLE, ToolStanding.FOLDER)
)
"""Refusals with one text for everybody but the operator, to hide tools that others have."""
_ABSENT = {
    ToolStanding.ROLE: "the person's role lacks it",
    ToolStanding.FOLDER: "it belongs to another agent",
    ToolStanding.UNKNOWN: "no tool has this name",
    ToolStanding.RUN: "it does not exist in this kind of run",
    ToolStanding.INTEGRATION: "a service that it needs is not connected",
    ToolStanding.UNSERVED: "nothing here can run it",
}
_SPANS = {
    Span.TURN: "for one request",
    Span.PERSON: "for one person and day",
    Span.CHANNEL: "for this channel and day",
    Span.GUEST: "for one guest and day",
    Span.STRANGERS: "for all strangers and one day",
    Span.TOTAL: "for everybody and one day",
    Span.SCHEDULE: "for this scheduled task and month",
}
_MEASURES = {
    Measure.USD: "the money {} is spent",
    Measure.MODEL_CALLS: "the model calls {} are used up",
    Measure.TOOL_CALLS: "the tool calls {} are used up",
}
_MEANING = {
    MISFIT: "its arguments did not fit",
    ELSEWHERE: "a guest can't have anything posted elsewhere",
    REPEATED: "this exact call was made too often",
    **{f"{ABSENT}:{standing}": words for standing, words in _ABSENT.items()},
    **{
        f"{BUDGET}:{span}_{measure}": text.format(whose)
        for span, whose in _SPANS.items()
        for measure, text in _MEASURES.items()
    },
}


def is_secret(rule: str) -> bool:
    """Whether only the operator may read that a call was refused by this rule."""
    return rule in _SECRET


def meaning(rule: str) -> str:
    """The rule in words; empty if its name is enough, as for rules of policy.yaml."""
    kind, _, holder = rule.partition(":")
    return f"{holder} does not allow it" if kind == CONFINED and holder else _MEANING.get(rule, "")
