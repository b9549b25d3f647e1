"""Full text: any string is a valid query or none, CJK is found, FTS5 syntax is inert."""

import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.storage.fulltext import MAX_TERMS, fts_query, index_text


@pytest.fixture(scope="module")
def table() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5 (body, tokenize = 'porter unicode61 "
        "remove_diacritics 2')"
    )
    yield connection
    connection.close()


def finds(connection: sqlite3.Connection, text: str, query: str) -> bool:
    connection.execute("DELETE FROM t")
    connection.execute("INSERT INTO t VALUES (?)", (index_text(text),))
    expression = fts_query(query)
    assert expression is not None
    return (
        connection.execute("SELECT 1 FROM t WHERE t MATCH ?", (expression,)).fetchone() is not None
    )


TEXTS = st.one_of(
    st.text(),
    st.text(alphabet="\"*^():-+{}AND OR NOT NEAR'\0\ud800_a北"),
    st.text(st.characters(categories=["Lo"])),
)


@given(text=TEXTS)
def test_any_string_gives_a_valid_query_or_none(text: str, table: sqlite3.Connection):
    expression = fts_query(text)
    if expression is not None:
        table.execute("SELECT 1 FROM t WHERE t MATCH ?", (expression,)).fetchall()


@given(text=TEXTS)
def test_any_string_can_be_indexed(text: str, table: sqlite3.Connection):
    table.execute("INSERT INTO t VALUES (?)", (index_text(text),))
    table.execute("DELETE FROM t")


@given(
    before=st.text(alphabet="北京大学の한"),
    word=st.text(alphabet="北京大学の한", min_size=1, max_size=4),
)
def test_every_part_of_a_cjk_run_is_found(before: str, word: str, table: sqlite3.Connection):
    assert finds(table, f"{before}{word}", word)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Ann prefers the morning train", "what train does Ann prefer?"),
        ("The café opens at nine", "CAFE"),
        ("我在北京大学学习", "北京"),
        ("我在北京大学学习", "大"),
        ("body: NOT a column", "body:column"),
        ("release 2.4 of bellhop", '"release" AND (2.4*'),
    ],
)
def test_related_words_find_the_text(text: str, query: str, table: sqlite3.Connection):
    assert finds(table, text, query)


@pytest.mark.parametrize(
    "query", ["", "   ", "the of and", "?!*()\"'", "_", "\0", "NOT not AND OR"]
)
def test_queries_without_a_meaningful_word_are_none_or_plain_words(query: str):
    assert fts_query(query) is None


def test_operators_are_searched_as_words(table: sqlite3.Connection):
    assert finds(table, "near the station", "NEAR(x y)")
    assert not finds(table, "apples", "pears* NOT")


def test_a_very_long_query_is_bounded():
    expression = fts_query(" ".join(f"word{number}" for number in range(1000)))
    assert expression is not None
    assert expression.count(" OR ") == MAX_TERMS - 1
