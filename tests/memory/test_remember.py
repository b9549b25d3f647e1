"""remember reads what this request may see, and ranks it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bot.domain.access import Role
from bot.domain.memory import Tier
from bot.domain.origins import Trust
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.memory.finding import Memories
from bot.memory.remember import NOTHING, TEXT_CHARS, Remember, remember_tool
from bot.memory.settings import MemorySettings
from bot.memory.tiers import MemoryStore
from bot.memory.words import stems
from bot.testing.contexts import make_context, make_person
from bot.testing.shipped_tools import shipped_tool
from bot.tools.schemas.argument_models import args_schema

Write = Callable[[str, str], None]

ANN = "- [S5][2026-11-20] Ann prefers green tea\n- [private] Ann looks for a new server\n"


async def ask(store: MemoryStore, context: ToolContext, query: str, **more: Any) -> ToolResult:
    outcome = await remember_tool(Memories(store, MemorySettings())).run(
        context, Remember(query=query, **more)
    )
    assert isinstance(outcome, ToolResult)
    assert not outcome.unit
    return outcome


async def texts(store: MemoryStore, context: ToolContext, query: str, **more: Any) -> list[str]:
    return [
        found["text"]
        for found in json.loads((await ask(store, context, query, **more)).content)
        if "text" in found
    ]


@pytest.fixture
def filled(write: Write) -> None:
    write("shared_long_term.md", "- [S3] The staging server restarts on Mondays\n")
    write("assistant_long_term.md", "- [S2] Restarting a server needs a plan\n")
    write(
        "ann/assistant_memory.md",
        "- [S5][2026-11-20] Ann prefers green tea\n- [private] Ann looks for a new server\n",
    )
    write("bob/assistant_memory.md", "- [S5] Bob hates servers\n")


@pytest.mark.usefixtures("filled")
async def test_entries_come_with_tier_significance_and_date(store: MemoryStore):
    result = await ask(store, make_context(), "tea?")
    assert json.loads(result.content) == [
        {
            "id": "memory:user:c8caf4d9a8",
            "tier": "user",
            "significance": 5,
            "date": "2026-11-20",
            "text": "Ann prefers green tea",
        }
    ]
    assert result.origin.trust is Trust.PERSON


async def test_an_entry_keeps_the_trust_of_its_conversation(store: MemoryStore, write: Write):
    write("ann/assistant_memory.md", "- [S3][from:external] the tea ships on Friday\n")
    assert (await ask(store, make_context(), "tea")).origin.trust is Trust.EXTERNAL


@pytest.mark.usefixtures("filled")
async def test_more_shared_words_come_first_then_significance(store: MemoryStore):
    assert await texts(store, make_context(), "when does the staging server restart") == [
        "The staging server restarts on Mondays",
        "Restarting a server needs a plan",
        "Ann looks for a new server",
    ]
    assert len(await texts(store, make_context(), "server", limit=2)) == 2


async def test_the_newest_of_equal_entries_comes_first(store: MemoryStore, write: Write):
    write(
        "ann/assistant_memory.md",
        "- tea one\n- [2026-11-19] tea two\n- [2026-11-20] tea three\n- tea four\n",
    )
    assert await texts(store, make_context(), "tea") == [
        "tea three",
        "tea two",
        "tea four",
        "tea one",
    ]


@pytest.mark.usefixtures("filled")
async def test_role_and_privacy_hold_as_in_the_prompt(store: MemoryStore):
    guest = make_context(make_person("ann", Role.GUEST))
    assert await texts(store, guest, "server") == ["Ann looks for a new server"]
    assert (await ask(store, guest, "server")).private
    assert (
        await texts(store, make_context(make_person("ann", Role.GUEST), private=False), "server")
        == []
    )
    everything = await texts(store, make_context(make_person("carl")), "server servers tea Ann Bob")
    assert not [text for text in everything if "Ann" in text or "Bob" in text]


@pytest.mark.usefixtures("filled")
async def test_a_tier_without_a_budget_is_switched_off(store: MemoryStore):
    tool = remember_tool(Memories(store, MemorySettings(chars={Tier.SHARED: 0, Tier.AGENT: 0})))
    outcome = await tool.run(make_context(), Remember(query="server"))
    assert isinstance(outcome, ToolResult)
    assert [found["tier"] for found in json.loads(outcome.content)] == ["user"]


async def test_nothing_found_says_what_was_looked_through(store: MemoryStore):
    (said,) = json.loads((await ask(store, make_context(), "anything")).content)
    assert said == {"note": NOTHING}


async def test_an_unreadable_file_is_an_error_only_when_nothing_else_was_found(
    store: MemoryStore, write: Write, tmp_path: Path
):
    write("ann/assistant_memory.md", "- tea\n")
    (tmp_path / "memory/shared_long_term.md").write_bytes(b"\xff")
    assert await texts(store, make_context(), "tea") == ["tea"]
    with pytest.raises(ToolError, match=r"shared_long_term\.md is not UTF-8"):
        await ask(store, make_context(), "coffee")


async def test_a_very_long_entry_is_shortened(store: MemoryStore, write: Write):
    write("ann/assistant_memory.md", f"- tea {'x' * 5000}\n")
    [text] = await texts(store, make_context(), "tea")
    assert len(text) == TEXT_CHARS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("servers", "Server"), ("restarting", "restarts"), ("planned", "plans"), ("cities", "city"),
        ("classes", "class"), ("moving", "moved"), ("prefers", "preferred"), ("CAFÉ", "cafe\u0301"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(one: str, other: str):
    assert stems(one) & stems(other)


def test_stop_words_count_only_when_there_is_nothing_else():
    assert not stems("what is the plan") & stems("the cat is what")
    assert stems("who are you") & stems("you")
    assert not stems("...")


def test_chinese_is_found_by_pairs_of_characters():
    assert stems("喜欢绿茶") & stems("绿茶")
    assert not stems("喜欢绿茶") & stems("咖啡")


def test_the_tool_file_declares_the_parameters_that_the_handler_takes():
    assert shipped_tool("shared/remember").parameters == args_schema(Remember)


def test_senseless_arguments_are_refused():
    for arguments in ({"query": ""}, {"query": "x", "limit": 0}, {"query": "x", "tier": "user"}):
        with pytest.raises(ValidationError):
            Remember.model_validate(arguments)
