"""Budgets: whole entries, the foundational first, never a character too many."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.memory import MemoryEntry
from bot.memory.hydrate import by_importance, fit
from tests.thoroughness import examples

DAYS = st.none() | st.integers(0, 3).map(lambda days: date(2026, 11, 20) + timedelta(days))
ENTRIES = st.lists(
    st.builds(
        MemoryEntry,
        text=st.text("ab\n", min_size=1, max_size=60),
        significance=st.integers(1, 5),
        day=DAYS,
    ),
    max_size=12,
)


def text_of(entry: MemoryEntry) -> str:
    return entry.text


def band(entry: MemoryEntry) -> int:
    return {1: 1, 2: 1, 3: 2, 4: 3, 5: 3}[entry.significance]


@given(entries=ENTRIES, room=st.integers(-5, 200))
@settings(max_examples=examples(1000), deadline=None)
def test_no_budget_is_exceeded_and_no_entry_that_would_fit_is_missing(
    entries: list[MemoryEntry], room: int
):
    fitted = fit(entries, room, text_of)
    used = sum(len(line) + 1 for line in fitted.lines)
    assert used <= max(room, 0)
    assert len(fitted.entries) == len(fitted.lines)
    assert len(fitted.entries) + fitted.left_out == len(entries)
    cut = [
        line for line, entry in zip(fitted.lines, fitted.entries, strict=True) if line != entry.text
    ]
    if cut:
        assert fitted.entries == (by_importance(entries)[0],)
        assert len(fitted.entries[0].text) + 1 > room
        return
    left = room
    taken: list[MemoryEntry] = []
    for entry in by_importance(entries):
        if len(entry.text) < left:
            taken.append(entry)
            left -= len(entry.text) + 1
    assert list(fitted.entries) == taken


@given(entries=ENTRIES)
@settings(max_examples=examples(500), deadline=None)
def test_the_order_is_band_then_newest(entries: list[MemoryEntry]):
    ordered = by_importance(entries)
    keys = [(band(entry), entry.day or date.min) for entry in ordered]
    assert keys == sorted(keys, reverse=True)
    assert sorted(map(id, ordered)) == sorted(map(id, entries))


@given(
    count=st.integers(0, 12),
    room=st.integers(0, 120),
    levels=st.lists(st.integers(1, 5), min_size=12, max_size=12),
)
@settings(max_examples=examples(300), deadline=None)
def test_more_important_entries_of_equal_length_are_kept_first(
    count: int, room: int, levels: list[int]
):
    entries = [MemoryEntry("x" * 9, levels[number]) for number in range(count)]
    fitted = fit(entries, room, text_of)
    left = [band(entry) for entry in by_importance(entries)[len(fitted.entries) :]]
    if fitted.lines and room >= 10:
        assert len(fitted.entries) == min(count, room // 10)
        assert all(band(entry) >= max(left, default=0) for entry in fitted.entries)


def test_within_a_day_significance_then_recency_orders_the_lines():
    five, four, later = MemoryEntry("five", 5), MemoryEntry("four", 4), MemoryEntry("later", 4)
    assert by_importance([four, later, five]) == [five, later, four]


def test_a_single_entry_larger_than_the_room_is_cut():
    fitted = fit([MemoryEntry("x" * 50, 5), MemoryEntry("small", 1)], 10, text_of)
    assert fitted.lines == ("xxxxxxxx…",)
    assert fitted.left_out == 1
