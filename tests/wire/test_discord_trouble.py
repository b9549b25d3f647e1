"""DiscordChat with real discord.py on loopback: faults, and what people still see."""

import asyncio
import threading
from dataclasses import replace

import pytest

from bot.domain.chat import TextDelta
from bot.errors import DeliveryError, SettingsError
from bot.loopback.discord import Fault, Options, user_rate_limit
from bot.plugins.discord_chat.examine import examine, try_canary
from bot.plugins.discord_chat.settings import PlaceSettings
from bot.testing.discord_town import EDITS, PATIENT, POSTS, Town, town
from bot.testing.http_sessions import open_sessions
from bot.testing.refusals import final, passing


@pytest.mark.parametrize(
    "fault",
    [
        Fault("POST", POSTS, status=503),
        Fault("POST", POSTS, reset=True),
        Fault("POST", POSTS, after_processing=True, times=2),
        user_rate_limit(0.01, POSTS),
        user_rate_limit(0.01, POSTS, world=True),
    ],
    ids=["503", "reset", "cut after processing", "429", "global 429"],
)
async def test_a_send_is_seen_once_whatever_breaks(made: Town, fault: Fault):
    message = await made.asked()
    made.platform.fault(fault)
    await made.answer(message, "once")
    assert made.seen(message) == ["once"]


async def test_failed_sends_say_whether_a_retry_may_help(made: Town):
    message = await made.asked()
    made.platform.fault(Fault("POST", POSTS, reset=True, times=3))
    with pytest.raises(DeliveryError, check=passing):
        await made.answer(message, "hi")
    made.thread(message).denied.add("send")
    with pytest.raises(DeliveryError, check=final):
        await made.answer(message, "hi")
    made.thread(message).denied.clear()
    made.platform.fault(user_rate_limit(0.01, POSTS, via=False))
    with pytest.raises(DeliveryError, check=passing):
        await made.answer(message, "hi")
    tried = made.posts
    with pytest.raises(DeliveryError, match="rate limited for 60 s"):
        await made.answer(message, "hi")
    assert tried == made.posts, "who is banned does not ask again meanwhile"


async def test_after_a_crash_a_send_is_found_by_its_nonce(made: Town):
    message = await made.asked()
    assert await made.found(message) is None
    receipt = await made.answer(message, "done")
    found = await made.found(message)
    assert found is not None
    assert (found.message_ids, found.conversation) == (receipt.message_ids, receipt.conversation)
    assert await made.found(message, "t1/send:other") is None


async def test_whether_an_answer_still_stands_there_is_looked_up_by_its_id(made: Town):
    message = await made.asked()
    receipt = await made.answer(message, "done")
    assert await made.chat.shows(message.reply_to, receipt)
    await made.chat._rest().delete(receipt.conversation, receipt.message_ids[-1])
    assert not await made.chat.shows(message.reply_to, receipt)
    made.platform.fault(Fault("GET", EDITS, reset=True, times=9))
    with pytest.raises(DeliveryError):
        await made.chat.shows(message.reply_to, receipt)


async def test_a_finished_draft_is_found_and_an_abandoned_one_is_the_answer(quick: Town):
    message = await quick.asked()
    for turn in ("t1", "t2"):
        live = quick.chat.live(message.reply_to, turn)
        live.show(TextDelta("so far"))
        await quick.platform.until(lambda turn=turn: quick.posts == int(turn[1]))
        if turn == "t1":
            await quick.answer(message, "one", "t1/send:answer", live)
            assert await quick.found(message) is not None
    # the process is gone while t2 still shows its draft
    assert await quick.found(message, "t2/send:answer") is None
    await quick.answer(message, "two", "t2/send:answer")
    assert quick.seen(message) == ["one", "two"]


async def test_a_replayed_turn_that_answers_at_once_takes_over_the_old_draft(quick: Town):
    message = await quick.asked()
    await quick.drafted(message)
    quick.chat._drafts["t1"] = 0  # as a new process counts
    quick.chat._stage = replace(quick.chat._stage, pace=PATIENT)
    await quick.answer(message, "done", live=quick.live(message))
    assert quick.seen(message) == ["done"]


async def test_a_lost_session_is_caught_up_with(made: Town):
    await made.asked("before")
    with made.gap():
        made.ann.say(made.general, "in the gap", mention=True)
    message = await made.heard(2)
    assert (message.text, message.sender.platform_roles) == ("in the gap", (str(made.team.id),))


async def test_a_canary_is_posted_heard_and_deleted_beside_a_running_bellhop(made: Town):
    settings, token = made.chat._settings, made.platform.options.token
    found = await try_canary(settings, token, str(made.general.id))
    assert (found.state, made.general.texts) == ("ok", [])
    made.general.denied.add("send")
    refused = await try_canary(settings, token, str(made.general.id))
    assert (refused.state, "could not post" in refused.text) == ("error", True)
    made.general.denied.clear()
    made.platform.gateway.drop_events = 100
    unheard = await try_canary(settings, token, str(made.general.id), longest_s=3.0)
    assert (unheard.state, made.general.texts) == ("error", [])


async def test_a_malformed_event_is_skipped_and_the_client_goes_on(made: Town):
    await made.asked("before")
    made.platform.gateway.malformed()
    made.ann.say(made.general, "after", mention=True)
    await made.heard(2)
    assert made.inbox.texts == ["before", "after"]
    assert (made.failures, made.chat.unreadable.count) == ([], 0)  # no message that somebody wrote


async def test_an_unreadable_session_start_restarts_the_client_without_loss(made: Town):
    await made.asked("before")
    made.platform.gateway.malformed("READY")
    await made.platform.until(lambda: made.failures)
    assert "could not be read" in str(made.failures[0])
    made.ann.say(made.general, "after", mention=True)
    await made.heard(2)
    assert made.inbox.texts == ["before", "after"]


async def test_an_unreachable_gateway_or_refused_login_ends_with_a_reason():
    async with town(online=False) as made:
        made.platform.gateway.refuse_connections = 1
        made.platform.fault(Fault("GET", "/users/@me", status=503))
        await made.platform.until(lambda: len(made.failures) == 2)
        assert "refused the login with status 503" in str(made.failures[0])
        assert "cannot be reached" in str(made.failures[1])
        await made.platform.ready()


@pytest.mark.parametrize("reason", ["DISCORD_TOKEN", "MESSAGE CONTENT"])
async def test_operators_are_told_what_to_change(reason: str):
    async with town(online=False) as made:
        if reason == "DISCORD_TOKEN":
            made.chat._token = "wrong"
        else:
            made.platform.gateway.allowed_intents = 0
        await made.platform.until(lambda: made.failures)
        assert isinstance(made.failures[0], SettingsError)
        assert reason in str(made.failures[0])


async def test_before_it_is_connected_sends_are_to_be_tried_later(made: Town):
    message = await made.asked()
    made.chat._token = "revoked"
    made.platform.gateway.malformed("READY")
    await made.platform.until(lambda: len(made.failures) == 2)
    with pytest.raises(DeliveryError, match="not connected", check=passing):
        await made.answer(message, "hi")


async def test_a_message_deleted_before_its_answer_is_answered_in_the_channel(made: Town):
    message = await made.asked()
    made.ann.delete(made.general.messages[int(message.conversation.id)])
    await made.answer(message, "here")
    answer = made.ann.sees(made.general)[0]
    assert (answer.content, answer.reply_to) == ("here", None)


async def test_a_thread_that_was_deleted_is_replaced_by_a_reply(made: Town):
    message = await made.asked()
    await made.answer(message, "first")
    del made.platform.world.channels[int(message.conversation.id)]
    await made.answer(message, "second", "t1/send:2")
    assert [str(sent.reply_to) for sent in made.ann.sees(made.general)] == [message.conversation.id]


async def test_a_draft_that_somebody_deleted_is_posted_anew(quick: Town):
    message = await quick.asked()
    live = await quick.drafted(message)
    quick.ann.delete(quick.ann.sees(quick.thread(message))[0])
    await quick.answer(message, "done", live=live)
    await live.close()
    assert quick.seen(message) == ["done"]


async def test_a_draft_goes_when_its_answer_cannot_be_sent(quick: Town):
    message = await quick.asked()
    live = await quick.drafted(message)
    quick.platform.fault(Fault("PATCH", EDITS, status=503, times=3))
    with pytest.raises(DeliveryError):
        await quick.answer(message, "done", live=live)
    await live.close()
    assert quick.seen(message) == []


async def test_nobody_who_is_not_recorded_is_left_without_a_word(made: Town):
    made.inbox.broken = 2
    made.ann.say(made.general, "hello", mention=True)
    await made.platform.until(lambda: made.ann.sees(made.general))
    made.inbox.broken = 2
    made.ann.slash(made.general, "status")
    await made.platform.until(lambda: len(made.ann.sees(made.general)) == 2)
    told = made.ann.sees(made.general)
    await made.platform.until(lambda: told[1].content)
    assert [sent.content.startswith("I could not record") for sent in told] == [True, True]
    assert made.inbox.messages == []


async def test_an_unanswered_command_does_not_show_a_waiting_mark_for_ever(made: Town):
    made.inbox.refuse = True
    made.ann.slash(made.general, "status")
    await made.platform.until(lambda: made.platform.log.count("DELETE", r"/webhooks/.*"))
    await made.platform.until(lambda: not made.ann.sees(made.general))
    made.chat._settings.channels[str(made.general.id)] = PlaceSettings(answer="off")
    made.ann.slash(made.general, "status")
    await made.platform.until(lambda: made.platform.log.count("DELETE", r"/webhooks/.*") == 2)


async def test_missed_messages_precede_new_ones(made: Town):
    await made.asked("before")
    gateway = made.platform.gateway
    gateway.refuse_resume = True
    gateway.drop_events = 2
    made.ann.say(made.general, "missed 1")
    made.ann.say(made.general, "missed 2")
    readies = made.platform.log.opcodes().count(2)
    gateway.abort()
    await made.platform.until(lambda: made.platform.log.opcodes().count(2) > readies)
    made.ann.say(made.general, "now")
    await made.heard(4)
    assert made.inbox.texts == ["before", "missed 1", "missed 2", "now"]


async def test_an_account_says_what_is_missing_and_how_to_get_it(made: Town):
    settings, token = made.chat._settings, made.platform.options.token
    well = await examine(settings, token)
    assert {one.state for one in well} == {"ok"}
    assert well[0].text.startswith("@bellhop")
    assert well[-1].text == "Home"
    made.platform.payloads.application_flags = 0
    made.platform.world.guilds.clear()
    _, content, invite = await examine(settings, token)
    assert "switch on MESSAGE CONTENT INTENT" in content.text
    assert f"client_id={made.platform.world.bot.id}" in invite.text
    (wrong,) = await examine(settings, "wrong")
    assert "DISCORD_TOKEN" in wrong.text


async def test_after_an_outage_a_send_is_found_by_its_words_without_a_nonce():
    async with town(options=Options(history_nonces=False)) as made:
        message = await made.asked()
        long_text = "\n\n".join(f"{number} {'word ' * 150}" for number in range(6))
        await made.answer(message, long_text)
        made.platform.forget_nonces()
        assert await made.found(message) is None
        await made.answer(message, long_text)
        assert len(made.seen(message)) == 3
        made.ann.delete(made.ann.sees(made.thread(message))[-1])
        assert await made.found(message) is None
        await made.answer(message, long_text)
        assert len(made.seen(message)) == 3
        await made.answer(message, long_text, "t2/send:answer")  # a send of its own
        assert len(made.seen(message)) == 6


async def test_the_same_words_to_somebody_else_are_another_answer():
    async with town(options=Options(history_nonces=False), threads="off") as made:
        first = await made.asked()
        second = await made.asked(who=made.bob)
        await made.answer(second, "Hello.", "t2/send:answer")
        made.platform.forget_nonces()
        assert await made.found(first) is None
        await made.answer(first, "Hello.")
        assert [sent.content for sent in made.ann.sees(made.general)] == ["Hello.", "Hello."]


async def test_a_thread_that_is_already_there_is_as_good_as_a_new_one(made: Town):
    message = await made.asked()
    thread = made.ann.start_thread(made.general.messages[int(message.conversation.id)], "Ann's own")
    await made.answer(message, "here")
    assert thread.texts == ["here"]
    assert [refused.split("(")[1][:6] for refused in made.platform.refusals] == ["160004"]


@pytest.mark.parametrize("turns", range(1, 6))
async def test_a_client_that_is_cancelled_while_it_closes_leaves_nothing_open(turns: int):
    """A supervisor cancels again if the gateway says goodbye too slowly."""
    before = open_sessions()
    async with town() as made:
        made.running.cancel()
        for _ in range(turns):
            await asyncio.sleep(0)
        made.running.cancel()
        await asyncio.wait({made.running})
        assert [one for one in open_sessions() if one not in before] == []
        for one in threading.enumerate():
            if one.name.startswith("keep-alive"):
                await asyncio.to_thread(one.join, 10.0)
                assert not one.is_alive()
