"""Why a card asks, behind the words of what is wanted.

A reason is stored in English: policies write their own, and `/why` tells them to operators.
"""

from collections.abc import Iterator

from bot.domain.approvals import Approval
from bot.domain.languages import Language, Phrase
from bot.domain.retelling import Retelling
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.plans_store import has_lines

_OUTSIDE = Phrase(", and text from outside is in this conversation")
_OUTSIDE_TOO = Phrase(", and text from outside is in this conversation", context="asked anyway")


def _beside(outside: Phrase, phrase: Phrase) -> Phrase:
    return Phrase(*(f"{phrase.all[one]}{outside.all[one]}" for one in Language))


_ASKED_ANYWAY = (
    Phrase("it changes something outside of Bellhop"),
    Phrase("it changes what Bellhop may do"),
    Phrase("it destroys something that can't be brought back"),
    Phrase("it changes what runs for you when you are not there"),
    Phrase("it may show others what is its asker's alone"),
    Phrase("the policy wants a confirmation"),
)
_ASKED_BESIDE = (
    Phrase("it may change something, and another server's words are in this conversation"),
    Phrase("it may change something: its server doesn't say that it only reads"),
    Phrase("it would open an address that was put together here"),
    Phrase("it saves instructions for later"),
    Phrase("it deletes or replaces what was kept"),
    Phrase("it makes something that acts later"),
)
_REASONS = (
    *(_beside(_OUTSIDE_TOO, one) for one in _ASKED_ANYWAY),
    *(_beside(_OUTSIDE, one) for one in _ASKED_BESIDE),
    *(*_ASKED_ANYWAY, *_ASKED_BESIDE),
)
"""All that Bellhop gives itself, by the English words with which they are stored."""

ABOUT_THIS_CALL = Retelling(
    (
        Phrase("it tells this text to everybody named there"),
        Phrase("it shows the whole workspace a text that was written in private"),
        Phrase("it submits a form on {host}"),
        Phrase("it uploads a file on {host}"),
        Phrase("it presses a button on {host}"),
        Phrase("it presses a link that runs a script on {host}"),
        Phrase("it follows a link that does something on {host}"),
        Phrase("it makes the page send something ({what}) on {host}"),
        Phrase("it accepts a {kind} on {host}"),
    )
)
"""Those with which single tools ask, with what stands in them; a whole reason is one of them."""


_USED_UP = Phrase("the budget is used up; a yes adds {more}")


def why_asked(approval: Approval, language: Language) -> str:
    """Why a card asks, behind the words of what is wanted."""
    if approval.tool == EXTEND_BUDGET and language is not Language.EN:
        return f" ({_USED_UP.said(language, more=approval.arguments['more'])})"
    if has_lines(approval) and "\n" in approval.reason:
        parts = [one.partition(": ") for one in approval.reason.splitlines()]
        return f" ({'; '.join(f'{of}: {_as_read(why, language)}' for of, _, why in parts)})"
    if has_lines(approval) and language is Language.EN and approval.reason.startswith("it "):
        return f" ({approval.reason})"  # each reason is of one call
    return clause(approval.reason, language)


def clause(reason: str, language: Language) -> str:
    """The reason behind the words of what is wanted.

    Those of risks begin with `it`, those of policies are sentences of their own.
    """
    if language is Language.EN and reason.startswith("it "):
        return f", which {reason.removeprefix('it ')}"
    return f" ({_as_read(reason, language)})" if reason else ""


def _as_read(reason: str, language: Language) -> str:
    told = reason if language is Language.EN else "; ".join(_told(reason, language))
    return told.rstrip(".")


def _told(reason: str, language: Language) -> Iterator[str]:
    """Each of them in this language; as it is where the operator wrote it."""
    whole = ABOUT_THIS_CALL.told(reason, language)
    if whole != reason:
        yield whole
        return
    while reason:
        known = next((one for one in _REASONS if reason.startswith(one.en)), None)
        if known is None:
            own, _, reason = reason.partition("; ")
            yield own
        else:
            yield known.said(language)
            reason = _behind(reason.removeprefix(known.en))


def _behind(rest: str) -> str:
    """What follows a reason and, in brackets, what was read and what to do."""
    if rest.startswith(" ("):
        depth = 0
        for at, char in enumerate(rest):
            depth += (char == "(") - (char == ")")
            if char == ")" and not depth:
                return rest[at + 1 :].removeprefix("; ")
    return rest.removeprefix("; ")
