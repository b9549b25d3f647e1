"""Summaries: how a model's answer is read, what is made without a model, and the file of lines."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM
from bot.domain.summaries import ConversationSummary, Depth, Resolution, SummaryFields, ToolUse
from bot.errors import StorageError
from bot.memory.json_answer import MOST_PROBLEMS, answer_schema
from bot.memory.summaries.form import (
    TEXT_CHARS,
    SummaryForm,
    TranscriptReading,
    from_json,
    plain_fields,
    read_form,
    to_json,
)
from bot.memory.summaries.log import SummaryLog
from bot.memory.summaries.recall import CHARS, in_words
from tests.thoroughness import examples

GOOD = {
    "Intent": "book a room",
    "TechnicalDepth": "casual",
    "UserMood": "calm",
    "Significance": 3,
    "RelationshipNotes": "",
    "ActiveGoals": ["move house"],
    "WIH": "a room for Friday",
    "WIS": "room 4 is free",
    "WID": "booked it",
    "ToolsUsed": [{"Name": "book", "Purpose": "the room"}],
    "Outcome": "resolved",
    "FactsLearned": ["The team meets on Fridays."],
    "PreferencesNoted": [],
    "ErrorsEncountered": [],
    "FollowUp": "",
}
REQUIRED = ("Intent", "TechnicalDepth", "Significance", "Outcome")
MOMENT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
FIELDS = st.builds(
    SummaryFields,
    intent=TEXTS,
    wih=TEXTS,
    technical_depth=st.sampled_from(Depth),
    significance=st.integers(1, 5),
    tools_used=st.lists(st.builds(ToolUse, TEXTS, TEXTS), max_size=3).map(tuple),
    outcome=st.sampled_from(Resolution),
    facts_learned=st.lists(TEXTS, max_size=3).map(tuple),
    active_goals=st.lists(TEXTS, max_size=3).map(tuple),
    preferences_noted=st.just(()),
    errors_encountered=st.just(()),
)


def a_summary(
    id_: str = "a1", agent: str = "assistant", fields: SummaryFields | None = None
) -> ConversationSummary:
    return ConversationSummary(
        id_,
        f"s-{id_}",
        1,
        "ann",
        Role.FRIEND,
        agent,
        "discord:1:dm",
        IN_DM,
        Trust.PERSON,
        MOMENT,
        MOMENT,
        fields or SummaryFields("book a room"),
    )


def test_sixteen_fields_are_read_and_goals_only_where_agents_keep_them():
    assert [*GOOD, "Distilled"] == [*answer_schema(SummaryForm)["properties"], "Distilled"]
    assert len([*GOOD, "Distilled"]) == 16
    read = read_form(f"Here it is:\n```json\n{json.dumps(GOOD)}\n```", goals=True)
    assert isinstance(read, SummaryFields)
    assert to_json(read) == GOOD
    without = read_form(json.dumps(GOOD), goals=False)
    assert isinstance(without, SummaryFields)
    assert without == replace(read, active_goals=())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"Significance": 6}, "Significance: Input should be less than or equal to 5"),
        ({"Outcome": "fine"}, "Outcome: Input should be 'resolved', 'partial' or 'unresolved'"),
        ({"Intent": ""}, "Intent: String should have at least 1 character"),
        ({"FactsLearned": "one"}, "FactsLearned: Input should be a valid list"),
        ({"ToolsUsed": [7]}, "ToolsUsed.0: Input should be an object"),
        (
            {"Significance": 0, "Outcome": "done"},
            "Significance: Input should be greater than or equal to 1; "
            "Outcome: Input should be 'resolved', 'partial' or 'unresolved'",
        ),
    ],
)
def test_errors_of_an_answer_are_named_by_field(change: dict[str, object], problem: str):
    assert read_form(json.dumps(GOOD | change), goals=True) == problem


@pytest.mark.parametrize(
    "text", ["", "no", "{", "{}", "[1]", '{"Intent": }', "{" * 5000 + "}" * 5000]
)
def test_an_answer_that_is_no_summary_is_a_problem_in_words(text: str):
    assert isinstance(read_form(text, goals=True), str)


def test_all_that_is_wrong_is_told_at_once_up_to_a_limit():
    wrong = read_form("{}", goals=True)
    assert isinstance(wrong, str)
    assert wrong.split("; ") == [f"{name}: Field required" for name in REQUIRED]
    many = read_form(json.dumps(GOOD | {"ToolsUsed": [7] * 20}), goals=True)
    assert isinstance(many, str)
    assert many.count("; ") == MOST_PROBLEMS - 1


def test_a_broken_answer_is_not_quoted_in_its_problem():
    problem = read_form('{"Intent": "send "everything" to evil.example"}', goals=True)
    assert isinstance(problem, str)
    assert 'write \\" and \\n inside texts' in problem
    assert "evil" not in problem


def test_words_around_the_object_and_tools_by_name_alone_are_read():
    answer = json.dumps(GOOD | {"ToolsUsed": ["book"], "WIH": ""})
    read = read_form(f"{answer}\nI left {{WIH}} empty.", goals=True)
    assert isinstance(read, SummaryFields)
    assert (read.tools_used, read.wih) == ((ToolUse("book"),), "")


def test_long_texts_are_cut_and_missing_ones_are_empty():
    answer = GOOD | {"WIH": "word " * 5000, "UserMood": None, "FactsLearned": None, "ToolsUsed": []}
    read = read_form(json.dumps(answer), goals=True)
    assert isinstance(read, SummaryFields)
    assert len(read.wih) <= TEXT_CHARS
    assert read.wih.endswith("word…")
    assert (read.user_mood, read.facts_learned) == ("", ())


@given(FIELDS)
@settings(max_examples=examples(100), deadline=None)
def test_fields_survive_their_json(fields: SummaryFields):
    assert from_json(json.loads(json.dumps(to_json(fields)))) == fields


@given(st.lists(TEXTS, max_size=30), st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=40))
@settings(max_examples=examples(100), deadline=None)
def test_any_transcript_has_a_summary_without_a_model(
    requests: list[str], answers: list[str], tools: list[str]
):
    fields = plain_fields(TranscriptReading(requests, answers, tools))
    assert fields.intent
    assert fields.significance <= 2
    assert not fields.preferences_noted
    assert len(fields.wih) <= TEXT_CHARS
    assert len(in_words(a_summary(fields=fields))) <= CHARS


async def test_a_line_stands_in_its_agents_file_once_even_after_a_crash(tmp_path: Path):
    lines, file = SummaryLog(tmp_path), tmp_path / "assistant_conversations.jsonl"
    await lines.append([a_summary("a1"), a_summary("b1", "clerk")])
    with file.open("ab") as torn:
        torn.write(b'{"id": "half')
    await lines.append([a_summary("a1"), a_summary("a2")], again=True)
    ids = [
        json.loads(line)["id"]
        for line in file.read_text().splitlines()
        if not line.endswith("half")
    ]
    assert ids == ["a1", "a2"]
    assert file.stat().st_mode & 0o077 == 0
    told = json.loads((tmp_path / "clerk_conversations.jsonl").read_text())
    assert told["Intent"] == "book a room"
    assert "Distilled" not in told, "it would say for ever what was true at first"


async def test_lines_are_taken_out_and_others_stay_byte_for_byte(tmp_path: Path):
    lines, file = SummaryLog(tmp_path), tmp_path / "assistant_conversations.jsonl"
    await lines.append([a_summary("a1"), a_summary("a2")])
    file.write_text(file.read_text() + "by hand\n")
    before = file.read_text().splitlines(keepends=True)
    assert await lines.remove("assistant", ["a1", "zz"]) == 1
    assert file.read_text() == "".join(before[1:])
    assert await lines.remove("nobody", ["a1"]) == 0


async def test_a_file_that_cannot_be_written_is_named(tmp_path: Path):
    (tmp_path / "assistant_conversations.jsonl").mkdir()
    with pytest.raises(StorageError, match=r"assistant_conversations.jsonl can't be written"):
        await SummaryLog(tmp_path).append([a_summary()])
