"""A place has fewer readers than before, or other ones than where a thing was said."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Place, Visibility
from bot.domain.models import ModelReply, ModelRequest
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.home_files import know, write_mail_tool
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import calls, say
from bot.testing.structured_answers import structured_reply
from tests.flows.test_distillation import memory, night

SQUARE = {"where": "square", "place": Place.CHANNEL, "visibility": Visibility.PUBLIC}
PLAZA = {**SQUARE, "where": "plaza"}
CONNECT = {**SQUARE, "where": "connect", "visibility": Visibility.SHARED}
VAULT = {**SQUARE, "where": "vault", "visibility": Visibility.PRIVATE}
UNLOCK = calls(("tool_search", {"pattern": "*"}))
TO = "zq-9@rival.example"
PLANS = {
    "remember": (UNLOCK, calls(("remember", {"query": "the codeword"})), say("Looked.")),
    "search": (UNLOCK, calls(("search", {"query": "the codeword"})), say("Looked.")),
    "later": (
        UNLOCK,
        calls(("schedule_task", {"name": "zq-7", "prompt": "p", "execute_at": "in 700 hours"})),
        say("Later."),
    ),
    "soon": (
        UNLOCK,
        calls(("schedule_task", {"name": "zq-7", "prompt": "p", "execute_at": "in 2 hours"})),
        say("Soon."),
    ),
    "mail": (UNLOCK, calls(("mail_out", {"to": TO, "text": "zq-8"})), say("Asked.")),
}


def told_to_all(request: ModelRequest) -> ModelReply:
    """The memorymaster would tell everybody."""
    if "Entries" not in json.dumps(request.answer_schema):
        return structured_reply(request)
    text = "the codeword is zq-7"
    entries: list[JsonObject] = [{"Tier": "shared", "Text": text, "Significance": 4, "Sources": []}]
    return say(json.dumps({"Entries": entries}))


@pytest.fixture
def lives(home: Path) -> AppLives:
    know(home, ann="Partner", ben="Friend", max="MasterAdmin")
    write_mail_tool(home, "exit 0\n")
    return AppLives(home)


def a_model(lives: AppLives) -> PlanModel:
    return PlanModel(PLANS, alive=lives.alive)


async def said(life: AppLife, model: PlanModel, who: str, plan: str, **where: object) -> str:
    """What the model read in a request."""
    before = len(model.requests)
    await life.tell(who, f"do:{plan}", **where)
    return json.dumps([[one.system, one.messages] for one in model.requests[before:]])


async def command(life: AppLife, who: str, name: str, args: str = "", **where: object) -> str:
    return "\n".join(await life.order(who, name, args, **where))


async def test_a_search_asks_whether_a_channel_is_still_public(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        readers = life.chat.readers
        readers.of = {"square": {"ann", "ben"}, "plaza": {"ann", "ben"}}
        await life.chat.say(
            "ann", "the codeword is zq-7", **{**SQUARE, "addressed": Addressed.NONE}
        )
        assert "zq-7" in await said(life, model, "ann", "search", **PLAZA)
        readers.now = {"square": Visibility.PRIVATE}
        readers.of["square"] = {"ann"}
        await command(life, "ann", "new", **PLAZA)
        assert "zq-7" not in await said(life, model, "ann", "search", **PLAZA)
        assert "zq-7" in await said(life, model, "ann", "search")


async def test_schedules_are_listed_where_their_place_may_be_shown(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        await said(life, model, "ann", "later", **SQUARE)
        assert "zq-7" in await command(life, "ann", "schedule", **PLAZA)
        assert "zq-7" not in await command(life, "ann", "schedule", **CONNECT)
        life.chat.readers.now = {"square": Visibility.PRIVATE}
        await lives.clock.advance(61)
        assert "zq-7" not in await command(life, "ann", "schedule", **PLAZA)
        assert "zq-7" not in await command(life, "ann", "automations", **PLAZA)
        assert "zq-7" in await command(life, "ann", "schedule", **SQUARE)
        assert "zq-7" in await command(life, "ann", "schedule")


async def test_a_waiting_call_is_shown_where_it_was_asked_for_alone(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        await said(life, model, "ann", "mail")
        card = life.chat.cards[0]
        ref = card.choices[0].ref
        assert "mail_out" in await command(life, "ann", "approvals")
        for name, args in (("approvals", ""), ("approvals", ref), ("status", "")):
            told = await command(life, "ann", name, args, **SQUARE)
            assert "zq-" not in told
            assert "mail_out" not in told


async def test_grants_are_listed_to_their_person_alone(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        await said(life, model, "ann", "mail")
        card = life.chat.cards[0]
        ref = card.choices[0].ref
        await life.posts_after(life.chat.click("ann", ref, "approve_target", where="dm"))
        assert "zq-9" in await command(life, "ann", "grants")
        assert "zq-9" in await command(life, "max", "grants")
        assert "zq-9" not in await command(life, "ann", "grants", **SQUARE)
        assert "zq-9" not in await command(life, "max", "grants", **SQUARE)


async def test_memory_of_a_channel_stays_there_once_it_is_public_no_more(lives: AppLives):
    model = a_model(lives)
    model.structure = told_to_all
    async with lives.life(model) as life:
        await life.tell("ann", "fact: the codeword is zq-7", **SQUARE)
        await night(life, lives, 1)
        assert "[public:discord:w:square]" in memory(lives)["shared_long_term.md"]
        assert "zq-7" in await said(life, model, "ben", "remember", **PLAZA)
        life.chat.readers.now = {"square": Visibility.PRIVATE}
        await lives.clock.advance(61)
        for who, where in (("ben", PLAZA), ("ben", {}), ("ann", PLAZA)):
            await command(life, who, "new", **where)
            assert "zq-7" not in await said(life, model, who, "remember", **where)
        await command(life, "ben", "new", **SQUARE)
        assert "zq-7" in await said(life, model, "ben", "remember", **SQUARE)
        assert "zq-7" in await said(life, model, "ann", "remember")


async def test_a_session_ends_when_another_company_joins_its_channel(lives: AppLives):
    model = a_model(lives)
    model.structure = told_to_all
    async with lives.life(model) as life:
        await life.tell("ann", "fact: the codeword is zq-7", **SQUARE)
        await night(life, lives, 1)
        assert "zq-7" in await said(life, model, "ann", "remember", **PLAZA)
        joined = {**PLAZA, "visibility": Visibility.SHARED}
        assert "zq-7" not in await said(life, model, "ann", "remember", **joined)
        await lives.clock.advance(3 * 3600)
        await life.settle()
        await lives.clock.advance(3 * 3600)
        await life.settle()
        assert "zq-7" not in await said(life, model, "ann", "remember", **joined)


@pytest.mark.parametrize("leaves", [False, True])
async def test_nothing_scheduled_runs_where_its_owner_reads_no_more(lives: AppLives, leaves: bool):
    model = a_model(lives)
    async with lives.life(model) as life:
        life.chat.readers.of = {"vault": {"ann", "ben"}}
        await said(life, model, "ann", "soon", **VAULT)
        if leaves:
            life.chat.readers.of["vault"] = {"ben"}
        before = len(model.requests)
        await lives.clock.advance(2.1 * 3600)
        await life.settle()
        assert (len(model.requests) > before) is not leaves


async def test_who_may_not_read_the_history_is_shown_none_of_it(lives: AppLives):
    model = a_model(lives)
    async with lives.life(model) as life:
        thread = {**SQUARE, "where": "topic", "place": Place.THREAD, "channel": "square"}
        await life.chat.say(
            "ann", "the codeword is zq-7", **{**thread, "addressed": Addressed.NONE}
        )
        said_by_ben = life.chat.message("ben", "what was said?", **thread)  # type: ignore[arg-type]  # same names
        for key in ("first", "second"):
            before = len(model.requests)
            await life.posts_after(
                life.chat.deliver(replace(said_by_ben, key=key, sees_past=False))
            )
            assert len(model.requests) > before
        assert "zq-7" not in json.dumps([one.messages for one in model.requests])
        await life.chat.say("ben", "and now?", **{**thread, "addressed": Addressed.NONE})
        await life.chat.say(
            "max", "the codeword is zq-7", **{**thread, "addressed": Addressed.NONE}
        )
        await life.posts_after(
            life.chat.deliver(replace(said_by_ben, key="later", sees_past=False))
        )
        assert "zq-7" in json.dumps([one.messages for one in model.requests]), "they were there"
