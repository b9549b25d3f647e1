"""MCP results: every kind of content becomes text or a picture, without repetition."""

from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.origins import Trust
from bot.domain.sessions import picture_name
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.plugins.mcp.content import MAX_PICTURE_CHARS, MAX_PICTURES, result_of
from bot.plugins.mcp.remote import RemoteResult

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
