"""Globs over whole names, in time linear in the name."""

import re

MAX_PATTERN = 200
"""Characters of a pattern or query that are looked at."""


def glob_regex(pattern: str) -> re.Pattern[str]:
    """Whole-name match, case ignored, only `*` is special; in time linear in the name for any pattern.

    Same matches as joining the escaped parts with `.*`. Each middle part is bound to its first possible place
    (an atomic group), because trying the later ones can't help and would take exponential time.
    """
    first, *rest = re.sub(r"\*+", "*", pattern[:MAX_PATTERN]).split("*")
    source = re.escape(first)
    for part in rest[:-1]:
        source += f"(?>.*?{re.escape(part)})"
    if rest:
        source += f".*{re.escape(rest[-1])}"
    return re.compile(source, re.IGNORECASE | re.DOTALL)
