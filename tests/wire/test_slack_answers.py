"""Answers on Slack through the real SDK: each stands there once, whatever happens on the way."""

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.chat import TextDelta, TextReset, WorkShown
from bot.domain.messages import OutgoingFile, OutgoingMessage
from bot.errors import DeliveryError
from bot.loopback.slack import CutAfter, RateLimited, Refused, Reset, SlackPlatform, Status
from bot.testing.fake_clock import FakeClock
from bot.testing.slack_house import START, SlackHouse, slack_house

FAULTS = [Status(503), Reset(), CutAfter(), RateLimited(1), Refused("internal_error")]
RAIN = OutgoingFile("rain.csv", "text/csv", "b1")


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_a_post_stands_there_once(house: SlackHouse, slack: SlackPlatform, fault: Any):
    message = await house.asked()
    slack.fail("chat.postMessage", fault)
    await house.answer(message.reply_to, "Hello.")
    assert house.texts == ["Hello."]
    receipt = await house.found(message)
    assert receipt is not None
    assert receipt.message_ids == (slack.said[0].ts,)
    assert await house.found(message, "k2") is None


@pytest.mark.parametrize("direct", [True, False])
async def test_whether_an_answer_still_stands_there_is_looked_up(house: SlackHouse, direct: bool):
    message = await (house.written() if direct else house.asked())
    receipt = await house.answer(message.reply_to, "Hello.")
    assert await house.chat.shows(message.reply_to, receipt)
    channel = message.reply_to.conversation.id.partition(":")[0]
    delete = house.chat._connection.call
    await delete("chat.delete", channel=channel, ts=receipt.message_ids[-1])
    assert not await house.chat.shows(message.reply_to, receipt)


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_a_streamed_answer_stands_there_once(
    house: SlackHouse, slack: SlackPlatform, method: str, fault: Any
):
    message = await house.asked()
    slack.fail(method, fault)
    live = house.live(message, TextDelta(START))
    await slack.until(lambda: slack.log.named("chat.startStream"))
    live.show(TextDelta("More."))
    if method == "chat.appendStream":
        await slack.until(lambda: slack.log.named(method))
    await house.answer(message.reply_to, f"{START}More. The end.", live=live)
    await live.close()
    assert house.texts == [f"{START}More. The end."]
    assert await house.found(message) is not None


@pytest.mark.parametrize("when", ["in between", "at the end"])
async def test_an_expired_stream_is_saved_by_an_edit(
    house: SlackHouse, slack: SlackPlatform, when: str
):
    message = await house.asked()
    live = await house.drafted(message)
    slack.expire_streams()
    if when == "in between":
        live.show(TextDelta("Middle. "))
        await house.showing(lambda m: m.text == f"{START}Middle. ")
    await house.answer(message.reply_to, f"{START}Middle. End.", live=live)
    await live.close()
    assert house.texts == [f"{START}Middle. End."]
    assert slack.log.counts["chat.startStream"] == 1
    assert slack.log.counts["chat.postMessage"] == 0


async def test_text_that_is_taken_back_is_replaced_in_its_message(house: SlackHouse):
    message = await house.written()
    live = house.live(message, TextDelta("Let me think. "), TextReset(), TextDelta(START))
    await house.showing(lambda m: m.text == START)
    live.show(TextReset())
    live.show(TextDelta("Now I know better."))
    await house.showing(lambda m: m.text == "Now I know better.")
    await house.answer(message.reply_to, "Now I know better, and so do you.", live=live)
    await live.close()
    assert house.texts == ["Now I know better, and so do you."]


async def test_a_turn_that_waits_for_its_person_leaves_the_question_and_no_draft(
    house: SlackHouse, slack: SlackPlatform
):
    asked = house.ann.say("book a table")
    message = await house.next(1)
    live = house.live(message, WorkShown("Preparing a question"))
    await house.showing(lambda m: m.tasks)
    await house.answer(message.reply_to, "For how many?", "k:ask")
    await live.close()
    assert house.texts == ["For how many?"]
    assert slack.world.sessions[house.ann.dm.id, asked.ts].status == "suspended"


async def test_after_a_crash_only_what_is_missing_is_sent_and_old_drafts_go(slack: SlackPlatform):
    long = "\n\n".join(f"Paragraph {number} " + "word " * 100 for number in range(60))
    files = (RAIN, OutgoingFile("b.txt", "text/plain", "b2"))
    async with slack_house(slack) as before:
        message = await before.asked()
        live = await before.drafted(message)
        slack.fail("files.completeUploadExternal", Refused("file_update_failed"))
        outgoing = OutgoingMessage(message.reply_to, long, files=files)
        with pytest.raises(DeliveryError, match="file_update_failed"):
            await before.chat.send(outgoing, "k1")
        vars(live)["_pump"].cancel()  # as a kill would
    async with slack_house(slack) as after:
        assert await after.found(message) is None
        await after.chat.send(outgoing, "k1")
        again = await after.drafted(message)
        await again.close()
        assert [file.name for m in slack.said for file in m.files] == ["rain.csv", "b.txt"]
        assert "".join(after.texts) == long
        assert await after.found(message) is not None


async def test_a_file_that_was_sent_unanswered_is_not_sent_twice(
    house: SlackHouse, slack: SlackPlatform
):
    message = await house.written("the table, please")
    slack.fail("files.completeUploadExternal", CutAfter())
    await house.answer(message.reply_to, "", files=(RAIN,))
    assert [[file.name for file in m.files] for m in slack.said] == [[], ["rain.csv"]]


async def test_trouble_that_lasts_is_left_to_the_outbox(house: SlackHouse, slack: SlackPlatform):
    message = await house.written()
    for faults, again in (
        ([Status(503)] * 4, True),
        ([Refused("is_archived")], False),
        ([RateLimited(300)], True),
    ):
        slack.fail("chat.postMessage", *faults)
        with pytest.raises(DeliveryError) as caught:
            await house.answer(message.reply_to, "Hello.")
        assert caught.value.retryable is again
    tries = slack.log.counts["chat.postMessage"]
    with pytest.raises(DeliveryError, match="ratelimited"):
        await house.answer(message.reply_to, "Hello.", "k2")
    assert slack.log.counts["chat.postMessage"] == tries, "who was told to wait does not ask again"
    assert slack.said == []


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream"])
async def test_a_limit_on_streams_never_delays_an_answer(
    house: SlackHouse, slack: SlackPlatform, method: str
):
    message = await house.written()
    slack.fail(method, RateLimited(6000))
    live = house.live(message, TextDelta(START))
    await slack.until(lambda: slack.log.named("chat.startStream"))
    live.show(TextDelta("More. "))
    await slack.until(lambda: slack.log.named(method))
    await house.answer(message.reply_to, f"{START}More. End.", live=live)
    await live.close()
    assert house.texts == [f"{START}More. End."]


async def test_many_answers_at_once_stay_below_the_limits_of_slack(slack: SlackPlatform):
    slack.enforce_rates()
    people = [slack.person(f"p{letter}") for letter in "abcdefghijklmnopqrstuvwxyz"]
    async with slack_house(slack, minutes=FakeClock()) as house:
        for number, person in enumerate(people, 1):
            person.say("hello")
            await house.next(number)
        lives = [house.chat.live(message.reply_to, message.key) for message in house.heard]
        for live in lives:
            live.show(TextDelta(START))
        await slack.until(lambda: len(slack.log.named("chat.startStream")) == 15)
        for message, live in zip(house.heard, lives, strict=True):
            await house.answer(message.reply_to, f"{START}The end.", message.key, live)
            await live.close()
        assert house.texts == [f"{START}The end."] * 26
    assert {call.answer for call in slack.log.calls} == {"ok"}
    assert slack.log.counts["chat.startStream"] == 15


async def test_an_answer_that_is_sent_after_the_end_leaves_nothing_open(slack: SlackPlatform):
    async with slack_house(slack) as house:
        message = await house.written()
    await house.answer(message.reply_to, "Hello, and goodbye.")
    assert house.texts == ["Hello, and goodbye."]
    assert house.chat._connection._session is None  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("fault", [None, CutAfter()], ids=["answered", "cut"])
async def test_a_message_that_was_deleted_is_answered_in_its_channel(
    house: SlackHouse, slack: SlackPlatform, fault: Any
):
    asked = house.ann.mention("hello", house.office)
    message = await house.next(1)
    house.ann.delete(asked)
    await house.next(2)
    live = house.live(message, WorkShown("Looking after your todos"))
    await slack.until(lambda: slack.log.named("chat.startStream"))
    if fault is not None:
        slack.fail("chat.postMessage", Status(503), fault)
    await house.answer(message.reply_to, "Hello.", live=live)
    await live.close()
    assert [(m.text, m.thread_ts) for m in slack.said] == [("Hello.", None)]
    assert await house.found(message) is not None


async def test_a_stream_that_can_not_end_at_once_ends_before_its_edit(
    house: SlackHouse, slack: SlackPlatform
):
    message = await house.written()
    slack.fail("chat.appendStream", CutAfter())
    slack.fail("chat.stopStream", Status(503), RateLimited(1), CutAfter())
    live = await house.drafted(message)
    live.show(TextDelta("More. "))
    await slack.until(lambda: slack.log.named("chat.appendStream"))
    await house.answer(message.reply_to, f"{START}More. End.", live=live)
    await live.close()
    assert house.texts == [f"{START}More. End."]


async def test_a_file_for_one_persons_eyes_goes_to_their_dm(
    house: SlackHouse, slack: SlackPlatform
):
    message = await house.asked()
    target = replace(message.reply_to, ephemeral_to=house.ann.id)
    await house.answer(target, "Here it is.", files=(RAIN,))
    files = [(m.channel, file.name) for m in slack.said for file in m.files]
    assert files == [(house.ann.dm.id, "rain.csv")]
    assert [m.text for m in slack.said if m.only_for == house.ann.id] == ["Here it is."]
