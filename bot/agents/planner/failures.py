"""Why a task failed, read from the text of the failure, and the consequence."""

import re

from bot.domain.plans import FailureKind

RETRYABLE = frozenset({FailureKind.TIMEOUT, FailureKind.RATE_LIMIT, FailureKind.TRANSPORT})
"""Categories in which a retry may work. All others need another way."""

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
"""The prefix of an answer in which the agent itself reports a failure."""
IN_PART = "done in part: "
_EXHAUSTED = re.compile(
    r"max_(?:turns|tokens|tool_calls|seconds)=\S+ exhausted|no longer fits the model's window"
)


def kind_of(reason: str) -> FailureKind:
    """The category of a failure. The first matching sign decides; without one it is unknown.

    An agent's own report is free text that may contain any sign, so its category is unknown.
    """
    if reason.startswith(UNRESOLVED):
        return FailureKind.UNKNOWN
    return next((kind for kind, sign in _SIGNS if sign.search(reason)), FailureKind.UNKNOWN)


def is_too_large(reason: str) -> bool:
    """Whether the agent ran out of calls or room: splitting the task is better than a retry."""
    return not reason.startswith(UNRESOLVED) and _EXHAUSTED.search(reason) is not None
