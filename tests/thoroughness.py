"""How much a test tries: a part by default, everything in the profile `thorough`.

`make thorough` tries everything.
"""

from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

THOROUGH = 100
"""Examples of a property that names no number, in the profile `thorough`."""
USUAL = 25
"""As many by default: also the least to which a named number is cut."""


def is_thorough() -> bool:
    """Whether pytest runs with --hypothesis-profile=thorough."""
    return settings().max_examples >= THOROUGH


def examples(most: int) -> int:
    """How many examples of a property to try, of `most`."""
    return most if is_thorough() else min(most, max(USUAL, min(most // 4, THOROUGH)))


def tried(cases: Iterable[T], every: int = 5) -> Iterable[T]:
    """The cases of a long list to try: all, or every so-manieth.

    With an odd `every`, crashes before and after a write take turns.
    """
    return cases if is_thorough() else islice(cases, every // 2, None, every)
