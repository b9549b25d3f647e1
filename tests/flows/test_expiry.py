"""Questions and approvals that nobody answers: they expire, and who waited is told once."""

from pathlib import Path

from bot.domain.approvals import ApprovalState
from bot.testing.app_lives import AppLives
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say

HOUR = 3600.0
ASK = call("ask_user_for_clarification", {"question": "Which?", "options": ["red", "blue"]})
RISKY = """\
# publish

## Description
Publish something when somebody asks for it.

## Access
Friend+

## Risk
external-write

## Implementation
shell: publish.sh
"""
PLANS = {
    "publish": [call("tool_search", {"pattern": "publish"}), call("publish"), say("It waits.")],
    "ask": [ASK],
}


def furnish(home: Path) -> None:
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True)
    (folder / "publish.md").write_text(RISKY)
    (folder / "publish.sh").write_text("echo published")


async def posted(house: Harness, count: int) -> list[str]:
    await house.chat.until(count)
    await house.until_idle()
    return house.chat.texts


async def test_an_approval_that_expires_is_told_of_once_and_to_the_agent(home: Path):
    furnish(home)
    lives = AppLives(home)
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        await life.chat.say("ann", "do:publish")
        await life.settle()
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
        await life.chat.click("ann", ref, "approve")
        await life.settle()
        assert lives.chat.texts[-1] == f"Approval {ref} is already expired."
        await life.chat.say("ann", "well?")
        await life.settle()
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
