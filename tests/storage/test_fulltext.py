"""Full text: stems, and any string is a valid query or none."""

import sqlite3
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.storage.fulltext import MAX_TERMS, fts_query, index_text
from bot.storage.stems import indexed


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


# Words as full text search stores them.


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
