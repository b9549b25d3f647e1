"""Which messages ask the same: most of their words are the same."""

import pytest

from bot.sessions.turn.runner import alike


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("When is the launch?", "when is the launch", True),
        ("when is the launch?", "Hey, when is the launch?", True),
        ("when is the launch?", "who pays for the launch?", False),
        ("when is the launch?", "thanks", False),
        ("?!", "?!", False),
    ],
)
def test_most_words_are_the_same(one: str, other: str, same: bool):
    assert alike(one, other) is same
