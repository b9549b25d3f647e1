"""Calls that wait for somebody else: who is told, and what happens when nobody decides."""

from pathlib import Path

import pytest

from bot.domain.approvals import ApprovalState
from bot.domain.messages import Place
from bot.testing.app_lives import AppLives
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import contact, know, write_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.tools import NO_SANDBOX

PLANS = {"wipe": [call("tool_search", {"pattern": "wipe"}), call("wipe"), say("It waits.")]}
FAR = contact("Far", "MasterAdmin", slack="T1:U1")


def furnish(home: Path, notify: str = "") -> None:
    know(home, FAR, fay="Friend", meg="MasterAdmin", max="MasterAdmin")
    approvals = f"approvals: {{notify: {notify}}}\n" if notify else ""
    (home / "bellhop.yaml").write_text(NO_SANDBOX + approvals)
    write_tool(home, "wipe", "echo wiped", access="Friend+", risk="destructive")


async def test_each_master_admin_gets_the_card_and_the_first_decision_counts(home: Path):
    furnish(home)
    async with running_app(home, PlanModel(PLANS)) as house:
        chat = house.chat
        await house.ask("meg", "hello")
        await house.tell("fay", "do:wipe")
        cards = [post.message for post in chat.posts if "asks to run `wipe`" in post.message.text]
        assert [card.target.conversation.id for card in cards] == ["dm-fay", "dm-meg", "max"]
        assert cards[0].text.endswith(
            "Only a MasterAdmin can decide this; I have asked Meg and Max."
        )
        assert [bool(card.choices) for card in cards] == [False, True, True]
        assert cards[2].target.ephemeral_to == "max"
        assert cards[1].text.startswith(
            "Fay (`fay`) asks for this in a direct conversation on Discord.\n**Fay asks to run "
            "`wipe`**"
        )
        ref = cards[1].choices[0].ref
        await house.posts_after(chat.click("fay", ref, "approve"))
        assert chat.texts[5] == "Only a MasterAdmin can decide this; I have asked Meg and Max."
        await house.posts_after(chat.click("max", ref, "approve"))
        assert chat.texts[6:] == ["Done."]
        await house.posts_after(chat.click("meg", ref, "reject"))
        assert chat.texts[7].startswith(f"Approval {ref} is already ")


@pytest.mark.parametrize(
    ("notify", "present", "told"),
    [("", True, 0), ("", False, 2), ("admins", True, 2), ("conversation", False, 0)],
)
async def test_in_a_channel_they_are_told_as_the_setting_says(
    home: Path, notify: str, present: bool, told: int
):
    furnish(home, notify)
    async with running_app(home, PlanModel(PLANS)) as house:
        chat = house.chat
        if present:
            await house.ask("meg", "hello", where="town", place=Place.CHANNEL)
        await house.tell("fay", "do:wipe", where="town", place=Place.CHANNEL)
        assert len(chat.cards) == 1 + told


async def test_when_nobody_is_reachable_the_card_has_no_buttons_but_advice(home: Path):
    furnish(home)
    know(home, FAR, fay="Friend")
    async with running_app(home, PlanModel(PLANS)) as house:
        await house.tell("fay", "do:wipe")
        (card,) = [
            post.message for post in house.chat.posts if "asks to run `wipe`" in post.message.text
        ]
        (waiting,) = await house.app.approvals.newest()
        assert card.choices == ()
        assert card.text.endswith(
            "Only a MasterAdmin can decide this."
            f" I can reach none from here: give one of them the reference {waiting.ref}."
        )


HOUR = 3600.0
ASK = call("ask_user_for_clarification", {"question": "Which?", "options": ["red", "blue"]})
UNANSWERED = {
    "publish": [call("tool_search", {"pattern": "publish"}), call("publish"), say("It waits.")],
    "ask": [ASK],
}


def add_publishing(home: Path) -> None:
    write_tool(home, "publish", "echo published", access="Friend+", risk="external-write")


async def posted(house: Harness, count: int) -> list[str]:
    await house.chat.until(count)
    await house.until_idle()
    return house.chat.texts


async def test_an_approval_that_expires_is_told_of_once_and_to_the_agent(home: Path):
    add_publishing(home)
    lives = AppLives(home)
    model = PlanModel(UNANSWERED)
    async with lives.life(model) as life:
        await life.tell("ann", "do:publish")
        ref = life.chat.posts[-1].message.choices[0].ref
    for _ in range(2):
        async with lives.life(model) as life:
            for _ in range(9):  # housekeeping looks every five minutes
                await lives.clock.advance(300)
                await life.settle()
            await life.chat.until(3)
            await life.settle()
    told = [text for text in lives.chat.texts if "has expired" in text]
    assert [text.split(":")[0] for text in told] == [f"Approval {ref} has expired"]
    async with lives.life(model) as life:
        approval = await life.app.approvals.get(ref)
        assert approval is not None
        assert approval.state is ApprovalState.EXPIRED
        await life.posts_after(life.chat.click("ann", ref, "approve"))
        assert lives.chat.texts[-1] == f"Approval {ref} is already expired."
        await life.tell("ann", "well?")
    assert f"Approval {ref} has expired" in str(model.requests[-1].messages)


async def test_a_question_that_nobody_answers_ends_its_turn_with_a_sentence(home: Path):
    clock = FakeClock()
    scripted = ScriptedModel([call("current_time"), ASK, say("Blue sky.")], strict=True)
    async with running_app(home, scripted, clock=clock) as house:
        await house.chat.say("ann", "paint it")
        await posted(house, 1)
        await clock.advance(23 * HOUR)
        assert await posted(house, 1) == ["Which?"]
        await clock.advance(2 * HOUR)
        texts = await posted(house, 2)
        assert texts[1] == (
            "I waited long for your answer and have stopped now. Write to me again if it still "
            "matters."
        )
        await house.chat.click("ann", "t1", "answer", "red")
        assert (await posted(house, 3))[2] == "That question has expired."
        assert await house.ask("ann", "what else is blue?") == "Blue sky."
