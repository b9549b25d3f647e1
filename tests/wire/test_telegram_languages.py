"""Telegram tells the language of a person's app, and what Bellhop says itself is in it."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.languages import Language
from bot.domain.messages import Choice, OutgoingMessage
from bot.loopback.telegram import Person, TelegramPlatform
from bot.testing.scripted_model import ScriptedModel
from bot.testing.telegram_house import app_on_telegram, telegram_house


@pytest.fixture
def ann(telegram: TelegramPlatform) -> Person:
    return telegram.person("Ann")


@pytest.fixture
def ben(telegram: TelegramPlatform) -> Person:
    return telegram.person("Ben")


async def test_commands_are_answered_in_the_language_of_the_app(
    tmp_path: Path, telegram: TelegramPlatform, ann: Person, ben: Person
):
    ann.user["language_code"], ben.user["language_code"] = "de", "ja"
    async with app_on_telegram(tmp_path, telegram, ScriptedModel([])):
        for person, said in ((ann, "Hier läuft oder wartet nichts."), (ben, "Nothing is running")):
            person.say("/stop")
            await telegram.until(
                lambda person=person, said=said: any(said in one.text for one in person.sees())
            )


async def test_who_clicks_for_another_reads_so_in_the_language_of_their_app(
    telegram: TelegramPlatform, ann: Person, ben: Person
):
    group = telegram.group("Trips", ann, ben)
    async with telegram_house(telegram) as house:
        ann.mention("where to?", group)
        target = (await house.next(1)).reply_to
        asked = OutgoingMessage(target, "Where?", (Choice("Rome", "t1", "answer", "Rome"),))
        await house.chat.send(asked, "k1")
        (card,) = ann.sees(group)
        ben.user["language_code"] = "it"
        query = ben.click(card, "Rome")
        await telegram.until(lambda: query in telegram.methods.queries)
        assert "per un'altra persona" in telegram.methods.queries[query]["text"]


async def test_who_has_no_private_chat_is_pointed_to_it_in_the_language_of_the_answer(
    telegram: TelegramPlatform, ann: Person, ben: Person
):
    group = telegram.group("Trips", ann, ben)
    async with telegram_house(telegram) as house:
        ann.mention("mein Gedächtnis?", group)
        alone = replace((await house.next(1)).reply_to, ephemeral_to=ann.id)
        await house.chat.send(OutgoingMessage(alone, "geheim", language=Language.DE), "k1")
        [told] = [one.text for one in ben.sees(group) if "t.me" in one.text]
        assert told == "Das beantworte ich privat. Schreib mir zuerst: https://t.me/bellhop_bot"
