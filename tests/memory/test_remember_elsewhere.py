"""remember also finds what is kept of a person outside the tiers, where it may be said."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.memory import Recollection
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, PUBLICLY
from bot.domain.tools import ToolContext, ToolResult
from bot.memory.remember import Remember, remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.storage.markdown import MarkdownStore
from bot.testing.contexts import make_context

OWN = Origin(Trust.PERSON, "person:ann")


@dataclass
class Kept:
    """A source with these things in it."""

    things: Sequence[Recollection]
    recalled_by: str = ""
    asked: list[str] = field(default_factory=list[str])

    async def recall(self, context: ToolContext, query: str) -> Sequence[Recollection]:
        self.asked.append(query)
        return self.things


def thing(text: str, *, private: bool = False, weight: int = 1, origin: Origin = OWN) -> Recollection:
    return Recollection("note", text, origin, date(2026, 11, 20), weight, IN_DM if private else PUBLICLY)


async def ask(store: MemoryStore, query: str, *sources: Kept, private: bool = True) -> ToolResult:
    tool = remember_tool(store, MemorySettings(), sources)
    outcome = await tool.run(make_context(private=private), Remember(query=query))
    assert isinstance(outcome, ToolResult)
    return outcome


async def test_what_fits_best_comes_first_wherever_it_is_kept(store: MemoryStore):
    notes = Kept([thing("the router stands in the hall"), thing("the router password is on the fridge")])
    told = Kept([thing("router password, please", weight=5), thing("nothing of it")])
    found = json.loads((await ask(store, "router password", notes, told)).content)
    assert [item["text"] for item in found] == [
        "router password, please",
        "the router password is on the fridge",
        "the router stands in the hall",
    ]
    assert found[0] == {"kind": "note", "date": "2026-11-20", "text": "router password, please"}


async def test_where_others_read_along_private_things_are_left_out_and_counted(store: MemoryStore):
    notes = Kept([thing("router one"), thing("router two", private=True), thing("fridge", private=True)])
    shared = await ask(store, "router", notes, private=False)
    assert [item.get("text") for item in json.loads(shared.content)] == ["router one", None]
    assert "1 more is private; ask me in a DM" in shared.content
    assert "two" not in shared.content
    assert not shared.private
    alone = await ask(store, "router", notes)
    assert len(json.loads(alone.content)) == 2
    assert alone.private


async def test_a_source_whose_tool_is_closed_here_is_not_asked(store: MemoryStore):
    closed = Kept([thing("router")], recalled_by="manage_notes")
    assert (await ask(store, "router", closed)).content == "[]"
    assert closed.asked == []


async def test_the_result_is_trusted_no_more_than_its_least_trusted_part(store: MemoryStore):
    mixed = Kept([thing("router kettle"), thing("router b", origin=Origin(Trust.EXTERNAL, "tool:web"))])
    assert (await ask(store, "router", mixed)).origin.trust is Trust.EXTERNAL
    assert (await ask(store, "kettle", mixed)).origin.trust is Trust.PERSON


@given(st.lists(st.tuples(st.sampled_from(["tea", "tea cup", "milk"]), st.booleans()), max_size=8), st.booleans())
def test_nothing_private_is_ever_shown_where_others_read(things: list[tuple[str, bool]], alone: bool):
    kept = [thing(f"{text} {at}", private=private) for at, (text, private) in enumerate(things)]
    store = MemoryStore(MarkdownStore(Path("no-such-folder")))
    result = asyncio.run(ask(store, "tea milk", Kept(kept), private=alone))
    shown = {item.get("text") for item in json.loads(result.content)}
    assert alone or not shown & {item.text for item in kept if item.learned.private}
