"""Tiers lie at their documented paths, and no id can reach another's file."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.memory import MemoryEntry, Tier
from bot.errors import StorageError
from bot.memory.entries import add_entries
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
