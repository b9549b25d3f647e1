"""A fact is handed on only as far as one text that its reader may see holds it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.clock import parse_utc
from bot.domain.facts import Fact
from bot.domain.origins import BELLHOP
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.tool_context import ListedTool, NativeTool, SearchResult
from bot.domain.tools import NativeImplementation, ShellImplementation, ToolDefinition
from bot.sessions.run.handover import add_results, open_part, texts_of

SEEN = ["web7 is at 10.0.0.7, owner Kim", "the merger is planned", "the party is cancelled"]


@pytest.mark.parametrize(
    ("key", "value", "handed"),
    [
        ("web7", "10.0.0.7", ("web7", "10.0.0.7")),
        ("address of web7", "10.0.0.7", ("of web7", "10.0.0.7")),
        ("salary", "10.0.0.7", ("result", "10.0.0.7")),
        ("owner", "Kim is the owner", ("owner", "Kim is the owner")),
        ("pin", "1007", None),
        ("pin", "10 0 7", None),
        ("plan", "the merger is cancelled", None),
        ("owner", "Kim, who is ill", None),
    ],
)
def test_a_fact_within_one_open_text_is_handed_on(
    key: str, value: str, handed: tuple[str, str] | None
):
    fact = Fact(key, value, "assistant", "c", parse_utc("2026-11-20T09:00:00Z"))
    found = open_part(fact, texts_of(SEEN))
    assert (None if found is None else (found.key, found.value)) == handed


def test_a_private_fact_is_never_handed_on():
    fact = Fact(
        "web7", "10.0.0.7", "assistant", "c", parse_utc("2026-11-20T09:00:00Z"), private=True
    )
    assert open_part(fact, texts_of(SEEN)) is None


SCRIPT = ShellImplementation(Path("x.sh"))
NAMED = {"properties": {"name": {"type": "string"}}}
TOOLS = {
    "web_fetch": ToolDefinition(
        "web_fetch", "Fetch.", NAMED, "shared", NativeImplementation("web_fetch")
    ),
    "manage_notes": ToolDefinition(
        "manage_notes", "Notes.", NAMED, "shared", NativeImplementation("manage_notes")
    ),
    "look_up": ToolDefinition("look_up", "Look up.", NAMED, "shared", SCRIPT),
    "read_mail": ToolDefinition("read_mail", "Mail.", NAMED, "shared", SCRIPT, requires=("mail",)),
}
"""Two that give everybody the same, and two that read what is somebody's own."""
NOBODYS = {"web_fetch", "look_up"}


@dataclass(frozen=True)
class Called:
    """One call in somebody else's session, what it was asked with, and what came of it."""

    tool: str
    asked: str
    found: str
    private: bool
    failed: bool


class Reader:
    """The toolset of who goes on."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        return tuple(TOOLS[name] for name in names if name in self.names)

    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        return SearchResult(self.describe(tuple(TOOLS)))

    def is_callable(self, name: str) -> bool:
        return name in self.names

    def listing(self) -> tuple[ListedTool, ...]:
        return ()

    def handler(self, name: str) -> NativeTool[Any] | None:
        return None


VALUES = tuple(f"v{number}x{number * 7}" for number in range(6))
CALLED = st.builds(
    Called,
    st.sampled_from(sorted(TOOLS)),
    st.sampled_from(VALUES),
    st.sampled_from(VALUES),
    st.booleans(),
    st.booleans(),
)


def recorded(calls: list[Called]) -> list[TranscriptMessage]:
    messages: list[TranscriptMessage] = []
    for number, one in enumerate(calls):
        use = {
            "type": "tool_use",
            "id": f"c{number}",
            "name": one.tool,
            "input": {"name": one.asked},
        }
        result = {
            "type": "tool_result",
            "tool_use_id": f"c{number}",
            "content": f"found {one.found}",
        }
        result = {**result, "is_error": True} if one.failed else result
        messages.append(TranscriptMessage("assistant", (StoredBlock(use),)))
        messages.append(TranscriptMessage("user", (StoredBlock(result, BELLHOP, one.private),)))
    return messages


@settings(max_examples=60, deadline=None)
@given(
    st.lists(CALLED, max_size=8),
    st.sets(st.sampled_from(sorted(TOOLS))),
    st.sets(st.sampled_from(VALUES), max_size=2),
)
def test_nothing_is_handed_on_but_what_the_reader_could_have_found(
    calls: list[Called], theirs: set[str], said: set[str]
):
    """For any calls: a value is open if said in the thread, or found from open values."""
    texts = texts_of([f"look at {value}" for value in said])
    add_results(recorded(calls), Reader(theirs), texts)
    may = set(said)
    for one in calls:
        if one.tool in theirs & NOBODYS and not one.private and not one.failed and one.asked in may:
            may.add(one.found)
    at = parse_utc("2026-11-20T09:00:00Z")
    handed = {
        value
        for value in VALUES
        if open_part(Fact("k", value, "assistant", "c", at), texts) is not None
    }
    assert handed == may
