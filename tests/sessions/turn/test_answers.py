"""Answers: in short, repeated, and for their asker alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.loop.run import RunRecord
from bot.domain.chat import LiveUpdate, PlanShown, Status, TextReset, ToolStarted, WorkShown
from bot.domain.messages import Place
from bot.sessions.turn.replies import unseen_by_others
from bot.sessions.turn.runner import alike
from bot.sessions.turn.short_answers import SHOWN_CHARS, beginning, parted
from bot.testing.fake_chat import FakeChat

LONG = "word " * 300


def test_it_ends_with_a_paragraph():
    assert beginning(f"The gist.\n\nA reason.\n\n{LONG}") == "The gist.\n\nA reason."


def test_of_one_long_paragraph_whole_words_are_shown():
    shown = beginning(LONG)
    assert shown.endswith("word …")
    assert len(shown) <= SHOWN_CHARS + 2


def test_code_that_goes_on_is_closed():
    assert beginning(f"See:\n\n```python\nx = 1\n\n{LONG}\n```") == "See:\n\n```python\nx = 1\n```"


@given(st.text(st.sampled_from("ab \n`"), min_size=1, max_size=2_000))
def test_it_is_a_beginning_of_bounded_length(text: str):
    shown = beginning(text)
    assert len(shown) <= SHOWN_CHARS + 10
    assert shown.removesuffix("\n```").removesuffix(" …").strip() in text


def test_code_that_is_parted_is_code_in_both_parts():
    shown, rest = parted(f"See:\n\n```python\nx = 1\n\n{LONG}\n```")
    assert shown == "See:\n\n```python\nx = 1\n```"
    assert rest == f"```python\n{LONG}\n```"


@given(st.lists(st.sampled_from(["word", "a", "\n\n", "\n", "  "]), max_size=600))
def test_both_parts_hold_every_word_once_and_in_order(pieces: list[str]):
    text = " ".join(pieces)
    shown, rest = parted(text)
    assert f"{shown.removesuffix(' …')} {rest}".split() == text.split()


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


def test_others_see_that_work_goes_on_and_none_of_its_words():
    shown: list[LiveUpdate] = []
    record = RunRecord()
    message = FakeChat().message("ann", "when?", where="general", place=Place.CHANNEL)
    show = unseen_by_others(shown.append, record, message)
    works = WorkShown("Thinking it through")
    words = (Status("looks up the airship"), ToolStarted("1", "peek", "peek"), PlanShown("May", ()))
    for update in (*words, works):
        show(update)
    assert shown == [*words, works]
    record.for_asker = True
    shown.clear()
    for update in (*words, works, TextReset()):
        show(update)
    assert shown == [works, TextReset()]
