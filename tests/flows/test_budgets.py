"""Steps and budgets: what is left is told, what is used up can be extended."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from bot.clock import format_utc
from bot.domain.database import Unit, Write
from bot.domain.models import ModelReply, Usage
from bot.errors import SettingsError
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say

PLANS = {
    "time": [call("list_directory", {"path": "/"}), say("It is nine.")],
    "often": [
        call("list_directory", {"path": "/"}),
        call("list_directory", {"path": "/skills"}),
        say("Enough."),
    ],
    "approval outcome": [say("I went on.")],
}


def settings(home: Path, text: str) -> None:
    (home / "bellhop.yaml").write_text(text)


def cards(house: Harness) -> list[tuple[str, str]]:
    """Where each card was shown, and its reference."""
    posts = [post for post in house.chat.posts if post.message.choices]
    return [(post.message.target.conversation.id, post.message.choices[0].ref) for post in posts]


async def test_a_used_up_day_can_be_extended_also_after_a_restart(home: Path):
    settings(home, "budgets: {per_person_day: {model_calls: 2}}")
    chat, clock = FakeChat(), FakeClock()
    async with running_app(home, PlanModel(PLANS), chat, clock) as house:
        await house.ask("owner", "hello")
        assert await house.ask("ann", "do:time") == "It is nine."
        before = len(chat.posts)
        await chat.say("ann", "do:time")
        posts = [post.text for post in (await chat.until(before + 2))[before:]]
        await house.until_idle()
        assert any("today's budget of 2 model calls for you is used up" in text for text in posts)
        [(place, ref)] = cards(house)
        assert place == "dm-owner"
        await house.tell("ann", "do:time")
        assert len(cards(house)) == 1  # the same question is not asked twice
        assert "can decide this" in await house.command("ann", "approve", ref)
        assert (await house.ask("ben", "do:time")) == "It is nine."
    model = PlanModel(PLANS)
    async with running_app(home, model, chat, clock) as house:
        before = len(chat.posts)
        await chat.command("owner", "approve", ref)
        posts = [post.text for post in (await chat.until(before + 2))[before:]]
        await house.until_idle()
        assert sorted(posts) == [f"Approval {ref}: approved.", "I went on."]
        assert "already" in await house.command("owner", "approve", ref)
        await house.ask("ann", "hello")
        before = len(chat.posts)
        await house.tell("ann", "hello")
        assert cards(house)[-1][1] != ref  # the extended one is used up as well: another question
        await clock.advance(24 * 3600)
        assert await house.ask("ann", "do:time") == "It is nine."


async def test_a_no_leaves_it_at_that_and_asks_no_model(home: Path):
    settings(home, "budgets: {total_day: {model_calls: 1}}")
    async with running_app(home, model := PlanModel(PLANS), clock=FakeClock()) as house:
        await house.ask("ann", "hello")
        before = len(house.chat.posts)
        await house.tell("ann", "hello")
        (waiting,) = await house.app.approvals.newest()
        ref, place = waiting.ref, house.chat.posts[-1].message.target.conversation.id
        assert cards(house) == []  # who reads along here may not decide
        assert place == "dm-ann"  # no MasterAdmin ever wrote to it
        asked = len(model.requests)
        await house.chat.command("owner", "reject", ref)
        posts = [post.text for post in (await house.chat.until(before + 4))[before + 2 :]]
        assert sorted(posts) == [
            f"Approval {ref}: rejected.",
            "My budget for today is used up, so I stop here.",
        ]
        assert len(model.requests) == asked


async def test_tool_calls_are_refused_in_words_for_the_model(home: Path):
    settings(home, "budgets: {per_person_day: {tool_calls: 1}}")
    async with running_app(home, model := PlanModel(PLANS), clock=FakeClock()) as house:
        await house.tell("ann", "do:often")
        results = json.dumps(model.requests[-1].messages)
        assert "not run: today's budget of 1 tool call for you is used up" in results
        assert "refused by the rule budget:per_person_day_tool_calls" in await house.command(
            "ann", "why"
        )
        rows = await house.app.house.ground.meter.report("tool", 1)
        assert rows == [{"tool": "list_directory", "calls": 1, "failed": 0}]


async def test_a_turn_has_a_budget_of_its_own(home: Path):
    settings(home, "budgets: {per_turn: {model_calls: 1}}")
    async with running_app(home, PlanModel(PLANS), clock=FakeClock()) as house:
        before = len(house.chat.posts)
        await house.chat.say("ann", "do:time")
        posts = [post.text for post in (await house.chat.until(before + 2))[before:]]
        assert any(
            "the budget of 1 model call for one request is used up" in text for text in posts
        )


async def test_money_is_counted_by_person_and_model_and_stops_a_day(home: Path):
    names = ("scripted", "scripted-cheap", "scripted-plan")
    prices = ", ".join(f"{name}: {{input: 3, output: 15}}" for name in names)
    settings(home, f"budgets: {{per_person_day: {{usd: 0.0007}}, prices: {{{prices}}}}}")
    model = PlanModel(PLANS)
    async with running_app(home, model, clock=FakeClock()) as house:
        await house.ask("ann", "do:time")
        [row] = await house.app.house.ground.meter.report("person", 1)
        used = Usage(
            row["input_tokens"],
            row["cache_read_tokens"],
            row["cache_write_tokens"],
            row["output_tokens"],
        )
        assert row["calls"] == 2
        assert row["nano_usd"] == house.app.house.ground.meter.cost("scripted", used)
        before = len(house.chat.posts)
        await house.chat.say("ann", "hello")
        posts = [post.text for post in (await house.chat.until(before + 2))[before:]]
        assert any("today's budget of $" in text for text in posts)


async def test_dollars_without_a_price_stop_the_start_and_say_what_to_write(home: Path):
    settings(home, "budgets: {total_day: {usd: 1}}")
    with pytest.raises(SettingsError, match=r"budgets\.prices\.\S+: \{input"):
        async with running_app(home, PlanModel(PLANS), clock=FakeClock()):
            pass


TOWN = "{name: town, where: 'channel:1', budget: {day_usd: 1}}"


@pytest.mark.parametrize(
    ("file", "text", "source"),
    [
        (
            "bellhop.yaml",
            'discord: {channels: {"1": {budget: {day_usd: 1}}}}',
            "bellhop.yaml, line 1",
        ),
        ("policy.yaml", f"places:\n- {TOWN}", "policy.yaml, line 2"),
    ],
)
async def test_dollars_of_a_place_without_a_price_stop_the_start(
    home: Path, file: str, text: str, source: str
):
    (home / file).write_text(text)
    with pytest.raises(
        SettingsError, match=rf"{source}: budget.day_usd: the price of \S+, .* is not known"
    ):
        async with running_app(home, PlanModel(PLANS), clock=FakeClock()):
            pass


async def test_a_policy_with_unpriceable_dollars_does_not_take_effect(home: Path):
    (home / "policy.yaml").write_text(
        "rules:\n- {name: no lists, tools: list_directory, decision: deny}\n"
    )
    async with running_app(home, PlanModel(PLANS), clock=FakeClock()) as house:
        (home / "policy.yaml").write_text(f"places:\n- {TOWN}\n")
        book = house.app.house.written.policy
        assert not await book.reload_changed()
        assert "line 2: budget.day_usd: the price of" in book.problems[0]
        assert [rule.name for rule in book.policy.rules] == ["no lists"]


async def test_a_model_is_told_when_little_is_left(home: Path):
    settings(home, "budgets: {total_day: {model_calls: 7}}")
    async with running_app(home, model := PlanModel(PLANS), clock=FakeClock()) as house:
        for _ in range(6):
            await house.ask("ann", "hello")
        assert "is left: be brief" not in json.dumps(model.requests[5].messages)
        await house.ask("ann", "hello")
        assert (
            "Of today's budget of 7 model calls for everybody, 14% is left: be brief."
            in json.dumps(model.requests[6].messages)
        )


LAST = (
    "This is the last model call of this run. Call no tool. Answer now: what is done, and what "
    "isn't."
)
FACT = {"key": "a", "value": "1"}


def looks(most: int) -> list[ModelReply]:
    return [call("save_fact", {"key": f"k{number}", "value": "1"}) for number in range(most)]


async def test_the_last_call_is_told_to_answer_now(home: Path):
    scripted = ScriptedModel([*looks(9), say("Nine are done.")], strict=True)
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "go") == "Nine are done."
    told = [LAST in json.dumps(request.messages) for request in scripted.requests]
    assert told == [False] * 9 + [True]


async def test_when_steps_run_out_the_person_reads_what_was_done(home: Path):
    scripted = ScriptedModel(looks(10), strict=True)
    async with running_app(home, scripted) as house:
        answer = await house.ask("ann", "go")
    assert "I used up the steps" in answer
    assert "save_fact" not in answer


async def test_looking_again_after_each_change_is_not_going_in_circles(home: Path):
    titles = [f"todo {number}" for number in range(4)]
    each = [({"action": "create", "title": title}, {"action": "list"}) for title in titles]
    steps = [call("manage_todos", arguments) for both in each for arguments in both]
    scripted = ScriptedModel(
        [call("tool_search", {"pattern": "manage_todos"}), *steps, say("All there.")], strict=True
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "go") == "All there."
    assert "you made this exact call" not in json.dumps(scripted.requests[-1].messages)


async def test_the_same_change_again_and_again_is_still_stopped(home: Path):
    same = [call("manage_todos", {"action": "create", "title": "milk"}) for _ in range(6)]
    scripted = ScriptedModel([call("tool_search", {"pattern": "manage_todos"}), *same], strict=True)
    async with running_app(home, scripted) as house:
        assert "in circles" in await house.ask("ann", "go")


async def test_open_work_is_shown(home: Path):
    done = {
        "answer": "Half of it is there.",
        "status": "partial",
        "follow_up": "Ask Ben for the rest.",
    }
    async with running_app(home, ScriptedModel([call("finish_task", done)], strict=True)) as house:
        assert (
            await house.ask("ann", "go")
            == "Half of it is there.\n\nLeft to do: Ask Ben for the rest."
        )


async def test_a_session_goes_on_as_long_as_its_approval_is_open(home: Path):
    write_tool(home, "post", "echo posted", risk="external-write")
    scripted = ScriptedModel(
        [
            call("tool_search", {"pattern": "post"}),
            call("post", {}),
            say("It waits."),
            say("Still the same talk."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        await house.tell("ann", "post it")
        long_ago = format_utc(house.app.clock.now() - timedelta(hours=2))
        await house.app.database.write(
            Unit.of(Write("UPDATE sessions SET last_at = ?", (long_ago,)))
        )
        await house.tell("ann", "hello?")
    assert "post it" in json.dumps(scripted.requests[-1].messages)
