"""What a session leaves behind: summaries, and texts that are handed on."""

import asyncio
import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.database import Row, Unit, Write
from bot.domain.messages import Place, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.errors import ModelError, ModelTrouble
from bot.sessions.records.past_session_store import to_summarise
from bot.sessions.run.handover import KIND
from bot.testing.app_lives import PATIENCE_S, AppLife, AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import settle
from bot.testing.handover_town import Finished, finish_tasks
from bot.testing.harness import running_app
from bot.testing.home_files import know, stored
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.testing.structured_answers import structured_reply

PLANS = {
    "tea": [call("save_fact", {"key": "tea", "value": "green"}), say("I noted it.")],
    "again": [say("Welcome back.")],
    "page": [call("read_file", {"path": "/documents/page.md"}), say("I read it.")],
}
PEOPLE = [
    {"id": "ann", "name": "Ann", "role": "Friend", "ids": {"discord": ["ann"]}},
    {"id": "bob", "name": "Bob", "role": "Friend", "ids": {"discord": ["bob"]}},
]


@pytest.fixture
def lives(home: Path) -> AppLives:
    know(home, ann="Friend", bob="Friend")
    return AppLives(home)


async def rows(lives: AppLives) -> list[Row]:
    return await stored(lives.home, "SELECT * FROM summaries ORDER BY began_at, person")


async def kept(life: AppLife, lives: AppLives, parts: int) -> None:
    """Let time go by until so many parts of sessions are dealt with, and their lines written.

    Raises TimeoutError.

    Sessions end after half an hour. Then time hardly moves, so that a slow machine never sees the
    next day begin.
    """
    ends = lives.clock.now() + timedelta(minutes=31)
    done = "SELECT count(*) AS n FROM summaries WHERE logged = 1 OR fields IS NULL"
    async with asyncio.timeout(PATIENCE_S):
        while (await life.database.read(done))[0]["n"] < parts:
            await lives.clock.advance(60 if lives.clock.now() < ends else 1)
            await settle()


def summarised(model: PlanModel) -> list[ModelRequest]:
    """The requests for summaries, without those of the night."""
    return [
        request for request in model.structured if "Intent" in json.dumps(request.answer_schema)
    ]


async def talk(life: AppLife, who: str, text: str, place: Place = Place.DM) -> None:
    await life.tell(who, text, where="room" if place is Place.CHANNEL else who, place=place)


async def test_a_session_that_ended_is_summarised_once_and_opens_the_next_one(lives: AppLives):
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:tea fact: Ann drinks green tea")
        await kept(life, lives, 1)
        await talk(life, "ann", "do:again")
        await kept(life, lives, 2)
        opening = json.dumps(model.requests[-1].messages[0])
        assert "your last session with this person here" in opening
        assert model.requests[0].system == model.requests[-1].system, (
            "nothing of it stands in the prefix"
        )
    first, second = await rows(lives)
    fields = json.loads(first["fields"])
    assert fields["FactsLearned"] == ["tea: green", "Ann drinks green tea"], (
        "what was saved, and what was understood"
    )
    assert (first["person"], first["reach"], first["trust"], first["by_model"]) == (
        "ann",
        "dm",
        "person",
        1,
    )
    assert json.loads(first["tools"]) == ["save_fact"]
    assert len(summarised(model)) == 2
    lines = (lives.home / "memory" / "assistant_conversations.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == [first["id"], second["id"]]
    later = PlanModel(PLANS)
    async with lives.life(later) as life:
        await talk(life, "bob", "do:again")
        await kept(life, lives, 3)
    assert len(summarised(later)) == 1


async def test_others_do_not_open_with_it_and_new_begins_blank(lives: AppLives):
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:tea", Place.CHANNEL)
        await kept(life, lives, 1)
        await talk(life, "bob", "do:again", Place.CHANNEL)
        await kept(life, lives, 2)
        assert "your last session" not in json.dumps(model.requests[-1].messages)
        await talk(life, "ann", "do:again")
        assert "your last session" not in json.dumps(model.requests[-1].messages)
        await life.order("ann", "new", where="ann", place=Place.DM)
        await kept(life, lives, 3)
        await talk(life, "ann", "do:tea")
        assert "your last session" not in json.dumps(model.requests[-1].messages)
    assert [row["reach"] for row in await rows(lives)] == ["private", "private", "dm"], (
        "nobody said that it is public"
    )


async def test_a_bad_summary_is_asked_again_with_its_problem_and_costs_count(lives: AppLives):
    model = PlanModel(PLANS)
    answers = [say("I would rather not."), say('{"Intent": "x"}')]
    model.structure = lambda request: answers.pop(0) if answers else structured_reply(request)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:tea")
        await kept(life, lives, 1)
        orders = [json.dumps(request.messages) for request in summarised(model)]
        assert ["Your last answer could not be used" in order for order in orders] == [
            False,
            True,
            True,
        ]
        assert "the answer holds no JSON object" in orders[1]
        used = await life.database.read(
            "SELECT person, sum(input_tokens) AS n FROM usage GROUP BY person"
        )
        assert [(row["person"], row["n"]) for row in used] == [("ann", 100 * 2 + 100 * 3)]
    assert [row["by_model"] for row in await rows(lives)] == [1]


@pytest.mark.parametrize(
    ("damage", "rows_left"),
    [
        ("UPDATE transcript SET message = '{' WHERE session_id = ?", 2),
        ("UPDATE sessions SET role = 'Nobody' WHERE id = ?", 1),
    ],
)
async def test_a_part_that_can_not_be_read_is_set_aside_and_the_others_are_asked_once(
    lives: AppLives, damage: str, rows_left: int
):
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:tea")
        await talk(life, "bob", "do:tea")
        (first, *_) = await life.database.read("SELECT id FROM sessions ORDER BY last_at")
        await life.database.write(Unit.of(Write(damage, (first["id"],))))
        await kept(life, lives, rows_left)
        await talk(life, "bob", "do:again")
        waiting = await to_summarise(life.database, 9)
    assert len(summarised(model)) == 1
    assert waiting == [], "so no later look asks for it"


async def test_without_a_model_it_is_made_of_what_was_typed_and_called(lives: AppLives):
    model = PlanModel(PLANS)

    def away(_request: ModelRequest) -> ModelReply:
        raise ModelError(ModelTrouble("overloaded", "the model is overloaded"))

    model.structure = away
    async with lives.life(model) as life:
        await talk(life, "ann", "do:tea please")
        await kept(life, lives, 1)
        assert len(summarised(model)) == 4
    (row,) = await rows(lives)
    fields = json.loads(row["fields"])
    assert (row["by_model"], fields["Intent"], fields["WIS"]) == (0, "do:tea please", "I noted it.")
    assert fields["FactsLearned"] == ["tea: green"]
    assert fields["PreferencesNoted"] == []


async def test_it_does_not_eat_the_budget_that_people_need(lives: AppLives):
    (lives.home / "bellhop.yaml").write_text("budgets: {per_person_day: {model_calls: 8}}")
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:again")
        await kept(life, lives, 1)
        assert len(summarised(model)) == 1
        await talk(life, "ann", "do:again")
        await kept(life, lives, 2)
        assert len(summarised(model)) == 1
    assert [row["by_model"] for row in await rows(lives)] == [1, 0]


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ("memory: {skip_agents: [assistant]}", "assistant works for others"),
        ("", "nothing may be learned there"),
    ],
)
async def test_places_without_learning_leave_nothing(lives: AppLives, settings: str, why: str):
    (lives.home / "bellhop.yaml").write_text(settings)
    if not settings:
        (lives.home / "policy.yaml").write_text(
            "places:\n  - name: own\n    where: dm\n    learn: false\n"
        )
    model = PlanModel(PLANS)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:tea")
        await kept(life, lives, 1)
    assert model.structured == []
    assert [(row["why_not"], row["fields"]) for row in await rows(lives)] == [(why, None)]
    assert not (lives.home / "memory" / "assistant_conversations.jsonl").exists()


async def test_a_session_with_an_open_question_is_not_over(lives: AppLives):
    plans = PLANS | {
        "ask": [call("ask_user_for_clarification", {"question": "Which?"}), say("Thanks.")]
    }
    model = PlanModel(plans)
    async with lives.life(model) as life:
        await talk(life, "ann", "do:ask")
        await talk(life, "bob", "do:tea")
        await kept(life, lives, 1)
    assert [row["person"] for row in await rows(lives)] == ["bob"]


async def test_a_threads_findings_reach_the_next_person_without_secrets(tmp_path: Path):
    assert await finish_tasks(tmp_path, 3) == Finished(tasks=3, finished=3, leaks=0, withheld=3)


async def test_texts_reach_a_session_that_is_open_already_as_quotes_of_who_said_them(
    tmp_path: Path,
):
    know(tmp_path, ann="Partner", ben="Friend")
    model, chat = ScriptedModel(), FakeChat()
    thread = {"where": "t", "place": Place.THREAD, "visibility": Visibility.PUBLIC}

    async with running_app(tmp_path, model, chat) as house:

        async def ask(who: str, text: str, *steps: ModelReply) -> str:
            """The last request, as the model read what came new in it."""
            model.add(*steps, say("Done."))
            await house.ask(who, text, **thread)
            return json.dumps(model.requests[-1].messages[-3:])

        def saved(value: str) -> Sequence[ModelReply]:
            return (call("save_fact", {"key": "address of web7", "value": value}),)

        assert KIND not in await ask("ben", "Bob was fired by the shop; web7 moved to 10.0.0.2")
        await ask("ann", "note it", *saved("10.0.0.1"))
        await ask("ann", "no, the right one", *saved("10.0.0.2"))
        read = await ask("ben", "go on")
        assert read.count(KIND) == 1
        assert "[ben (ben)] Bob was fired by the shop; web7 moved to 10.0.0.2" in read
        assert "10.0.0.1" not in read
        assert KIND not in await ask("ben", "go on")
        await ask("ann", "and the shop?", *saved("the shop is fired"))
        read = await ask("ben", "go on")
        assert "[ben (ben)] Bob was fired by the shop" in read
        assert "the shop is fired" not in read
        await ask("ann", "mine now", *saved("vault4711"))
        read = await ask("ben", "go on")
        assert "1 result belongs to somebody else" in read
        assert "vault4711" not in read
