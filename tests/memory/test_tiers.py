"""Tiers lie at their documented paths, and within their budgets: whole entries."""

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.entries import add_entries
from bot.memory.hydrate import by_importance, fit
from bot.memory.settings import MemorySettings
from bot.memory.tiers import NAME_CHARS, MemoryStore, file_name, identifier_of, tier_path
from tests.thoroughness import examples

IDS = st.one_of(
    st.text(min_size=1, max_size=20),
    st.sampled_from(
        [
            "..",
            ".",
            "a/b",
            "../ann",
            "shared",
            "playbooks",
            "%2E",
            "a%b",
            "shared_long_term.md",
            "ann.",
            "\0",
        ]
    ),
)


def test_the_paths_are_those_of_the_settings():
    assert tier_path(Tier.SHARED, agent="assistant", person_id="ann") == "shared_long_term.md"
    assert tier_path(Tier.AGENT, agent="assistant", person_id="ann") == "assistant_long_term.md"
    assert tier_path(Tier.USER, agent="assistant", person_id="ann") == "ann/assistant_memory.md"
    assert (
        tier_path(Tier.USER, agent="mr-x_2", person_id="slack-T1-U2")
        == "slack-T1-U2/mr-x_2_memory.md"
    )


@given(identifier=IDS)
@settings(max_examples=examples(1000), deadline=None)
def test_a_name_is_one_plain_step_and_gives_the_id_back(identifier: str):
    name = file_name(identifier)
    assert name not in ("", ".", "..", "playbooks", "shared")
    assert not set(name) & set("/\\\0. ")
    assert identifier_of(name) == identifier


@given(ids=st.tuples(IDS, IDS, IDS, IDS))
@settings(max_examples=examples(1000), deadline=None)
def test_two_files_are_the_same_only_for_the_same_ids(ids: tuple[str, str, str, str]):
    agent, person, other_agent, other_person = ids
    paths = [tier_path(tier, agent=agent, person_id=person) for tier in Tier]
    assert len(set(paths)) == 3
    if person != other_person:
        assert paths[2] != tier_path(Tier.USER, agent=other_agent, person_id=other_person)
    if agent != other_agent:
        assert paths[1] != tier_path(Tier.AGENT, agent=other_agent, person_id=other_person)


def test_ids_that_name_no_file_are_refused():
    for identifier in ("", "x" * (NAME_CHARS + 1)):
        with pytest.raises(StorageError, match="can't name a memory file"):
            file_name(identifier)


async def test_a_tier_is_empty_until_it_is_written(store: MemoryStore, tmp_path: Path):
    assert await store.entries(Tier.USER, agent="assistant", person_id="ann") == ()
    entry = MemoryEntry("likes tea", 4)
    await store.update(
        Tier.USER, lambda text: add_entries(text, [entry]), agent="assistant", person_id="ann"
    )
    assert await store.entries(Tier.USER, agent="assistant", person_id="ann") == (entry,)
    assert (tmp_path / "memory/ann/assistant_memory.md").read_text() == "- [S4] likes tea\n"


async def test_a_file_that_was_handed_over_is_joined_by_the_next_process(
    store: MemoryStore, tmp_path: Path
):
    """Also when nobody is linked any more: whose it is was settled when it changed hands."""
    folder = tmp_path / "memory" / "ann"
    folder.mkdir(parents=True)
    (folder / "assistant_memory.md").write_text("- one\n")
    (folder / "assistant_memory.md.from-discord-7").write_text("- one\n- two\n")
    for _ in range(2):
        await store.finish_moves()
        found = await store.entries(Tier.USER, agent="assistant", person_id="ann")
        assert [entry.text for entry in found] == ["one", "two"]
        assert {file.name for file in folder.iterdir()} == {"assistant_memory.md"}


# Budgets: whole entries, the foundational first, never a character too many.


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


# The memory section: the documented budgets by default.


def test_defaults_are_the_seeds():
    settings = MemorySettings()
    assert [settings.budget(tier) for tier in Tier] == [4000, 8000, 4000]


def test_what_is_not_named_keeps_its_room():
    settings = MemorySettings(chars={Tier.USER: 0})
    assert [settings.budget(tier) for tier in Tier] == [4000, 8000, 0]


def test_a_negative_budget_is_refused():
    with pytest.raises(ValidationError):
        MemorySettings(chars={Tier.SHARED: -1})
