"""Rules about calls in words for people: `/why` adds them to a rule's name."""

from bot.domain.languages import Language
from bot.sessions.wording import rule_phrases as words
from bot.tools.permission.gate import ABSENT, BUDGET, CONFINED
from bot.tools.toolset.view import ToolStanding

_SECRET = frozenset(
    f"{ABSENT}:{one}" for one in (ToolStanding.UNKNOWN, ToolStanding.ROLE, ToolStanding.FOLDER)
)
"""Refusals with one text for everybody but the operator, to hide tools that others have."""
_ABSENT = {f"{ABSENT}:{standing}": phrase for standing, phrase in words.ABSENT.items()}
_SPENT = {
    f"{BUDGET}:{span}_{measure}": (spent, whose)
    for span, whose in words.SPANS.items()
    for measure, spent in words.MEASURES.items()
}


def is_secret(rule: str) -> bool:
    """Whether only the operator may read that a call was refused by this rule."""
    return rule in _SECRET


def meaning(rule: str, language: Language = Language.EN) -> str:
    """The rule in words; empty if its name is enough, as for rules of policy.yaml."""
    kind, _, holder = rule.partition(":")
    if kind == CONFINED and holder:
        return words.CONFINED.said(language, holder=holder)
    if rule in _SPENT:
        spent, whose = _SPENT[rule]
        return spent.said(language, whose=whose.said(language))
    phrase = _ABSENT.get(rule) or words.GIVEN.get(rule)
    return phrase.said(language) if phrase is not None else ""
