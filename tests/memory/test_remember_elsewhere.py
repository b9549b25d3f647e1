"""remember also finds what is kept of a person outside the tiers, where it may be said."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memory import RecallQuery, Recollection
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, PUBLICLY
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.memory.finding import Memories
from bot.memory.remember import Remember, remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.storage.markdown import MarkdownStore
from bot.testing.contexts import make_context
from bot.testing.remembered import Remembers

WriteFile = Callable[[str, str], None]
OWN = Origin(Trust.PERSON, "person:ann")


def thing(
    text: str, *, private: bool = False, weight: int = 1, origin: Origin = OWN
) -> Recollection:
    at = datetime(2026, 11, 20, 9, 30, tzinfo=UTC)
    return Recollection(
        f"kept:{text}", "note", text, origin, at, weight, IN_DM if private else PUBLICLY
    )


async def ask(
    store: MemoryStore, query: str, *sources: Remembers, private: bool = True
) -> ToolResult:
    tool = remember_tool(Memories(store, MemorySettings(), sources))
    outcome = await tool.run(make_context(private=private), Remember(query=query))
    assert isinstance(outcome, ToolResult)
    return outcome


async def test_the_best_match_comes_first_from_any_store(store: MemoryStore):
    notes = Remembers(
        [thing("the router stands in the hall"), thing("the router password is on the fridge")]
    )
    told = Remembers([thing("router password, please", weight=5), thing("nothing of it")])
    found = json.loads((await ask(store, "router password", notes, told)).content)
    assert [item["text"] for item in found] == [
        "router password, please",
        "the router password is on the fridge",
        "the router stands in the hall",
    ]
    assert found[0] == {
        "id": "kept:router password, please",
        "kind": "note",
        "date": "2026-11-20 09:30",
        "text": "router password, please",
    }


async def test_shared_places_count_private_things_without_showing_them(store: MemoryStore):
    notes = Remembers(
        [thing("router one"), thing("router two", private=True), thing("fridge", private=True)]
    )
    shared = await ask(store, "router", notes, private=False)
    assert [item.get("text") for item in json.loads(shared.content)] == ["router one", None]
    assert "1 more is private; ask me in a DM" in shared.content
    assert "two" not in shared.content
    assert not shared.private
    alone = await ask(store, "router", notes)
    assert len(json.loads(alone.content)) == 2
    assert alone.private


async def test_a_thing_whose_place_no_source_names_is_private(store: MemoryStore):
    nowhere = Recollection("kept:1", "plant", "router fern", OWN)
    shared = await ask(store, "router", Remembers([nowhere]), private=False)
    assert "fern" not in shared.content
    assert "fern" in (await ask(store, "router", Remembers([nowhere]))).content


async def test_a_source_whose_tool_is_closed_here_is_not_asked(store: MemoryStore):
    closed = Remembers([thing("router")], recalled_by="manage_notes")
    assert "note" in (await ask(store, "router", closed)).content
    assert closed.asked == []


async def test_the_result_is_trusted_no_more_than_its_least_trusted_part(store: MemoryStore):
    mixed = Remembers(
        [thing("router kettle"), thing("router b", origin=Origin(Trust.EXTERNAL, "tool:web"))]
    )
    assert (await ask(store, "router", mixed)).origin.trust is Trust.EXTERNAL
    assert (await ask(store, "kettle", mixed)).origin.trust is Trust.PERSON


@given(
    st.lists(st.tuples(st.sampled_from(["tea", "tea cup", "milk"]), st.booleans()), max_size=8),
    st.booleans(),
)
def test_nothing_private_is_ever_shown_where_others_read(
    things: list[tuple[str, bool]], alone: bool
):
    kept = [thing(f"{text} {at}", private=private) for at, (text, private) in enumerate(things)]
    store = MemoryStore(MarkdownStore(Path("no-such-folder")))
    result = asyncio.run(ask(store, "tea milk", Remembers(kept), private=alone))
    shown = {item.get("text") for item in json.loads(result.content)}
    assert alone or not shown & {item.text for item in kept if item.learned.private}


async def timed(store: MemoryStore, *sources: Remembers, **asked: Any) -> list[dict[str, Any]]:
    tool = remember_tool(Memories(store, MemorySettings(), sources))
    now = datetime(2026, 11, 21, 12, tzinfo=UTC)
    outcome = await tool.run(make_context(now=now), Remember(**asked))
    assert isinstance(outcome, ToolResult)
    return json.loads(outcome.content)


def said(text: str, day: int, hour: int) -> Recollection:
    at = datetime(2026, 11, day, hour, tzinfo=UTC)
    return Recollection(f"talk:{day}{hour}", "their request", text, OWN, at, learned=PUBLICLY)


async def test_a_time_without_words_gives_everything_of_it_in_its_order(
    store: MemoryStore, write: WriteFile
):
    write(
        "ann/assistant_memory.md", "- [2026-11-20] Ann moved\n- [2026-11-19] Ann packed\n- no day\n"
    )
    talk = Remembers(
        [
            said("later", 20, 15),
            said("earlier", 20, 8),
            said("today", 21, 9),
            said("before", 19, 23),
        ]
    )
    found = await timed(store, talk, since="yesterday", until="yesterday")
    assert [item["text"] for item in found] == ["Ann moved", "earlier", "later"]
    assert talk.asked == [
        RecallQuery("", datetime(2026, 11, 20, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC))
    ]
    assert [item["text"] for item in await timed(store, talk, since="yesterday")] == [
        "Ann moved", "earlier", "later", "today",
    ]  # fmt: skip


async def test_words_and_a_time_both_have_to_fit(store: MemoryStore):
    talk = Remembers([said("tea please", 20, 8), said("coffee", 20, 9), said("tea again", 18, 9)])
    found = await timed(store, talk, query="tea", since="yesterday")
    assert [item["text"] for item in found] == ["tea please"]


async def test_the_latest_are_shown_and_the_rest_counted(store: MemoryStore):
    talk = Remembers([said(f"{hour} {'x' * 900}", 20, hour) for hour in range(24)])
    found = await timed(store, talk, since="yesterday", limit=20)
    assert found[0] == {"not_shown": "4 earlier; ask for a shorter time"}
    assert found[1]["text"].startswith("4 ")
    assert sum(len(item.get("text", "")) for item in found) <= 12_000


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({}, "give words as query, a time"),
        ({"since": "Saturday"}, "since: 'Saturday' is today or a week ago"),
        ({"until": "never"}, "until: 'never' is no date"),
        ({"since": "today", "until": "yesterday"}, "since is later than until"),
    ],
)
async def test_a_time_that_is_not_clear_is_said(
    store: MemoryStore, asked: dict[str, str], said: str
):
    with pytest.raises(ToolError, match=said):
        await timed(store, **asked)
