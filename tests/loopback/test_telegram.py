"""The loopback Telegram over HTTP, without our own code: what it does and what it refuses."""

from collections.abc import AsyncIterator
from typing import Any

import aiohttp
import pytest

from bot.domain.json_types import JsonObject
from bot.loopback.telegram import BOT_ID, TOKEN, CutAfter, Limited, Person, Status, TelegramPlatform


@pytest.fixture
async def telegram() -> AsyncIterator[TelegramPlatform]:
    async with TelegramPlatform(strict=False) as platform:
        yield platform


@pytest.fixture
def ann(telegram: TelegramPlatform) -> Person:
    return telegram.person("Ann")


async def ask(telegram: TelegramPlatform, method: str, **arguments: Any) -> JsonObject:
    url = f"{telegram.api_base}/bot{TOKEN}/{method}"
    async with aiohttp.ClientSession() as session, session.post(url, json=arguments) as response:
        answer: JsonObject = await response.json()
        assert answer["ok"] == (response.status == 200)
        assert answer.get("error_code", 200) == response.status
        return answer


async def refused(telegram: TelegramPlatform, method: str, **arguments: Any) -> str:
    return str((await ask(telegram, method, **arguments))["description"])


async def test_updates_stay_until_a_higher_offset_confirms_them(
    telegram: TelegramPlatform, ann: Person
):
    ann.say("one")
    ann.say("two")
    first = (await ask(telegram, "getUpdates", timeout=5))["result"]
    await telegram.until(lambda: len(telegram.world.updates) == 2)
    again = (await ask(telegram, "GETUPDATES", timeout=5))["result"]
    assert [one["message"]["text"] for one in again] == ["one", "two"]
    assert first[0] == again[0]
    rest = (await ask(telegram, "getUpdates", offset=again[0]["update_id"] + 1))["result"]
    assert [one["message"]["text"] for one in rest] == ["two"]


async def test_privacy_mode_hides_what_is_not_for_the_bot(telegram: TelegramPlatform, ann: Person):
    group = telegram.group("Trips", ann)
    ann.say("nobody hears this", group)
    ann.mention("hello", group)
    ann.say("/help", group)
    await telegram.until(lambda: len(telegram.world.updates) == 2)
    group.members[BOT_ID] = "administrator"
    ann.say("now it does", group)
    await telegram.until(lambda: len(telegram.world.updates) == 3)


async def test_texts_are_held_to_the_published_limits(telegram: TelegramPlatform, ann: Person):
    chat = ann.id
    assert "initiate" in await refused(telegram, "sendMessage", chat_id=chat, text="hi")
    ann.say("hi")
    assert "empty" in await refused(telegram, "sendMessage", chat_id=chat, text=" ")
    assert "too long" in await refused(telegram, "sendMessage", chat_id=chat, text="😀" * 2049)
    for broken in ("<b>x", "<x>", "x</b>", "<code><b>x</b></code>", "1 < 2", "<a>x</a>"):
        said = await refused(telegram, "sendMessage", chat_id=chat, text=broken, parse_mode="HTML")
        assert "can't parse entities" in said
    wide = {"inline_keyboard": [[{"text": "x", "callback_data": "ü" * 33}]]}
    said = await refused(telegram, "sendMessage", chat_id=chat, text="x", reply_markup=wide)
    assert "BUTTON_DATA_INVALID" in said
    assert not ann.sees()


async def test_edits_tell_whether_anything_changed(telegram: TelegramPlatform, ann: Person):
    own = ann.say("hi")
    sent = (await ask(telegram, "sendMessage", chat_id=ann.id, text="x"))["result"]["message_id"]
    where: JsonObject = {"chat_id": ann.id, "message_id": sent}
    assert "not modified" in await refused(telegram, "editMessageText", text="x", **where)
    assert (await ask(telegram, "editMessageText", text="y", **where))["ok"]
    assert "can't be edited" in await refused(
        telegram, "editMessageText", chat_id=ann.id, message_id=own.id, text="z"
    )
    assert (await ask(telegram, "deleteMessage", **where))["ok"]
    assert "not found" in await refused(telegram, "editMessageText", text="z", **where)


async def test_it_fails_as_telegram_fails(telegram: TelegramPlatform, ann: Person):
    ann.say("hi")
    telegram.fail("sendMessage", Limited(7), CutAfter())
    limited = await ask(telegram, "sendMessage", chat_id=ann.id, text="x")
    assert (limited["error_code"], limited["parameters"]) == (429, {"retry_after": 7})
    with pytest.raises(aiohttp.ClientError):
        await ask(telegram, "sendMessage", chat_id=ann.id, text="x")
    assert [one.text for one in ann.sees()] == ["x"]
    telegram.fail("getMe", Status(502))
    with pytest.raises(aiohttp.ContentTypeError):
        await ask(telegram, "getMe")
    assert "Not Found" in await refused(telegram, "getEverything")
    assert telegram.problems == ["geteverything is no method that is known here"]


async def test_a_second_poll_ends_the_first_and_a_webhook_ends_both(telegram: TelegramPlatform):
    await ask(telegram, "setWebhook", url="https://b.example")
    assert "webhook is active" in await refused(telegram, "getUpdates")


async def test_limits_are_those_that_are_published(telegram: TelegramPlatform, ann: Person):
    ann.say("hi")
    telegram.enforce_rates()
    assert (await ask(telegram, "sendMessage", chat_id=ann.id, text="x"))["ok"]
    second = await ask(telegram, "sendMessage", chat_id=ann.id, text="y")
    assert (second["error_code"], second["parameters"]["retry_after"]) == (429, 1)
