"""What Bellhop says when nothing can be answered is in the language of whoever reads it."""

from pathlib import Path

import pytest

from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation, Place
from bot.errors import DeliveryError
from bot.sessions.outbox.spoken_language import spoken_at, spoken_by
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, say

OTHERS = [one for one in Language if one is not Language.EN]


@pytest.mark.parametrize("language", OTHERS)
async def test_an_empty_message_is_answered_in_the_language_of_the_app(
    home: Path, language: Language
):
    async with running_app(home, ScriptedModel([]), FakeChat()) as at:
        at.chat.locale = language
        said = await at.ask("ann", " ")
        assert said == Phrase(
            "Your message was empty. Write what you need, or /help for what I can do."
        ).said(language)


async def test_a_message_that_is_too_long_is_answered_in_its_own_language(home: Path):
    async with running_app(home, ScriptedModel([]), FakeChat()) as at:
        said = await at.ask("ann", "das ist nicht kurz und ich mag es. " * 4_000)
        assert said.startswith("Diese Nachricht hat 140.000 Zeichen; ich lese höchstens ")


async def test_a_refused_answer_is_told_directly_in_the_language_of_the_question(home: Path):
    async with running_app(home, ScriptedModel([say("Montag.")]), FakeChat()) as at:
        closed = DeliveryError("closed", retryable=False)
        at.chat.refuse = lambda one: None if one.target.ephemeral_to else closed
        await at.chat.say("ann", "wann ist das Treffen und wo?", where="c", place=Place.CHANNEL)
        [told] = await at.chat.until(1)
        assert told.text.startswith("Ich darf dort nicht schreiben")


async def test_a_place_has_the_language_of_its_newest_message_that_shows_one(home: Path):
    model = ScriptedModel([say("Hello."), say("Ciao."), say("42.")])
    async with running_app(home, model, FakeChat()) as at:
        for text in ("what is the news", "che cosa c'è di nuovo?", "42?"):
            await at.ask("ann", text)
        place = at.chat.message("ann", "x").conversation
        assert await spoken_at(at.app.database, place) is Language.IT
        elsewhere = Conversation("discord", "w", "nowhere")
        assert await spoken_at(at.app.database, elsewhere) is Language.EN
        assert await spoken_by(at.app.database, "ann") is Language.IT
        assert await spoken_by(at.app.database, "ben") is Language.EN
