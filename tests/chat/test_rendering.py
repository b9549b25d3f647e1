"""Splitting long markdown, and its tables: nothing is lost, nothing is too long."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.rendering import SMALLEST_LIMIT, split_pieces, split_text, tables_as_code

LINES = st.one_of(
    st.sampled_from(
        [
            "```",
            "```python",
            "~~~",
            "````",
            "",
            "x = 1",
            "One sentence. Another one!",
            " ",
            "```inline```",
        ]
    ),
    st.text(st.characters(blacklist_characters="`~"), max_size=60),
)
MARKDOWN = st.lists(LINES, max_size=40).map("\n".join)
LIMITS = st.integers(SMALLEST_LIMIT, 300)


@given(st.one_of(MARKDOWN, st.text()), LIMITS)
def test_bodies_join_to_the_original_and_every_piece_fits(text: str, limit: int) -> None:
    pieces = split_pieces(text, limit)
    assert "".join(piece.body for piece in pieces) == text
    assert all(piece.body and len(piece.text) <= limit for piece in pieces)


@given(st.text(st.characters(blacklist_characters="`~")), LIMITS)
def test_without_code_nothing_is_added(text: str, limit: int) -> None:
    assert all(not piece.opening and not piece.closing for piece in split_pieces(text, limit))


@given(MARKDOWN, LIMITS)
def test_added_fences_come_in_pairs(text: str, limit: int) -> None:
    pieces = split_pieces(text, limit)
    for before, after in pairwise(pieces):
        assert bool(before.closing) == bool(after.opening)
    if pieces:
        assert not pieces[0].opening
        assert not pieces[-1].closing


@given(st.lists(st.sampled_from(["\ud83d\ude00", "a", " "]), max_size=200).map("".join), LIMITS)
def test_surrogate_pairs_stay_together(text: str, limit: int) -> None:
    for piece in split_pieces(text, limit):
        assert not piece.body.startswith("\ude00")


def test_code_is_closed_and_opened_again_with_its_language() -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(20))
    texts = split_text(f"Here it is:\n\n```python\n{code}\n```\nDone.", 120)
    assert len(texts) > 2
    assert all(text.count("```") % 2 == 0 for text in texts)
    assert texts[1].startswith("```python\nline_")
    assert texts[-1].endswith("```\nDone.")


def test_no_empty_code_block_is_left_before_a_cut() -> None:
    texts = split_text("word " * 19 + "\n```python\n" + "x = 1\n" * 20 + "```", 110)
    assert "```python" not in texts[0]


def test_prefers_the_end_of_a_paragraph() -> None:
    assert split_text("First part here.\n\nSecond part, a bit longer.", 30) == [
        "First part here.\n\n",
        "Second part, a bit longer.",
    ]


def test_prefers_a_sentence_over_a_word() -> None:
    assert split_text("This is one sentence. And this is another", 30) == [
        "This is one sentence. ",
        "And this is another",
    ]


def test_blank_texts_give_nothing() -> None:
    assert split_text("", 100) == []
    assert split_text(" \n" * 200, 100) == []


def test_refuses_a_limit_without_room() -> None:
    with pytest.raises(ValueError, match="too small"):
        split_text("text", 5)


# Tables on surfaces that have none: a code block holds every cell, in columns.


TABLE = (
    "Prices:\n\n| item | price |\n|:-----|------:|\n| milk | 1.20 |\n| bread and butter | 3 "
    "|\n\nDone."
)


def test_a_table_becomes_a_code_block() -> None:
    assert tables_as_code(TABLE) == (
        "Prices:\n\n```\nitem              price\n----------------  -----\n"
        "milk              1.20\nbread and butter  3\n```\n\nDone."
    )


def test_text_that_is_not_a_table_stays_unchanged() -> None:
    for text in (
        "a | b\nc | d",
        "```\n| a | b |\n|---|---|\n| c | d |\n```",
        "---\n\n| alone |",
        "",
        "a\n---\nb | c",
    ):
        assert tables_as_code(text) == text


CELL = st.text("abcdefghij 0123456789", min_size=1, max_size=12).map(str.strip).filter(bool)


@given(st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=1, max_size=5))
def test_every_cell_is_shown(rows: list[list[str]]) -> None:
    lines = [f"| {' | '.join(row)} |" for row in rows]
    shown = tables_as_code("\n".join([lines[0], f"|{'---|' * len(rows[0])}", *lines[1:]]))
    assert shown.startswith("```\n")
    for row in rows:
        assert all(cell in shown for cell in row)
