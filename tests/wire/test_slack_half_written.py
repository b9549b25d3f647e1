"""Half-written posts after a crash on Slack: removed or finished, never shown twice."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from bot.domain.chat import TextDelta
from bot.domain.drafts import OpenDraft
from bot.domain.messages import IncomingMessage, OutgoingMessage
from bot.errors import DeliveryError
from bot.loopback.slack import (
    Channel,
    CutAfter,
    Delay,
    Fault,
    Person,
    Refused,
    SlackPlatform,
    Status,
)
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.slack_house import SlackHouse, slack_house
from bot.testing.waiting import until

START = "A long answer starts here and grows beyond the eighty characters that are waited for. "
WORDS = " ".join(f"word{number}" for number in range(300))
PASSES = Delay(asyncio.Event())
PASSES.go.set()
TOO_LONG = Refused("msg_too_long")


async def left_half_written(
    house: SlackHouse, seen: Callable[[], object] = lambda: True
) -> IncomingMessage:
    """A message whose answer was `seen` to grow when the process ended."""
    message = await house.next(1)
    live = house.chat.live(message.reply_to, "t1")
    live.show(TextDelta(START))
    await house.showing(lambda m: m.text == START)
    await until(seen)
    vars(live)["_pump"].cancel()
    return message


async def test_a_half_written_answer_is_taken_away_at_the_start(
    slack: SlackPlatform, ann: Person, office: Channel
):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        ann.mention("hello", office)
        await left_half_written(house, lambda: all(d.message for d in drafts.noted.values()))
        assert [draft.message for draft in drafts.noted.values()] == [slack.said[0].ts]
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not slack.said)
        await slack.until(lambda: not drafts.noted)


async def test_one_whose_start_was_never_answered_is_found_in_its_thread(
    slack: SlackPlatform, ann: Person, office: Channel
):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        ann.mention("hello", office)
        await left_half_written(house)
    known = next(iter(drafts.noted.values()))
    drafts.noted = {known.id: OpenDraft(known.id, known.channel, known.thread, known.answers)}
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not slack.said)


async def test_one_that_can_not_be_reached_keeps_no_other_from_being_taken_away(
    slack: SlackPlatform, ann: Person, office: Channel
):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        ann.mention("hello", office)
        await left_half_written(house)
    gone = OpenDraft("gone", "C0GONE", "1700000000.000100", "1700000000.000200")
    drafts.noted = {"gone": gone, **drafts.noted}
    slack.fail("conversations.replies", Refused("channel_not_found"))
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not slack.said)
        await slack.until(lambda: not drafts.noted)


async def test_a_finished_answer_stays_and_a_draft_that_is_over_is_forgotten(
    slack: SlackPlatform, ann: Person, office: Channel
):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        ann.mention("hello", office)
        message = await house.next(1)
        live = house.chat.live(message.reply_to, "t1")
        live.show(TextDelta(START))
        await house.showing(lambda m: m.text == START)
        noted = dict(drafts.noted)
        await house.chat.send(OutgoingMessage(message.reply_to, f"{START}End."), "k1", live)
        await live.close()
        assert (len(noted), drafts.noted) == (1, {})
    drafts.noted = noted  # as if the process had ended before it forgot
    async with slack_house(slack, drafts=drafts):
        await slack.until(lambda: not drafts.noted)
        assert [m.text for m in slack.said] == [f"{START}End."]


async def test_the_drafts_of_this_process_are_left_alone_when_it_connects_anew(
    slack: SlackPlatform, ann: Person, office: Channel
):
    drafts = FakeDrafts()
    async with slack_house(slack, drafts=drafts) as house:
        ann.mention("hello", office)
        message = await house.next(1)
        live = house.chat.live(message.reply_to, "t1")
        live.show(TextDelta(START))
        await house.showing(lambda m: m.text == START)
        vars(house.chat._half_written)["_cleared"] = False
        await house.chat._half_written.clear()
        await house.chat.send(OutgoingMessage(message.reply_to, f"{START}End."), "k1", live)
        await live.close()
        assert [m.text for m in slack.said] == [f"{START}End."]


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
    troubles: Sequence[Fault], slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house:
        ann.say("hello")
        message = await house.next(1)
        slack.fail("chat.postMessage", *troubles)
        await house.answer(message.reply_to, WORDS)
        assert shown(slack) == WORDS


async def test_a_crash_between_two_halves_does_not_repeat_the_first(
    slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house:
        ann.say("hello")
        message = await house.next(1)
        slack.fail("chat.postMessage", TOO_LONG, PASSES, Refused("is_archived"))
        with pytest.raises(DeliveryError):
            await house.answer(message.reply_to, WORDS)
        assert len(slack.said) == 1
    async with slack_house(slack) as house:
        assert await house.chat.find_sent(message.reply_to, "k1") is None
        await house.answer(message.reply_to, WORDS)
        assert shown(slack) == WORDS
        assert await house.chat.find_sent(message.reply_to, "k1") is not None


def shown(slack: SlackPlatform) -> str:
    return " ".join(sent.text.strip() for sent in slack.said)
