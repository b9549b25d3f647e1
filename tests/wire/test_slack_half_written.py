"""Half-written posts after a crash on Slack: removed or finished, never shown twice."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.domain.drafts import OpenDraft
from bot.errors import DeliveryError
from bot.loopback.slack import CutAfter, Delay, Fault, Refused, SlackPlatform, Status
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.slack_house import START, SlackHouse, slack_house
from bot.testing.waiting import until

WORDS = " ".join(f"word{number}" for number in range(300))
PASSES = Delay(asyncio.Event())
PASSES.go.set()
TOO_LONG = Refused("msg_too_long")


async def left_half_written(house: SlackHouse) -> None:
    """Let the process end while an answer is seen to grow."""
    live = await house.drafted(await house.asked())
    vars(live)["_pump"].cancel()


async def test_a_half_written_answer_is_taken_away_at_the_start(slack: SlackPlatform):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        live = await house.drafted(await house.asked())
        await until(lambda: all(draft.message for draft in drafts.noted.values()))
        vars(live)["_pump"].cancel()
        assert [draft.message for draft in drafts.noted.values()] == [slack.said[0].ts]
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not slack.said)
        await slack.until(lambda: not drafts.noted)


async def test_one_whose_start_was_never_answered_is_found_in_its_thread(slack: SlackPlatform):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        await left_half_written(house)
    known = next(iter(drafts.noted.values()))
    drafts.noted = {known.id: OpenDraft(known.id, known.channel, known.thread, known.answers)}
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not slack.said)


async def test_one_that_can_not_be_reached_keeps_no_other_from_being_taken_away(
    slack: SlackPlatform,
):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        await left_half_written(house)
    gone = OpenDraft("gone", "C0GONE", "1700000000.000100", "1700000000.000200")
    drafts.noted = {"gone": gone, **drafts.noted}
    slack.fail("conversations.replies", Refused("channel_not_found"))
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not slack.said)
        await slack.until(lambda: not drafts.noted)


async def test_a_finished_answer_stays_and_a_draft_that_is_over_is_forgotten(slack: SlackPlatform):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        message = await house.asked()
        live = await house.drafted(message)
        noted = dict(drafts.noted)
        await house.answer(message.reply_to, f"{START}End.", live=live)
        await live.close()
        assert (len(noted), drafts.noted) == (1, {})
    drafts.noted = noted  # as if the process had ended before it forgot
    async with slack_house(slack, drafts=drafts) as house:
        await slack.until(lambda: not drafts.noted)
        assert house.texts == [f"{START}End."]


async def test_the_drafts_of_this_process_are_left_alone_when_it_connects_anew(
    slack: SlackPlatform,
):
    async with slack_house(slack, drafts=FakeDrafts()) as house:
        message = await house.asked()
        live = await house.drafted(message)
        vars(house.chat._half_written)["_cleared"] = False
        await house.chat._half_written.clear()
        await house.answer(message.reply_to, f"{START}End.", live=live)
        await live.close()
        assert house.texts == [f"{START}End."]


@pytest.mark.parametrize(
    "troubles",
    [
        (TOO_LONG, PASSES, Status(), PASSES),
        (TOO_LONG, CutAfter()),
        (TOO_LONG, TOO_LONG, PASSES, Status(), CutAfter(), Status()),
        (TOO_LONG, PASSES, TOO_LONG, PASSES, CutAfter()),
    ],
    ids=["second half unanswered", "first half cut", "quarters", "second half split"],
)
async def test_no_slice_of_a_message_that_is_too_long_is_shown_twice(
    house: SlackHouse, troubles: Sequence[Fault], slack: SlackPlatform
):
    message = await house.written()
    slack.fail("chat.postMessage", *troubles)
    await house.answer(message.reply_to, WORDS)
    assert shown(house) == WORDS


async def test_a_crash_between_two_halves_does_not_repeat_the_first(slack: SlackPlatform):
    async with slack_house(slack) as house:
        message = await house.written()
        slack.fail("chat.postMessage", TOO_LONG, PASSES, Refused("is_archived"))
        with pytest.raises(DeliveryError):
            await house.answer(message.reply_to, WORDS)
        assert len(slack.said) == 1
    async with slack_house(slack) as house:
        assert await house.found(message) is None
        await house.answer(message.reply_to, WORDS)
        assert shown(house) == WORDS
        assert await house.found(message) is not None


def shown(house: SlackHouse) -> str:
    return " ".join(text.strip() for text in house.texts)
