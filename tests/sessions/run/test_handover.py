"""A fact hands on one text that its reader may see, word for word, and never its own words."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from bot.clock import parse_utc
from bot.domain.finding import SearchResult, SkillTools, ToolHit
from bot.domain.origins import BELLHOP
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.tool_context import ListedTool, NativeTool, ToolContext
from bot.domain.tool_outcomes import Fact, ToolResult
from bot.domain.tools import NativeImplementation, ShellImplementation, ToolDefinition
from bot.sessions.run.handover import (
    QUOTE_CHARS,
    OpenText,
    OpenTexts,
    add_results,
    quotation,
)
from tests.thoroughness import examples

AT = parse_utc("2026-11-20T09:00:00Z")
ANN, BEN, YOU = "Ann (ann)", "Ben (ben)", "you, to ann"
SEEN = (
    OpenText("web7 is at 10.0.0.7, owner Kim", ANN),
    OpenText("the merger is planned", BEN),
    OpenText("the party is cancelled", ANN),
    OpenText("Bob was fired by the shop, because he was late", BEN),
    OpenText("the bakery is not closed", ANN),
    OpenText("Is the pool open?", BEN),
    OpenText("I never said that Eve is ill", ANN),
    OpenText("They shop", BEN),
    OpenText("he is fired up", ANN),
    OpenText("The lift is out of order.", YOU),
)


def a_fact(value: str, *, private: bool = False) -> Fact:
    return Fact("k", value, "assistant", "c", AT, private=private)


def open_texts(said: Iterable[OpenText] = SEEN) -> OpenTexts:
    texts = OpenTexts()
    for one in said:
        texts.add(one)
    return texts


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("10.0.0.7", f"[{ANN}] web7 is at 10.0.0.7, owner Kim"),
        ("Kim is the owner", f"[{ANN}] web7 is at 10.0.0.7, owner Kim"),
        ("the shop is fired", f"[{BEN}] Bob was fired by the shop, because he was late"),
        ("the shop fired Bob", f"[{BEN}] Bob was fired by the shop, because he was late"),
        ("the bakery is closed", f"[{ANN}] the bakery is not closed"),
        ("the pool is open", f"[{BEN}] Is the pool open?"),
        ("Eve is ill", f"[{ANN}] I never said that Eve is ill"),
        ("the lift is out of order", f"[{YOU}] The lift is out of order."),
        ("the merger is cancelled", None),
        ("the bakery is closed and Bob was late", None),
        ("1007", None),
        ("10 0 7", None),
        ("10.0.0.70", None),
        ("Kim, who is ill", None),
        ("shopkeeper", None),
    ],
)
def test_what_is_handed_on_was_said_like_that(value: str, line: str | None):
    found = quotation(a_fact(value), open_texts())
    assert (found and found.line()) == line


def test_a_private_fact_hands_on_nothing():
    assert quotation(a_fact("10.0.0.7", private=True), open_texts()) is None


def test_the_newest_text_and_the_very_words_count():
    texts = open_texts(
        [
            OpenText("web7 is down", ANN),
            OpenText("is down web7 or not", BEN),
            OpenText("web7 is down", BEN),
        ]
    )
    found = quotation(a_fact("Web7  is down"), texts)
    assert found is not None
    assert found.line() == f"[{BEN}] web7 is down"


def test_a_long_text_is_cut_between_words_and_says_so():
    long = f"{'begin ' * 300}the code of room 9 is blue{' end' * 300}"
    texts = open_texts([OpenText(long, ANN)])
    found = quotation(a_fact("room 9 is blue"), texts)
    assert found is not None
    assert found.words.startswith("… begin ")
    assert found.words.endswith(" end …")
    assert found.words.removeprefix("… ").removesuffix(" …") in long
    assert "the code of room 9 is blue" in found.words
    assert len(found.words) < QUOTE_CHARS + 20
    assert quotation(a_fact("room 9 has the blue code"), texts) is None


WORDS = st.lists(
    st.sampled_from(
        ["the", "shop", "Bob", "is", "not", "fired", "never", "said", "web7", "10.0.0.7"]
    ),
    min_size=1,
    max_size=7,
).map(" ".join)


@given(st.lists(st.tuples(WORDS, st.sampled_from([ANN, BEN, YOU])), max_size=5), WORDS)
@settings(max_examples=examples(300), deadline=None)
def test_nothing_that_nobody_said_is_handed_on(said: list[tuple[str, str]], value: str):
    """For any texts and any fact: the line is one whole text of one author."""
    found = quotation(a_fact(value), open_texts(OpenText(*one) for one in said))
    assert found is None or found.line() in {f"[{author}] {text}" for text, author in said}


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


async def nothing(context: ToolContext, arguments: BaseModel) -> ToolResult:
    return ToolResult("nothing")


NATIVES = {
    "web_fetch": NativeTool("web_fetch", BaseModel, nothing, same_for_all=True),
    "manage_notes": NativeTool("manage_notes", BaseModel, nothing),
}
SAME_FOR_ALL = {"web_fetch", "look_up"}


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
        found = self.describe(tuple(TOOLS))
        return SearchResult(tuple(ToolHit(one.name, one.description, one) for one in found))

    def brought_by(self, skill_id: str) -> SkillTools | None:
        return None

    def is_callable(self, name: str) -> bool:
        return name in self.names

    def listing(self) -> tuple[ListedTool, ...]:
        return ()

    def handler(self, name: str) -> NativeTool[Any] | None:
        return NATIVES.get(name)


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


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(CALLED, max_size=8),
    st.sets(st.sampled_from(sorted(TOOLS))),
    st.sets(st.sampled_from(VALUES), max_size=2),
)
def test_nothing_is_handed_on_but_what_the_reader_could_have_found(
    calls: list[Called], theirs: set[str], said: set[str]
):
    """For any calls: a value is open if said in the thread, or found from open values."""
    texts = open_texts(OpenText(f"look at {value}", ANN) for value in said)
    add_results(recorded(calls), Reader(theirs), texts)
    may = set(said)
    for one in calls:
        if (
            one.tool in theirs & SAME_FOR_ALL
            and not one.private
            and not one.failed
            and one.asked in may
        ):
            may.add(one.found)
    handed = {value for value in VALUES if quotation(a_fact(value), texts) is not None}
    assert handed >= may
    quoted = [one for value in VALUES if (one := quotation(a_fact(value), texts)) is not None]
    lines = {f"[{ANN}] look at {value}" for value in said} | {
        f'[result of {one.tool} {{"name": "{one.asked}"}}] found {one.found}' for one in calls
    }
    assert all(one.line() in lines for one in quoted)
    assert handed == may
