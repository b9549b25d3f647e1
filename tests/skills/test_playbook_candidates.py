"""Recurring work in public conversations becomes a candidate; nothing else does."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.access import INNER_RANK, Access, Role
from bot.domain.origins import Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned
from bot.domain.summaries import ConversationSummary, Resolution, SummaryFields
from bot.skills.playbook_candidates import (
    Recurring,
    candidate_text,
    keep_candidates,
    recurring,
    shareable_work,
)
from bot.skills.playbooks import prepare, read_playbook
from tests.thoroughness import examples

MOMENT = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)
ROOM = Learned(Reach.PUBLIC, "discord:1:room")
TOOLS = ("get_numbers", "calculate", "write_file", "send")


def a_summary(number: int, **changes: object) -> ConversationSummary:
    made = ConversationSummary(
        f"id{number}",
        f"s{number}",
        1,
        "ann",
        Role.FRIEND,
        "assistant",
        "discord:1:room",
        ROOM,
        Trust.PERSON,
        MOMENT,
        MOMENT + timedelta(days=number),
        SummaryFields("zq-words", outcome=Resolution.RESOLVED),
        tools=TOOLS,
    )
    return replace(made, **changes)  # type: ignore[arg-type]


def found_in(summaries: list[ConversationSummary]) -> list[Recurring]:
    return recurring(shareable_work(summaries))


def candidates_in(home: Path) -> dict[str, str]:
    return {
        path.name: path.read_text() for path in (home / "memory/playbooks/candidates").glob("*.md")
    }


def test_three_resolved_sessions_make_a_candidate_that_can_be_promoted(tmp_path: Path):
    found = found_in(
        [a_summary(number, tools=("tool_search", *TOOLS, "finish_task")) for number in (1, 2, 3)]
    )
    assert [(one.tools, one.sessions) for one in found] == [(TOOLS, ("s1", "s2", "s3"))]
    assert keep_candidates(
        tmp_path, found, lambda tool: "Work out\na sum." * (tool == "calculate")
    ) == ["get_numbers_to_send"]
    (text,) = candidates_in(tmp_path).values()
    playbook = read_playbook(text, Path("get_numbers_to_send.md"))
    assert playbook.tools == TOOLS
    assert (playbook.occurrences, playbook.first_seen, playbook.last_seen) == (
        3,
        "2026-11-21",
        "2026-11-23",
    )
    assert "2. `calculate`: Work out a sum." in playbook.steps
    assert "zq-words" not in text
    assert (
        b"allowed-tools: get_numbers calculate write_file send"
        in prepare(tmp_path, "get_numbers_to_send", Access()).skill
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"learned": IN_DM},
        {"learned": Learned(Reach.PRIVATE, "discord:1:vault")},
        {"role": Role.GUEST},
        {"trust": Trust.EXTERNAL},
        {"trust": Trust.OUTSIDER},
        {"fields": SummaryFields("x", outcome=Resolution.PARTIAL)},
        {"session_id": "s1"},
        {"tools": TOOLS[:3]},
        {"tools": ("calculate", "get_numbers", "write_file", "send")},
    ],
)
def test_a_third_session_that_does_not_count_makes_none(changes: dict[str, object]):
    assert found_in([a_summary(1), a_summary(2), a_summary(3, **changes)]) == []


def test_one_private_part_of_a_compacted_session_closes_the_whole():
    parts = [a_summary(3, epoch=1, tools=TOOLS[:2]), a_summary(3, id="b", epoch=2, tools=TOOLS[2:])]
    assert len(found_in([a_summary(1), a_summary(2), *parts])) == 1
    closed = [parts[0], replace(parts[1], trust=Trust.EXTERNAL)]
    assert found_in([a_summary(1), a_summary(2), *closed]) == []


def test_a_sequence_inside_longer_work_is_found_once():
    longer = [a_summary(number, tools=("a", *TOOLS, f"z{number}")) for number in (1, 2, 3)]
    assert [one.tools for one in found_in(longer)] == [("a", *TOOLS)]
    assert [one.tools for one in found_in([*longer, a_summary(4)])] == [TOOLS, ("a", *TOOLS)]


def test_another_pass_counts_anew_and_keeps_what_somebody_wrote(tmp_path: Path):
    three = [a_summary(number) for number in (1, 2, 3)]
    keep_candidates(tmp_path, found_in(three), str)
    (path,) = (tmp_path / "memory/playbooks/candidates").glob("*.md")
    first = path.read_bytes()
    assert keep_candidates(tmp_path, found_in(three), str) == []
    assert path.read_bytes() == first
    renamed = path.rename(path.with_name("weekly.md"))
    text = (
        first.decode()
        .replace("1. `get_numbers`", "1. occurrences: by hand")
        .replace("status", "note: mine\nstatus")
    )
    renamed.write_text(text)
    assert keep_candidates(tmp_path, found_in([*three, a_summary(9)]), str) == []
    counted = text.replace("occurrences: 3", "occurrences: 4").replace('"s3"]', '"s3", "s9"]')
    assert candidates_in(tmp_path) == {
        "weekly.md": counted.replace("last_seen: 2026-11-23", "last_seen: 2026-11-29")
    }


@pytest.mark.parametrize("status", ["promoted", "rejected"])
def test_a_decided_candidate_is_left_alone_and_does_not_come_again(tmp_path: Path, status: str):
    three = [a_summary(number) for number in (1, 2, 3)]
    keep_candidates(tmp_path, found_in(three), str)
    (path,) = (tmp_path / "memory/playbooks/candidates").glob("*.md")
    path.write_text(path.read_text().replace("status: candidate", f"status: {status}"))
    before = candidates_in(tmp_path)
    assert keep_candidates(tmp_path, found_in([*three, a_summary(4)]), str) == []
    assert candidates_in(tmp_path) == before


def test_a_file_that_is_no_playbook_keeps_its_name(tmp_path: Path):
    folder = tmp_path / "memory/playbooks/candidates"
    folder.mkdir(parents=True)
    (folder / "get_numbers_to_send.md").write_text("mine")
    assert keep_candidates(tmp_path, found_in([a_summary(n) for n in (1, 2, 3)]), str) == [
        "get_numbers_to_send_2"
    ]
    assert candidates_in(tmp_path)["get_numbers_to_send.md"] == "mine"


@given(st.lists(st.tuples(
    st.integers(1, 9), st.sampled_from(Role), st.sampled_from(Trust),
    st.sampled_from([ROOM, IN_DM, Learned(Reach.PRIVATE, "discord:1:vault")]),
    st.lists(st.sampled_from("abcde"), unique=True, max_size=5),
), max_size=30))  # fmt: skip
@settings(max_examples=examples(60), deadline=None)
def test_nothing_private_counts_whatever_the_mixture(
    drawn: list[tuple[int, Role, Trust, Learned, list[str]]],
):
    summaries = [
        a_summary(session, epoch=epoch, role=role, trust=trust, learned=learned, tools=tuple(tools))
        for epoch, (session, role, trust, learned, tools) in enumerate(drawn, 1)
    ]
    for one in found_in(summaries):
        assert len(set(one.sessions)) == len(one.sessions) >= 3
        assert read_playbook(candidate_text(one, str), Path("x.md")).tools == one.tools
        for summary in summaries:
            if summary.session_id in one.sessions:
                assert not summary.learned.private
                assert summary.role.rank >= INNER_RANK
                assert summary.trust < Trust.OUTSIDER
