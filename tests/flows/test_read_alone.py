"""What was read or said alone stays with its person."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Command, MessageKind, Place, ReplyTarget, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.home_files import know
from bot.testing.memory_town import LOOKS, hostile_answer, secrets_in
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import calls, say
from bot.testing.structured_answers import structured_reply
from bot.turns.refs import make_ref
from tests.flows.test_distillation import memory, night

SECRET = "fact: Ann looks for another job, zq-7"
SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
SKILL = "---\nname: diary\ndescription: Keeps a diary.\ncommand: diary\n---\nKeep what they say.\n"
UNLOCK = calls(("tool_search", {"pattern": "*"}))
LOOKS_AROUND = calls(
    ("manage_notes", {"action": "list", "is_agent_note": True}),
    ("manage_todos", {"action": "list"}),
    ("schedule_task", {"action": "list"}),
    ("remember", {"query": "Ann looks for another job"}),
    ("search", {"query": "another job"}),
)
PLANS = {
    "keep": (
        UNLOCK,
        calls(
            ("manage_notes", {"action": "add", "title": SECRET, "is_agent_note": True}),
            ("manage_todos", {"action": "create", "title": SECRET}),
            (
                "schedule_task",
                {"name": "diary", "prompt": SECRET, "execute_at": "in 2 hours"},
            ),
        ),
        say("Kept."),
    ),
    "look": (UNLOCK, LOOKS_AROUND, say("Looked.")),
}


def told_to_all(request: ModelRequest) -> ModelReply:
    """The memorymaster would tell everybody."""
    if "Entries" not in json.dumps(request.answer_schema):
        return structured_reply(request)
    entries: list[JsonObject] = [
        {"Tier": "shared", "Text": SECRET, "Significance": 4, "Sources": []}
    ]
    return say(json.dumps({"Entries": entries}))


@pytest.fixture
def lives(home: Path) -> AppLives:
    know(home, ann="Friend", ben="Friend")
    (home / "skills" / "diary").mkdir(parents=True)
    (home / "skills" / "diary" / "SKILL.md").write_text(SKILL)
    return AppLives(home)


def a_model(lives: AppLives) -> PlanModel:
    model = PlanModel(PLANS, alive=lives.alive)
    model.structure = told_to_all
    return model


async def slash(life: AppLife, who: str, name: str, args: str = "") -> str:
    """A command of the platform in the channel: only its person sees it and the answer."""
    plain = life.chat.message(who, f"/{name} {args}", **SQUARE)  # type: ignore[arg-type]  # same names
    return "\n".join(
        await life.posts_after(
            life.chat.deliver(
                replace(
                    plain,
                    kind=MessageKind.COMMAND,
                    command=Command(name, args),
                    addressed=Addressed.COMMAND,
                    reply_to=ReplyTarget(plain.conversation, ephemeral_to=who),
                )
            )
        )
    )


async def look(life: AppLife, model: PlanModel, who: str) -> str:
    before = len(model.requests)
    await life.tell(who, "do:look", **SQUARE)
    return json.dumps([[one.system, one.messages] for one in model.requests[before:]])


async def test_the_night_tells_nobody_what_a_slash_skill_was_told(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        await slash(life, "ann", "diary", SECRET)
        await night(life, lives, 1)
    files = memory(lives)
    assert "zq-7" not in files.get("shared_long_term.md", "")
    assert "[private]" in files["ann/assistant_memory.md"]


async def test_others_see_nothing_that_a_slash_skill_stored(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        await slash(life, "ann", "diary", f"do:keep {SECRET}")
        assert "zq-7" in await look(life, model, "ann")
        assert "zq-7" not in await look(life, model, "ben")


async def test_work_that_it_scheduled_answers_its_person_alone(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await slash(life, "ann", "diary", f"do:keep {SECRET}")
        before = len(life.chat.posts)
        await lives.clock.advance(2.1 * 3600)
        await life.settle()
        posts = life.chat.posts[before:]
        assert posts
        assert {one.message.target.ephemeral_to for one in posts} == {"ann"}


async def test_a_later_why_aloud_does_not_repeat_it(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await slash(life, "ann", "diary", SECRET)
        refs = [make_ref("t", number) for number in range(1, 4)]
        assert any(["zq-7" in await slash(life, "ann", "why", ref) for ref in refs])
        count = len(life.chat.posts)
        for ref in refs:
            await life.order("ann", "why", ref, **SQUARE)
        assert "zq-7" not in "\n".join(life.chat.texts[count:])


async def test_commands_that_are_typed_aloud_show_nothing_of_it(lives: AppLives):
    async with lives.life(a_model(lives)) as life:
        await slash(life, "ann", "diary", f"do:keep {SECRET}")
        assert "zq-7" in await slash(life, "ann", "todo")
        told = {
            line: "\n".join(await life.order("ann", *line.split(" ", 1), **SQUARE))
            for line in ("todo", "schedule", "undo", "memory", "files", "skill list", "export")
        }
    assert {line for line, text in told.items() if "zq-7" in text} == set()
    assert "1 more is private" in told["todo"]


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
def three_people(home: Path) -> AppLives:
    know(home, ann="Friend", ben="Friend", max="MasterAdmin")
    return AppLives(home)


def sharing_model() -> PlanModel:
    """Its summaries have each secret as a fact, and its memorymaster wants to tell everybody."""
    model = PlanModel({"look": LOOKS})
    model.structure = hostile_answer
    return model


async def say_somewhere(life: AppLife, who: str, text: str, where: str) -> None:
    place, there = (Place.DM, who) if where == "dm" else (Place.CHANNEL, where)
    public = Visibility.PUBLIC if where == "square" else Visibility.PRIVATE
    await life.tell(who, text, where=there, place=place, visibility=public)


@pytest.mark.parametrize("where", ["dm", "vault"])
async def test_no_wording_shares_what_was_said_privately(three_people: AppLives, where: str):
    model = sharing_model()
    async with three_people.life(model) as life:
        for number, sentence in enumerate(SENTENCES):
            await say_somewhere(life, "ann", sentence.format(number), where)
        await night(life, three_people, 1)
        (learned,) = await life.database.read("SELECT reach FROM summaries")
        asked = len(model.requests)
        for who in ("ben", "max"):
            for there in ("dm", "square"):
                await say_somewhere(life, who, "do:look around", there)
    files = memory(three_people)
    own = {path: text for path, text in files.items() if path.startswith(("ann/", "archive/ann/"))}
    assert learned["reach"] == ("dm" if where == "dm" else "private")
    assert len(secrets_in("".join(own.values()))) >= 17
    assert secrets_in("".join(text for path, text in files.items() if path not in own)) == set()
    seen = [[one.system, one.messages] for one in model.requests[asked:]]
    assert len(seen) >= 12
    assert secrets_in(json.dumps(seen)) == set()
