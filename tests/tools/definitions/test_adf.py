"""Markdown to Jira's documents: what its schema allows, and never more."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.tools.definitions.adf import adf_of
from bot.tools.definitions.implementation import ImplementationError, parse_implementation

BLOCKS = {"paragraph", "bulletList", "orderedList", "codeBlock"}
CHILDREN = {
    "doc": BLOCKS | {"heading", "blockquote", "rule"},
    "blockquote": BLOCKS,
    "listItem": BLOCKS,
    "bulletList": {"listItem"},
    "orderedList": {"listItem"},
    "paragraph": {"text", "hardBreak"},
    "heading": {"text", "hardBreak"},
    "codeBlock": {"text"},
}


def nodes(node: JsonObject) -> Iterator[JsonObject]:
    yield node
    for child in node.get("content", ()):
        yield from nodes(child)


def test_everyday_markdown_becomes_a_document():
    found = adf_of("# Title\n\nIt **fails** at `login`.\n\n1. open\n   - see\n\n```\ncode\n```\n")
    assert [one["type"] for one in found["content"]] == [
        "heading",
        "paragraph",
        "orderedList",
        "codeBlock",
    ]
    texts = found["content"][1]["content"]
    assert texts[1] == {"type": "text", "text": "fails", "marks": [{"type": "strong"}]}
    assert texts[3]["marks"] == [{"type": "code"}]


def test_links_lead_to_web_and_mail_alone():
    found = str(adf_of("[a](https://example.org) [b](javascript:alert(1)) [c](file:///x)"))
    assert found.count("href") == 1


@given(st.text(alphabet="ab *_`~#>-1.\n[]()!\\<&:/", max_size=120) | st.text(max_size=60))
def test_whatever_is_written_fits_the_schema(text: str):
    for node in nodes(adf_of(text)):
        for child in node.get("content", ()):
            assert child["type"] in CHILDREN[node["type"]]
        if node["type"] == "text":
            assert node["text"]


@pytest.mark.parametrize(
    "lines",
    [
        'http: POST https://x.org/\nbody: {"a": "see {adf:text}"}',
        "http: POST https://x.org/?a={adf:text}",
        "http: POST https://x.org/\nheader: X-A: {adf:text}",
    ],
)
def test_a_document_is_a_whole_text_of_the_body(lines: str):
    schema = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
    with pytest.raises(ImplementationError, match="adf"):
        parse_implementation(lines, "/x", schema)
