"""Words as full text search stores them."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.storage.stems import indexed

ENDINGS = ("ingly", "ungen", "issements", "aciones", "abilmente")


@pytest.fixture
def threads_alternate() -> Iterator[None]:
    """Python goes from thread to thread after almost every call."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def stemmed(letter: str) -> list[str]:
    """Words that begin with this letter, which is nowhere else in them.

    Each thread has a letter of its own, so that no word is answered from the cache.
    """
    words = " ".join(f"{letter}{number}{ending}" for number in range(80) for ending in ENDINGS)
    return indexed(words).split()


@pytest.mark.usefixtures("threads_alternate")
def test_threads_that_stem_at_the_same_time_leave_each_others_words_alone():
    letters = "kvzj"
    with ThreadPoolExecutor(len(letters)) as pool:
        forms = dict(zip(letters, pool.map(stemmed, letters), strict=True))
    expected = [form[1:] for form in stemmed("x")]
    for letter in letters:
        assert forms[letter] == [letter + rest for rest in expected]
