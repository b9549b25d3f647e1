"""Documents keep their earlier texts, and nobody overwrites what they have not seen."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from bot.domain.database import Unit
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.files.database_files import DatabaseFiles
from bot.files.store import FileRows, SeenFiles, purge_versions
from bot.files.tools import LOST_CHARS, file_tools
from bot.files.versions import KEPT, LINES, VersionedFiles, differences
from bot.files.versions_tool import document_versions
from bot.files.virtual import VirtualFiles
from bot.storage.database import SqliteDatabase
from bot.testing.contexts import make_context, make_person
from bot.testing.fake_clock import FakeClock

PATH = "/documents/plan.md"
WEB = Origin(Trust.EXTERNAL, "tool:web_fetch")


@pytest.fixture
def call(database: SqliteDatabase):
    documents = VersionedFiles(
        DatabaseFiles(database, FakeClock(), "/documents", "person"), FileRows(database)
    )
    tools: dict[str, Any] = {
        tool.name: tool for tool in file_tools(VirtualFiles([documents]), seen=SeenFiles(database))
    }
    tools["document_versions"] = document_versions(documents)

    async def call(name: str, context: ToolContext | None = None, **arguments: Any) -> ToolResult:
        tool = tools[name]
        outcome = await tool.run(
            context or make_context(), tool.arguments.model_validate(arguments)
        )
        await database.write(outcome.unit)
        return outcome

    async def versions(
        action: str, number: int | None = None, context: ToolContext | None = None
    ) -> ToolResult:
        return await call("document_versions", context, action=action, path=PATH, version=number)

    async def write(text: str, context: ToolContext | None = None) -> ToolResult:
        return await call("write_file", context, path=PATH, content=text)

    return call, versions, write


def numbers(listed: ToolResult) -> list[int]:
    return [int(line.split(":")[0]) for line in listed.content.splitlines() if line[0].isdigit()]


async def test_the_last_texts_are_listed_read_compared_and_restored(call: Any):
    tool, versions, write = call
    await write("one\n")
    assert (await versions("list")).content == f"[{PATH} has no earlier versions]"
    await write("one\ntwo\n")
    await tool("edit_file", path=PATH, old="two", new="three")
    assert (await versions("list")).content.splitlines() == [
        "2: written 2026-11-21 09:00 UTC, 8 bytes",
        "1: written 2026-11-21 09:00 UTC, 4 bytes",
    ]
    assert (await versions("read", 2)).content == "one\ntwo\n"
    compared = (await versions("compare", 1)).content
    assert "+three" in compared
    assert compared.startswith("--- version 1\n+++ now")
    await versions("restore", 1)
    assert (await tool("read_file", path=PATH)).content == "one\n"
    assert (await versions("read", 3)).content == "one\nthree\n"
    with pytest.raises(ToolError, match="already has the text"):
        await versions("restore", 1)


async def test_twenty_are_kept_and_numbers_go_on(call: Any):
    _, versions, write = call
    for number in range(KEPT + 6):
        await write(f"text {number}\n")
    assert numbers(await versions("list")) == list(range(KEPT + 5, 5, -1))
    with pytest.raises(ToolError, match="has no version 5"):
        await versions("read", 5)


async def test_a_deleted_document_comes_back(call: Any):
    tool, versions, write = call
    await write("dear\n")
    await tool("delete_file", path=PATH)
    assert numbers(await versions("list")) == [1]
    await versions("restore", 1)
    assert (await tool("read_file", path=PATH)).content == "dear\n"


async def test_the_texts_of_a_deleted_document_go_in_the_end(call: Any, database: SqliteDatabase):
    tool, versions, write = call
    await write("one\n")
    await write("two\n")
    now = FakeClock().now()
    for before, left in (
        (now + timedelta(days=1), [1]),
        (now, [2, 1]),
        (now + timedelta(days=1), []),
    ):
        await database.write(Unit.of(purge_versions(before, 100)))
        assert numbers(await versions("list")) == left
        if len(left) == 1:
            await tool("delete_file", path=PATH)


async def test_versions_are_their_persons_and_keep_reach_and_origin(call: Any):
    tool, versions, write = call
    await write("secret\n")
    await tool("delete_file", path=PATH)
    shared, ben = make_context(private=False), make_context(make_person("ben"))
    assert (await versions("list", context=ben)).content == f"[{PATH} has no earlier versions]"
    with pytest.raises(ToolError, match="has no version 1"):
        await versions("read", 1, ben)
    assert (await versions("list", context=shared)).content == "[1 more is private; ask me in a DM]"
    for action in ("read", "compare", "restore"):
        with pytest.raises(ToolError, match="private and not shown here"):
            await versions(action, 1, shared)

    await write("from the web\n", make_context(origin=WEB))
    await tool("delete_file", path=PATH)
    await versions("restore", 2)
    assert (await tool("read_file", path=PATH)).origin.trust is Trust.EXTERNAL


async def test_a_write_over_what_was_changed_since_is_refused_with_the_change(call: Any):
    tool, _, write = call
    other = replace(make_context(), session_id="session-2")
    await write("budget: 10\nplace: Rome\n")
    await tool("read_file", other, path=PATH)
    await tool("edit_file", path=PATH, old="10", new="12")

    refused = await write("budget: 10\nplace: Paris\n", other)
    assert refused.is_error
    assert "-budget: 10\n+budget: 12" in refused.content
    kept = await tool("delete_file", other, path=PATH)
    assert kept.is_error
    assert (await tool("read_file", other, path=PATH)).content == "budget: 12\nplace: Rome\n"
    assert not (await write("budget: 12\nplace: Paris\n", other)).is_error
    assert (await write("all new\n")).is_error  # now the first session is the one that has not seen


async def test_own_writes_and_files_never_seen_are_no_conflict(call: Any):
    tool, _, write = call
    await write("a\n")
    await write("b\n")
    await tool("edit_file", path=PATH, old="b", new="c")
    assert not (await write("d\n")).is_error
    assert not (await write("e\n", replace(make_context(), session_id="session-2"))).is_error


async def test_who_replaces_a_text_unread_learns_what_it_held(call: Any):
    _, _, write = call
    await write("a\n")
    assert "You had not read it" not in (await write("b\n")).content
    told = await write("c\n", replace(make_context(), session_id="session-2"))
    assert told.content.endswith("You had not read it; it held:\nb\n")
    long = "x" * (LOST_CHARS + 7)
    await write(long, replace(make_context(), session_id="session-3"))
    told = await write("d\n", replace(make_context(), session_id="session-4"))
    assert told.content.endswith("x\n[7 more characters]")


async def test_a_new_document_names_those_that_are_called_alike(call: Any):
    tool, _, _ = call
    await tool("write_file", path="/documents/trips/lisbon.md", content="tram\n")
    await tool("write_file", path="/documents/garden.md", content="hedge\n")
    other = replace(make_context(), person=make_person("ben"))
    await tool("write_file", other, path="/documents/lisbon-of-ben.md", content="his\n")
    new = await tool("write_file", path="/documents/packing-lisbon.md", content="socks\n")
    assert new.content.endswith(
        "Similar names: /documents/trips/lisbon.md; if one is about the same, go on there."
    )
    assert (
        "Similar" not in (await tool("write_file", path="/documents/rent.md", content="x")).content
    )


async def test_a_specialists_reading_vouches_for_nothing(call: Any):
    tool, _, write = call
    await write("a\n")
    await write("b\n", replace(make_context(), session_id="session-2"))
    await tool("read_file", replace(make_context(), depth=1), path=PATH)
    assert (await write("c\n")).is_error


@pytest.mark.parametrize(
    "path", ["/documents", "/preferences/global.md", "/documents/../x", "documents/x"]
)
async def test_only_documents_have_versions(call: Any, path: str):
    with pytest.raises(ToolError):
        await call[0]("document_versions", action="list", path=path)


async def test_long_texts_are_not_compared():
    long = "x\n" * (LINES + 1)
    assert "more than" in await differences(long, "y", ("a", "b"))
    assert await differences("x", "x", ("a", "b")) == "[both are the same text]"
