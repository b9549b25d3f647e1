"""forget removes exactly the given ids: own things, and shared memory for MasterAdmins."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.domain.access import Role
from bot.domain.database import Unit, Write
from bot.domain.languages import Language, Translations
from bot.domain.memory import RecallQuery, Recollection
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, PUBLICLY
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Fact, FactForgotten, ToolResult
from bot.errors import ToolError
from bot.memory.finding import Memories
from bot.memory.forget import Forget, forget_tool
from bot.memory.remember import Remember, remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.testing.contexts import make_context, make_person

WriteFile = Callable[[str, str], None]
ANN = (
    "# Ann\n\n- [S5] Ann prefers green tea\n- [private] Ann looks for a tea job\n\nA stray tea "
    "line\n"
)


@dataclass
class Shelf:
    """A source with one thing that is known to Ann alone."""

    id: str = "shelf"
    recalled_by: str = ""

    async def recall(self, context: ToolContext, wanted: RecallQuery) -> list[Recollection]:
        found = [await self.recollection(context, f"shelf:{number}") for number in (1, 2)]
        return [one for one in found if one is not None]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        if context.person.id != "ann" or id_ not in {"shelf:1", "shelf:2"}:
            return None
        origin = Origin(Trust.PERSON, "person:ann")
        learned = IN_DM if id_ == "shelf:2" else PUBLICLY
        return Recollection(id_, "note", f"tea tin {id_[-1]}", origin, learned=learned)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        return Unit.of(Write("DELETE FROM shelf WHERE id = ?", (id_,)))


async def forget(
    store: MemoryStore, context: ToolContext, *ids: str
) -> tuple[dict[str, Any], ToolResult]:
    outcome = await forget_tool(store, [Shelf()]).run(context, Forget(ids=list(ids)))
    assert isinstance(outcome, ToolResult)
    return json.loads(outcome.content), outcome


async def ids(store: MemoryStore, context: ToolContext, query: str = "tea") -> dict[str, str]:
    tool = remember_tool(Memories(store, MemorySettings(), [Shelf()]))
    outcome = await tool.run(context, Remember(query=query, limit=20))
    assert isinstance(outcome, ToolResult)
    return {item["text"]: item["id"] for item in json.loads(outcome.content) if "id" in item}


@pytest.fixture
def file(tmp_path: Path, write: WriteFile) -> Callable[[], str]:
    """Reads Ann's tier."""
    write("ann/assistant_memory.md", ANN)
    return (tmp_path / "memory/ann/assistant_memory.md").read_text


async def test_only_the_shown_thing_is_removed_and_named(
    store: MemoryStore, file: Callable[[], str]
):
    context = make_context()
    known = await ids(store, context)
    answer, result = await forget(
        store, context, known["Ann prefers green tea"], known["tea tin 1"]
    )
    assert [item["text"] for item in answer["removed"]] == ["Ann prefers green tea", "tea tin 1"]
    assert "don't use it any more" in answer["note"]
    assert file() == ANN.replace("- [S5] Ann prefers green tea\n", "")
    assert [write.params for write in result.unit.writes] == [("shelf:1",)]
    assert not result.is_error


async def test_removed_things_are_named_and_a_second_call_is_harmless(
    store: MemoryStore, file: Callable[[], str]
):
    context = make_context()
    entry = (await ids(store, context))["Ann prefers green tea"]
    await forget(store, context, entry)
    before = file()
    answer, result = await forget(
        store, context, entry, "shelf:9", "nothing", "memory:", "memory:user"
    )
    assert answer == {
        "removed": [],
        "not_there": [entry, "shelf:9", "nothing", "memory:", "memory:user"],
    }
    assert result.is_error
    assert file() == before


async def test_two_entries_of_one_text_are_both_removed(store: MemoryStore, write: WriteFile):
    write("ann/assistant_memory.md", "- [S5] Ann likes tea\n- [2026-11-20] ann likes  TEA\n")
    known = await ids(store, make_context())
    answer, _ = await forget(store, make_context(), *known.values())
    assert [item["text"] for item in answer["removed"]] == list(known)
    assert set(known.values()) - set((await ids(store, make_context())).values()) == {
        known["Ann likes tea"],
        known["ann likes  TEA"],
    }


@pytest.mark.usefixtures("file")
async def test_a_card_shows_the_texts_but_none_that_is_private_where_others_read(
    store: MemoryStore,
):
    known, tool = await ids(store, make_context()), forget_tool(store, [Shelf()])
    tell, check = tool.tells, tool.check
    assert tell is not None
    assert check is not None
    for private, said in (
        (True, "forget “tea tin 1”, “tea tin 2”, “Ann looks for a tea job”"),
        (False, "forget “tea tin 1”"),
    ):
        kept = [known[text] for text in ("tea tin 1", "tea tin 2", "Ann looks for a tea job")]
        told = await tell(make_context(private=private), Forget(ids=kept))
        assert isinstance(told, Translations)
        assert told.said(Language.EN) == said
    with pytest.raises(ToolError, match="remember shows them"):
        await check(make_context(), Forget(ids=["shelf:9", "memory:user:0"]))


@pytest.mark.usefixtures("file")
async def test_private_things_are_not_forgotten_in_shared_places(store: MemoryStore):
    known = await ids(store, make_context())
    shared = make_context(private=False)
    private = (known["Ann looks for a tea job"], known["tea tin 2"])
    answer, _ = await forget(store, shared, *private)
    assert answer == {"removed": [], "left_out": "2 more are private; ask me in a DM"}
    assert len((await forget(store, make_context(), *private))[0]["removed"]) == 2


@pytest.mark.usefixtures("file")
async def test_nobody_forgets_what_is_somebody_elses(store: MemoryStore):
    known = await ids(store, make_context())
    answer, result = await forget(store, make_context(make_person("ben")), *known.values())
    assert answer["removed"] == []
    assert not result.unit
    assert await ids(store, make_context()) == known


@pytest.mark.parametrize("path", ["shared_long_term.md", "assistant_long_term.md"])
async def test_shared_memory_is_a_master_admins(store: MemoryStore, write: WriteFile, path: str):
    write(path, "- the tea kettle is broken\n")
    entry = (await ids(store, make_context()))["the tea kettle is broken"]
    refused, _ = await forget(store, make_context(make_person("ann", Role.PARTNER)), entry)
    assert refused == {
        "removed": [],
        "refused": {"ids": [entry], "why": "only a MasterAdmin can remove shared memory"},
    }
    answer, _ = await forget(store, make_context(make_person("root", Role.MASTER_ADMIN)), entry)
    assert [item["text"] for item in answer["removed"]] == ["the tea kettle is broken"]


async def test_a_fact_of_the_session_is_dropped_by_an_effect(store: MemoryStore):
    fact = Fact("router", "10.0.0.1", "assistant", "c1", datetime(2026, 11, 20, tzinfo=UTC))
    context = replace(make_context(), facts={"router": fact})
    assert await ids(store, context, "router") == {"router: 10.0.0.1": "fact:router"}
    answer, result = await forget(store, context, "fact:router")
    assert answer["removed"] == [{"id": "fact:router", "text": "router: 10.0.0.1"}]
    assert result.effects == (FactForgotten("router"),)


@pytest.mark.parametrize(
    "arguments", [{}, {"ids": []}, {"ids": "x"}, {"ids": ["x"] * 51}, {"ids": ["x"], "query": "x"}]
)
def test_senseless_arguments_are_refused(arguments: dict[str, Any]):
    with pytest.raises(ValidationError):
        Forget.model_validate(arguments)
