"""Slack drafts that can't become the answer, and what a crash leaves: nothing half-done stays."""

import asyncio
from collections.abc import Sequence

import pytest

from bot.domain.chat import TextDelta
from bot.domain.drafts import OpenDraft
from bot.errors import DeliveryError
from bot.loopback.slack import CutAfter, Delay, Fault, Refused, Reset, SlackPlatform, Status
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.refusals import final
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


# Slack drafts that can't become the answer: it is posted once, nothing half-done stays.


@pytest.mark.parametrize(
    "error", ["cant_update_message", "edit_window_closed", "streaming_mode_mismatch"]
)
async def test_an_answer_whose_draft_is_refused_is_posted(
    house: SlackHouse, error: str, slack: SlackPlatform
):
    message = await house.asked()
    live = await house.drafted(message)
    slack.fail("chat.stopStream", Refused(error))
    await house.answer(message.reply_to, f"{START}End.", live=live)
    await live.close()
    assert house.texts == [f"{START}End."]
    assert await house.found(message) is not None


async def test_no_draft_stays_when_posting_fails_too(house: SlackHouse, slack: SlackPlatform):
    message = await house.asked()
    live = await house.drafted(message)
    slack.fail("chat.stopStream", Refused("is_archived"))
    slack.fail("chat.postMessage", Refused("is_archived"))
    with pytest.raises(DeliveryError, check=final):
        await house.answer(message.reply_to, f"{START}End.", live=live)
    await live.close()
    assert slack.said == []


@pytest.mark.parametrize("method", ["chat.stopStream", "chat.delete"])
@pytest.mark.parametrize("fault", [Status(503), Reset(), CutAfter()])
async def test_a_draft_whose_removal_fails_at_first_is_removed(
    house: SlackHouse, method: str, fault: Fault, slack: SlackPlatform
):
    live = await house.drafted(await house.asked())
    slack.fail(method, fault)
    await live.close()
    assert slack.said == []


async def test_a_draft_whose_start_was_not_answered_and_not_found_is_removed(
    house: SlackHouse, slack: SlackPlatform
):
    message = await house.asked()
    live = house.live(message)
    slack.fail("chat.startStream", CutAfter())
    slack.fail("conversations.replies", Refused("access_denied"))
    live.show(TextDelta(START))
    await slack.until(lambda: slack.said and not any(slack.faults.waiting.values()))
    await live.close()
    assert slack.said == []


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream"])
async def test_an_update_without_an_answer_is_made_again_without_another_change(
    house: SlackHouse, method: str, slack: SlackPlatform
):
    message = await house.asked()
    slack.fail(method, Reset())
    live = house.live(message, TextDelta(START))
    if method == "chat.appendStream":
        await slack.until(lambda: slack.said)
        live.show(TextDelta("and more"))
    await slack.until(lambda: not any(slack.faults.waiting.values()))
    wanted = START if method == "chat.startStream" else f"{START}and more"
    await slack.until(lambda: house.texts == [wanted])
    await live.close()


@pytest.mark.parametrize("at_once", [True, False])
async def test_the_answer_stands_below_what_its_turn_posted_meanwhile(
    slack: SlackPlatform, at_once: bool
):
    async with slack_house(slack) as house:
        message = await house.asked()
        live = await house.drafted(message)
        await house.answer(message.reply_to, "Of another turn.", "t2/send:1")
        await house.answer(message.reply_to, "First news.", "t1/send:1")
        if not at_once:
            await slack.until(lambda: house.texts[-1] == START)
        await house.answer(message.reply_to, f"{START}All done.", "t1/send:answer", live)
        await live.close()
        assert house.texts == ["Of another turn.", "First news.", f"{START}All done."]
