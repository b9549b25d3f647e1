"""What every database promises: units stand or fall together, and values come back as they were."""

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest

from bot.domain.database import Database, OpenDatabase, Read, Unit, Write, made_of, read_number
from bot.errors import StorageError, UnitRejected

TABLE = Write("CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")


def insert(number: int) -> Write:
    return Write("INSERT INTO things VALUES (?, ?) RETURNING id", (number, f"thing {number}"))


@pytest.fixture(autouse=True)
async def things(database: Database) -> None:
    await database.write(Unit.of(TABLE))


async def count(database: Database) -> int:
    return await read_number(database, "SELECT count(*) FROM things")


@dataclass(frozen=True)
class Thing:
    id: int
    name: str
    of_row: str = "default"


async def test_a_number_is_read_and_a_missing_one_is_0(database: Database):
    await database.write(Unit.of(insert(4), insert(5)))
    assert await read_number(database, "SELECT max(id) FROM things WHERE id < ?", (5,)) == 4
    assert await read_number(database, "SELECT max(id) FROM things WHERE id < ?", (1,)) == 0
    assert await read_number(database, "SELECT id FROM things WHERE id = ?", (9,)) == 0


async def test_a_record_is_made_of_a_row_by_the_names_of_its_columns(database: Database):
    await database.write(Unit.of(insert(4)))
    row = await database.read_one("SELECT id, name, 'x' AS of_row FROM things")
    assert row is not None
    assert made_of(Thing, row) == Thing(4, "thing 4", "x")
    assert made_of(Thing, row, name="y") == Thing(4, "y", "x")
    with pytest.raises(KeyError):
        made_of(Thing, {"id": 4, "name": "without the third"})


async def test_a_failing_unit_of_a_batch_fails_alone(database: Database):
    numbers = [1, 2, 2, 3]
    outcomes = await asyncio.gather(
        *(database.write(Unit.of(insert(number))) for number in numbers), return_exceptions=True
    )
    assert [isinstance(outcome, StorageError) for outcome in outcomes] == [
        False,
        False,
        True,
        False,
    ]
    assert await count(database) == 3


async def test_a_unit_with_an_unexpected_row_count_leaves_nothing_behind(database: Database):
    unit = Unit.of(insert(1), Write("UPDATE things SET name = 'x' WHERE id = 9", rows=1))
    with pytest.raises(UnitRejected) as caught:
        await database.write(unit)
    assert caught.value.index == 1
    assert await count(database) == 0


async def test_returning_rows_come_back_per_write(database: Database):
    written = await database.write(Unit.of(insert(4), insert(5)))
    assert [rows[0]["id"] for rows in written.returned] == [4, 5]


async def test_a_cancelled_caller_does_not_take_its_batch_along(database: Database):
    tasks = [asyncio.create_task(database.write(Unit.of(insert(number)))) for number in range(3)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(outcomes[1], asyncio.CancelledError)
    assert not isinstance(outcomes[0], BaseException)
    assert not isinstance(outcomes[2], BaseException)


async def test_a_unit_that_fails_leaves_nothing_of_its_first_writes(database: Database):
    bad = Unit.of(insert(1), Write("INSERT INTO nowhere VALUES (1)"))
    good = Unit.of(insert(2))
    first, second = await asyncio.gather(
        database.write(bad), database.write(good), return_exceptions=True
    )
    assert isinstance(first, StorageError)
    assert not isinstance(second, BaseException)
    assert await database.read("SELECT id FROM things") == [{"id": 2}]


async def test_units_of_one_batch_see_what_those_before_them_wrote(database: Database):
    move = Write("UPDATE things SET name = name || '+' WHERE id = 1", rows=1)
    await asyncio.gather(
        database.write(Unit.of(insert(1))), *(database.write(Unit.of(move)) for _ in range(9))
    )
    assert await database.read("SELECT name FROM things") == [{"name": "thing 1+++++++++"}]


async def test_several_reads_are_answered_in_their_order_or_fail_together(database: Database):
    await database.write(Unit.of(insert(1), insert(2)))
    named = [Read("SELECT name FROM things WHERE id = ?", (number,)) for number in (2, 3, 1)]
    answers = [[{"name": "thing 2"}], [], [{"name": "thing 1"}]]
    assert await database.read_all(*named) == answers
    assert await database.read_all(named[0]) == answers[:1]
    with pytest.raises(StorageError, match="nothing"):
        await database.read_all(named[0], Read("SELECT nothing FROM things"), named[2])
    assert await asyncio.gather(*(database.read_all(*named) for _ in range(9))) == [answers] * 9


async def test_one_of_several_units_gets_a_row(database: Database):
    await database.write(Unit.of(insert(1)))
    claims = [
        Unit.of(
            Write("UPDATE things SET name = ? WHERE id = 1 AND name = 'thing 1'", (who,), rows=1)
        )
        for who in ("ann", "ben", "cid")
    ]
    outcomes = await asyncio.gather(*map(database.write, claims), return_exceptions=True)
    assert [isinstance(one, UnitRejected) for one in outcomes] == [False, True, True]
    assert await database.read("SELECT name FROM things") == [{"name": "ann"}]


@pytest.mark.parametrize(
    ("given", "back"),
    [
        (None, None),
        (True, 1),
        (2**40, 2**40),
        (0.25, 0.25),
        (b"\x00\xff", b"\x00\xff"),
        ("what? 'quoted' %s $1", "what? 'quoted' %s $1"),
        ("a\ud800b", "a\ufffdb"),
    ],
)
async def test_values_come_back_as_they_were(given: Any, back: Any, database: Database):
    row = await database.read_one("SELECT ? AS value, 'a?' AS mark", (given,))
    assert row == {"value": back, "mark": "a?"}


async def test_numbers_and_truth_are_numbers(database: Database):
    await database.write(Unit.of(insert(1), insert(2)))
    row = await database.read_one(
        "SELECT sum(id) AS total, count(*) > 1 AS many, max(2, min(id)) AS most FROM things"
    )
    assert row is not None
    assert row == {"total": 3, "many": 1, "most": 2}
    assert isinstance(row["total"], int)


async def test_text_sorts_by_its_characters_and_is_compared_by_case(database: Database):
    names = ["b", "B", "a", "Ä", "_"]
    for number, name in enumerate(names):
        await database.write(
            Unit.of(
                Write(
                    "INSERT INTO conversations VALUES (?,'','',?,'','',0,0,'','','')",
                    (str(number), name),
                )
            )
        )
    rows = await database.read("SELECT id FROM conversations ORDER BY id")
    assert [row["id"] for row in rows] == ["B", "_", "a", "b", "Ä"]


async def test_lists_in_json_are_read_in_their_order(database: Database):
    rows = await database.read(
        "SELECT key, value FROM json_each(?) ORDER BY key", ('["b", "a", "\\u0000\\\\u0000"]',)
    )
    assert [row["key"] for row in rows] == [0, 1, 2]
    assert [row["value"] for row in rows][:2] == ["b", "a"]
    taken = await database.read_one("SELECT json_extract(?, '$.a') AS a", ('{"a": "x"}',))
    assert taken == {"a": "x"}


async def test_a_statement_that_is_wrong_is_an_error_at_once(database: Database):
    with pytest.raises(StorageError, match="nowhere"):
        await database.read("SELECT * FROM nowhere")
    with pytest.raises(StorageError):
        await database.write(Unit.of(Write("INSERT INTO things VALUES (1, NULL)")))
    assert await count(database) == 0


async def test_nothing_is_written_once_it_is_closed(database: OpenDatabase):
    await database.close()
    with pytest.raises(StorageError, match="closed"):
        await database.write(Unit.of(insert(1)))
