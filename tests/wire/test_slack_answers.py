"""Answers on Slack through the real SDK: each stands there once, whatever happens on the way."""

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.chat import TextDelta, TextReset, WorkShown
from bot.domain.messages import OutgoingFile, OutgoingMessage
from bot.errors import DeliveryError
from bot.loopback.slack import (
    Channel,
    CutAfter,
    Person,
    RateLimited,
    Refused,
    Reset,
    SlackPlatform,
    Status,
)
from bot.testing.slack_house import SlackHouse, slack_house

# --- each answer once ---

FAULTS = [Status(503), Reset(), CutAfter(), RateLimited(1), Refused("internal_error")]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_a_post_stands_there_once(
    fault: Any, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message = await house_.next(1)
        slack.fail("chat.postMessage", fault)
        await house_.answer(message.reply_to, "Hello.")
        assert [m.text for m in slack.said] == ["Hello."]
        receipt = await house_.chat.find_sent(message.reply_to, "k1")
        assert receipt is not None
        assert receipt.message_ids == (slack.said[0].ts,)
        assert await house_.chat.find_sent(message.reply_to, "k2") is None


@pytest.mark.parametrize("direct", [True, False])
async def test_whether_an_answer_still_stands_there_is_looked_up(
    direct: bool, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        _ = ann.say("hello") if direct else ann.mention("hello", office)
        message = await house_.next(1)
        receipt = await house_.chat.send(OutgoingMessage(message.reply_to, "Hello."), "k1")
        assert await house_.chat.shows(message.reply_to, receipt)
        channel = message.reply_to.conversation.id.partition(":")[0]
        await house_.chat._connection.call(
            "chat.delete", channel=channel, ts=receipt.message_ids[-1]
        )
        assert not await house_.chat.shows(message.reply_to, receipt)


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream", "chat.stopStream"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: type(fault).__name__)
async def test_a_streamed_answer_stands_there_once(
    method: str, fault: Any, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message = await house_.next(1)
        live = house_.chat.live(message.reply_to, "t1")
        slack.fail(method, fault)
        text = (
            "So it begins, and it goes on for quite a while until it is long enough to be shown. "
        )
        live.show(TextDelta(text))
        await slack.until(lambda: slack.log.named("chat.startStream"))
        live.show(TextDelta("More."))
        if method == "chat.appendStream":
            await slack.until(lambda: slack.log.named(method))
        await house_.chat.send(
            OutgoingMessage(message.reply_to, f"{text}More. The end."), "k1", live
        )
        await live.close()
        assert [m.text for m in slack.said] == [f"{text}More. The end."]
        assert await house_.chat.find_sent(message.reply_to, "k1") is not None


@pytest.mark.parametrize("when", ["in between", "at the end"])
async def test_an_expired_stream_is_saved_by_an_edit(
    when: str, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message = await house_.next(1)
        live = house_.chat.live(message.reply_to, "t1")
        start = (
            "A long answer starts here and grows beyond the eighty characters that are waited for. "
        )
        live.show(TextDelta(start))
        await house_.showing(lambda m: m.text == start)
        slack.expire_streams()
        if when == "in between":
            live.show(TextDelta("Middle. "))
            await house_.showing(lambda m: m.text == f"{start}Middle. ")
        await house_.chat.send(
            OutgoingMessage(message.reply_to, f"{start}Middle. End."), "k1", live
        )
        await live.close()
        assert [m.text for m in slack.said] == [f"{start}Middle. End."]
        assert slack.log.counts["chat.startStream"] == 1
        assert slack.log.counts["chat.postMessage"] == 0


async def test_text_that_is_taken_back_is_replaced_in_its_message(
    slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house_:
        ann.say("hello")
        message = await house_.next(1)
        live = house_.chat.live(message.reply_to, "t1")
        live.show(TextDelta("Let me think. "))
        live.show(TextReset())
        live.show(
            TextDelta(
                "First I believed that it would be enough to write something of some length here. "
            )
        )
        await house_.showing(lambda m: m.text.startswith("First"))
        live.show(TextReset())
        live.show(TextDelta("Now I know better."))
        await house_.showing(lambda m: m.text == "Now I know better.")
        await house_.chat.send(
            OutgoingMessage(message.reply_to, "Now I know better, and so do you."), "k1", live
        )
        await live.close()
        assert [m.text for m in slack.said] == ["Now I know better, and so do you."]


async def test_a_turn_that_waits_for_its_person_leaves_the_question_and_no_draft(
    slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house_:
        asked = ann.say("book a table")
        message = await house_.next(1)
        live = house_.chat.live(message.reply_to, "t1")
        live.show(WorkShown("Preparing a question"))
        await house_.showing(lambda m: m.tasks)
        await house_.answer(message.reply_to, "For how many?", "k:ask")
        await live.close()
        assert [m.text for m in slack.said] == ["For how many?"]
        assert slack.world.sessions[ann.dm.id, asked.ts].status == "suspended"


async def test_after_a_crash_only_what_is_missing_is_sent_and_old_drafts_go(
    slack: SlackPlatform, ann: Person, office: Channel
):
    long = "\n\n".join(f"Paragraph {number} " + "word " * 100 for number in range(60))
    files = (OutgoingFile("a.csv", "text/csv", "b1"), OutgoingFile("b.txt", "text/plain", "b2"))
    async with slack_house(slack) as before:
        ann.mention("hello", office)
        message = await before.next(1)
        live = before.chat.live(message.reply_to, "t1")
        live.show(
            TextDelta(
                "A draft that nobody finishes, because the process is gone before it can be done. "
            )
        )
        await before.showing(lambda m: m.text.startswith("A draft"))
        slack.fail("files.completeUploadExternal", Refused("file_update_failed"))
        outgoing = OutgoingMessage(message.reply_to, long, files=files)
        with pytest.raises(DeliveryError, match="file_update_failed"):
            await before.chat.send(outgoing, "k1")
        live._pump.cancel()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]  # as a kill would
    async with slack_house(slack) as after:
        assert await after.chat.find_sent(message.reply_to, "k1") is None
        await after.chat.send(outgoing, "k1")
        again = after.chat.live(message.reply_to, "t1")
        again.show(
            TextDelta(
                "Another draft that is long enough to be shown, so that the old one has to go "
                "away. "
            )
        )
        await after.showing(lambda m: m.text.startswith("Another"))
        await again.close()
        assert [file.name for m in slack.said for file in m.files] == ["a.csv", "b.txt"]
        assert "".join(m.text for m in slack.said) == long
        assert await after.chat.find_sent(message.reply_to, "k1") is not None


async def test_a_file_that_was_sent_unanswered_is_not_sent_twice(slack: SlackPlatform, ann: Person):
    async with slack_house(slack) as house_:
        ann.say("the table, please")
        message = await house_.next(1)
        slack.fail("files.completeUploadExternal", CutAfter())
        await house_.answer(
            message.reply_to, "", files=(OutgoingFile("rain.csv", "text/csv", "b1"),)
        )
        assert [[file.name for file in m.files] for m in slack.said] == [[], ["rain.csv"]]


async def test_trouble_that_lasts_is_left_to_the_outbox(slack: SlackPlatform, ann: Person):
    async with slack_house(slack) as house_:
        ann.say("hello")
        message = await house_.next(1)
        for faults, again in (
            ([Status(503)] * 4, True),
            ([Refused("is_archived")], False),
            ([RateLimited(300)], True),
        ):
            slack.fail("chat.postMessage", *faults)
            with pytest.raises(DeliveryError) as caught:
                await house_.answer(message.reply_to, "Hello.")
            assert caught.value.retryable is again
        tries = slack.log.counts["chat.postMessage"]
        with pytest.raises(DeliveryError, match="ratelimited"):
            await house_.answer(message.reply_to, "Hello.", "k2")
        assert (
            slack.log.counts["chat.postMessage"] == tries
        )  # who was told to wait does not ask again
        assert slack.said == []


@pytest.mark.parametrize("method", ["chat.startStream", "chat.appendStream"])
async def test_a_limit_on_streams_never_delays_an_answer(
    method: str, slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house_:
        ann.say("hello")
        message = await house_.next(1)
        slack.fail(method, RateLimited(6000))
        live = house_.chat.live(message.reply_to, "t1")
        text = (
            "A text that is long enough to be shown before it is finished, and a little more of "
            "it. "
        )
        live.show(TextDelta(text))
        await slack.until(lambda: slack.log.named("chat.startStream"))
        live.show(TextDelta("More. "))
        await slack.until(lambda: slack.log.named(method))
        await house_.chat.send(OutgoingMessage(message.reply_to, f"{text}More. End."), "k1", live)
        await live.close()
        assert [m.text for m in slack.said] == [f"{text}More. End."]


async def test_many_answers_at_once_stay_below_the_limits_of_slack(slack: SlackPlatform):
    slack.enforce_rates()
    text = (
        "An answer that is long enough to be streamed, if there were not so many others just now. "
    )
    async with slack_house(slack) as house_:
        people = [slack.person(f"p{letter}") for letter in "abcdefghijklmnopqrstuvwxyz"]
        for number, person in enumerate(people, 1):
            person.say("hello")
            await house_.next(number)
        lives = [house_.chat.live(message.reply_to, message.key) for message in house_.heard]
        for live in lives:
            live.show(TextDelta(text))
        await slack.until(lambda: len(slack.log.named("chat.startStream")) == 15)
        for message, live in zip(house_.heard, lives, strict=True):
            await house_.chat.send(
                OutgoingMessage(message.reply_to, f"{text}The end."), message.key, live
            )
            await live.close()
        assert [m.text for m in slack.said] == [f"{text}The end."] * 26
        assert {call.answer for call in slack.log.calls} == {"ok"}
        assert slack.log.counts["chat.startStream"] == 15


async def test_an_answer_that_is_sent_after_the_end_leaves_nothing_open(
    slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house_:
        ann.say("hello")
        message = await house_.next(1)
    await house_.answer(message.reply_to, "Hello, and goodbye.")
    assert [m.text for m in slack.said] == ["Hello, and goodbye."]
    assert house_.chat._connection._session is None  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("fault", [None, CutAfter()], ids=["answered", "cut"])
async def test_a_message_that_was_deleted_is_answered_in_its_channel(
    fault: Any, slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        asked = ann.mention("hello", office)
        message = await house_.next(1)
        ann.delete(asked)
        await house_.next(2)
        live = house_.chat.live(message.reply_to, "t1")
        live.show(WorkShown("Looking after your todos"))
        await slack.until(lambda: slack.log.named("chat.startStream"))
        if fault is not None:
            slack.fail("chat.postMessage", Status(503), fault)
        await house_.chat.send(OutgoingMessage(message.reply_to, "Hello."), "k1", live)
        await live.close()
        assert [(m.text, m.thread_ts) for m in slack.said] == [("Hello.", None)]
        assert await house_.chat.find_sent(message.reply_to, "k1") is not None


async def test_a_stream_that_can_not_end_at_once_ends_before_its_edit(
    slack: SlackPlatform, ann: Person
):
    async with slack_house(slack) as house_:
        ann.say("hello")
        message = await house_.next(1)
        live = house_.chat.live(message.reply_to, "t1")
        slack.fail("chat.appendStream", CutAfter())
        slack.fail("chat.stopStream", Status(503), RateLimited(1), CutAfter())
        text = (
            "This text is long enough to be streamed, and what is appended to it is never "
            "answered. "
        )
        live.show(TextDelta(text))
        await showing_text(house_, text)
        live.show(TextDelta("More. "))
        await slack.until(lambda: slack.log.named("chat.appendStream"))
        await house_.chat.send(OutgoingMessage(message.reply_to, f"{text}More. End."), "k1", live)
        await live.close()
        assert [m.text for m in slack.said] == [f"{text}More. End."]


async def showing_text(house_: SlackHouse, text: str) -> None:
    await house_.showing(lambda m: m.text == text)


async def test_a_file_for_one_persons_eyes_goes_to_their_dm(
    slack: SlackPlatform, ann: Person, office: Channel
):
    async with slack_house(slack) as house_:
        ann.mention("hello", office)
        message = await house_.next(1)
        target = replace(message.reply_to, ephemeral_to=ann.id)
        await house_.answer(
            target, "Here it is.", files=(OutgoingFile("rain.csv", "text/csv", "b1"),)
        )
        files = [(m.channel, file.name) for m in slack.said for file in m.files]
        assert files == [(ann.dm.id, "rain.csv")]
        assert [m.text for m in slack.said if m.only_for == ann.id] == ["Here it is."]
