"""Telegram tells the language of a person's app, and what Bellhop says itself is in it."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.languages import Language
from bot.domain.messages import Choice, OutgoingMessage
from bot.loopback.telegram import TelegramPlatform
from bot.testing.scripted_model import ScriptedModel
from bot.testing.telegram_house import TelegramHouse, app_on_telegram, telegram_house


@pytest.fixture
async def house(telegram: TelegramPlatform) -> AsyncIterator[TelegramHouse]:
    async with telegram_house(telegram) as house:
        yield house


async def test_commands_are_answered_in_the_language_of_the_app(
    tmp_path: Path, telegram: TelegramPlatform
):
    ann, ben = telegram.person("Ann"), telegram.person("Ben")
    ann.user["language_code"], ben.user["language_code"] = "de", "ja"
    async with app_on_telegram(tmp_path, telegram, ScriptedModel([])):
        for person, said in ((ann, "Hier läuft oder wartet nichts."), (ben, "Nothing is running")):
            person.say("/stop")
            await telegram.until(
                lambda person=person, said=said: any(said in one.text for one in person.sees())
            )


async def test_who_clicks_for_another_reads_so_in_the_language_of_their_app(
    house: TelegramHouse, telegram: TelegramPlatform
):
    target = await house.asked("where to?")
    asked = OutgoingMessage(target, "Where?", (Choice("Rome", "t1", "answer", "Rome"),))
    await house.chat.send(asked, "k1")
    (card,) = house.ann.sees(house.trips)
    house.ben.user["language_code"] = "it"
    query = house.ben.click(card, "Rome")
    await telegram.until(lambda: query in telegram.methods.queries)
    assert "per un'altra persona" in telegram.methods.queries[query]["text"]


async def test_who_has_no_private_chat_is_pointed_to_it_in_the_language_of_the_answer(
    house: TelegramHouse,
):
    alone = replace(await house.asked("mein Gedächtnis?"), ephemeral_to=house.ann.id)
    await house.chat.send(OutgoingMessage(alone, "geheim", language=Language.DE), "k1")
    [told] = [one.text for one in house.ben.sees(house.trips) if "t.me" in one.text]
    assert told == "Das beantworte ich privat. Schreib mir zuerst: https://t.me/bellhop_bot"
