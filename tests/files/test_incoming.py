"""Files that people sent get names that are safe and free, and no more room than there is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.database import Unit, Write
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM
from bot.errors import UnitRejected
from bot.files.incoming import FOLDER, ROOM_CHARS, IncomingFiles, free_name
from bot.files.paths import normalise
from bot.files.store import FileRows
from bot.storage.database import SqliteDatabase
from bot.testing.fake_clock import FakeClock

EXTERNAL = Origin(Trust.EXTERNAL, "file:log.txt")


@given(name=st.text(max_size=400), others=st.lists(st.text(max_size=40), max_size=4))
def test_every_name_becomes_one_free_step_of_a_path(name: str, others: list[str]):
    taken: set[str] = set()
    for one in (name, name, *others, name):
        found = free_name(one, taken)
        assert normalise(f"{FOLDER}/{found}") == f"{FOLDER}/{found}"
        assert "/" not in found
        assert found not in taken
        taken.add(found)


async def test_two_that_chose_the_same_path_do_not_overwrite_each_other(database: SqliteDatabase):
    files = IncomingFiles(FileRows(database), FakeClock())
    one = await files.new("ann", "log.txt", "one", IN_DM, EXTERNAL)
    two = await files.new("ann", "log.txt", "two", IN_DM, EXTERNAL)
    assert one is not None
    assert two is not None
    assert one[0] == two[0]
    await database.write(one[1])
    with pytest.raises(UnitRejected):
        await database.write(two[1])
    again = await files.new("ann", "log.txt", "two", IN_DM, EXTERNAL)
    assert again is not None
    assert again[0] == f"{FOLDER}/log-2.txt"


async def test_a_folder_that_is_full_or_no_folder_takes_nothing(database: SqliteDatabase):
    files = IncomingFiles(FileRows(database), FakeClock())
    assert await files.new("ann", "log.txt", "x" * (ROOM_CHARS + 1), IN_DM, EXTERNAL) is None
    await database.write(
        Unit.of(
            Write(
                "INSERT INTO virtual_files (owner_kind, owner, path, text, version, updated_at, "
                "updated_by, reach,"
                " channel, origin) VALUES ('person', 'ann', ?, 'x', 'v', '', 'ann', 'dm', '', "
                "'{}')",
                (FOLDER,),
            )
        )
    )
    assert await files.new("ann", "log.txt", "x", IN_DM, EXTERNAL) is None
    assert await files.new("bob", "log.txt", "x", IN_DM, EXTERNAL) is not None
