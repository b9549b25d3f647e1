"""One card for several calls: what people see, and what a yes to all or some of them lets run."""

import json
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, calls, say

TOOL = """\
# post_note

## Description
Post a note to a board when somebody asks for it.

## Parameters
{"type": "object",
 "properties": {"board": {"type": "string"}, "text": {"type": "string"}}, "required": ["board"]}

## Access
Friend+

## Risk
external-write

## Implementation
shell: post_note.sh
"""
FIRST: JsonObject = {"board": "one", "text": "a\u200bb"}
SECOND: JsonObject = {"board": "two"}
PLAN = {
    "calls": [{"tool": "post_note", "arguments": FIRST}, {"tool": "post_note", "arguments": SECOND}]
}
UNASKED: JsonObject = {"tool": "save_fact", "arguments": {"key": "a", "value": "b"}}
SEARCH = call("tool_search", {"pattern": "p*"})
PLANS = {
    "board": [SEARCH, call("plan_calls", PLAN), say("It waits.")],
    "approval outcome": [
        calls(("post_note", FIRST), ("post_note", SECOND), ("post_note", FIRST)),
        say("Done."),
    ],
    "wrong": [SEARCH, call("plan_calls", {"calls": [PLAN["calls"][0], UNASKED]}), say("No.")],
}


def furnish(home: Path) -> Path:
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "post_note.md").write_text(TOOL)
    (folder / "post_note.sh").write_text(f'cat >> "{home}/ran.txt"; echo >> "{home}/ran.txt"')
    return home / "ran.txt"


def ran(file: Path) -> list[JsonObject]:
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


@pytest.mark.parametrize(
    ("yes", "allowed"),
    [("approve", [FIRST, SECOND]), ("approve 2", [SECOND]), ("reject", list[JsonObject]())],
)
async def test_a_yes_lets_exactly_the_approved_calls_run_once(
    yes: str, allowed: list[JsonObject], home: Path
):
    file = furnish(home)
    async with running_app(home, PlanModel(PLANS)) as house:
        await house.chat.say("ann", "do:board")
        await house.chat.until(2)
        await house.until_idle()
        [card] = [post.message for post in house.chat.posts if post.message.choices]
        ref = card.choices[0].ref
        assert card.text.startswith("**Ann asks to make 2 calls**")
        assert (
            '1. post_note {\n  "board": "one",\n  "text": "a\\u200bb"\n}\n2. post_note' in card.text
        )
        assert [choice.verb for choice in card.choices] == ["approve", "reject"]
        verb, _, lines = yes.partition(" ")
        before = len(house.chat.posts)
        await house.chat.command("ann", verb, f"{ref} {lines}")
        await house.chat.until(before + 2)
        await house.until_idle()
        assert ran(file) == allowed


async def test_words_decide_a_plan_and_it_outlives_the_process(home: Path):
    file, chat, clock = furnish(home), FakeChat(), FakeClock()
    async with running_app(home, PlanModel(PLANS), chat, clock) as house:
        await chat.say("ann", "do:board")
        await chat.until(2)
        await house.until_idle()
    async with running_app(home, PlanModel(PLANS), chat, clock) as house:
        await chat.say("ann", "yes, go ahead")
        await chat.until(4)
        await house.until_idle()
        assert ran(file) == [FIRST, SECOND]
        assert len([post for post in chat.posts if post.message.choices]) == 2, (
            "the third call is asked about"
        )


async def test_a_line_that_needs_no_yes_is_named(home: Path):
    furnish(home)
    model = PlanModel(PLANS)
    async with running_app(home, model) as house:
        await house.ask("ann", "do:wrong")
        told = json.dumps(model.requests[-1].messages[-1])
        assert "line 2: save_fact needs no yes" in told, told


RULE = """\
rules:
  - {name: partners decide, tools: post_note, decision: ask, approver: Partner}
"""
LATER = {
    "board": PLANS["board"],
    "one": [SEARCH, call("post_note", SECOND), say("It waits.")],
    "approval outcome": [say("Later.")],
    "go": [calls(("post_note", FIRST), ("post_note", SECOND)), say("Tried.")],
}


async def add_rule(house: Harness, home: Path) -> None:
    (home / "policy.yaml").write_text(RULE)
    assert await house.app.house.written.policy.reload_changed()


@pytest.mark.parametrize("added", [False, True])
async def test_a_rule_that_was_added_since_the_yes_asks_anew(added: bool, home: Path):
    file = furnish(home)
    async with running_app(home, PlanModel(LATER)) as house:
        await house.chat.say("ann", "do:board")
        await house.chat.until(2)
        await house.until_idle()
        [card] = [post.message for post in house.chat.posts if post.message.choices]
        await house.chat.command("ann", "approve", card.choices[0].ref)
        await house.chat.until(4)
        await house.until_idle()
        if added:
            await add_rule(house, home)
        await house.chat.say("ann", "do:go")
        await house.chat.until(6 if added else 5)
        await house.until_idle()
        assert ran(file) == ([] if added else [FIRST, SECOND])
        if added:
            last = " ".join(house.chat.texts[-2:])
            assert "asks to make 2 calls" in last
            assert "Only a Partner or higher can decide this" in last


async def test_so_it_does_for_a_call_that_waits(home: Path):
    file = furnish(home)
    async with running_app(home, PlanModel(LATER)) as house:
        await house.chat.say("ann", "do:one")
        await house.chat.until(2)
        await house.until_idle()
        await add_rule(house, home)
        await house.chat.say("ann", "yes")
        await house.chat.until(4)
        await house.until_idle()
        assert ran(file) == []


async def test_fifty_risky_calls_of_a_turn_share_one_card_that_runs_them_once(home: Path):
    file, chat, clock = furnish(home), FakeChat(), FakeClock()
    boards: list[JsonObject] = [{"board": f"b{number}"} for number in range(50)]
    plans = {
        "many": [calls(*(("post_note", board) for board in boards)), say("They wait.")],
        "approval outcome": [say("Posted.")],
    }
    async with running_app(home, PlanModel(plans), chat, clock) as house:
        await chat.say("ann", "do:many")
        await chat.until(2)
        await house.until_idle()
    async with running_app(home, PlanModel(plans), chat, clock) as house:
        [card] = [post.message for post in chat.posts if post.message.choices]
        assert card.text.startswith("**Ann asks to make 50 calls**")
        await chat.say("ann", "yes")
        await chat.until(4)
        await house.until_idle()
        assert ran(file) == boards
        assert len(chat.posts) == 4, "one card, one answer about all"
