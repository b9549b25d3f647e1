"""Tables on surfaces that have none: a code block holds every cell, in columns."""

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.rendering import tables_as_code

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
