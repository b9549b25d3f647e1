"""Markdown to blocks and back: supported text round-trips, and no text breaks it."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.plugins.notion import to_blocks
from bot.plugins.notion.limits import (
    ITEMS,
    LEVELS,
    RAISED,
    SPLIT,
    TEXT_UNITS,
    batches,
    children_of,
    count,
    fitted,
)
from bot.plugins.notion.to_blocks import block, blocks_of, text
from bot.plugins.notion.to_markdown import markdown_of
from tests.thoroughness import examples

PAGE = """\
# Launch plan

We **start** on _Friday_ with ~~two~~ `three` people; see [the board](https://x.example/board?a=1).

- [ ] book the room
- [x] invite **everybody**
- plain
  - below
    1. first
    2. second

> Nobody reads plans.
>
> - they do

```python
print("*not* emphasis")

```

| who | what |
| --- | --- |
| Ann | the \\| sign |
| Ben |  |

---

Snake_case, 2 * 3 \\* 4 and \\[ \\] stay."""


def kinds(blocks: Sequence[JsonObject]) -> list[Any]:
    return [
        [one["type"], *([kinds(children_of(one))] if children_of(one) else [])] for one in blocks
    ]


def test_a_page_becomes_blocks_and_the_same_page_again():
    converted = blocks_of(PAGE)
    assert converted.changed == ()
    assert kinds(converted.blocks) == [
        ["heading_1"],
        ["paragraph"],
        ["to_do"],
        ["to_do"],
        [
            "bulleted_list_item",
            [["bulleted_list_item", [["numbered_list_item"], ["numbered_list_item"]]]],
        ],
        ["quote", [["bulleted_list_item"]]],
        ["code"],
        ["table", [["table_row"], ["table_row"], ["table_row"]]],
        ["divider"],
        ["paragraph"],
    ]
    todo = converted.blocks[3]["to_do"]
    assert todo["checked"] is True
    assert todo["rich_text"] == [text("invite "), text("everybody", ["bold"])]
    assert converted.blocks[1]["paragraph"]["rich_text"][-2] == text(
        "the board", url="https://x.example/board?a=1"
    )
    assert converted.blocks[6]["code"] == {
        "rich_text": [text('print("*not* emphasis")\n')],
        "language": "python",
    }
    assert blocks_of(markdown_of(converted.blocks)).blocks == converted.blocks
    assert markdown_of(converted.blocks) == PAGE.replace("2 * 3 \\* 4", "2 \\* 3 \\* 4")


@pytest.mark.parametrize(
    ("markdown", "changed"),
    [
        ("##### deep", to_blocks.HEADINGS),
        ("![a cat](https://x.example/cat.png)", to_blocks.IMAGES),
        ("[here](/relative)", to_blocks.LINKS),
        ("5. five", to_blocks.NUMBERS),
        ("```brainfuck\n+\n```", to_blocks.LANGUAGE),
    ],
)
def test_markdown_that_notion_lacks_is_reported(markdown: str, changed: str):
    assert blocks_of(markdown).changed == (changed,)


def test_no_picture_loads_by_itself_and_no_odd_link_gets_through():
    converted = blocks_of(
        "![secret](https://evil.example/?d=1) [a](javascript:alert(1)) [b](ftp://x) <script>"
    )
    (paragraph,) = converted.blocks
    pieces = paragraph["paragraph"]["rich_text"]
    assert pieces[0] == text("secret", url="https://evil.example/?d=1")
    assert all("link" not in piece["text"] for piece in pieces[1:])
    assert "(ftp://x)" in pieces[1]["text"]["content"]


def test_blocks_that_markdown_has_no_form_for_are_named():
    image: JsonObject = {
        "type": "image",
        "image": {"type": "file", "file": {"url": "https://f.example/a b"}, "caption": []},
    }
    page: JsonObject = {"id": "p1", "type": "child_page", "child_page": {"title": "Sub [x]"}}
    odd: JsonObject = {"type": "ai_block", "ai_block": {}}
    mention = {"type": "mention", "plain_text": "@Ann", "href": None, "annotations": {"bold": True}}
    column = block(
        "column_list",
        children=[block("column", children=[block("paragraph", rich_text=[mention])])],
    )
    assert markdown_of([image, page, odd, column]) == (
        "[image](https://f.example/a%20b)\n\n[child page: Sub \\[x\\] (p1)]\n\n"
        "[a block of type ai_block, which can't be shown here]\n\n**@Ann**"
    )


# --- properties ---

words = st.text("abcXYZ0189äß漢😀.,;:'\"()#+-=!?*_`~[]<>|&\\/ ", min_size=1, max_size=12).map(
    lambda found: " ".join(found.split())
).filter(bool)  # fmt: skip
plain = words.map(lambda found: [text(found)])
letters = st.text("abcXYZ089ä漢", min_size=1, max_size=6)


@st.composite
def styled(draw: st.DrawFn) -> list[JsonObject]:
    """Words in turn plain and in some style, apart from each other."""
    found: list[JsonObject] = []
    for word in draw(st.lists(letters, min_size=1, max_size=4)):
        styles = draw(
            st.sampled_from([["bold"], ["italic"], ["strikethrough"], ["code"], ["bold", "italic"]])
        )
        url = draw(
            st.sampled_from(["", "https://x.example/a_b?c=(d)&e=%20", "mailto:ann@x.example"])
        )
        url = url.replace("(", "%28").replace(")", "%29")
        found += [text(word, styles, url), text(" ")]
    return found[:-1]


rich = st.one_of(plain, styled())
leaves = st.one_of(
    rich.map(lambda texts: block("paragraph", rich_text=texts)),
    st.tuples(st.integers(1, 3), rich).map(
        lambda both: block(f"heading_{both[0]}", rich_text=both[1])
    ),
    st.just(block("divider")),
    st.tuples(
        st.text("ab`~ \n*#>-", max_size=20), st.sampled_from(["python", "c++", "plain text"])
    ).map(
        lambda both: block("code", rich_text=[text(both[0])] if both[0] else [], language=both[1])
    ),
    st.integers(1, 3).flatmap(
        lambda width: st.lists(
            st.lists(rich, min_size=width, max_size=width), min_size=1, max_size=3
        ).map(
            lambda rows: block(
                "table",
                table_width=width,
                has_column_header=True,
                has_row_header=False,
                children=[block("table_row", cells=row) for row in rows],
            )
        )
    ),
)


def parents(below: st.SearchStrategy[list[JsonObject]]) -> st.SearchStrategy[list[JsonObject]]:
    def parent(given: tuple[str, list[JsonObject], list[JsonObject], bool]) -> JsonObject:
        kind, texts, children, checked = given
        content: JsonObject = {"rich_text": texts, **({"children": children} if children else {})}
        return block(kind, **content, **({"checked": checked} if kind == "to_do" else {}))

    listed = st.sampled_from(["bulleted_list_item", "numbered_list_item", "to_do", "quote"])
    made = st.tuples(listed, rich, below, st.booleans()).map(parent)
    return st.lists(st.one_of(leaves, made), max_size=4)


pages = st.recursive(st.lists(leaves, max_size=2), parents, max_leaves=6)


@pytest.mark.parametrize("said", ["0 #", "#", "# #", "a ##", "C#", "a # b", "\\ #"])
def test_a_heading_keeps_number_signs_at_its_end(said: str):
    heading = block("heading_1", rich_text=[text(said)])
    assert list(blocks_of(markdown_of([heading])).blocks) == [heading]


@settings(max_examples=examples(150), deadline=None)
@given(pages)
def test_blocks_come_back_the_same(blocks: list[JsonObject]):
    assert list(blocks_of(markdown_of(blocks)).blocks) == blocks


@settings(max_examples=examples(100), deadline=None)
@given(st.text("ab *_`~[](){}<>|#>-+.1\n\t\\&!:/=\"'\x00\ud800é😀", max_size=200))
def test_any_text_becomes_blocks_within_the_limits_and_text_again(markdown: str):
    blocks, _ = fitted(blocks_of(markdown).blocks)
    assert_within_limits(blocks)
    assert isinstance(markdown_of(blocks), str)


junk = st.recursive(
    st.one_of(st.none(), st.integers(), st.text(max_size=5)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "paragraph",
                    "rich_text",
                    "table",
                    "children",
                    "text",
                    "table_row",
                    "cells",
                ]
            ),
            st.one_of(inner, st.sampled_from(["paragraph", "table", "table_row", "image"])),
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["type", "paragraph", "table", "image"]), junk), max_size=3
    )
)
def test_any_answer_of_the_server_is_shown(blocks: list[JsonObject]):
    assert isinstance(markdown_of(blocks), str)


# --- limits ---


def assert_within_limits(blocks: Sequence[JsonObject], level: int = 0) -> None:
    for one in blocks:
        assert level <= LEVELS
        texts = one[one["type"]].get("rich_text", [])
        for texts_of in (texts, *one[one["type"]].get("cells", [])):
            assert len(texts_of) <= ITEMS
            assert all(
                len(piece["text"]["content"].encode("utf-16-le", "replace")) <= 2 * TEXT_UNITS
                for piece in texts_of
            )
        assert len(children_of(one)) <= ITEMS
        assert_within_limits(children_of(one), level + 1)


@pytest.mark.parametrize(
    ("markdown", "changed"),
    [
        ("x" * 7000 + " " + "😀" * 1500, ()),
        ("a **b** " * 120, (SPLIT,)),
        ("- top\n" + "  - below\n" * 250, (SPLIT,)),
        ("- top\n" + "".join(f"  - {n}\n    - c\n" for n in range(95)) * 2, (SPLIT,)),
        ("\n".join("  " * n + f"- level {n}" for n in range(8)), (RAISED,)),
        ("| a |\n| - |\n" + "| b |\n" * 300, (SPLIT,)),
        (
            "- a\n  - b\n    - c\n\n      | t |\n      | - |\n      | u |\n\n    - d\n  - e\n",
            (RAISED,),
        ),
    ],
)
def test_text_too_long_for_a_block_becomes_several(markdown: str, changed: tuple[str, ...]):
    given = blocks_of(markdown).blocks
    blocks, said = fitted(given)
    assert said == changed
    assert_within_limits(blocks)
    assert words_in(blocks) == words_in(given) or "| a |" in markdown
    together = list(batches(blocks))
    assert [one for batch in together for one in batch] == blocks
    assert all(len(batch) <= ITEMS and count(batch) <= 1000 for batch in together)


def words_in(blocks: Sequence[JsonObject]) -> list[str]:
    """In reading order, so that nothing is lost and nothing changes its place."""
    found: list[str] = []
    for one in blocks:
        content = one[one["type"]]
        for texts in (content.get("rich_text", []), *content.get("cells", [])):
            found += "".join(piece["text"]["content"] for piece in texts).split()
        found += words_in(children_of(one))
    return found if all(len(word) < 1000 for word in found) else ["".join(found)]
