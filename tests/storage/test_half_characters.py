"""Half characters and numbers beyond SQLite: stored as far as possible, harmless to others."""

import asyncio
from pathlib import Path

import pytest

from bot.domain.characters import whole_characters
from bot.domain.database import Unit, Write
from bot.errors import StorageError
from bot.storage.home import open_database


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("plain", "plain"),
        ("\N{GRINNING FACE}", "\N{GRINNING FACE}"),
        ("a\ud83d", "a\ufffd"),
        ('{"a":"\ude00"}', '{"a":"\ufffd"}'),
        ("\ud83d\ude00", "\N{GRINNING FACE}"),
    ],
)
def test_halves_are_marked_and_pairs_are_joined(text: str, whole: str):
    assert whole_characters(text) == whole


async def test_half_a_character_is_stored_and_looked_for_as_its_mark(tmp_path: Path):
    database = await open_database(tmp_path / "data.db")
    try:
        await database.write(Unit.of(Write("CREATE TABLE words (word TEXT)")))
        await database.write(Unit.of(Write("INSERT INTO words (word) VALUES (?)", ("x\ud83d",))))
        assert await database.read("SELECT word FROM words WHERE word = ?", ("x\ud83d",)) == [
            {"word": "x\ufffd"}
        ]
    finally:
        await database.close()


async def test_a_unit_that_can_not_be_stored_takes_no_other_with_it(tmp_path: Path):
    database = await open_database(tmp_path / "data.db")
    try:
        await database.write(Unit.of(Write("CREATE TABLE numbers (n INTEGER)")))
        insert = "INSERT INTO numbers (n) VALUES (?)"
        units = [Unit.of(Write(insert, (number,))) for number in (1, 2**70, 3)]
        done = await asyncio.gather(
            *(database.write(unit) for unit in units), return_exceptions=True
        )
        assert [isinstance(one, StorageError) for one in done] == [False, True, False]
        assert await database.read("SELECT n FROM numbers ORDER BY n") == [{"n": 1}, {"n": 3}]
    finally:
        await database.close()
