"""KnownFacts: the newest wins, nothing is forgotten in between, and children bring theirs home."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.origins import Origin, Trust
from bot.domain.tool_outcomes import Fact
from bot.errors import ToolError
from bot.memory.facts import HISTORY, KEYS, KnownFacts, checked_key, checked_value
from bot.memory.facts_store import FactsStore, drop_facts
from bot.storage.home import open_database
from tests.thoroughness import examples

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def fact(key: str, value: str, minute: int = 0) -> Fact:
    return Fact(key, value, "assistant", "cycle-1", START + timedelta(minutes=minute))


FACTS = st.lists(
    st.builds(fact, st.sampled_from(["a", "b", "c d"]), st.text(max_size=30), st.integers(0, 5)),
    max_size=20,
)


def test_the_newest_wins_and_the_older_stays_in_history():
    facts = KnownFacts([fact("server", "10.0.0.1"), fact("server", "10.0.0.2", 1)])
    assert facts["server"].value == "10.0.0.2"
    assert [old.value for old in facts.history("server")] == ["10.0.0.1"]
    facts.save(fact("server", "10.0.0.0", -1))
    assert facts["server"].value == "10.0.0.2"
    facts.save(fact("server", "10.0.0.3", 1))
    assert facts["server"].value == "10.0.0.3"
    assert len(facts.history("server")) == 3


def test_keys_are_compared_with_white_space_folded():
    facts = KnownFacts([fact("server  A\n", "1"), fact("server A", "2", 1)])
    assert list(facts) == ["server A"]


def test_history_is_bounded():
    facts = KnownFacts(fact("a", str(minute), minute) for minute in range(100))
    assert len(facts.history("a")) == HISTORY
    assert facts["a"].value == "99"


def test_the_oldest_of_too_many_facts_are_dropped():
    facts = KnownFacts(fact(f"key {number}", "x", number) for number in range(KEYS + 5))
    assert list(facts) == [f"key {number}" for number in range(5, KEYS + 5)]


def test_facts_are_rendered_newest_first_within_the_cap():
    facts = KnownFacts([fact("a", "one"), fact("b", "two\n- fake: line", 1)])
    assert facts.render() == "- b: two - fake: line\n- a: one"
    assert facts.render(22) == "- b: two - fake: line"
    many = KnownFacts(fact(f"key {number}", "x" * 100, number) for number in range(50))
    assert len(many.render()) <= 2000
    assert many.render().startswith("- key 49: ")
    assert KnownFacts().render() == ""


def test_a_child_works_on_its_own_copy_and_brings_its_facts_home():
    parent = KnownFacts([fact("a", "old")])
    child = parent.snapshot()
    child.save(fact("a", "new", 1))
    child.save(fact("b", "found", 2))
    assert parent["a"].value == "old"
    assert "b" not in parent
    parent.merge(child)
    assert (parent["a"].value, parent["b"].value) == ("new", "found")
    assert [old.value for old in parent.history("a")] == ["old"]


def test_a_parents_newer_fact_survives_the_childs_older_one():
    parent = KnownFacts()
    child = parent.snapshot()
    child.save(fact("a", "child", 1))
    parent.save(fact("a", "parent", 2))
    parent.merge(child)
    assert parent["a"].value == "parent"
    assert [old.value for old in parent.history("a")] == ["child"]


@given(mine=FACTS, theirs=FACTS)
@settings(max_examples=examples(300), deadline=None)
def test_merging_loses_nothing_and_can_be_repeated(mine: list[Fact], theirs: list[Fact]):
    parent, child = KnownFacts(mine), KnownFacts(theirs)
    parent.merge(child)
    once = [(*parent.history(key), parent[key]) for key in parent]
    parent.merge(child)
    assert [(*parent.history(key), parent[key]) for key in parent] == once
    for key in {saved.key for saved in (*mine, *theirs)}:
        newest = max(saved.at for saved in (*mine, *theirs) if saved.key == key)
        assert parent[key].at == newest
    assert [parent[key].at for key in parent] == sorted(parent[key].at for key in parent)


@pytest.mark.parametrize("key", ["", "  \n", "x" * 81])
def test_a_key_that_is_too_long_or_empty_is_refused_before_it_is_saved(key: str):
    with pytest.raises(ToolError, match="1 to 80"):
        checked_key(key)


def test_a_value_that_is_too_long_or_empty_is_refused_before_it_is_saved():
    assert checked_key(" a\n b ") == "a b"
    assert checked_value(" x ") == "x"
    for value in ("", "x" * 501):
        with pytest.raises(ToolError, match="1 to 500"):
            checked_value(value)


def test_saving_itself_never_fails():
    facts = KnownFacts([fact("x" * 200, "y" * 900), fact("", "z")])
    assert {key: len(kept.value) for key, kept in facts.items()} == {"x" * 80: 500, "unnamed": 1}


async def test_facts_come_back_with_history_origin_and_privacy(tmp_path: Path):
    database = await open_database(tmp_path / "bellhop.db")
    store = FactsStore(database)
    facts = KnownFacts([fact("a", "one"), fact("b", "zwei", 1)])
    web = Origin(Trust.EXTERNAL, "tool:web_fetch")
    facts.save(
        Fact(
            "a",
            "two",
            "scout",
            "cycle-2",
            START + timedelta(minutes=2),
            "web_fetch",
            0.5,
            web,
            private=True,
        )
    )
    await database.write(store.save_unit("session-1", facts))
    loaded = await store.load("session-1")
    assert list(loaded.items()) == list(facts.items())
    assert loaded.history("a") == facts.history("a")
    assert len(await store.load("session-2")) == 0
    assert not loaded.changed
    loaded.save(loaded["a"])
    assert not loaded.changed
    loaded.forget("a")
    assert loaded.changed

    facts.save(fact("a", "three", 3))
    facts.save(fact("b", "drei", 3))
    unit = store.save_unit("session-1", facts, ["a", "a", "unknown"])
    assert len(unit.writes) == 1
    await database.write(unit)
    loaded = await store.load("session-1")
    assert (loaded["a"].value, loaded["b"].value) == ("three", "zwei")

    await database.write(drop_facts("session-1"))
    assert len(await store.load("session-1")) == 0
    await database.close()
