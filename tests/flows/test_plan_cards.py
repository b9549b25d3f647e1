"""One card for several calls: what people see, and what a yes to all or some of them lets run."""

import json
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import appends_to, lines_of, write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, calls, say
from bot.testing.waiting import until

FIRST: JsonObject = {"board": "one", "text": "a\u200bb"}
SECOND: JsonObject = {"board": "two"}
PLAN = {
    "calls": [{"tool": "post_note", "arguments": FIRST}, {"tool": "post_note", "arguments": SECOND}]
}
AUTOMATION: JsonObject = {
    "tool": "write_file",
    "arguments": {
        "path": "/automations/triggers/hello.md",
        "content": "---\nname: hello\nevent: new_person\n---\nGreet them.\n",
    },
}
DELETING: JsonObject = {"tool": "wipe_board", "arguments": {"board": "one"}}
UNASKED: JsonObject = {"tool": "save_fact", "arguments": {"key": "a", "value": "b"}}
SEARCH = call("tool_search", {"pattern": "p*"})
PLANS = {
    "board": [SEARCH, call("plan_calls", PLAN), say("It waits.")],
    "approval outcome": [
        calls(("post_note", FIRST), ("post_note", SECOND), ("post_note", FIRST)),
        say("Done."),
    ],
}


def furnish(home: Path) -> Path:
    ran, takes = home / "ran.txt", {"board": {"type": "string"}, "text": {"type": "string"}}
    more = {"access": "Friend+", "risk": "external-write"}
    write_tool(home, "post_note", appends_to(ran), takes=takes, needs=("board",), **more)
    return ran


@pytest.mark.parametrize(
    ("yes", "told", "allowed", "closed"),
    [
        ("approve", "approved.", [FIRST, SECOND], "Approved by Ann"),
        ("approve 1,2", "approved, of its calls 1, 2 only.", [FIRST, SECOND], "Approved by Ann"),
        ("approve 2", "approved, of its calls 2 only.", [SECOND], "Approved by Ann: 2, not 1"),
        ("reject", "rejected.", list[JsonObject](), "Rejected by Ann"),
    ],
)
async def test_a_yes_lets_exactly_the_approved_calls_run_once(
    yes: str, told: str, allowed: list[JsonObject], closed: str, home: Path
):
    file = furnish(home)
    async with running_app(home, PlanModel(PLANS)) as house:
        await house.tell("ann", "do:board")
        [card] = house.cards
        ref = card.choices[0].ref
        assert card.text.startswith("**Ann asks to make 2 calls**")
        assert (
            '1. post_note {\n  "board": "one",\n  "text": "a\\u200bb"\n}\n2. post_note' in card.text
        )
        assert [choice.verb for choice in card.choices] == ["approve", "reject"]
        verb, _, lines = yes.partition(" ")
        await house.order("ann", verb, f"{ref} {lines}")
        assert f"Approval {ref}: {told}" in house.chat.texts
        await until(lambda: house.chat.closed)
        assert next(iter(house.chat.closed.values())) == [closed]
        assert lines_of(file) == allowed


async def test_words_decide_a_plan_and_it_outlives_the_process(home: Path):
    file, chat, clock = furnish(home), FakeChat(), FakeClock()
    async with running_app(home, PlanModel(PLANS), chat, clock) as house:
        await house.tell("ann", "do:board")
    async with running_app(home, PlanModel(PLANS), chat, clock) as house:
        await house.tell("ann", "yes, go ahead")
        assert lines_of(file) == [FIRST, SECOND]
        assert len(chat.cards) == 2, "the third call is asked about"


NEEDLESS = {
    "unasked": (UNASKED, "save_fact needs no yes"),
    "deleting": (DELETING, "wipe_board needs its own approval; leave it out and call it"),
    "automation": (AUTOMATION, "write_file needs its own approval; leave it out and call it"),
}


async def test_a_line_that_needs_no_yes_or_one_of_its_own_is_named(home: Path):
    file = furnish(home)
    takes, more = {"board": {"type": "string"}}, {"access": "Friend+", "risk": "destructive"}
    write_tool(home, "wipe_board", appends_to(file), takes=takes, needs=("board",), **more)
    plans = {
        name: [SEARCH, call("plan_calls", {"calls": [PLAN["calls"][0], line]}), say("No.")]
        for name, (line, _) in NEEDLESS.items()
    }
    async with running_app(home, model := PlanModel(plans)) as house:
        for name, (_, told) in NEEDLESS.items():
            await house.ask("ann", f"do:{name}")
            answer = json.dumps(model.requests[-1].messages[-1])
            assert f"line 2: {told}" in answer, answer
        assert not house.cards


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
        await house.tell("ann", "do:board")
        [card] = house.cards
        await house.order("ann", "approve", card.choices[0].ref)
        if added:
            await add_rule(house, home)
        await house.tell("ann", "do:go")
        assert lines_of(file) == ([] if added else [FIRST, SECOND])
        if added:
            last = " ".join(house.chat.texts[-2:])
            assert "asks to make 2 calls" in last
            assert "Only a Partner or higher can decide this" in last


async def test_so_it_does_for_a_call_that_waits(home: Path):
    file = furnish(home)
    async with running_app(home, PlanModel(LATER)) as house:
        await house.tell("ann", "do:one")
        await add_rule(house, home)
        await house.tell("ann", "yes")
        assert lines_of(file) == []


async def test_fifty_risky_calls_of_a_turn_share_one_card_that_runs_them_once(home: Path):
    file, chat, clock = furnish(home), FakeChat(), FakeClock()
    boards: list[JsonObject] = [{"board": f"b{number}"} for number in range(50)]
    plans = {
        "many": [calls(*(("post_note", board) for board in boards)), say("They wait.")],
        "approval outcome": [say("Posted.")],
    }
    async with running_app(home, PlanModel(plans), chat, clock) as house:
        await house.tell("ann", "do:many")
    async with running_app(home, PlanModel(plans), chat, clock) as house:
        [card] = chat.cards
        assert card.text.startswith("**Ann asks to make 50 calls**")
        await house.tell("ann", "yes")
        assert lines_of(file) == boards
        assert len(chat.posts) == 4, "one card, one answer about all"
