"""What Bellhop takes of MCP servers: contents of results, schemas, and names that fit."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.origins import Trust
from bot.domain.sessions import picture_name
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.plugins.mcp.content import MAX_PICTURE_CHARS, MAX_PICTURES, result_of
from bot.plugins.mcp.remote import RemoteResult
from bot.plugins.mcp.schemas import adopted, tool_name
from bot.tools.schemas.arguments import ArgumentCheck
from bot.tools.schemas.validation import schema_problem

TOOL = ToolDefinition(
    "mcp__s__t", "Does it.", {"type": "object"}, "shared", McpImplementation("s", "t")
)


def shown(*content: JsonObject, **more: Any) -> ToolResult:
    return result_of(TOOL, RemoteResult(content, **more))


def image(data: str = "AAAA", kind: str = "image/png") -> JsonObject:
    return {"type": "image", "data": data, "mimeType": kind}


def test_texts_are_joined_and_come_from_outside():
    result = shown({"type": "text", "text": "one"}, {"type": "text", "text": "two"})
    assert result.content == "one\ntwo"
    assert result.origin.trust is Trust.EXTERNAL
    assert result.origin.source == "tool:mcp__s__t"


def test_a_picture_becomes_an_image_block():
    result = shown(image())
    source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    assert result.blocks == ({"type": "image", "source": source},)
    name = picture_name(result.blocks[0])
    assert name.endswith(".png")
    assert result.content == (
        f"[The picture is shown to you alone; send posts it here with the file {name}.]"
    )


@pytest.mark.parametrize(
    "block", [image(kind="image/tiff"), image(data=""), image(data="A" * (MAX_PICTURE_CHARS + 1))]
)
def test_a_picture_that_the_api_would_refuse_is_told_in_words(block: JsonObject):
    result = shown(block)
    assert result.blocks == ()
    assert "not shown" in result.content


def test_pictures_beyond_the_limit_are_told_in_words():
    result = shown(*[image()] * (MAX_PICTURES + 2))
    assert len(result.blocks) == MAX_PICTURES
    assert result.content.count("not shown") == 2


def test_other_kinds_are_described():
    result = shown(
        {"type": "audio", "data": "AAAAAAAA", "mimeType": "audio/wav"},
        {
            "type": "resource_link",
            "uri": "https://a.example/m",
            "name": "manual",
            "mimeType": "text/html",
        },
        {
            "type": "resource",
            "resource": {"uri": "note://1", "mimeType": "text/plain", "text": "a note"},
        },
        {
            "type": "resource",
            "resource": {"uri": "file:///x.zip", "mimeType": "application/zip", "blob": "AAAA"},
        },
        {"type": "hologram"},
    )
    assert result.content.split("\n") == [
        "[audio, audio/wav, 6 bytes; not shown]",
        "[resource manual, https://a.example/m, text/html]",
        "[resource note://1, text/plain]",
        "a note",
        "[resource file:///x.zip, application/zip, 3 bytes; not shown]",
        "[content of an unknown kind: hologram]",
    ]


def test_a_picture_in_a_resource_is_shown():
    result = shown(
        {"type": "resource", "resource": {"uri": "x://p", "mimeType": "image/png", "blob": "AAAA"}}
    )
    assert len(result.blocks) == 1


@pytest.mark.parametrize(
    ("text", "structured"),
    [
        ('{"a": 1}', {"a": 1}),
        ("3", {"result": 3}),
        ("hello", {"result": "hello"}),
        ("[1, 2]", [1, 2]),
    ],
)
def test_structured_content_that_the_text_repeats_is_said_once(text: str, structured: Any):
    assert shown({"type": "text", "text": text}, structured=structured).content == text


def test_structured_content_alone_is_json():
    assert shown(structured={"a": ["ü"]}).content == '{"a": ["ü"]}'
    assert shown({"type": "text", "text": "warm"}, structured={"a": 1}).content == 'warm\n{"a": 1}'


def test_an_error_stays_one_and_says_so():
    result = shown({"type": "text", "text": "no such file"}, is_error=True)
    assert result.is_error
    assert result.content == "ERROR: no such file"
    assert shown(is_error=True).content == "ERROR: the tool failed without saying why"


def test_the_servers_questions_are_told():
    assert "'Which colour?'" in shown(declined=("Which\ncolour?",)).content


# Names of MCP tools: always within what the API takes, never the same for two tools.


TAKEN = re.compile(r"[a-zA-Z0-9_-]{1,64}")
SERVERS = st.from_regex(r"[a-z0-9]{1,7}(?:[_-][a-z0-9]{1,7}){0,2}", fullmatch=True)
TOOLS = st.one_of(
    st.text(min_size=1, max_size=128), st.text("abAB01_./-", min_size=1, max_size=128)
)


def test_a_name_that_fits_stays_readable():
    assert tool_name("files", "read_file") == "mcp__files__read_file"


def test_a_name_that_does_not_fit_ends_in_a_hash_of_the_original():
    assert re.fullmatch(r"mcp__files__read_file_[0-9a-f]{8}", tool_name("files", "read.file"))
    assert tool_name("files", "read.file") != tool_name("files", "read/file")
    assert len(tool_name("files", "x" * 100)) == 64


@given(SERVERS, TOOLS)
def test_every_name_is_one_that_the_api_takes(server: str, tool: str):
    assert TAKEN.fullmatch(tool_name(server, tool))
    assert tool_name(server, tool) == tool_name(server, tool)


@given(st.lists(st.tuples(SERVERS, TOOLS), min_size=2, max_size=10, unique=True))
def test_different_tools_have_different_names(pairs: list[tuple[str, str]]):
    assert len({tool_name(server, tool) for server, tool in pairs}) == len(pairs)


# What Bellhop takes of a server's schema, and what it leaves to the server.


def test_patterns_that_only_the_server_can_read_are_left_to_it():
    given: Any = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "properties": {
            "a": {"type": "string", "pattern": "(?!x)a"},
            "pattern": {"type": "string", "pattern": "^b$"},
        },
    }
    schema, dropped = adopted(given)
    assert dropped == 1
    assert schema == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "pattern": {"type": "string", "pattern": "^b$"}},
    }
    assert schema_problem(schema) is None


def test_a_server_marks_no_targets_since_that_would_spare_questions():
    schema, _ = adopted({"properties": {"to": {"type": "string", "x-target": "email"}}})
    assert schema["properties"] == {"to": {"type": "string"}}


def test_a_servers_schema_is_closed_where_it_does_not_open_itself():
    schema, _ = adopted({"properties": {"to": {"type": "string"}}})
    assert ArgumentCheck(schema).problem({"to": "a", "bcc": "b"}) is not None


def test_data_of_a_schema_is_kept_as_it_is():
    options: Any = [{"pattern": "(?!x)", "$schema": 1}]
    schema, dropped = adopted({"properties": {"a": {"enum": options}}})
    assert (schema["properties"], dropped) == ({"a": {"enum": options}}, 0)
