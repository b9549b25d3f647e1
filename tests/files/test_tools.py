"""The five file tools as the model meets them."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.agents.loop.history import result_block
from bot.domain.origins import BELLHOP, Origin, Trust, escape, unescape
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.files.edits import added
from bot.files.pages import PAGE_CHARS
from bot.files.tools import LISTED_ENTRIES, WRITE_BYTES, file_tools
from bot.files.virtual import VirtualFiles
from bot.storage.database import SqliteDatabase
from bot.testing.contexts import make_context
from bot.testing.shipped_tools import shipped_tool
from bot.tools.schemas.argument_models import args_schema

WEB = Origin(Trust.EXTERNAL, "tool:web_fetch")


@pytest.fixture
def call(files: VirtualFiles, database: SqliteDatabase):
    tools = {tool.name: tool for tool in file_tools(files)}

    async def call(name: str, context: ToolContext | None = None, **arguments: Any) -> ToolResult:
        tool = tools[name]
        outcome = await tool.run(
            context or make_context(), tool.arguments.model_validate(arguments)
        )
        assert isinstance(outcome, ToolResult)
        await database.write(outcome.unit)
        return outcome

    return call


async def test_a_file_is_written_read_edited_listed_and_deleted(call: Any):
    path = "/documents/trips/lisbon.md"
    way = "`/files trips/lisbon.md` saves it on the person's disk; send with `file` hands it over."
    assert (
        await call("write_file", path=path, content="tram 28\nbelém\n")
    ).content == f"created {path} (15 bytes). {way}"
    assert (await call("read_file", path=path)).content == "tram 28\nbelém\n"
    assert (
        await call("edit_file", path=path, old="28", new="12")
    ).content == f"changed 1 place in {path}. {way}"
    assert (await call("list_directory", path="/documents")).content == "trips/"
    assert (
        await call("list_directory", path="/documents/trips/")
    ).content == "lisbon.md (15 bytes)"
    assert (await call("delete_file", path=path)).content == f"deleted {path}"
    assert (await call("list_directory", path="/documents")).content == "[the folder is empty]"
    assert (await call("list_directory")).content == "documents/\npreferences/\nteam/"


async def test_a_deep_listing_shows_all_that_is_below(call: Any):
    for path in ("/documents/trips/lisbon.md", "/documents/trips/2026/porto.md", "/documents/a.md"):
        await call("write_file", path=path, content="x")
    assert (await call("list_directory", path="/documents", deep=True)).content.splitlines() == [
        "a.md (1 bytes)",
        "trips/",
        "trips/2026/",
        "trips/2026/porto.md (1 bytes)",
        "trips/lisbon.md (1 bytes)",
    ]
    assert "documents/trips/2026/porto.md" in (await call("list_directory", deep=True)).content


async def test_a_deep_listing_ends_and_says_so(call: Any):
    for number in range(LISTED_ENTRIES + 3):
        await call("write_file", path=f"/documents/{number:03}/a.md", content="x")
    lines = (await call("list_directory", path="/documents", deep=True)).content.splitlines()
    assert len(lines) == LISTED_ENTRIES + 1
    assert "more are not shown" in lines[-1]


async def test_pages_of_a_long_file_fit_a_result_and_put_together_are_the_text(
    files: VirtualFiles, call: Any
):
    text = "".join(f"line {number} {'x' * (number % 90)}\n" for number in range(2_000))
    await call("write_file", path="/documents/long.md", content=text)
    read, *_ = file_tools(files, result_chars=5_000)
    offset, whole = 1, ""
    while offset:
        outcome = await read.run(make_context(), read.arguments.model_validate(
            {"path": "/documents/long.md", "offset": offset}
        ))  # fmt: skip
        assert isinstance(outcome, ToolResult)
        assert len(outcome.content) <= 5_000
        header, _, page = outcome.content.partition("\n")
        whole += page
        _, going_on, rest = header.partition("go on with offset ")
        offset = int(rest.rstrip("]")) if going_on else 0
    assert whole == text


async def test_replacing_says_so_and_equal_text_changes_nothing(call: Any):
    await call("write_file", path="/documents/a.md", content="one")
    again = await call("write_file", path="/documents/a.md", content="one")
    assert "nothing was changed" in again.content
    assert not again.unit
    assert (await call("write_file", path="/documents/a.md", content="two")).content.startswith(
        "replaced"
    )


async def test_an_edit_must_name_its_place_exactly(call: Any):
    await call("write_file", path="/documents/a.md", content="tea  milk\ntea\n")
    with pytest.raises(ToolError, match="occurs 2 times"):
        await call("edit_file", path="/documents/a.md", old="tea", new="coffee")
    with pytest.raises(ToolError, match=r"does not occur in /documents/a\.md; read"):
        await call("edit_file", path="/documents/a.md", old="juice", new="x")
    with pytest.raises(ToolError, match="when white space is ignored"):
        await call("edit_file", path="/documents/a.md", old="tea milk", new="x")
    with pytest.raises(ToolError, match="same text"):
        await call("edit_file", path="/documents/a.md", old="milk", new="milk")
    done = await call(
        "edit_file", path="/documents/a.md", old="tea", new="coffee", replace_all=True
    )
    assert done.content.startswith("changed 2 places in /documents/a.md.")
    assert (await call("read_file", path="/documents/a.md")).content == "coffee  milk\ncoffee\n"


async def test_a_long_file_comes_in_pages(call: Any):
    text = "".join(f"line {number:05}\n" for number in range(1, 10_001))
    await call("write_file", path="/documents/long.md", content=text)
    read = ""
    for first in range(1, 10_001, 1436):
        page = (await call("read_file", path="/documents/long.md", offset=first)).content
        header, _, body = page.partition("\n")
        assert header.startswith(f"[lines {first}-{min(first + 1435, 10_000)} of 10000")
        assert len(body) <= PAGE_CHARS
        read += body
    assert read == text
    few = await call("read_file", path="/documents/long.md", offset=7, limit=2)
    assert few.content == "[lines 7-8 of 10000; go on with offset 9]\nline 00007\nline 00008\n"
    with pytest.raises(ToolError, match="fewer than 20000 lines"):
        await call("read_file", path="/documents/long.md", offset=20000)


async def test_an_empty_file_says_that_it_is_empty(call: Any):
    await call("write_file", path="/documents/a.md", content="")
    assert (await call("read_file", path="/documents/a.md")).content == "[the file is empty]"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("x" * (WRITE_BYTES + 1), "at most 262144"),
        ("a\0b", "NUL"),
        ("a\ud800", "half a character at position 1"),
    ],
)
async def test_text_that_no_file_can_hold_is_refused(call: Any, content: str, reason: str):
    with pytest.raises(ToolError, match=reason):
        await call("write_file", path="/documents/a.md", content=content)


async def test_an_edit_cannot_grow_a_file_beyond_the_limit(call: Any):
    await call("write_file", path="/documents/a.md", content="x" * 1000)
    with pytest.raises(ToolError, match="at most"):
        await call("edit_file", path="/documents/a.md", old="x", new="y" * 1000, replace_all=True)


async def test_reading_and_listing_carry_the_origin_of_what_they_show(call: Any):
    await call(
        "write_file", make_context(origin=WEB), path="/documents/web.md", content="from the web"
    )
    await call("write_file", make_context(private=False), path="/documents/mine.md", content="mine")
    read = await call("read_file", path="/documents/web.md")
    assert read.origin == WEB
    assert read.private
    assert (await call("list_directory", path="/documents")).origin == WEB
    assert (await call("read_file", path="/documents/mine.md")).origin.trust is Trust.PERSON


TAGS = ("quoted", "QUOTED", "system-note", "\u017fystem-note")
PIECES = ("<", "</", "&", "lt;", "amp;", *TAGS, ">", "x")


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_what_poses_as_markup_is_shown_so_that_it_reads_back(text: str):
    assert unescape(escape(text)) == text
    assert not re.search("</?(quoted|system-note)", escape(text), re.IGNORECASE)


@pytest.mark.parametrize("origin", [WEB, BELLHOP])
@pytest.mark.parametrize("way", ["edit_file", "write_file"])
async def test_a_file_is_changed_by_what_its_reader_saw(call: Any, way: str, origin: Origin):
    path, text = "/documents/a.md", "one <quoted>two</Quoted>\nand &lt;quoted> three\n"
    await call("write_file", make_context(origin=origin), path=path, content=text)
    found = result_block("c1", await call("read_file", path=path))["content"][0]["text"]
    new = str(found).replace("two", "2").replace("three", "3")
    whole = {"edit_file": {"old": found, "new": new}, "write_file": {"content": new}}[way]
    await call(way, make_context(origin=origin), path=path, **whole)
    kept = (await call("read_file", path=path)).content
    assert kept == text.replace("two", "2").replace("three", "3")


async def test_a_crowded_folder_is_counted_not_poured_out(call: Any):
    for number in range(LISTED_ENTRIES + 5):
        await call("write_file", path=f"/documents/{number:03}.md", content="x")
    lines = (await call("list_directory", path="/documents")).content.splitlines()
    assert len(lines) == LISTED_ENTRIES + 1
    assert lines[-1] == "[5 more are not shown]"


async def test_lines_are_added_without_reading_the_file_first(call: Any):
    path = "/preferences/global.md"
    first = await call("edit_file", path=path, old="", new="- metric units")
    assert first.content == f"created {path}"
    more = await call("edit_file", path=path, old="", new="- short answers\n")
    assert more.content == f"added to {path}, which now reads:\n- metric units\n- short answers\n"
    again = await call("edit_file", path=path, old="", new="- metric units")
    assert again.content == f"{path} says that already; nothing was changed"
    assert not again.unit
    nothing = await call("edit_file", path=path, old="", new=" \n")
    assert nothing.content == "new is empty; nothing was changed"


async def test_a_long_file_is_not_echoed_after_lines_were_added(call: Any):
    path = "/documents/log.md"
    await call("write_file", path=path, content="a line\n" * 200)
    assert (await call("edit_file", path=path, old="", new="the end")).content == f"added to {path}"
    assert (await call("read_file", path=path)).content.endswith("a line\nthe end\n")


@given(st.text(alphabet="ab\n"), st.text(alphabet="ab\n"))
def test_added_lines_stand_whole_behind_all_that_was_there(text: str, new: str):
    after = added(text, new)
    assert after.startswith(text)
    assert not new.strip() or f"\n{new.strip(chr(10))}\n" in f"\n{after}\n"
    assert added(after, new) == after


async def test_deleting_needs_a_file(call: Any):
    with pytest.raises(ToolError, match="is a folder"):
        await call("delete_file", path="/documents")
    with pytest.raises(ToolError, match="there is no file"):
        await call("delete_file", path="/documents/none.md")


def test_unknown_or_senseless_arguments_are_refused(files: VirtualFiles):
    read, *_ = file_tools(files)
    with pytest.raises(ValidationError):
        read.arguments.model_validate({"path": "/a", "offset": 0})
    with pytest.raises(ValidationError):
        read.arguments.model_validate({"path": "/a", "lines": 3})


def test_each_tool_file_declares_the_parameters_that_its_handler_takes(files: VirtualFiles):
    for tool in file_tools(files):
        assert shipped_tool(f"shared/{tool.name}").parameters == args_schema(tool.arguments)
