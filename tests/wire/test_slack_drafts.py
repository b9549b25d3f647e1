"""Slack drafts that can't become the answer: it is posted once, nothing half-done stays."""

import pytest

from bot.domain.chat import TextDelta
from bot.errors import DeliveryError
from bot.loopback.slack import CutAfter, Fault, Refused, Reset, SlackPlatform, Status
from bot.testing.refusals import final
from bot.testing.slack_house import START, SlackHouse


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
