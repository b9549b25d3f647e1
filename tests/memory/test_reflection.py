"""Reflection tidies a tier: the same again changes nothing, and nothing is lost."""

from datetime import date

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.domain.memory import MemoryEntry
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned
from bot.memory.entries import add_entries, clean, parse_entries
from bot.memory.hydrate import entry_line
from bot.memory.reflection import EntryWords, reflect
from tests.thoroughness import examples

TODAY = date(2026, 11, 22)
BOARD = Learned(Reach.PRIVATE, "slack:T1:board")
OPS = Learned(Reach.PRIVATE, "slack:T1:ops")
TEXTS = st.sampled_from([
    "Ann likes short answers", "ann likes  short answers.", "The staging server is called Alder",
    "The staging server is called Birch", (
        "the weekly report goes out on friday after the stand up call"
    ),
    "the weekly report goes out on friday after the short stand up call", "Room 12 closes at six",
    "Room 13 closes at six",
])  # fmt: skip
ENTRIES = st.builds(
    MemoryEntry,
    st.one_of(TEXTS, st.text(min_size=1, max_size=60).filter(str.strip)),
    st.integers(1, 5),
    st.one_of(st.none(), st.dates(date(2026, 1, 1), date(2026, 12, 31))),
    learned=st.sampled_from([PUBLICLY, IN_DM, BOARD, OPS]),
    trust=st.sampled_from([Trust.PERSON, Trust.EXTERNAL]),
)


def told(text: str) -> str:
    return EntryWords.of(text).normal


@given(st.lists(ENTRIES, max_size=12), st.sampled_from([0, 120, 400, 4000]))
@settings(max_examples=examples(150), deadline=None)
@example(
    [MemoryEntry("a", 3, learned=IN_DM), MemoryEntry("a", 1), MemoryEntry("A.", 5, learned=BOARD)],
    4000,
)
def test_nothing_is_lost_or_widened_and_a_second_pass_finds_nothing(
    entries: list[MemoryEntry], room: int
):
    text = add_entries("# Memory\n\n", entries)
    done = reflect(text, room, entry_line, TODAY)
    kept = parse_entries(done.text)
    again = reflect(done.text, room, entry_line, TODAY)
    assert (again.text, again.archived) == (done.text, ())
    before = [clean(entry) for entry in entries]
    for entry in (*kept, *done.archived):
        assert any(
            (entry.text, entry.learned, entry.trust) == (one.text, one.learned, one.trust)
            for one in before
        )
    for entry in before:
        same = [one for one in (*kept, *done.archived) if told(one.text) == told(entry.text)]
        assert any(
            entry.learned.narrowed(one.learned) == entry.learned and one.trust <= entry.trust
            for one in same
        )
    trusted = [entry for entry in kept if not entry.untrusted]
    if room and len(trusted) > 1:
        assert sum(len(entry_line(entry)) + 1 for entry in trusted) <= room


@given(st.text(alphabet="-*# \n[]S3<!>ab\t", max_size=120), st.sampled_from([0, 30]))
@settings(max_examples=examples(150), deadline=None)
def test_any_file_can_be_reflected_on(text: str, room: int):
    done = reflect(text, room, entry_line, TODAY)
    again = reflect(done.text, room, entry_line, TODAY)
    assert again.text == done.text


def test_hand_written_text_stays_byte_for_byte():
    text = "# Team\n\nSome prose.\n\n*   [2026-11-20]   odd   spaces \n<!-- mine -->\n- [S5] kept\n"
    done = reflect(text, 4000, entry_line, TODAY)
    assert done.text == text.replace("*   [2026", "*   [S3][2026")
    assert done.archived == ()


@pytest.mark.parametrize("newer", [date(2026, 11, 21), date(2026, 11, 19)])
def test_an_untrusted_duplicate_neither_replaces_nor_boosts_a_trusted_entry(
    newer: date,
):
    trusted = MemoryEntry("The door code is in the safe", 2, date(2026, 11, 20))
    copy = MemoryEntry("the door code is in the safe.", 5, newer, trust=Trust.EXTERNAL)
    near = MemoryEntry("The door code is now in the safe", 5, newer, trust=Trust.EXTERNAL)
    done = reflect(add_entries("", [trusted, copy, near]), 4000, entry_line, TODAY)
    assert parse_entries(done.text) == (trusted, near)


@pytest.mark.parametrize(
    ("old", "new", "merged"),
    [
        ("Ann likes tea", "ann likes  tea.", True),
        (
            "it runs every night in the data centre of us all",
            ("it runs each night in the data centre of us all"),
            True,
        ),
        (
            "the door on the left side is open all day",
            ("the door on the left side is not open all day"),
            True,
        ),
        (
            "Room 12 of the north wing closes at six",
            "Room 13 of the north wing closes at six",
            False,
        ),
        (
            "we all meet in the house of Bob on each friday",
            ("we all meet in the house of Eve on each friday"),
            False,
        ),
        ("I like C++ most", "I like C most", False),
    ],
)
def test_equal_entries_are_recognised(old: str, new: str, merged: bool):
    text = add_entries(
        "", [MemoryEntry(old, 4, date(2026, 1, 1)), MemoryEntry(new, 2, date(2026, 2, 1))]
    )
    done = reflect(text, 0, entry_line, TODAY)
    kept = parse_entries(done.text)
    if not merged:
        assert len(kept) == 2
        return
    assert kept == (MemoryEntry(new, 4, date(2026, 2, 1)),), (
        "the newest text, the higher significance"
    )
    if told(old) != told(new):
        assert done.archived == (MemoryEntry(old, 4, date(2026, 1, 1), superseded=TODAY),)


def test_entries_without_room_leave_by_significance():
    entries = [
        MemoryEntry(f"fact number {n} of many", n % 5 + 1, date(2026, 1, n + 1)) for n in range(20)
    ]
    done = reflect(add_entries("", entries), 300, entry_line, TODAY)
    kept = parse_entries(done.text)
    assert {entry.significance for entry in kept} == {5, 4}
    assert sorted(entry.text for entry in (*kept, *done.archived)) == sorted(
        entry.text for entry in entries
    )
