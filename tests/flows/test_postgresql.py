"""A whole house over PostgreSQL: restarts, parts of the work, shared state, forgetting."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bot.app import App, AppOptions, open_app
from bot.cli.changes import answer_of_plugin
from bot.domain.access import Role
from bot.domain.chat import TextDelta
from bot.domain.database import Unit, Write
from bot.domain.memory import Tier
from bot.domain.messages import Attachment, OutgoingMessage
from bot.domain.models import ModelReply, ModelRequest
from bot.domain.processes import ProcessRole
from bot.domain.tool_context import ToolScope
from bot.errors import DeliveryError, SettingsError
from bot.memory.tiers import tier_path
from bot.sessions.commands.people import Claims
from bot.sessions.people.contacts_file import Contact
from bot.testing.app_lives import AppLives, PersonAct
from bot.testing.byte_search import holding
from bot.testing.contexts import make_person
from bot.testing.crash_points import crash_points
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.plan_model import PlanModel
from bot.testing.postgres_server import PostgresServer
from bot.testing.processes import gateway, share, turns
from bot.testing.scripted_model import ScriptedModel, call, calls, say
from bot.testing.waiting import until
from bot.tools.budget.budgets import Payer, Spent
from bot.tools.budget.usage import BEFORE_MODEL
from tests.flows.test_forgetting_everywhere import (
    HELD,
    OTHER,
    STAYS,
    WORD,
    a_model,
    forget,
    people,
    play,
    tables,
)

TODOS = calls(
    ("manage_todos", {"action": "create", "title": "milk"}),
    ("manage_todos", {"action": "create", "title": "bread"}),
    ("save_fact", {"key": "list", "value": "two things"}),
)
SEARCH = call("tool_search", {"pattern": "manage_t*"})


def says(text: str, key: str) -> PersonAct:
    return lambda life: life.chat.say("ann", text, key=key)


@pytest.fixture
def database(home: Path, postgres: PostgresServer) -> str:
    """The name of the database of the home."""
    name = postgres.database()
    keep_in(home, PostgresKept(postgres.url(name)))
    return name


async def test_people_wait_while_the_server_is_started_again(
    home: Path, postgres: PostgresServer, database: str
):
    starting: list[asyncio.Task[None]] = []

    def away(_request: ModelRequest) -> ModelReply:
        postgres.stop()
        starting.append(asyncio.create_task(asyncio.to_thread(postgres.start)))
        return TODOS

    lives = AppLives(home)
    model = PlanModel({"todo": [SEARCH, away, say("Both are on your list.")]})
    async with lives.life(model) as life:
        await lives.chat.say("ann", "do:todo")
        await life.settle()
        await starting[0]
        await lives.chat.say("ann", "more?")
        await life.settle()
    assert lives.chat.texts == ["Both are on your list.", "Done."]
    assert (
        postgres.run_sql(database, "SELECT title FROM bellhop.todos ORDER BY title")
        == "bread\nmilk"
    )


async def test_a_process_that_ends_in_mid_turn_loses_and_doubles_nothing(
    home: Path, postgres: PostgresServer, database: str
):
    plans = {"todo": [SEARCH, TODOS, say("Both are on your list.")]}
    acts = [says("do:todo", "k1"), says("more?", "k2")]
    first = AppLives(home)
    assert not await first.play(PlanModel(plans), acts)
    points = list(crash_points(first.commits))
    point = points[len(points) // 2]
    postgres.run_sql(database, "SELECT bellhop.emptied()")

    lives = AppLives(home)
    assert await lives.play(PlanModel(plans, alive=lives.alive), acts, point)
    assert lives.chat.texts == ["Both are on your list.", "Done."]
    assert postgres.run_sql(database, "SELECT count(*) FROM bellhop.todos") == "2"
    assert (
        postgres.run_sql(
            database, "SELECT DISTINCT state FROM bellhop.inbox WHERE settled_at IS NULL"
        )
        == ""
    )


@pytest.fixture
def split_house(home: Path, postgres: PostgresServer) -> Path:
    share(home, postgres.url(postgres.database()))
    return home


async def test_everything_goes_through_the_gateway(split_house: Path):
    chat = FakeChat()
    chat.files["plan"] = b"budget: 40"
    plan = Attachment("plan", "plan.txt", "text/plain", 10)
    ask = call("ask_user_for_clarification", {"question": "Which?", "options": ["red", "blue"]})
    model = ScriptedModel(
        [say("Forty."), ask, say("Red it is."), say("Good morning.")], strict=True
    )
    refused: list[OutgoingMessage] = []

    def refuse(message: OutgoingMessage) -> DeliveryError | None:
        if message.text == "Good morning." and not refused:
            refused.append(message)
            return DeliveryError("slow down", retryable=True)
        return None

    chat.refuse = refuse
    async with gateway(split_house, chat), turns(split_house, model):
        await chat.say("ann", "the budget?", attachments=(plan,))
        assert (await chat.until(1, 60))[0].text == "Forty."
        await until(lambda: chat.lives[0].closed)
        assert TextDelta("Forty.") in chat.lives[0].updates
        assert "budget: 40" in str(model.requests[0].messages)

        await chat.say("ann", "paint it")
        (card,) = (await chat.until(2, 60))[1:]
        red = card.message.choices[0]
        await chat.click("ann", red.ref, red.verb, red.value)
        assert (await chat.until(3, 60))[2].text == "Red it is."
        await until(lambda: chat.closed.get(card.key))
        assert "red" in chat.closed[card.key][0]

        await chat.say("ann", "hello")
        assert (await chat.until(4, 60))[3].text == "Good morning.", "sent later, by the gateway"
    assert len(chat.posts) == 4


async def test_a_message_is_answered_when_either_process_comes_back(split_house: Path):
    chat = FakeChat()
    async with gateway(split_house, chat):
        await chat.say("ann", "hello", key="k1")
    async with turns(split_house, ScriptedModel([say("Good morning.")])) as worker:
        await until(lambda: worker.engine.started)
        async with gateway(split_house, chat):
            await chat.say("ann", "hello", key="k1")
            assert (await chat.until(1, 60))[0].text == "Good morning."
    assert len(chat.posts) == 1


def test_parts_of_the_work_need_a_database_that_is_shared(home: Path):
    async def opened() -> None:
        async with open_app(AppOptions(home, role=ProcessRole.TURNS)):
            raise AssertionError

    with pytest.raises(SettingsError, match="--only turns needs a database that several"):
        asyncio.run(opened())


PLANS = {"list": [call("list_directory", {"path": "/"}), say("Listed.")]}
DENY = "rules:\n  - {name: no lists, tools: list_directory, decision: deny}\n"


@dataclass
class Pair:
    """Two processes that serve one home and one platform; either runs a turn."""

    first: App
    second: App
    chat: FakeChat
    model: PlanModel

    async def ask(self, process: App, who: str, text: str) -> str:
        """What is posted when a process accepts this."""
        before = len(self.chat.posts)
        await process.accept(self.chat.message(who, text))
        return (await self.chat.until(before + 1))[before].text

    async def command(self, process: App, who: str, name: str, args: str = "") -> str:
        self.chat.attach(process.accept)
        before = len(self.chat.posts)
        await self.chat.command(who, name, args)
        return (await self.chat.until(before + 1))[before].text

    async def until_found(self, sql: str) -> None:
        await until(lambda: self.first.database.read(sql))

    def last_request(self) -> str:
        return json.dumps(self.model.requests[-1].messages, ensure_ascii=False)


@pytest.fixture
def shared(home: Path, postgres: PostgresServer) -> Path:
    keep_in(home, PostgresKept(postgres.url(postgres.database())))
    with (home / ".env").open("a") as file:
        file.write(f"BELLHOP_SECRET_KEY={'A' * 43}=\n")
    return home


@asynccontextmanager
async def two_processes(home: Path) -> AsyncGenerator[Pair]:
    model, chat = PlanModel(PLANS), FakeChat()
    async with running_app(home, model, chat) as first, running_app(home, model, chat) as second:
        while not chat.runs:  # one of them is connected to the platform
            await first.app.database.read("SELECT 1")
        yield Pair(first.app, second.app, chat, model)


async def test_people_and_rights_changed_in_one_process_hold_in_the_other(shared: Path):
    async with two_processes(shared) as pair:
        first, second = pair.first, pair.second
        made = Contact("newbie", "Newbie", Role.PARTNER, ids={"discord": ("newbie",)})
        await first.contacts.set_contact(made)
        await second.house.ground.changes.catch_up()
        assert second.contacts.role_of("newbie") is Role.PARTNER
        await first.contacts.remove_contact("newbie")
        await second.house.ground.changes.catch_up()
        assert second.contacts.role_of("newbie") is None

        await first.contacts.remove_contact("owner")
        code = await Claims(first.database, first.clock, first.contacts).new_code()
        answer = await pair.command(second, "cleo", "claim", code)
        assert answer.startswith("You are my owner here now")
        for process in (first, second):
            assert "role MasterAdmin" in await pair.command(process, "cleo", "status")

        assert await pair.ask(first, "ann", "do:list") == "Listed."
        assert '"is_error": true' not in pair.last_request()
        await first.house.written.policy.replace(DENY, await first.house.written.policy.text())
        await second.house.ground.changes.catch_up()
        assert second.house.written.policy.policy == first.house.written.policy.policy
        assert await pair.ask(second, "ann", "do:list") == "Listed."
        assert '"is_error": true' in pair.last_request()


async def test_a_conversation_goes_on_in_whatever_process(shared: Path):
    async with two_processes(shared) as pair:
        for number, process in enumerate([pair.first, pair.second, pair.first, pair.second]):
            assert await pair.ask(process, "ann", f"word{number}") == "Done."
            settled = f"SELECT 1 FROM transcript WHERE message LIKE '%word{number}%'"  # noqa: S608 - a number
            await pair.until_found(settled)
            assert [f"word{n}" in pair.last_request() for n in range(number + 1)] == [True] * (
                number + 1
            )
        (row,) = await pair.first.database.read("SELECT count(*) AS n FROM sessions")
        assert row["n"] == 1


async def test_a_budget_is_one_for_all_processes(shared: Path):
    with (shared / "bellhop.yaml").open("a") as file:
        file.write("budgets: {per_person_day: {model_calls: 2}}\n")
    async with two_processes(shared) as pair:
        assert await pair.ask(pair.first, "ann", "one") == "Done."
        await pair.until_found("SELECT 1 FROM usage WHERE calls = 1")
        payer = Payer("ann", "discord|w|dm-ann", channel="")
        for process, left in ((pair.first, 1), (pair.second, 1)):
            (day,) = await process.house.ground.meter.standings(payer, Spent(), BEFORE_MODEL)
            assert day.spent == left
        assert await pair.ask(pair.second, "ann", "two") == "Done."
        await pair.until_found("SELECT 1 FROM usage WHERE calls = 2")
        for process in (pair.first, pair.second):
            assert "used up" in await pair.ask(process, "ann", "three")


async def test_memory_written_by_both_at_once_is_whole_and_known_to_both(shared: Path):
    async with two_processes(shared) as pair:
        stores = [one.house.written.memory for one in (pair.first, pair.second)]

        def line(number: int) -> str:
            return f"- [S4][2026-11-01] fact{number}\n"

        def added(number: int, text: str) -> str:
            return text + line(number)

        await asyncio.gather(
            *(
                stores[number % 2].update(
                    Tier.USER, partial(added, number), agent="assistant", person_id="ann"
                )
                for number in range(10)
            )
        )
        text = (
            shared / "memory" / tier_path(Tier.USER, agent="assistant", person_id="ann")
        ).read_text()
        assert sorted(text.splitlines(keepends=True)) == sorted(line(n) for n in range(10))
        for store in stores:
            found = await store.entries(Tier.USER, agent="assistant", person_id="ann")
            assert {one.text for one in found} == {f"fact{number}" for number in range(10)}
        await pair.ask(pair.second, "ann", "hello")
        assert "fact7" in json.dumps(pair.model.requests[-1].system)


async def test_documents_that_one_process_adds_are_known_to_the_other(shared: Path):
    (shared / "guide.md").write_text("turn the key")
    added = {"source": str(shared / "guide.md"), "collection": "team", "roles": ""}
    asks = ToolScope(make_person("ann"), "assistant")
    async with two_processes(shared) as pair:
        for process in (pair.first, pair.second):
            assert "search_documents" not in process.house.tooling.natives.handlers(asks)
        await answer_of_plugin(pair.first, "collections", "add", added)
        await pair.second.house.ground.changes.catch_up()
        for process in (pair.first, pair.second):
            assert "search_documents" in process.house.tooling.natives.handlers(asks)


async def test_tokens_and_keys_of_sends_follow_the_other_process(shared: Path):
    async with two_processes(shared) as pair:
        first, second = pair.first, pair.second
        await first.house.accounts.credentials.store("ann", "github", "a-token-of-ann")
        await second.house.ground.changes.catch_up()
        assert second.house.accounts.credentials.tokens("ann", ["github"]) == {
            "github": "a-token-of-ann"
        }
        await second.house.accounts.credentials.delete("ann", "github")
        await first.house.ground.changes.catch_up()
        assert first.house.accounts.credentials.services("ann") == frozenset()

        assert await pair.ask(first, "ann", "hello") == "Done."
        await first.database.write(
            Unit.of(
                Write(
                    "INSERT INTO home_values (name, key, value, at)"
                    " SELECT 'life', CAST(max(id) AS TEXT), 'later', '' FROM inbox"
                )
            )
        )
        (row,) = await first.database.read("SELECT max(id) AS id FROM inbox")
        for app in (first, second):
            await app.house.ground.changes.catch_up()
            assert await app.house.chats.outbox.lives.identity(int(row["id"])) != "later"
            assert await app.house.chats.outbox.lives.identity(int(row["id"]) + 1) == "later"


@pytest.mark.slow
async def test_no_byte_of_the_tables_holds_the_words(home: Path, postgres: PostgresServer):
    people(home)
    name = postgres.database()
    keep_in(home, PostgresKept(postgres.url(name)))
    lives = AppLives(home)
    own = postgres.run_sql("postgres", f"SELECT oid FROM pg_database WHERE datname = '{name}'")  # noqa: S608
    # The other databases of the server, which may be dozens, were never told the words.
    files = [home, postgres.folder / "data" / "base" / own, postgres.folder / "data" / "global"]
    async with lives.life(a_model(lives)) as life:
        await play(life, lives)
        assert await tables(life) >= HELD
        postgres.run_sql("postgres", "CHECKPOINT")
        held = await asyncio.to_thread(holding, files, [WORD, OTHER])
        assert len(held) > len(HELD)
        told = await forget(life, lives, WORD)
        assert "Holds the words still: the server's write-ahead log" in told
        await forget(life, lives, OTHER)
        await life.settle()
    postgres.run_sql("postgres", "CHECKPOINT")
    found = await asyncio.to_thread(holding, files, [WORD, OTHER])
    assert found == {}
    assert holding(files, [STAYS]) != {}
