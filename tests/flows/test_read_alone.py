"""What one person alone read in a channel (a slash command's answer) stays with them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Command, MessageKind, Place, ReplyTarget, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import calls, say
from bot.testing.structured_answers import structured_reply
from bot.turns.refs import make_ref
from tests.flows.test_distillation import memory, night

PEOPLE = [
    {"id": "ann", "name": "Ann", "role": "Friend", "ids": {"discord": ["ann"]}},
    {"id": "ben", "name": "Ben", "role": "Friend", "ids": {"discord": ["ben"]}},
]
SECRET = "fact: Ann looks for another job, zq-7"
SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
SKILL = "---\nname: diary\ndescription: Keeps a diary.\ncommand: diary\n---\nKeep what they say.\n"
UNLOCK = calls(("tool_search", {"pattern": "*"}))
LOOKS = calls(
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
    "look": (UNLOCK, LOOKS, say("Looked.")),
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
    (home / "contacts.yaml").write_text(json.dumps(PEOPLE))
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
    count = len(life.chat.posts)
    await life.chat.deliver(
        replace(
            plain,
            kind=MessageKind.COMMAND,
            command=Command(name, args),
            addressed=Addressed.COMMAND,
            reply_to=ReplyTarget(plain.conversation, ephemeral_to=who),
        )
    )
    await life.settle()
    return "\n".join(life.chat.texts[count:])


async def look(life: AppLife, model: PlanModel, who: str) -> str:
    before = len(model.requests)
    await life.chat.say(who, "do:look", **SQUARE)
    await life.settle()
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
            await life.chat.command("ann", "why", ref, **SQUARE)
            await life.settle()
        assert "zq-7" not in "\n".join(life.chat.texts[count:])
