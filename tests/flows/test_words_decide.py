"""A yes or no in words decides a card only where it can mean nothing else.

See docs/rules.md#approvals.
"""

import json
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, MessageKind, Place
from bot.testing.fake_chat import FakeChat, Posted
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import appends_to, lines_of, write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, result_texts, say

ASKS = "It rains. Shall I look at tomorrow as well?"
PLANS = {
    "close": [call("close_issue", {"number": 7}), say("I asked for your yes.")],
    "both": [call("close_issue", {"number": 7}), say("It waits. Shall I book the room as well?")],
    "weather": [say(ASKS)],
    "sun": [say("The sun shines.")],
}
ROOM: dict[str, Any] = {"where": "room", "place": Place.CHANNEL}


@dataclass
class Desk:
    house: Harness
    model: PlanModel
    ran: Path

    @property
    def chat(self) -> FakeChat:
        return self.house.chat

    @property
    def lines(self) -> list[JsonObject]:
        return lines_of(self.ran)

    @property
    def card(self) -> Posted:
        return [post for post in self.chat.posts if post.message.choices][-1]

    async def after(self, posts: int, act: Awaitable[object]) -> list[str]:
        before = len(self.chat.posts)
        await act
        await self.chat.until(before + posts)
        await self.house.until_idle()
        return self.chat.texts[before:]

    async def asked(self, plan: str = "close", **where: Any) -> Posted:
        await self.after(2, self.chat.say("ann", f"do:{plan}", **where))
        return self.card


@asynccontextmanager
async def desk(home: Path, platform: str = "discord") -> AsyncGenerator[Desk]:
    ran, number = home / "ran.txt", {"number": {"type": "integer"}}
    more = {"access": "Friend+", "risk": "external-write"}
    write_tool(home, "close_issue", appends_to(ran), takes=number, needs=("number",), **more)
    model = PlanModel(PLANS)
    async with running_app(home, model, FakeChat(platform)) as house:
        yield Desk(house, model, ran)


YES = ("yes, close it", "ja, schließ es", "oui, vas-y", "sí, hazlo", "1", "sì, chiudilo")
NO = ("no, not now", "nein, lieber nicht", "3")


async def test_the_next_words_below_a_card_decide_it(home: Path):
    async with desk(home) as at:
        for ran, words in enumerate(YES, 1):
            card = await at.asked()
            assert at.chat.posts[-1] is card, "the card is the newest thing there"
            await at.after(2, at.chat.say("ann", words))
            assert at.lines == [{"number": 7}] * ran, words
        for words in NO:
            await at.asked()
            posts = await at.after(2, at.chat.say("ann", words))
            assert any(text == "OK, I won't do it." for text in posts), words
            assert len(at.lines) == len(YES), words


async def test_a_yes_to_something_else_decides_nothing_and_the_model_knows_what_waits(home: Path):
    async with desk(home) as at:
        card = await at.asked()
        await at.after(1, at.chat.say("ann", "do:weather"))
        await at.after(1, at.chat.say("ann", "yes please"))
        assert at.lines == []
        told = json.dumps(at.model.requests[-1].messages)
        ref = card.message.choices[0].ref
        assert f"waiting for this person's yes: {ref} (close_issue)" in told
        await at.after(1, at.chat.say("ann", "do:sun"))
        assert at.lines == []


async def test_after_other_talk_the_card_is_shown_again(home: Path):
    async with desk(home) as at:
        card = await at.asked()
        await at.after(1, at.chat.say("ann", "do:sun"))
        [again] = await at.after(1, at.chat.say("ann", "ok"))
        assert "so that your answer means this and nothing else" in again
        assert at.card.message.choices == card.message.choices
        assert at.lines == []
        await at.after(2, at.chat.say("ann", "ok"))
        assert at.lines == [{"number": 7}]


async def test_a_reply_to_the_card_decides_it_at_any_time(home: Path):
    async with desk(home) as at:
        card = await at.asked()
        await at.after(1, at.chat.say("ann", "do:weather"))
        reply = replace(at.chat.message("ann", "yes"), answers=card.key)
        await at.after(2, at.chat.deliver(reply))
        assert at.lines == [{"number": 7}]


async def test_a_question_above_the_card_leaves_it_open_what_a_yes_means(home: Path):
    async with desk(home) as at:
        await at.asked("both")
        await at.after(1, at.chat.say("ann", "yes"))
        assert at.lines == []


@pytest.mark.parametrize(("platform", "runs"), [("terminal", [{"number": 7}]), ("discord", [])])
async def test_a_number_decides_it_all_the_same_where_numbers_are_printed(
    platform: str, runs: list[JsonObject], home: Path
):
    async with desk(home, platform) as at:
        await at.asked("both")
        await at.after(1 + len(runs), at.chat.say("ann", "1"))
        assert at.lines == runs


LONG = ("Blue, like the sky over the sea " * 4, "Red")


@pytest.mark.parametrize(
    ("platform", "cases"),
    [
        (
            "terminal",
            [
                (("Blue", "Red"), "2", "Red"),
                (("Blue", "Red"), "3", "3"),
                (("1", "2", "5"), "5", "5"),
                (("2", "1"), "1", "1"),
            ],
        ),
        ("discord", [(LONG, "2", "Red"), (("Blue", "Red"), "2", "2")]),
    ],
)
async def test_a_printed_number_answers_a_question(
    platform: str, cases: list[tuple[tuple[str, ...], str, str]], home: Path
):
    async with running_app(home, model := ScriptedModel(), FakeChat(platform)) as house:
        for options, typed, heard in cases:
            asks = {"question": "Which?", "options": list(options)}
            model.replace(call("ask_user_for_clarification", asks), say("Fine."))
            await house.ask("ann", "paint it")
            await house.tell("ann", typed)
            assert result_texts(model.requests[-1])[-1] == heard, (options, typed)


async def test_what_others_say_meanwhile_makes_the_card_an_old_one(home: Path):
    async with desk(home) as at:
        await at.asked(**ROOM)
        await at.chat.say("ben", "lunch?", addressed=Addressed.NONE, **ROOM)
        [again] = await at.after(1, at.chat.say("ann", "yes", **ROOM))
        assert "I ask again" in again
        assert at.lines == []


async def test_a_yes_that_names_another_act_shows_the_card_again(home: Path):
    async with desk(home) as at:
        await at.asked()
        [again] = await at.after(1, at.chat.say("ann", "yes, delete it"))
        assert "I ask again" in again
        assert at.lines == []


async def test_an_early_an_edited_or_a_yes_in_reply_to_other_words_decides_nothing(home: Path):
    async with desk(home) as at:
        await at.asked()
        early = at.chat.message("ann", "yes")
        early = replace(early, sent_at=early.sent_at - timedelta(minutes=5))
        await at.after(1, at.chat.deliver(early))
        assert at.lines == []
        await at.asked()
        reply = replace(at.chat.message("ann", "yes"), answers=at.chat.posts[0].key)
        await at.after(1, at.chat.deliver(reply))
        assert at.lines == []
        await at.asked()
        said = at.chat.message("ann", "do:sun")
        await at.after(1, at.chat.deliver(said))
        edit = replace(
            said, key=f"edit:{said.key}:1", kind=MessageKind.EDIT, text="yes", typed="yes",
            sent_at=said.sent_at + timedelta(minutes=1),
        )  # fmt: skip
        await at.chat.deliver(edit)
        await at.house.until_idle()
        assert at.lines == []


async def test_a_number_may_give_a_grant_as_its_button_does(home: Path):
    async with desk(home) as at:
        await at.asked()
        posts = await at.after(2, at.chat.say("ann", "2"))
        assert any("From now on I don't ask about close_issue" in text for text in posts)


async def test_two_cards_of_a_person_are_not_decided_by_one_word(home: Path):
    async with desk(home) as at:
        await at.asked()
        await at.after(2, at.chat.say("ann", "do:close", **ROOM))
        await at.after(2, at.chat.say("ann", "yes"))
        assert len(at.lines) == 1, "each place has its own"
