"""The words of posts by other apps, block by block."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.plugins.slack_chat.app_posts import MOST_CHARS, words_of, words_of_shared
from bot.plugins.slack_chat.markup import readable


def text(words: str, kind: str = "mrkdwn") -> JsonObject:
    return {"type": kind, "text": words}


def run(*pieces: JsonObject, kind: str = "rich_text_section") -> JsonObject:
    return {"type": kind, "elements": list(pieces)}


def rich(*parts: JsonObject) -> JsonObject:
    return {"type": "rich_text", "elements": list(parts)}


BLOCKS = [
    ({"type": "header", "text": text("A & B", "plain_text")}, "A & B"),
    (
        {"type": "section", "text": text("*Down*"), "fields": [text("Since"), text("09:12")]},
        "*Down*\nSince\n09:12",
    ),
    (
        {
            "type": "context",
            "elements": [{"type": "image", "alt_text": "x"}, text("by"), text("CI")],
        },
        "by CI",
    ),
    ({"type": "markdown", "text": "# Build <7>"}, "# Build <7>"),
    ({"type": "image", "alt_text": "a curve"}, "a curve"),
    ({"type": "video", "title": text("A talk", "plain_text"), "alt_text": "x"}, "A talk"),
    (
        {"type": "table", "rows": [[text("Host", "raw_text"), rich(run(text("db", "text")))]]},
        "Host | db",
    ),
    (
        rich(
            run(text("See ", "text"), {"type": "link", "url": "https://x.org/a", "text": "this"}),
            run(
                run({"type": "user", "user_id": "U1"}, text(" did", "text")),
                run({"type": "date", "fallback": "today"}, {"type": "emoji", "name": "tada"}),
                kind="rich_text_list",
            ),
            run(text("a < b", "text"), kind="rich_text_preformatted"),
            run({"type": "channel", "channel_id": "C1"}, {"type": "broadcast", "range": "here"}),
            run({"type": "usergroup", "usergroup_id": "S1"}),
        ),
        "See this (https://x.org/a)\n• @Ann did\n• today:tada:\na < b\n#C1@here\n@subteam",
    ),
    (
        rich(
            {**run(run(text("one", "text")), kind="rich_text_list"), "style": "ordered"},
            {**run(run(text("within", "text")), kind="rich_text_list"), "indent": 1},
            {
                **run(run(text("two", "text")), run(text("three", "text")), kind="rich_text_list"),
                "style": "ordered",
                "offset": 1,
            },
        ),
        "1. one\n    • within\n2. two\n3. three",
    ),
    ({"type": "actions", "elements": [text("Acknowledge", "plain_text")]}, "fallback"),
    ({"type": "a new kind"}, "fallback"),
]


@pytest.mark.parametrize(("block", "words"), BLOCKS)
def test_a_block_is_read_as_people_see_it(block: JsonObject, words: str):
    written = words_of({"bot_id": "B1", "text": "fallback", "blocks": [block]})
    assert readable(written, lambda _: "Ann") == words


ATTACHMENTS = [
    (
        {"pretext": "New", "author_name": "GitHub", "title": "#7 Crash", "title_link": "https://g/7",
         "text": "It crashes", "fields": [{"title": "Label", "value": "bug"}], "fallback": "x"},
        "said\nNew\nGitHub\n#7 Crash (https://g/7)\nIt crashes\nLabel: bug",
    ),
    ({"fallback": "plain"}, "said\nplain"),
    ({"blocks": [{"type": "section", "text": text("in a block")}]}, "said\nin a block"),
    ({"is_msg_unfurl": True, "text": "shared"}, "said"),
    ({"original_url": "https://g/7", "text": "preview"}, "said"),
]  # fmt: skip


@pytest.mark.parametrize(("attached", "words"), ATTACHMENTS)
def test_an_attachment_of_the_app_follows_its_text(attached: JsonObject, words: str):
    written = words_of({"bot_id": "B1", "text": "said", "attachments": [attached]})
    assert readable(written, lambda _: "Ann") == words
    assert words_of({"user": "U1", "text": "said", "attachments": [attached]}) == "said"


def test_a_post_has_no_more_words_than_a_text_of_slack_may_have():
    block: JsonObject = {"type": "section", "text": text("x" * 3_000)}
    assert len(words_of({"bot_id": "B1", "text": "", "blocks": [block] * 50})) == MOST_CHARS


def test_a_shared_post_is_read_in_its_blocks_or_else_as_slack_describes_it():
    blocks = [{"message": {"blocks": [{"type": "section", "text": text("in a block")}]}}]
    assert words_of_shared({"message_blocks": blocks, "fallback": "x"}) == "in a block"
    assert words_of_shared({"text": "said", "message_blocks": blocks}) == "said"
    assert words_of_shared({"fallback": "[robot] alert"}) == "[robot] alert"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "text", "elements", "fields", "rows", "blocks", "title"]),
            inner
            | st.sampled_from(
                ["section", "rich_text", "table", "context", "rich_text_list", "mrkdwn"]
            ),
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON, JSON)
def test_no_shape_of_a_post_breaks_the_reader(blocks: object, attachments: object):
    message: JsonObject = {
        "bot_id": "B1",
        "text": "t",
        "blocks": blocks,
        "attachments": attachments,
    }
    assert isinstance(words_of(message), str)
    assert isinstance(words_of_shared({"message_blocks": blocks}), str)
