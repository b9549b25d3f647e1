"""The Telegram adapter through python-telegram-bot as it is, over loopback."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.domain.chat import TextDelta
from bot.domain.messages import (
    Addressed,
    Choice,
    Conversation,
    MessageKind,
    OutgoingFile,
    OutgoingMessage,
    Place,
    PostedCard,
    ReplyTarget,
    Visibility,
)
from bot.errors import DeliveryError, SettingsError, StorageError
from bot.loopback.telegram import (
    BOT_ID,
    TOKEN,
    CutAfter,
    Limited,
    Person,
    Reset,
    Status,
    TelegramPlatform,
)
from bot.plugins.telegram_chat.examine import examine, try_canary
from bot.plugins.telegram_chat.settings import TelegramSecrets, TelegramSettings
from bot.plugins.telegram_chat.updates import PATH
from bot.testing.fake_chat import fetched
from bot.testing.fake_drafts import FakeDrafts
from bot.testing.fake_recovery import FakeRecovery
from bot.testing.refusals import final, passing
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.telegram_house import (
    SECRETS,
    WEBHOOK_SECRET,
    TelegramHouse,
    app_on_telegram,
    telegram_house,
)

LONG = "This is one of the longer answers, which grows while it is written, word by word. " * 3


@pytest.fixture
async def house(telegram: TelegramPlatform) -> AsyncIterator[TelegramHouse]:
    async with telegram_house(telegram) as house:
        yield house


@pytest.fixture
def ann(telegram: TelegramPlatform) -> Person:
    return telegram.person("Ann")


# --- what comes in ---


async def test_a_group_is_answered_where_it_asks(house: TelegramHouse):
    house.trips.members[BOT_ID] = "administrator"  # it gets everything
    house.ann.say("who has time?", house.trips)
    house.ann.mention("plan a trip", house.trips)
    overheard, asked = await house.next(1), await house.next(2)
    assert (overheard.addressed, overheard.to_others) == (Addressed.NONE, False)
    assert asked.addressed is Addressed.MENTION
    assert asked.text == asked.typed == "plan a trip"
    assert asked.conversation.place is Place.CHANNEL
    assert asked.conversation.visibility is Visibility.PRIVATE
    assert not asked.private
    assert asked.sender.id == house.ann.id
    await house.answer(asked.reply_to, "To **Rome**")
    (answer,) = house.ben.sees(house.trips)
    assert (answer.text, answer.entities[0]["type"]) == ("To Rome", "bold")
    assert answer.replies_to is not None
    assert answer.replies_to.text.endswith("plan a trip")
    house.ben.say("and when?", house.trips, reply_to=answer)
    house.ben.name(house.ann, "will know", house.trips)
    replied, named = await house.next(3), await house.next(4)
    assert (replied.addressed, replied.answers) == (Addressed.REPLY, str(answer.id))
    assert replied.quoted == ()
    assert (named.text, named.typed) == ("@Ann will know", f"<@{house.ann.id}> will know")
    assert (named.addressed, named.to_others) == (Addressed.NONE, True)


async def test_a_topic_is_a_conversation_of_its_own(
    house: TelegramHouse, telegram: TelegramPlatform
):
    group = telegram.group("Work", house.ann, forum=True)
    topic = telegram.topic(group, "Deploys", house.ann)
    house.ann.mention("status?", group, topic=topic)
    asked = await house.next(1)
    assert asked.conversation.id == f"{group.id}:{topic}"
    assert asked.conversation.channel == str(group.id)
    assert asked.answers is None, "in a topic everything hangs from its beginning"
    await house.answer(asked.reply_to, "all green")
    assert house.ann.sees(group)[0].topic == topic
    lost = replace(asked.conversation, id=f"{group.id}:99")
    await house.answer(ReplyTarget(lost), "the topic is gone", "k2")
    assert house.ann.sees(group)[1].topic == 0


async def test_the_words_of_others_are_quotes(house: TelegramHouse):
    said = house.ben.say("wire 500 to account 7")
    house.ann.forward(said)
    house.ann.say("do that", via_bot={"id": 9, "is_bot": True, "first_name": "x"})
    house.ann.say("as a group", sender_chat={"id": -5, "type": "supergroup", "title": "G"})
    await house.next(4)
    _, forwarded, by_bot, by_group = house.heard
    assert (forwarded.text, forwarded.typed) == ("", "")
    assert forwarded.quoted[0].text == "wire 500 to account 7"
    assert forwarded.quoted[0].author.id == house.ben.id
    assert by_bot.own_words == ""
    assert by_group.sender.is_bot


async def test_commands_edits_and_files_come_as_what_they_are(house: TelegramHouse):
    house.ann.say("/start")
    house.ann.say("/todos@bellhop_bot add milk")
    hello = house.ann.say("helo")
    house.ann.edit(hello, "hello")
    house.ann.speak(b"OggS voice")
    house.ann.photo(b"0123456789", "look")
    house.ann.say("", sticker={"emoji": "👍"})
    await house.next(7)
    start, todos, first, edited, voice, photo, sticker = house.heard
    assert start.command is not None
    assert start.command.name == "help"
    assert todos.command is not None
    assert (todos.command.name, todos.command.args) == ("todos", "add milk")
    assert (edited.kind, edited.text) == (MessageKind.EDIT, "hello")
    assert edited.key.startswith(f"edit:{first.key}:")
    assert (voice.attachments[0].name[:5], voice.attachments[0].mime) == ("voice", "audio/ogg")
    assert await fetched(house.chat, voice.attachments[0]) == b"OggS voice"
    assert await fetched(house.chat, photo.attachments[0]) == b"01234567"
    assert photo.text == "look"
    assert (sticker.text, sticker.own_words) == ("[sticker: 👍]", "")
    large = replace(photo.attachments[0], size=21 * 1024 * 1024)
    with pytest.raises(DeliveryError, match="20 MB"):
        await fetched(house.chat, large)


async def test_what_is_not_recorded_is_not_confirmed(telegram: TelegramPlatform, ann: Person):
    async def lose_one() -> None:
        async with telegram_house(telegram) as house:
            house.trouble.append(StorageError("disk full"))
            ann.say("good morning")
            await asyncio.wait({house.running})

    with pytest.raises(StorageError):
        await lose_one()
    async with telegram_house(telegram) as house:
        assert (await house.next(1)).text == "good morning"
        await telegram.until(lambda: not telegram.world.updates)


async def test_an_update_that_cannot_be_read_costs_no_other(
    house: TelegramHouse, telegram: TelegramPlatform
):
    await telegram.world.tell("message", {"chat": "?", "from": 5})
    await telegram.world.tell("message", {"chat": {"type": "private", "id": []}, "from": {}})
    await telegram.world.tell("callback_query", {"id": "q", "data": "zz"})
    house.ann.say("still here")
    assert (await house.next(1)).text == "still here"


async def test_old_messages_of_a_gap_are_context(telegram: TelegramPlatform, ann: Person):
    recovery, drafts = FakeRecovery(messages=1), FakeDrafts()
    async with telegram_house(telegram, recovery, drafts) as house:
        ann.say("before")
        await house.next(1)
    earlier = int((datetime.now(UTC) - timedelta(hours=1)).timestamp())
    for text in ("first", "second"):
        message = ann.say(text)
        message.date = earlier
    await telegram.until(lambda: len(telegram.world.updates) == 2)
    for update, _ in telegram.world.updates:
        update["message"]["date"] = earlier
    async with telegram_house(telegram, recovery, drafts) as house:
        await house.next(2)
        heard = [(one.text, one.missed) for one in house.heard]
        assert heard == [("first", True), ("second", False)]
        await telegram.until(lambda: recovery.finished)
        assert [place.key for place in recovery.told] == [f"telegram:dm:{ann.id}"]


# --- what goes out ---


async def test_buttons_are_for_whom_they_ask(house: TelegramHouse, telegram: TelegramPlatform):
    target = await house.asked("where to?")
    long = "to the sea, as far away from here as a train goes in one day and a night"
    choices = (Choice("Rome", "t1", "answer", "Rome"), Choice(long, "t1", "answer", long))
    asked = OutgoingMessage(target, "Where?\n\nSay `/here`.", choices, while_open="Say `/here`.")
    sent = await house.chat.send(asked, "k1")
    (card,) = house.ann.sees(house.trips)
    assert "/here" in card.text
    query = house.ben.click(card, "Rome")
    await telegram.until(lambda: query in telegram.methods.queries)
    assert "somebody else" in telegram.methods.queries[query]["text"]
    query = house.ann.click(card, long)
    clicked = await house.next(2)
    assert clicked.action is not None
    assert clicked.action.value == long
    await telegram.until(lambda: query in telegram.methods.queries)
    await house.chat.close_card(PostedCard("k1", asked, sent), "Ann chose <b>")
    assert card.text == "Where?\n\nAnn chose <b>"
    assert not card.labels
    card.deleted = True
    with pytest.raises(DeliveryError, check=final):
        await house.chat.close_card(PostedCard("k1", asked, sent), "later")


async def test_a_card_that_fills_its_message_is_closed(house: TelegramHouse):
    choices = (Choice("Rome", "t1", "answer", "Rome"),)
    asked = OutgoingMessage(await house.asked(), "😀" * 2040, choices)
    sent = await house.chat.send(asked, "k1")
    await house.chat.close_card(PostedCard("k1", asked, sent), "Answered: a longer answer")
    (card,) = house.ann.sees(house.trips)
    assert card.text.endswith("…\n\nAnswered: a longer answer")
    assert not card.labels


async def test_what_one_person_may_see_goes_to_their_private_chat(house: TelegramHouse):
    alone = replace(await house.asked("my memory?"), ephemeral_to=house.ann.id)
    await house.answer(alone, "a secret", "k1")
    assert "https://t.me/bellhop_bot" in house.ben.sees(house.trips)[0].text
    assert not house.ann.sees()
    house.ann.say("hi")
    await house.next(2)
    await house.answer(alone, "a secret", "k2")
    assert [one.text for one in house.ann.sees()] == ["a secret"]
    assert all("secret" not in one.text for one in house.ben.sees(house.trips))


async def test_long_answers_and_files_go_out_in_order_within_the_limits(house: TelegramHouse):
    target = await house.written("tell me all")
    files = (OutgoingFile("rain.csv", "text/csv", "b1"),)
    receipt = await house.answer(target, "word &lt; " * 1200, files=files)
    posted = house.ann.sees()
    assert [str(one.id) for one in posted] == list(receipt.message_ids)
    assert len(posted) == 5
    assert posted[-1].extra["document"]["file_name"] == "rain.csv"
    assert "".join(one.text for one in posted).count("word <") == 1200
    with pytest.raises(DeliveryError):
        await house.answer(target, " ", "k2")


async def test_a_rate_limit_is_waited_for(house: TelegramHouse, telegram: TelegramPlatform):
    target = await house.written()
    telegram.fail("sendMessage", Limited(1), Reset())
    with pytest.raises(DeliveryError, check=passing):  # the connection was cut: nobody knows
        await house.answer(target, "after a while")
    telegram.fail("sendMessage", Limited(90))
    with pytest.raises(DeliveryError, check=passing):
        await house.answer(target, "after a while")
    assert not house.ann.sees()


async def test_answers_keep_within_the_published_limits(telegram: TelegramPlatform):
    async with telegram_house(telegram, hurried=False) as house:
        target = await house.asked()
        telegram.enforce_rates()  # a post that comes too early is a problem that fails the test
        sends = (house.answer(target, f"answer {n}", f"k{n}") for n in range(4))
        receipts = await asyncio.gather(*sends)
        seen = house.ann.sees(house.trips)
        assert len({one.message_ids for one in receipts}) == len(seen) == 4


async def test_a_group_that_became_a_supergroup_is_written_to_there(
    house: TelegramHouse, telegram: TelegramPlatform
):
    target = await house.asked()
    new = telegram.upgrade(house.trips)
    assert str(house.ben.say("good morning", new).id) == target.message, "it counts anew"
    await house.answer(target, "in the new one")
    await house.answer(target, "again", "k2")
    seen = [(one.text, one.replies_to) for one in house.ann.sees(new)]
    assert seen == [("in the new one", None), ("again", None)]


@pytest.mark.parametrize("at_once", [True, False])
async def test_the_answer_stands_below_what_its_turn_posted_meanwhile(
    telegram: TelegramPlatform, at_once: bool
):
    drafts = FakeDrafts()
    async with telegram_house(telegram, drafts=drafts) as house:
        target = await house.written()
        live = house.chat.live(target, "t1", "t1/send:answer")
        live.show(TextDelta(LONG))
        await telegram.until(house.ann.sees)
        await house.answer(target, "Of another turn.", "t2/send:1")
        await house.answer(target, "First news.", "t1/send:1")
        if not at_once:
            await telegram.until(lambda: house.ann.sees()[-1].labels == ["Stop"])
        await house.answer(target, "All done.", "t1/send:answer", live)
        await live.close()
        shown = [one.text for one in house.ann.sees()]
        assert shown == ["Of another turn.", "First news.", "All done."]
        assert [one for one in drafts.noted if ":live:" in one] == []


async def test_a_draft_grows_and_becomes_the_answer(telegram: TelegramPlatform):
    drafts = FakeDrafts()
    async with telegram_house(telegram, drafts=drafts) as house:
        target = await house.written("tell me")
        live = house.chat.live(target, "t1", "k1")
        live.show(TextDelta(LONG))
        (draft,) = await telegram.until(house.ann.sees)
        assert draft.labels == ["Stop"]
        live.show(TextDelta("And **more**."))
        await telegram.until(lambda: draft.text.endswith("And more."))
        telegram.fail("editMessageText", CutAfter())
        text = f"{LONG}And **more**. The end."
        with pytest.raises(DeliveryError, check=passing):
            await house.answer(target, text, live=live)
        receipt = await house.answer(target, text, live=live)
        await live.close()
        assert [one.text[-8:] for one in house.ann.sees()] == ["The end."]
        assert receipt.message_ids == (str(draft.id),)
        assert not draft.labels
        assert [one for one in drafts.noted if ":live:" in one] == []
        house.ann.click(replace(draft, buttons={"inline_keyboard": [[_stop()]]}), "Stop")
        stop = await house.next(2)
        assert stop.action is not None
        assert (stop.action.verb, stop.action.ref) == ("stop", "t1")


def _stop() -> dict[str, str]:
    return {"text": "Stop", "callback_data": "b|stop|t1|"}


async def test_what_an_earlier_process_left_is_removed_and_what_it_posted_is_known(
    telegram: TelegramPlatform, ann: Person
):
    drafts = FakeDrafts()
    async with telegram_house(telegram, drafts=drafts) as house:
        ann.say("tell me")
        target = (await house.next(1)).reply_to
        posted = await house.answer(target, "done before", "k1")
        live = house.chat.live(target, "t2", "k2")
        live.show(TextDelta(LONG))
        await telegram.until(lambda: len(ann.sees()) == 2 and len(drafts.noted) == 2)
    async with telegram_house(telegram, drafts=drafts) as house:
        await telegram.until(lambda: len(ann.sees()) == 1)
        found = await house.chat.find_sent(target, "k1")
        assert found is not None
        assert found.message_ids == posted.message_ids
        assert await house.chat.find_sent(target, "k2") is None
        again = await house.answer(target, "done before", "k1")
        assert again.message_ids == posted.message_ids
        assert [one.text for one in ann.sees()] == ["done before"]
    await live.close()


# --- who reads ---


async def test_only_named_members_read_a_group(telegram: TelegramPlatform, ann: Person):
    ben = telegram.person("Ben")
    group = telegram.group("Trips", ann)
    there = Conversation("telegram", str(group.id), str(group.id), Place.CHANNEL)
    async with telegram_house(telegram) as house:
        readers = house.chat.readers
        assert await readers.may_read(ann.id, there)
        assert await readers.may_write(ann.id, there)
        assert not await readers.may_read(ben.id, there)
        assert not await readers.may_read("@ann", there)
        assert not await readers.may_read(ann.id, replace(there, id="-77", workspace="-77"))
        member = await house.chat.member(there, ann.id)
        assert member is not None
        assert (member.id, member.name) == (ann.id, "Ann")
        assert await house.chat.member(there, ben.id) is None
        assert await readers.visibility(there) is Visibility.PRIVATE
        group.username = "trips"
        assert await readers.visibility(there) is Visibility.UNKNOWN
        group.gone = True
        assert await readers.visibility(there) is Visibility.UNKNOWN
    async with telegram_house(telegram) as house:
        group.gone, group.hides_members = False, True
        assert not await house.chat.readers.may_read(ann.id, there), "what can't be told is no"


# --- tokens, webhooks, doctor ---


async def test_a_wrong_token_names_the_remedy_and_is_never_shown(
    telegram: TelegramPlatform, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    wrong = TelegramSecrets("123456:" + "b" * 35)
    settings = TelegramSettings(enabled=True, api_base=telegram.api_base)
    (found,) = await examine(settings, wrong, SystemClock())
    assert found.state == "error"
    assert "TELEGRAM_BOT_TOKEN" in found.text
    logged = [one.getMessage() for one in caplog.records if one.name != "aiohttp.access"]
    assert "b" * 35 not in " ".join([*logged, found.text])


async def test_doctor_says_what_the_bot_sees(telegram: TelegramPlatform, ann: Person):
    settings = TelegramSettings(enabled=True, api_base=telegram.api_base)
    found = {one.check: one for one in await examine(settings, SECRETS, SystemClock())}
    assert found["telegram"].text == f"@bellhop_bot ({BOT_ID})"
    assert "/setprivacy" in found["telegram groups"].text
    assert found["telegram updates"].state == "ok"
    telegram.world.webhook = {"url": "https://elsewhere.example"}
    found = {one.check: one for one in await examine(settings, SECRETS, SystemClock())}
    assert found["telegram updates"].state == "warning"
    assert (await try_canary(settings, SECRETS, SystemClock(), ann.id)).state == "error"
    ann.say("hi")
    assert (await try_canary(settings, SECRETS, SystemClock(), ann.id)).state == "ok"
    assert not ann.sees()


async def test_a_webhook_takes_updates_with_its_secret_only(
    telegram: TelegramPlatform, ann: Person
):
    app = web.Application()
    runner = web.AppRunner(app)
    routes: list[web.RouteDef] = []

    async def passed_on(request: web.Request) -> web.StreamResponse:
        return await routes[0].handler(request)  # type: ignore[misc,return-value]

    app.add_routes([web.post(PATH, passed_on)])
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        async with telegram_house(telegram, url=url) as house:
            routes += house.chat.routes()
            house.trouble.append(StorageError("disk full"))
            ann.say("good morning")
            assert (await house.next(1)).text == "good morning"
            assert len(house.calls) == 2
            forged = telegram.world.users[int(ann.id)]
            body = {"update_id": 1, "message": {"from": forged, "text": "forged"}}
            async with aiohttp.ClientSession() as session:
                for headers in ({}, {"X-Telegram-Bot-Api-Secret-Token": WEBHOOK_SECRET[:-1]}):
                    answer = await session.post(f"{url}{PATH}", json=body, headers=headers)
                    assert answer.status == 401
            assert len(house.heard) == 1
        async with telegram_house(telegram) as house:
            assert not telegram.world.webhook, "polling takes the webhook away"
    finally:
        await runner.cleanup()


# --- a whole app ---


async def test_an_app_answers_on_telegram(tmp_path: Path, telegram: TelegramPlatform, ann: Person):
    model = ScriptedModel([say("Good morning, **Ann**.")])
    async with app_on_telegram(tmp_path, telegram, model):
        ann.say("good morning")
        await telegram.until(lambda: any("Good morning" in one.text for one in ann.sees()))
        ann.say("/status")
        await telegram.until(lambda: any("Guest" in one.text for one in ann.sees()))
        await telegram.until(lambda: telegram.world.commands)
        names = [one["command"] for one in telegram.world.commands]
        assert {"help", "stop", "status"} <= {*names}


async def test_a_home_without_a_token_is_told_so(tmp_path: Path):
    (tmp_path / "bellhop.yaml").write_text(json.dumps({"telegram": {"enabled": True}}))
    with pytest.raises(SettingsError, match="TELEGRAM_BOT_TOKEN is missing"):
        async with open_app(AppOptions(tmp_path, model=ScriptedModel([]), platforms=True)):
            raise AssertionError("it must not open")
    assert TOKEN.startswith(str(BOT_ID))


async def test_a_telegram_that_fails_comes_back(telegram: TelegramPlatform, ann: Person):
    telegram.fail("getUpdates", Status(502), Status(502))
    async with telegram_house(telegram) as house:
        ann.say("after the outage")
        assert (await house.next(1)).text == "after the outage"
