"""Globs over whole names, in time linear in the name."""

import re

MAX_PATTERN = 200
"""Characters of a pattern or query that are looked at."""


def glob_regex(pattern: str) -> re.Pattern[str]:
    """Match whole names, ignoring case; only `*` is special. Linear time for any pattern.

    Matches the same as joining the escaped parts with `.*`. Each middle part takes its first
    possible place (an atomic group): later ones can't help and would take exponential time.
    """
    first, *rest = re.sub(r"\*+", "*", pattern[:MAX_PATTERN]).split("*")
    source = re.escape(first)
    for part in rest[:-1]:
        source += f"(?>.*?{re.escape(part)})"
    if rest:
        source += f".*{re.escape(rest[-1])}"
    return re.compile(source, re.IGNORECASE | re.DOTALL)
