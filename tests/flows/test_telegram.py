"""A whole house on Telegram: private chats, groups, topics, cards, and what breaks on the way."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.domain.models import ModelRequest
from bot.loopback.telegram import BOT_ID, Chat, Limited, Message, Person, TelegramPlatform
from bot.loopback.telegram.html import units
from bot.testing.card_home import COLOURS, furnish
from bot.testing.home_files import contact, know
from bot.testing.scripted_model import ScriptedModel, call, say, strict
from bot.testing.telegram_house import app_on_telegram

NO_SANDBOX = {"tools": {"shell": {"sandbox": "none"}}}
NOTE = (call("tool_search", {"pattern": "note"}), call("note"), say("It waits."))
"""Replies that end with an approval for the asker."""


class Trips:
    """A group with Ann, Ben and somebody whom Bellhop doesn't know."""

    def __init__(self, telegram: TelegramPlatform, home: Path) -> None:
        self.telegram = telegram
        self.ann, self.ben, self.zoe = (telegram.person(name) for name in ("Ann", "Ben", "Zoe"))
        self.group = telegram.group("Trips", self.ann, self.ben, self.zoe)
        roles = {"Ann": "Friend", "Ben": "MasterAdmin"}
        people = {"Ann": self.ann, "Ben": self.ben}
        know(home, *(contact(n, roles[n], telegram=one.id) for n, one in people.items()))

    async def reads(self, who: Person, text: str, chat: Chat | None = None) -> Message:
        """Wait until somebody sees a message from Bellhop with these words; return the last."""

        def found() -> list[Message]:
            return [one for one in who.sees(chat) if text in one.text]

        return (await self.telegram.until(found))[-1]

    async def told(self, query: str) -> str:
        """What somebody who clicked is told at once."""
        answers = self.telegram.methods.queries
        await self.telegram.until(lambda: query in answers)
        return answers[query].get("text", "")

    async def has(self, holds: Callable[[], Any]) -> None:
        await self.telegram.until(lambda: holds() or None)


@pytest.fixture
async def trips(home: Path) -> AsyncIterator[Trips]:
    async with TelegramPlatform() as telegram:
        yield Trips(telegram, home)


def words(request: ModelRequest) -> str:
    return json.dumps(request.messages[-2:], ensure_ascii=False)


async def test_it_answers_who_writes_to_it_and_leaves_others_alone(home: Path, trips: Trips):
    model = strict(*(say(f"Answer {n}.") for n in range(4)))
    trips.group.members[BOT_ID] = "administrator"  # it gets everything
    async with app_on_telegram(home, trips.telegram, model):
        trips.ann.say("hello")
        assert (await trips.reads(trips.ann, "Answer 0.")).replies_to is not None
        trips.ann.say("who has time?", trips.group)
        trips.ben.say("/status@other_bot", trips.group)
        trips.ann.forward(trips.ben.mention("plan a trip", trips.group), trips.group)
        answer = await trips.reads(trips.ben, "Answer 1.", trips.group)
        trips.zoe.say("and when?", trips.group, reply_to=answer)
        await trips.reads(trips.zoe, "Answer 2.", trips.group)
        topics = trips.telegram.group("Work", trips.ann, forum=True)
        topic = trips.telegram.topic(topics, "Deploys", trips.ann)
        trips.ann.mention("status?", topics, topic=topic)
        assert (await trips.reads(trips.ann, "Answer 3.", topics)).topic == topic
    assert "who has time?" in words(model.requests[1])
    assert "Zoe" in words(model.requests[2])
    assert "plan a trip" not in words(model.requests[3])


async def test_pictures_that_were_sent_together_are_one_request(home: Path, trips: Trips):
    model = strict(say("Three pictures."), say("Two more."))
    trips.group.members[BOT_ID] = "administrator"
    async with app_on_telegram(home, trips.telegram, model):
        trips.ann.album(b"one", b"two", b"three", caption="what are they?")
        await trips.reads(trips.ann, "Three pictures.")
        trips.ann.album(b"four", b"five", caption="@bellhop_bot and these?", chat=trips.group)
        await trips.reads(trips.ann, "Two more.", trips.group)
        await trips.has(lambda: not trips.telegram.world.updates)
    first, second = map(words, model.requests)
    assert [f"photo-{n}.jpg" in first for n in (1, 2, 3)] == [True] * 3
    assert [f"photo-{n}.jpg" in second for n in (1, 2)] == [True] * 2


async def test_an_edit_that_names_it_is_answered_once(home: Path, trips: Trips):
    model = strict(say("To Rome."), say("To Paris."))
    async with app_on_telegram(home, trips.telegram, model):
        unseen = trips.ann.say("where to?", trips.group)  # privacy mode keeps it from Bellhop
        trips.ann.edit(unseen, "@bellhop_bot where to?")
        await trips.reads(trips.ann, "To Rome.", trips.group)
        trips.ann.edit(unseen, "@bellhop_bot where to, please?")
        trips.group.members[BOT_ID] = "administrator"
        seen = trips.ann.say("and then?", trips.group)
        trips.ann.edit(seen, "@bellhop_bot and then?")
        await trips.reads(trips.ann, "To Paris.", trips.group)
        assert len(trips.ann.sees(trips.group)) == 2


async def test_a_card_is_decided_once_by_whom_it_asks(home: Path, trips: Trips):
    furnish(home)
    model = ScriptedModel([*NOTE, say("Noted by a click."), *NOTE[1:], say("Noted by a yes.")])
    async with app_on_telegram(home, trips.telegram, model, **NO_SANDBOX):
        trips.zoe.say("/status")
        await trips.reads(trips.zoe, "Guest")
        trips.ann.mention("note it", trips.group)
        card = await trips.reads(trips.ann, "Ann asks to run note", trips.group)
        trips.zoe.click(card, "Approve")
        await trips.reads(trips.zoe, "Only the person who asked for it can decide")
        trips.ann.click(card, "Approve")
        trips.ann.click(card, "Approve")
        await trips.reads(trips.ann, "Noted by a click.", trips.group)
        await trips.has(lambda: "Approved by Ann" in card.text and not card.labels)
        trips.ann.mention("note it again", trips.group)
        await trips.has(lambda: "Ann asks to run note" in trips.telegram.said[-1].text)
        second = trips.telegram.said[-1]
        trips.ann.say("yes", trips.group, reply_to=second)
        await trips.reads(trips.ann, "Noted by a yes.", trips.group)
        await trips.has(lambda: not second.labels)


async def test_a_question_in_a_topic_is_answered_by_a_click(home: Path, trips: Trips):
    asks = call("ask_user_for_clarification", COLOURS)
    async with app_on_telegram(home, trips.telegram, strict(asks, say("So be it."))):
        work = trips.telegram.group("Work", trips.ann, trips.ben, forum=True)
        topic = trips.telegram.topic(work, "Paint", trips.ann)
        trips.ann.mention("paint it", work, topic=topic)
        card = await trips.reads(trips.ann, "Which colour?", work)
        assert "somebody else" in await trips.told(trips.ben.click(card, "red"))
        assert await trips.told(trips.ann.click(card, "blue")) == ""
        assert (await trips.reads(trips.ann, "So be it.", work)).topic == topic
        await trips.has(lambda: card.text == "Which colour?\n\nAnswered: blue")


async def test_a_long_answer_comes_whole_in_messages_that_fit(home: Path, trips: Trips):
    code = "\n".join(f"print('{n} <&> 😀')" for n in range(300))
    rows = "\n".join(f"| {n} | 😀 |" for n in range(100))
    words = "word 👨‍👩‍👧 " * 400
    long = f"# Report\n\n{words}\n\n```python\n{code}\n```\n\n| a | b |\n|-|-|\n{rows}\n\nEnd."
    async with app_on_telegram(home, trips.telegram, strict(say(long))):
        trips.ann.say("tell me everything")
        await trips.reads(trips.ann, "End.")
        seen = trips.ann.sees()
        assert all(units(one.text) <= 4096 for one in seen)
        text = "\n".join(one.text for one in seen)
        assert [n for n in range(300) if f"print('{n} <&> 😀')" not in text] == []
        assert (text.count("👨‍👩‍👧"), text.count("\n99 ")) == (400, 1)


async def test_commands_work_with_and_without_its_name(home: Path, trips: Trips):
    async with app_on_telegram(home, trips.telegram, ScriptedModel([])):
        trips.ann.say("/start")
        await trips.reads(trips.ann, "Your role here is Friend")
        trips.ann.say("/approve a1")
        await trips.reads(trips.ann, "There is no approval a1.")
        trips.ann.say("/cancel")
        await trips.reads(trips.ann, "I don't know /cancel.")
        for said in ("/status", "/status@bellhop_bot", "@bellhop_bot /status"):
            trips.ann.say(said, trips.group)
        await trips.has(lambda: len(trips.ann.sees(trips.group)) == 3)


async def test_a_topic_is_followed_only_where_a_member_wants_it(home: Path, trips: Trips):
    model = strict(*(say(f"Answer {n}.") for n in range(3)))
    work = trips.telegram.group("Work", trips.ann, trips.ben, forum=True)
    work.members[BOT_ID] = "administrator"
    topic = trips.telegram.topic(work, "Deploys", trips.ann)
    async with app_on_telegram(home, trips.telegram, model):
        trips.ann.mention("hello", work, topic=topic)
        await trips.reads(trips.ann, "Answer 0.", work)
        trips.ann.say("not for you", work, topic=topic)
        trips.ann.say("/follow", work, topic=topic)
        await trips.reads(trips.ann, "I follow this thread", work)
        trips.ann.say("all green?", work, topic=topic)
        await trips.reads(trips.ann, "Answer 1.", work)
        trips.ann.say("/leave", work, topic=topic)
        await trips.reads(trips.ann, "I leave you to it", work)
        trips.ann.say("all green now?", work, topic=topic)
        trips.ann.mention("and you?", work, topic=topic)
        await trips.reads(trips.ann, "Answer 2.", work)
    assert "not for you" in words(model.requests[1])
    assert "all green now?" in words(model.requests[2])
    assert "not for you" not in words(model.requests[2])


async def test_a_turn_that_a_restart_cuts_is_answered_once(home: Path, trips: Trips):
    first = ScriptedModel([call("calculate", {"expression": "1+1"}), say("never said")])
    first.hold(2)
    async with app_on_telegram(home, trips.telegram, first):
        trips.ann.say("think")
        await trips.has(lambda: [one for one in trips.ann.sees() if one.labels == ["Stop"]])
    async with app_on_telegram(home, trips.telegram, ScriptedModel([say("Two.")])):
        await trips.reads(trips.ann, "Two.")
        await trips.has(lambda: [one.text for one in trips.ann.sees()] == ["Two."])


async def test_refusals_and_limits_of_telegram_cost_no_later_message(home: Path, trips: Trips):
    model = strict(*(say(f"Answer {n}.") for n in range(6)))
    holds = [model.hold(number) for number in (1, 2, 3)]
    async with app_on_telegram(home, trips.telegram, model):
        trips.ann.say("hello")
        await model.asked(1)
        trips.telegram.world.reachable.clear()  # she blocks the bot
        holds[0].set()
        trips.ben.mention("hello", trips.group)
        await model.asked(2)
        trips.group.members.pop(BOT_ID)  # and the group does without it
        trips.ben.say("are you there?")
        holds[1].set()
        await trips.reads(trips.ben, "I may not write where you asked me")
        trips.telegram.fail("sendMessage", Limited(2))
        trips.telegram.fail("getUpdates", Limited(2))
        holds[2].set()
        await trips.reads(trips.ben, "Answer 2.")
        trips.group.members[BOT_ID] = "member"
        trips.ann.say("I am back")
        await trips.reads(trips.ann, "Answer 3.")
        trips.ben.mention("welcome back", trips.group)
        await trips.reads(trips.ben, "Answer 4.", trips.group)
        new = trips.telegram.upgrade(trips.group)
        trips.ben.mention("what has changed?", new)
        await trips.reads(trips.ben, "Answer 5.", new)
        assert [one.text for one in trips.ann.sees()] == ["Answer 3."]
