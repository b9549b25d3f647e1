"""Cards ask, offer their choices and end in the language of whoever reads them."""

import json
from pathlib import Path

import pytest

from bot.domain.languages import Language, Phrase
from bot.sessions.wording.card_text import RUN
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.card_home import PLANS, furnish
from bot.testing.fake_clock import settle
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.waiting import until

PEOPLE = [
    {"id": "fay", "name": "Fay", "role": "Friend", "ids": {"discord": ["fay"]}},
    {"id": "meg", "name": "Meg", "role": "MasterAdmin", "ids": {"discord": ["meg"]}},
]
OTHERS = [one for one in Language if one is not Language.EN]
WISHES = {
    Language.DE: "note, bitte, ich möchte das jetzt haben",
    Language.FR: "note s'il vous plaît, je veux ça maintenant",
    Language.ES: "note por favor, lo quiero ahora",
    Language.IT: "note per favore, lo voglio adesso",
}


@pytest.fixture
def lives(home: Path) -> AppLives:
    (home / "contacts.yaml").write_text(json.dumps(PEOPLE))
    furnish(home)
    return AppLives(home)


async def closing(life: AppLife, card: str, verb: str) -> str:
    """Decide the card with this key, and return the line that then stands under it."""
    [post] = [post for post in life.chat.posts if post.key == card]
    await life.chat.click("fay", post.message.choices[0].ref, verb)
    await life.settle()
    await until(lambda: card in life.chat.closed)
    await settle()
    return life.chat.closed[card][-1]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("by", ["words", "app"])
async def test_whoever_asked_reads_a_card_in_their_language(
    lives: AppLives, language: Language, by: str
):
    async with lives.life(ScriptedModel([*PLANS["note"], say("Fine.")])) as life:
        life.chat.locale = language if by == "app" else ""
        await life.chat.say("fay", WISHES[language] if by == "words" else "note 42!")
        await life.settle()
        [card] = [post for post in life.chat.posts if post.message.choices]
        assert card.text.startswith(f"**{RUN.said(language, who='Fay', tool='note')}**")
        labels = [choice.label for choice in card.message.choices]
        assert labels[0] == Phrase("Approve").said(language)
        assert labels[-1] == Phrase("Reject").said(language)
        line = await closing(life, card.key, "reject")
        assert line == Phrase("Rejected by {who}").said(language, who="Fay")


async def test_who_is_asked_elsewhere_reads_what_they_write_themselves(lives: AppLives):
    async with lives.life(ScriptedModel([say("Hola."), *PLANS["wipe"]])) as life:
        await life.chat.say("meg", "hola, ¿qué hay de nuevo?")
        await life.settle()
        life.chat.locale = "de"
        await life.chat.say("fay", "wipe 42!")
        await life.settle()
        [asked] = [post for post in life.chat.posts if post.message.choices]
        assert asked.text.startswith("Fay (`fay`) lo pide en una conversación directa")
        assert asked.message.choices[0].label == "Aprobar"
        told = [post.text for post in life.chat.posts if not post.message.choices]
        assert any("ich habe Meg gefragt" in text for text in told)
