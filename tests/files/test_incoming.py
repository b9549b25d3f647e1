"""Files that people sent and get: safe and free names, room, and how they are reached."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.database import Unit, Write
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM
from bot.errors import UnitRejected
from bot.files.incoming import FOLDER, ROOM_CHARS, IncomingFiles, free_name
from bot.files.paths import normalise, way_to
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


# What a result says about how its file reaches the person.


@pytest.mark.parametrize(
    ("path", "platform", "sends", "said"),
    [
        (
            "/documents/a/b.md",
            "slack",
            True,
            "`/files a/b.md` gives it to the person, who alone can open it; send",
        ),
        (
            "/documents/a.md",
            "discord",
            False,
            "`/files a.md` gives it to the person, who alone can open it.",
        ),
        ("/documents/a.md", "terminal", False, "`/files a.md` saves it on the person's disk."),
        ("/preferences/global.md", "slack", False, "`/files /preferences/global.md` gives"),
        ("/preferences/permissions.md", "slack", False, ""),
        ("/custom-skills/shared/tidy.md", "slack", True, "Send with `file` hands it over."),
        ("/meetings/2026-11-24/review/notes.md", "slack", True, "Send with `file` hands it over."),
        ("/documents2/a.md", "slack", False, ""),
    ],
)
def test_a_command_is_named_where_it_works(path: str, platform: str, sends: bool, said: str):
    way = way_to(path, platform, sends=sends)
    assert way.startswith(said)
    assert bool(way) == bool(said)
    assert ("send with" in way.lower()) == sends
