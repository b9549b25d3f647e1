"""Tier files are read leniently, rewritten byte for byte, and entries round-trip."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.memory import MemoryEntry
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned
from bot.memory.entries import (
    add_entries,
    clean,
    entry_block,
    format_entry,
    format_tier,
    parse_entries,
    parse_tier,
)
from tests.thoroughness import examples

LINES = st.sampled_from(
    [
        "- [S4][2026-11-20][src:abc12345] servers\n",
        "- no tag\n",
        "* [private] star\n",
        "  continued\n",
        "\tmore\n",
        "\n",
        "# Heading\n",
        "prose\n",
        " - one space\n",
        "    - nested\n",
        "<!-- hidden -->\n",
        "<!-- open\n",
        "-->\n",
        "---\n",
        "- \n",
        "- [S9] odd\n",
        "- [2026-13-45] no day\n",
        "- \\[S5] escaped\n",
        "\r\n",
        "- a\r\n",
        "\ufeff",
        "+ plus",
        "-no bullet\n",
        "  \n",
        "\x0b\n",
        "\u2028",
        "```\n",
    ]
)
FILES = st.one_of(st.lists(LINES, max_size=15).map("".join), st.text(max_size=80))
ENTRIES = st.builds(
    MemoryEntry,
    text=st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                ["[S5] x", "[private]", "\\[", "- a", "# b", "  c", "", "<!--", "d\r", "---"]
            )
        ).map("\n".join),
    ),
    significance=st.integers(-1, 7),
    day=st.none() | st.dates(),
    source=st.none() | st.from_regex(r"[a-z0-9:\[-]{1,12}", fullmatch=True),
    learned=st.sampled_from(
        [PUBLICLY, IN_DM, Learned(Reach.PRIVATE, "discord:1:7"), Learned(Reach.PRIVATE, "a ]b")]
    ),
    trust=st.sampled_from(Trust),
    superseded=st.none() | st.dates(),
    workspace=st.sampled_from(["", "discord:1", "a ]b"]),
)


@given(text=FILES)
@settings(max_examples=examples(1000), deadline=None)
def test_any_file_is_kept_byte_for_byte_and_adding_touches_nothing_before(text: str):
    assert format_tier(parse_tier(text)) == text
    added = add_entries(text, [MemoryEntry("new", 4)])
    assert added.startswith(text)
    assert added.endswith("- [S4] new\n")


@given(entry=ENTRIES)
@settings(max_examples=examples(1000), deadline=None)
def test_an_entry_is_read_back_as_it_was_written(entry: MemoryEntry):
    entry = clean(entry)
    if not entry.text:
        with pytest.raises(ValueError, match="needs a text"):
            format_entry(entry)
        return
    assert parse_entries(format_entry(entry)) == (entry,)


@given(entries=st.lists(ENTRIES.filter(lambda entry: bool(clean(entry).text)), max_size=6))
@settings(max_examples=examples(300), deadline=None)
def test_entries_written_below_each_other_stay_apart(entries: list[MemoryEntry]):
    text = add_entries("# Memory\n", entries)
    assert parse_entries(text) == tuple(clean(entry) for entry in entries)


def test_tags_may_stand_in_any_order_and_be_missing():
    assert parse_entries("- [private] [2026-11-20][S3] tea") == (
        MemoryEntry("tea", 3, date(2026, 11, 20), None, IN_DM),
    )
    assert parse_entries("- [s4]coffee\n* plain\n") == (
        MemoryEntry("coffee", 4),
        MemoryEntry("plain"),
    )


def test_that_text_from_outside_was_there_is_a_tag():
    entry = MemoryEntry("ships on Friday", 3, trust=Trust.EXTERNAL)
    assert format_entry(entry) == "- [S3][from:external] ships on Friday\n"
    assert parse_entries("- [from:external][S3] ships on Friday\n") == (entry,)
    assert parse_entries("- [from:operator] no such tag\n") == (
        MemoryEntry("[from:operator] no such tag"),
    )


def test_the_channel_that_something_was_learned_in_is_a_tag():
    entry = MemoryEntry("the budget", 2, learned=Learned(Reach.PRIVATE, "slack:T1:C7"))
    assert format_entry(entry) == "- [S2][channel:slack:T1:C7] the budget\n"
    assert parse_entries(format_entry(entry)) == (entry,)
    assert parse_entries("- [channel:a][private] b\n") == (MemoryEntry("b", learned=IN_DM),)


def test_the_workspace_that_something_is_for_is_a_tag():
    entry = MemoryEntry("the wiki moved", 3, workspace="discord:1001")
    assert format_entry(entry) == "- [S3][in:discord:1001] the wiki moved\n"
    assert parse_entries(format_entry(entry)) == (entry,)
    (odd,) = parse_entries(format_entry(replace(entry, workspace="a b]c")))
    assert odd.workspace == "a_b_c"


def test_unknown_tags_are_text():
    assert parse_entries("- [S9] a\n- [2026-02-30] b\n- [S2][S5] c\n- [todo] d\n") == (
        MemoryEntry("[S9] a"),
        MemoryEntry("[2026-02-30] b"),
        MemoryEntry("[S5] c", 2),
        MemoryEntry("[todo] d"),
    )


def test_an_entry_goes_on_over_indented_lines_and_paragraphs():
    text = "- [S3] one\n  two\n\n  three\n    - nested\nlazy\n\nprose\n- next\n"
    assert parse_entries(text) == (
        MemoryEntry("one\ntwo\n\nthree\n  - nested\nlazy", 3),
        MemoryEntry("prose"),
        MemoryEntry("next"),
    )


def test_the_second_line_of_a_private_entry_stays_private():
    (entry,) = parse_entries("- [private] Ann looks for a flat\nnear the river\n")
    assert entry == MemoryEntry("Ann looks for a flat\nnear the river", learned=IN_DM)


def test_headings_comments_and_rules_are_not_memory_but_paragraphs_are():
    text = "# Title\n\n<!-- a note\n- not this\n-->\n---\nremember the milk\nand the bread\n"
    assert parse_entries(text) == (MemoryEntry("remember the milk\nand the bread"),)


def test_an_unclosed_comment_hides_nothing_after_it():
    assert MemoryEntry("kept", 5) in parse_entries("<!-- never closed\n- [S5] kept\n")


def test_a_hostile_file_is_read_in_time():
    for piece in ("<!-- open\n", "- a\n\n\n\n", "\n", "[", "\\", "- [S1]"):
        assert format_tier(parse_tier(piece * 20_000)) == piece * 20_000


def test_a_changed_entry_takes_the_place_of_the_old_one():
    blocks = [
        entry_block(MemoryEntry("new", 5)) if block.entry and block.entry.text == "old" else block
        for block in parse_tier("# Title\n\n- old\n\nend\n")
    ]
    assert format_tier(blocks) == "# Title\n\n- [S5] new\n\nend\n"


def test_a_source_that_would_break_the_tag_is_refused():
    with pytest.raises(ValueError, match="can't be the source"):
        format_entry(MemoryEntry("x", source="a b"))
