"""Long patterns, compiled when they are first needed."""

import re
from functools import cache


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once. Most starts read no phrase, and each takes milliseconds."""
    return re.compile(pattern)
