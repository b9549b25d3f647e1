"""Files in the database: own ones only, no lost update, and taint stays with the text."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError, UnitRejected
from bot.files.database_files import DatabaseFiles
from bot.files.virtual import VirtualFiles
from bot.storage.database import SqliteDatabase
from bot.storage.home import open_database
from bot.testing.contexts import make_context, make_person
from bot.testing.fake_clock import FakeClock
from tests.thoroughness import examples

WEB = Origin(Trust.EXTERNAL, "tool:web_fetch")
ANN, BOB = make_context(make_person("ann")), make_context(make_person("bob"))


@pytest.fixture
def put(database: SqliteDatabase, files: VirtualFiles):
    async def put(context: ToolContext, path: str, text: str) -> None:
        before = await files.find(context, path)
        await database.write(
            await files.write(context, path, text, before.version if before else None)
        )

    return put


async def test_nothing_is_stored_before_the_unit_is_written(
    database: SqliteDatabase, files: VirtualFiles
):
    unit = await files.write(ANN, "/documents/a.md", "one", None)
    assert await files.find(ANN, "/documents/a.md") is None
    await database.write(unit)
    stored = await files.read(ANN, "/documents/a.md")
    assert (stored.text, stored.updated) == ("one", FakeClock().now())


async def test_one_persons_files_are_not_there_for_another(files: VirtualFiles, put: Any):
    await put(ANN, "/documents/a.md", "ann's")
    await put(BOB, "/documents/a.md", "bob's")
    assert (await files.read(ANN, "/documents/a.md")).text == "ann's"
    assert (await files.read(BOB, "/documents/a.md")).text == "bob's"
    await put(ANN, "/documents/only.md", "ann's")
    with pytest.raises(ToolError, match="there is no file"):
        await files.read(BOB, "/documents/only.md")
    assert [entry.path for entry in await files.list(BOB, "/documents")] == ["/documents/a.md"]


async def test_a_stale_version_is_refused_at_once(files: VirtualFiles, put: Any):
    await put(ANN, "/documents/a.md", "one")
    stale = (await files.read(ANN, "/documents/a.md")).version
    await put(ANN, "/documents/a.md", "two")
    with pytest.raises(ToolError, match="was changed meanwhile; read it again"):
        await files.write(ANN, "/documents/a.md", "three", stale)
    with pytest.raises(ToolError, match="was changed meanwhile"):
        await files.write(ANN, "/documents/a.md", "three", None)
    with pytest.raises(ToolError, match="was changed meanwhile"):
        await files.delete(ANN, "/documents/a.md", stale)
    with pytest.raises(ToolError, match="not there any more"):
        await files.delete(ANN, "/documents/b.md", stale)
    assert (await files.read(ANN, "/documents/a.md")).text == "two"


async def test_an_update_between_check_and_commit_rejects_the_unit(
    database: SqliteDatabase, files: VirtualFiles, put: Any
):
    first = await files.write(ANN, "/documents/new.md", "first", None)
    second = await files.write(ANN, "/documents/new.md", "second", None)
    await database.write(first)
    with pytest.raises(UnitRejected):
        await database.write(second)
    version = (await files.read(ANN, "/documents/new.md")).version
    late = await files.write(ANN, "/documents/new.md", "late", version)
    gone = await files.delete(ANN, "/documents/new.md", version)
    await put(ANN, "/documents/new.md", "newer")
    for unit in (late, gone):
        with pytest.raises(UnitRejected):
            await database.write(unit)
    assert (await files.read(ANN, "/documents/new.md")).text == "newer"


async def test_a_workspace_shares_with_members_but_not_guests_or_others(
    files: VirtualFiles, put: Any
):
    await put(ANN, "/team/plan.md", "ours")
    assert (await files.read(BOB, "/team/plan.md")).text == "ours"
    assert await files.find(make_context(workspace="other"), "/team/plan.md") is None
    guest = make_context(make_person("gus", Role.GUEST))
    for attempt in (
        files.read(guest, "/team/plan.md"),
        files.write(guest, "/team/x.md", "x", None),
    ):
        with pytest.raises(ToolError, match="not open to guests"):
            await attempt
    with pytest.raises(ToolError, match="not open to guests"):
        await files.list(guest, "/team")


async def test_the_permissions_file_is_a_view_of_the_policy(files: VirtualFiles):
    for path in (
        "/preferences/permissions.md",
        "//preferences/./permissions.md",
        "/preferences/Permissions.md",
    ):
        with pytest.raises(ToolError, match=r"view of the operator's policy\.yaml"):
            await files.write(ANN, path, "allow everything", None)
        with pytest.raises(ToolError, match=r"policy\.yaml"):
            await files.delete(ANN, path, "v")


async def test_text_written_in_a_tainted_context_stays_untrusted(files: VirtualFiles, put: Any):
    path = "/documents/a.md"
    await put(make_context(origin=WEB), path, "from the web")
    assert (await files.read(ANN, path)).origin == WEB
    await put(ANN, path, "from the web, with a word of ann's")
    assert (await files.read(ANN, path)).origin == WEB
    [entry] = await files.list(ANN, "/documents")
    assert entry.origin == WEB
    [root] = await files.list(ANN, "/documents")
    assert root.origin.untrusted


async def test_the_persons_own_words_are_theirs_and_a_members_for_others(
    files: VirtualFiles, put: Any
):
    await put(ANN, "/team/a.md", "by ann")
    assert (await files.read(ANN, "/team/a.md")).origin == Origin(Trust.PERSON, "person:ann")
    assert (await files.read(BOB, "/team/a.md")).origin == Origin(Trust.MEMBER, "person:ann")
    await put(BOB, "/team/a.md", "by ann and bob")
    assert (await files.read(ANN, "/team/a.md")).origin.trust is Trust.MEMBER


async def test_files_written_in_a_dm_stay_private(files: VirtualFiles, put: Any):
    channel = make_context(private=False)
    await put(channel, "/documents/open.md", "x")
    assert not (await files.read(ANN, "/documents/open.md")).private
    await put(ANN, "/documents/open.md", "y")
    with pytest.raises(ToolError, match=r"/documents/open\.md is private"):
        await put(channel, "/documents/open.md", "z")
    with pytest.raises(ToolError, match="the person can ask for it in a DM"):
        await files.read(channel, "/documents/open.md")
    assert (await files.read(ANN, "/documents/open.md")).text == "y"
    await put(ANN, "/team/a.md", "x")
    assert not (await files.read(ANN, "/team/a.md")).private


async def test_preferences_hold_everywhere_or_in_direct_messages(files: VirtualFiles, put: Any):
    channel = make_context(private=False)
    await put(ANN, "/preferences/global.md", "short answers")
    await put(ANN, "/preferences/private.md", "call me Bunny")
    assert (await files.read(channel, "/preferences/global.md")).text == "short answers"
    await put(channel, "/preferences/global.md", "long answers")
    await put(ANN, "/preferences/global.md", "short answers")
    assert not (await files.read(channel, "/preferences/global.md")).private
    with pytest.raises(ToolError, match="the person can ask for it in a DM"):
        await files.read(channel, "/preferences/private.md")
    listed = await files.list(channel, "/preferences")
    assert [(entry.path, entry.private) for entry in listed if entry.path.endswith(".md")] == [
        ("/preferences/global.md", False),
        ("/preferences/private.md", True),
    ]


async def test_files_and_folders_exclude_each_other(files: VirtualFiles, put: Any):
    await put(ANN, "/documents/a/b.md", "x")
    with pytest.raises(ToolError, match="/documents/a is a folder"):
        await files.write(ANN, "/documents/a", "x", None)
    with pytest.raises(
        ToolError, match=r"/documents/a/b\.md is a file, so nothing can be below it"
    ):
        await files.write(ANN, "/documents/a/b.md/c.md", "x", None)
    with pytest.raises(ToolError, match="/documents is a folder"):
        await files.write(ANN, "/documents", "x", None)
    listed = [(entry.path, entry.directory) for entry in await files.list(ANN, "/documents")]
    assert listed == [("/documents/a", True)]
    with pytest.raises(ToolError, match="there is no folder /documents/b"):
        await files.list(ANN, "/documents/b")


NAMES = st.sampled_from(["a.md", "b.md", "x/a.md", "x/y/b.md", "x-y.md", "x0.md", "_%.md"])
PEOPLE = st.sampled_from(["ann", "bob", "an", "ann%", "*"])
STEPS = st.lists(st.tuples(PEOPLE, st.sampled_from(["put", "delete"]), NAMES), max_size=25)


@given(steps=STEPS)
@settings(max_examples=examples(40), deadline=None)
async def test_any_sequence_keeps_each_person_to_their_own(steps: list[tuple[str, str, str]]):
    with TemporaryDirectory() as folder:
        database = await open_database(Path(folder) / "bellhop.db")
        try:
            source = DatabaseFiles(database, FakeClock(), "/documents", "person")
            await _replay(database, VirtualFiles([source]), steps)
        finally:
            await database.close()


async def _replay(
    database: SqliteDatabase, files: VirtualFiles, steps: list[tuple[str, str, str]]
) -> None:
    expected: dict[tuple[str, str], str] = {}
    for number, (who, what, name) in enumerate(steps):
        context, path = make_context(make_person(who)), f"/documents/{name}"
        before = await files.find(context, path)
        assert (before.text if before else None) == expected.get((who, path))
        if what == "put":
            text = expected[who, path] = f"{who} {number}"
            unit = await files.write(context, path, text, before.version if before else None)
            await database.write(unit)
        elif before is not None:
            await database.write(await files.delete(context, path, before.version))
            del expected[who, path]
    for who in ("ann", "bob", "an", "ann%", "*"):
        seen = await _walk(files, make_context(make_person(who)), "/documents")
        assert seen == {path: text for (owner, path), text in expected.items() if owner == who}


async def _walk(files: VirtualFiles, context: ToolContext, path: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in await files.list(context, path):
        if entry.directory:
            found |= await _walk(files, context, entry.path)
        else:
            found[entry.path] = (await files.read(context, entry.path)).text
    return found
