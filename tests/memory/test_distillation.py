"""What summaries teach goes where its scope lets it, whatever a model answers."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.agents.summaries.distiller import MOST, read_entries
from bot.domain.access import INNER_RANK, Role
from bot.domain.json_types import JsonObject
from bot.domain.memory import Tier
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned
from bot.domain.summaries import ConversationSummary, SummaryFields
from bot.memory.distillation.routing import Proposed, grouped, names_somebody, plainly, routed
from tests.thoroughness import examples

MOMENT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
IN_ROOM = Learned(Reach.PUBLIC, "discord:1:room")
IN_BOARD = Learned(Reach.PRIVATE, "discord:1:board")


def a_summary(number: int = 1, **changes: object) -> ConversationSummary:
    made = ConversationSummary(
        f"id{number}",
        f"s{number}",
        1,
        "ann",
        Role.FRIEND,
        "assistant",
        "discord:1:room",
        IN_ROOM,
        Trust.PERSON,
        MOMENT,
        MOMENT + timedelta(days=number),
        SummaryFields("x"),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


SUMMARIES = st.builds(
    a_summary,
    st.integers(1, 200),
    person=st.sampled_from(["ann", "bob"]),
    role=st.sampled_from(Role),
    learned=st.sampled_from([PUBLICLY, IN_DM, IN_ROOM, IN_BOARD]),
    trust=st.sampled_from(Trust),
)
TEXTS = ["the wiki moved", "Ann likes tea", "bob's key", " ", "port 8443"]
PROPOSED = st.builds(
    Proposed, st.sampled_from(Tier), st.sampled_from(TEXTS),
    st.integers(-3, 9), st.lists(st.sampled_from(["id1", "id2", "zz"]), max_size=2),
)  # fmt: skip


@given(st.lists(SUMMARIES, min_size=1, max_size=20), st.lists(PROPOSED, max_size=8))
@settings(max_examples=examples(300), deadline=None)
def test_no_answer_takes_anything_out_of_its_scope(
    summaries: list[ConversationSummary], proposed: list[Proposed]
):
    groups = grouped(summaries, 5)
    assert sorted(one.id for group in groups for one in group.summaries) == sorted(
        one.id for one in summaries
    )
    for group in groups:
        assert len({(one.person, one.learned) for one in group.summaries}) == 1
        for one in routed(group, [*proposed, *plainly(group)], ["ann", "Bob"]):
            if one.tier is Tier.USER:
                assert one.entry.learned == group.scope.learned
                continue
            assert not one.entry.private
            assert one.entry.workspace == group.scope.learned.workspace
            assert not names_somebody(one.entry.text, ["ann", "bob"])
            for source in group.summaries:
                assert not source.learned.private
                assert source.role.rank >= INNER_RANK
                assert source.trust < Trust.OUTSIDER


@given(st.text(min_size=1, max_size=200), st.sampled_from([IN_DM, IN_BOARD]), st.sampled_from(Role))
@settings(max_examples=examples(200), deadline=None)
def test_no_text_that_was_typed_in_private_is_routed_to_others(
    typed: str, learned: Learned, role: Role
):
    """For any text, whatever the memorymaster makes of it."""
    fields = SummaryFields(typed, wih=typed, facts_learned=[typed], preferences_noted=[typed])
    (group,) = grouped([a_summary(learned=learned, role=role, fields=fields)], 50)
    wanted = [Proposed(tier, typed, 5, ["id1"]) for tier in Tier]
    found = routed(group, [*wanted, *plainly(group)], [])
    assert {one.tier for one in found} <= {Tier.USER}
    assert all(one.entry.learned == learned for one in found)


def test_an_entry_carries_its_source_its_day_and_its_place():
    (group,) = grouped([a_summary(1, learned=IN_BOARD), a_summary(2, learned=IN_BOARD)], 50)
    (one,) = routed(group, [Proposed(Tier.SHARED, "The  offer\nis 40.", 9, ["id1"])], [])
    assert one.tier is Tier.USER
    entry = one.entry
    assert (entry.text, entry.significance, entry.day) == (
        "The offer is 40.",
        5,
        (MOMENT + timedelta(days=1)).date(),
    )
    assert (entry.source, entry.learned) == ("id1", IN_BOARD)


def test_outside_text_marks_only_the_entries_of_its_conversations():
    groups = grouped(
        [a_summary(1, learned=IN_DM), a_summary(2, learned=IN_DM, trust=Trust.EXTERNAL)], 50
    )
    found = [
        one
        for group in groups
        for one in routed(group, plainly(group) or [Proposed(Tier.SHARED, "x", 3)], [])
    ]
    assert [(one.tier, one.entry.source, one.entry.trust) for one in found] == [
        (Tier.USER, "id1", Trust.PERSON),
        (Tier.USER, "id2", Trust.EXTERNAL),
    ]


def test_shared_entries_matter_and_tool_entries_are_the_agents():
    (group,) = grouped([a_summary()], 50)
    wanted = [
        Proposed(Tier.SHARED, "The wiki moved.", 2),
        Proposed(Tier.SHARED, "Deploys are on Monday.", 3),
    ]
    assert [one.tier for one in routed(group, wanted, [])] == [Tier.AGENT, Tier.SHARED]


def test_secrets_do_not_become_memory():
    (group,) = grouped([a_summary()], 50)
    (one,) = routed(
        group,
        [Proposed(Tier.USER, "The key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789", 3)],
        [],
    )
    assert "abcdefghijklmnop" not in one.entry.text


def test_an_answer_is_read_up_to_its_limit_and_a_bad_one_is_told():
    entry: JsonObject = {"Tier": "user", "Text": "x", "Significance": 3, "Sources": []}
    read = read_entries(json.dumps({"Entries": [entry] * (MOST + 5)}))
    assert isinstance(read, list)
    assert len(read) == MOST
    (without,) = read_entries(
        json.dumps({"Entries": [entry | {"Sources": None, "Replaces": None}]})
    )
    assert isinstance(without, Proposed)
    assert (without.sources, without.replaces) == ((), ())
    assert read_entries("no") == "the answer holds no JSON object"
    assert isinstance(read_entries(json.dumps({"Entries": [entry | {"Tier": "all"}]})), str)
    assert isinstance(read_entries("{" * 4000 + "}" * 4000), str)
