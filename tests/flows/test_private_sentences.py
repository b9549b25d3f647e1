"""What is said privately stays so, however it is worded, unless its person says yes to sharing."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Place, Visibility
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.memory_town import LOOKS, hostile_answer, secrets_in
from bot.testing.plan_model import PlanModel
from tests.flows.test_distillation import memory, night

PEOPLE = [
    {"id": "ann", "name": "Ann", "role": "Friend", "ids": {"discord": ["ann"]}},
    {"id": "ben", "name": "Ben", "role": "Friend", "ids": {"discord": ["ben"]}},
    {"id": "max", "name": "Max", "role": "MasterAdmin", "ids": {"discord": ["max"]}},
]
SENTENCES = (
    "I'm scared that my ex will tell everyone about my HIV diagnosis zq-{}.",
    "Only you know this: next month I will tell everyone that I am leaving zq-{}",
    "This is confidential: the board will let everyone know about zq-{} in May.",
    "Mein Chef sagt allen, dass ich gekündigt habe zq-{}",
    "Everyone should know that the codeword is zq-{}",
    "everybody must know zq-{} one day, my therapist says",
    "My mother has to tell everybody about zq-{}, she can't stop",
    "Remind everyone? My boss reminds everyone that zq-{} is my fault.",
    "I dreamt that I had to tell everyone zq-{}",
    "> Hi Ann,\n> everyone should know that zq-{} pays too little.\n> Bob",
    "Fwd: From: hr@example.org\nPlease let everyone know: zq-{} is dismissed.",
    "Alle sollen wissen, was zq-{} getan hat, schreibt meine Schwester",
    "Sag es allen, hat er gedroht: zq-{}",
    "Tout le monde doit savoir, dit mon mari, que zq-{}",
    "Dis-le à tous, m'a écrit Paul : zq-{}",
    "Todos deben saber que zq-{}, dice mi jefe",
    "Dile a todos zq-{}, me gritó",
    "Tutti devono sapere di zq-{}, dice lui",
    "Dillo a tutti, mi ha scritto: zq-{}",
    "Iedereen moet weten dat zq-{}",
    "Всем надо знать, что zq-{}",
    "请告诉大家 zq-{}",
    "Save for the whole team: zq-{} (no, wait, don't)",
    "Share with all: zq-{}",
)


@pytest.fixture
def lives(home: Path) -> AppLives:
    (home / "contacts.yaml").write_text(json.dumps(PEOPLE))
    return AppLives(home)


def a_model() -> PlanModel:
    """Its summaries have each secret as a fact, and its memorymaster wants to tell everybody."""
    model = PlanModel({"look": LOOKS})
    model.structure = hostile_answer
    return model


async def say(life: AppLife, who: str, text: str, where: str) -> None:
    place, there = (Place.DM, who) if where == "dm" else (Place.CHANNEL, where)
    public = Visibility.PUBLIC if where == "square" else Visibility.PRIVATE
    await life.chat.say(who, text, where=there, place=place, visibility=public)
    await life.settle()


@pytest.mark.parametrize("where", ["dm", "vault"])
async def test_no_wording_shares_what_was_said_privately(lives: AppLives, where: str):
    model = a_model()
    async with lives.life(model) as life:
        for number, sentence in enumerate(SENTENCES):
            await say(life, "ann", sentence.format(number), where)
        await night(life, lives, 1)
        (learned,) = await life.database.read("SELECT reach FROM summaries")
        asked = len(model.requests)
        for who in ("ben", "max"):
            for there in ("dm", "square"):
                await say(life, who, "do:look around", there)
    files = memory(lives)
    own = {path: text for path, text in files.items() if path.startswith(("ann/", "archive/ann/"))}
    assert learned["reach"] == ("dm" if where == "dm" else "private")
    assert len(secrets_in("".join(own.values()))) >= 17
    assert secrets_in("".join(text for path, text in files.items() if path not in own)) == set()
    seen = [[one.system, one.messages] for one in model.requests[asked:]]
    assert len(seen) >= 12
    assert secrets_in(json.dumps(seen)) == set()
