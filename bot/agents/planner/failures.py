"""Why a task failed, read from the words of the failure, and what follows from it."""

import re

from bot.domain.plans import FailureKind

RETRYABLE = frozenset({FailureKind.TIMEOUT, FailureKind.RATE_LIMIT, FailureKind.TRANSPORT})
"""The same again may work. Everything else needs another way."""

_SIGNS: tuple[tuple[FailureKind, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (FailureKind.RATE_LIMIT, r"rate.?limit|too many requests|\b429\b|\b529\b|overloaded|quota"),
        (FailureKind.TIMEOUT, r"timed? ?out|timeout|deadline|took too long|max_seconds="),
        (
            FailureKind.DENIED,
            r"denied|refused by|not allowed|forbidden|\b40[13]\b|lacks|policy|permission|no "
            r"approval"
            r"|stopped by the person|unauthori[sz]ed",
        ),
        (
            FailureKind.NOT_FOUND,
            (
                r"not found|no such|there is no|\b404\b|does not exist|doesn't exist|unknown "
                r"(?:agent|tool)"
            ),
        ),
        (
            FailureKind.BAD_ARGUMENTS,
            r"argument|invalid|malformed|blank|syntax|missing field|schema|\b4(?:00|22)\b",
        ),
        (
            FailureKind.TRANSPORT,
            r"connection|network|unreachable|\b50[0234]\b|reset by|broken pipe|subprocess|server "
            r"error"
            r"|consecutive LLM errors",
        ),
    )
)
UNRESOLVED = "ended unresolved: "
"""Stands before the answer of an agent that says itself that it did not get there."""
IN_PART = "done in part: "
_EXHAUSTED = re.compile(
    r"max_(?:turns|tokens|tool_calls|seconds)=\S+ exhausted|no longer fits the model's window"
)


def kind_of(reason: str) -> FailureKind:
    """The category of a failure. The first sign that fits decides; without one it is unknown.

    What an agent says of its own failure is an answer in its words, which may hold any sign: that
    is unknown.
    """
    if reason.startswith(UNRESOLVED):
        return FailureKind.UNKNOWN
    return next((kind for kind, sign in _SIGNS if sign.search(reason)), FailureKind.UNKNOWN)


def is_too_large(reason: str) -> bool:
    """Whether the agent ran out of calls or room: the task is better split than tried again."""
    return not reason.startswith(UNRESOLVED) and _EXHAUSTED.search(reason) is not None
