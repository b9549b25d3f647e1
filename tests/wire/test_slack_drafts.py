"""Slack drafts that can't become the answer: it is posted once, nothing half-done stays."""

import pytest

from bot.domain.chat import LiveReply, TextDelta
from bot.domain.messages import IncomingMessage, OutgoingMessage
from bot.errors import DeliveryError
from bot.loopback.slack import (
    Channel,
    CutAfter,
    Fault,
    Person,
    Refused,
    Reset,
    SlackPlatform,
    Status,
)
from bot.testing.slack_house import SlackHouse, slack_house

START = "A long answer starts here and grows beyond the eighty characters that are waited for. "


async def begun(house: SlackHouse) -> tuple[IncomingMessage, LiveReply]:
    """An answer to the first message that is seen to grow."""
    message = await house.next(1)
    live = house.chat.live(message.reply_to, "t1")
    live.show(TextDelta(START))
    await house.showing(lambda m: m.text == START)
    return message, live


@pytest.mark.parametrize(
    "error", ["cant_update_message", "edit_window_closed", "streaming_mode_mismatch"]
)
async def test_an_answer_whose_draft_is_refused_is_posted(
    error: str, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message, live = await begun(house_)
        slack.fail("chat.stopStream", Refused(error))
        await house_.chat.send(OutgoingMessage(message.reply_to, f"{START}End."), "k1", live)
        await live.close()
        assert [m.text for m in slack.said] == [f"{START}End."]
        assert await house_.chat.find_sent(message.reply_to, "k1") is not None


async def test_no_draft_stays_when_posting_fails_too(
    slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message, live = await begun(house_)
        slack.fail("chat.stopStream", Refused("is_archived"))
        slack.fail("chat.postMessage", Refused("is_archived"))
        with pytest.raises(DeliveryError) as refused:
            await house_.chat.send(OutgoingMessage(message.reply_to, f"{START}End."), "k1", live)
        assert not refused.value.retryable
        await live.close()
        assert slack.said == []


@pytest.mark.parametrize("method", ["chat.stopStream", "chat.delete"])
@pytest.mark.parametrize("fault", [Status(503), Reset(), CutAfter()])
async def test_a_draft_whose_removal_fails_at_first_is_removed(
    method: str, fault: Fault, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        _, live = await begun(house_)
        slack.fail(method, fault)
        await live.close()
        assert slack.said == []


async def test_a_draft_whose_start_was_not_answered_and_not_found_is_removed(
    slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message = await house_.next(1)
        live = house_.chat.live(message.reply_to, "t1")
        slack.fail("chat.startStream", CutAfter())
        slack.fail("conversations.replies", Refused("access_denied"))
        live.show(TextDelta(START))
        await slack.until(lambda: slack.said and not any(slack.faults.waiting.values()))
        await live.close()
        assert slack.said == []


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream"])
async def test_an_update_without_an_answer_is_made_again_without_another_change(
    method: str, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message = await house_.next(1)
        slack.fail(method, Reset())
        live = house_.chat.live(message.reply_to, "t1")
        live.show(TextDelta(START))
        if method == "chat.appendStream":
            await slack.until(lambda: slack.said)
            live.show(TextDelta("and more"))
        await slack.until(lambda: not any(slack.faults.waiting.values()))
        wanted = START if method == "chat.startStream" else f"{START}and more"
        await slack.until(lambda: [said.text for said in slack.said] == [wanted])
        await live.close()
