"""Cards lose their choices when their question is over, whoever ended it, in all faults."""

import asyncio
import itertools
import os
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.cli.changes import decide
from bot.domain.messages import OutgoingMessage
from bot.errors import DeliveryError
from bot.sessions.outbox.card_store import open_refs
from bot.sessions.outbox.cards import MOST_ATTEMPTS
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.card_home import COLOURS, PLANS, furnish
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.fake_clock import settle
from bot.testing.home_files import know
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import call, say
from bot.testing.waiting import until
from bot.tools.permission.shown import digest_of_approval
from tests.thoroughness import tried


@pytest.fixture
def lives(home: Path) -> AppLives:
    know(home, fay="Friend", meg="MasterAdmin", max="MasterAdmin")
    furnish(home)
    return AppLives(home)


async def closed(life: AppLife, cards: int) -> list[list[str]]:
    """The lines of each card, once so many were edited."""
    await life.settle()
    await until(lambda: life.database.gone or len(life.chat.closed) >= cards)
    await settle()
    return list(life.chat.closed.values())


async def asked(life: AppLife, what: str = "do:wipe") -> str:
    """The reference that the choices of the newest card carry."""
    await life.tell("fay", what)
    return life.chat.cards[-1].choices[0].ref


@pytest.mark.parametrize(
    ("verb", "line"), [("approve", "Approved by Max"), ("reject", "Rejected by Max")]
)
async def test_a_decision_of_one_admin_closes_the_cards_of_all(
    lives: AppLives, verb: str, line: str
):
    async with lives.life(PlanModel(PLANS)) as life:
        ref = await asked(life)
        assert life.chat.closed == {}
        await life.chat.click("max", ref, verb)
        assert await closed(life, 3) == [[line]] * 3
        await life.posts_after(life.chat.click("meg", ref, "approve"))
        assert lives.chat.texts[-1].startswith(f"Approval {ref} is already ")
        assert len(lives.chat.closed) == 3


async def test_a_click_of_somebody_who_may_not_decide_closes_nothing(lives: AppLives):
    async with lives.life(PlanModel(PLANS)) as life:
        ref = await asked(life)
        await life.posts_after(life.chat.click("fay", ref, "approve"))
        assert lives.chat.closed == {}


@pytest.mark.parametrize(
    ("words", "line"),
    [("red", "Answered: red"), ("mauve, and keep it secret", "Answered in words")],
)
async def test_words_close_a_question_and_only_an_option_is_repeated(
    lives: AppLives, words: str, line: str
):
    async with lives.life(PlanModel(PLANS)) as life:
        await asked(life, "do:ask")
        await life.chat.say("fay", words)
        assert await closed(life, 1) == [[line]]


async def test_a_click_closes_its_question_and_the_next_one_stays_open(lives: AppLives):
    plans = {
        "ask": [call("ask_user_for_clarification", COLOURS, id=id_) for id_ in ("one", "two")]
        + [say("Both.")]
    }
    async with lives.life(PlanModel(plans)) as life:
        ref = await asked(life, "do:ask")
        await life.chat.click("fay", ref, "answer", "blue")
        assert await closed(life, 1) == [["Answered: blue"]]
        await life.chat.click("fay", ref, "answer", "red")
        assert await closed(life, 2) == [["Answered: blue"], ["Answered: red"]]


async def test_stopping_closes_the_question(lives: AppLives):
    async with lives.life(PlanModel(PLANS)) as life:
        await asked(life, "do:ask")
        await life.chat.command("fay", "stop")
        assert await closed(life, 1) == [["Stopped"]]


async def test_expired_cards_are_closed(lives: AppLives):
    async with lives.life(PlanModel(PLANS)) as life:
        await asked(life)
        await asked(life, "do:ask")
        for hours, cards in ((1, 3), (25, 4)):
            await lives.clock.advance(hours * 3600)
            for _ in range(
                24
            ):  # a pass that a slow machine had not finished is made five minutes later
                for _ in range(200):
                    if len(life.chat.closed) < cards:
                        await asyncio.to_thread(os.sched_yield)
                if len(life.chat.closed) < cards:
                    await lives.clock.advance(300)
            lines = await closed(life, cards)
        assert lines == [["Expired: nobody decided in time"]] * 3 + [
            ["Expired: nobody answered in time"]
        ]


async def test_an_edit_that_was_not_done_is_done_after_a_restart(lives: AppLives):
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        ref = await asked(life)
        lives.chat.refuse = lambda _message: DeliveryError("away", retryable=True)
        await life.posts_after(life.chat.click("meg", ref, "reject"))
    assert lives.chat.closed == {}
    lives.chat.refuse = lambda _message: lives.alive()
    async with lives.life(model) as life:
        await lives.clock.advance(60)
        assert await closed(life, 3) == [["Rejected by Meg"]] * 3


async def test_cards_decided_while_off_are_edited_at_the_next_start(home: Path, lives: AppLives):
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        ref = await asked(life)
    async with open_app(AppOptions(home, clock=lives.clock)) as app:
        approval = await app.approvals.get(ref)
        assert approval is not None
        shown = digest_of_approval(approval)
        await decide(app, {"person": "operator", "ref": ref, "approve": True, "shown": shown})
    async with lives.life(model) as life:
        assert await closed(life, 3) == [["Approved by operator"]] * 3


@pytest.mark.parametrize("retryable", [True, False])
async def test_a_card_that_cannot_be_edited_is_given_up(lives: AppLives, retryable: bool):
    tries: list[str] = []

    def refuse(message: OutgoingMessage) -> DeliveryError | None:
        card = "asks to run" in message.text
        tries.extend([message.text] if card else [])
        return DeliveryError("no", retryable=retryable) if card else None

    async with lives.life(PlanModel(PLANS)) as life:
        ref = await asked(life)
        lives.chat.refuse = refuse
        await life.posts_after(life.chat.click("meg", ref, "approve"))
        async with asyncio.timeout(PATIENCE_S):
            while await open_refs(life.database):
                await lives.clock.advance(900)
        assert (lives.chat.closed, len(tries)) == ({}, 3 * (MOST_ATTEMPTS if retryable else 1))


async def test_a_card_that_the_outbox_keeps_is_closed_once_it_is_there(lives: AppLives):
    async with lives.life(PlanModel(PLANS)) as life:
        lives.chat.refuse = lambda message: (
            DeliveryError("away", retryable=True)
            if message.target.conversation.id == "max"
            else None
        )
        ref = await asked(life)
        await life.chat.click("meg", ref, "approve")
        assert len(await closed(life, 2)) == 2
        lives.chat.refuse = lambda _message: lives.alive()
        await lives.clock.advance(60)
        assert await closed(life, 3) == [["Approved by Meg"]] * 3


@pytest.mark.thorough
async def test_a_crash_at_any_write_leaves_no_card_open(tmp_path_factory: pytest.TempPathFactory):
    async def ask(life: AppLife) -> None:
        await life.chat.say("fay", "do:ask", key="k1")

    async def answer(life: AppLife) -> None:
        await life.chat.say("fay", "red", key="k2")
        await closed(life, 1)

    for write, moment in tried(itertools.product(range(1, 100), Moment)):
        other = tmp_path_factory.mktemp("home")
        know(other, fay="Friend", meg="MasterAdmin", max="MasterAdmin")
        lives = AppLives(other)
        struck = await lives.play(PlanModel(PLANS), [ask, answer], CrashPoint(write, moment))
        async with lives.life(PlanModel(PLANS)) as life:
            lines = await closed(life, 1)
        assert [set(edits) for edits in lines] == [{"Answered: red"}], (write, moment)
        assert lives.chat.texts.count("So be it.") == 1, (write, moment)
        if not struck:
            break
