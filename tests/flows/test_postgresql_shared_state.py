"""Two processes over one database and one home: what one changes, the other knows."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from bot.domain.access import Role
from bot.domain.database import Unit, Write
from bot.domain.memory import Tier
from bot.memory.tiers import tier_path
from bot.sessions.commands.claims import Claims
from bot.sessions.people.contacts_file import Contact
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.kept_databases import PostgresKept, keep_in
from bot.testing.plan_model import PlanModel
from bot.testing.postgres_server import PostgresServer
from bot.testing.scripted_model import call, say

PLANS = {"list": [call("list_directory", {"path": "/"}), say("Listed.")]}
DENY = "rules:\n  - {name: no lists, tools: list_directory, decision: deny}\n"


@dataclass
class Pair:
    """Two processes that serve one home; people write to either."""

    first: Harness
    second: Harness
    model: PlanModel

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
    model = PlanModel(PLANS)
    async with (
        running_app(home, model, FakeChat()) as first,
        running_app(home, model, FakeChat(first=1000)) as second,
    ):
        await second.command(
            "owner", "status"
        )  # it has started, and took over nothing of the first
        yield Pair(first, second, model)


async def test_people_and_rights_changed_in_one_process_hold_in_the_other(shared: Path):
    async with two_processes(shared) as pair:
        first, second = pair.first, pair.second
        assert "role Guest" in await second.command("newbie", "status")
        made = Contact("newbie", "Newbie", Role.PARTNER, ids={"discord": ("newbie",)})
        await first.app.contacts.set_contact(made)
        assert "role Partner" in await second.command("newbie", "status")
        await first.app.contacts.remove_contact("newbie")
        assert "role Guest" in await second.command("newbie", "status")

        await first.app.contacts.remove_contact("owner")
        code = await Claims(
            first.app.database, first.app.clock, lambda: first.app.contacts
        ).new_code()
        answer = await second.command("cleo", "claim", code)
        assert answer.startswith("You are my owner here now")
        assert "role MasterAdmin" in await first.command("cleo", "status")

        assert await second.ask("ann", "do:list") == "Listed."
        assert '"is_error": true' not in pair.last_request()
        await first.app.policy.replace(DENY, await first.app.policy.text())
        assert await second.ask("ann", "do:list") == "Listed."
        assert '"is_error": true' in pair.last_request()


async def test_a_conversation_goes_on_in_the_other_process(shared: Path):
    async with two_processes(shared) as pair:
        for number, process in enumerate([pair.first, pair.second, pair.first, pair.second]):
            assert await process.ask("ann", f"word{number}") == "Done."
            settled = f"SELECT 1 FROM transcript WHERE message LIKE '%word{number}%'"  # noqa: S608 - a number
            await process.until_found(settled)
            assert [f"word{n}" in pair.last_request() for n in range(number + 1)] == [True] * (
                number + 1
            )
        (row,) = await pair.first.app.database.read("SELECT count(*) AS n FROM sessions")
        assert row["n"] == 1


async def test_a_budget_is_one_for_all_processes(shared: Path):
    with (shared / "bellhop.yaml").open("a") as file:
        file.write("budgets: {per_person_day_model_calls: 2}\n")
    async with two_processes(shared) as pair:
        assert await pair.first.ask("ann", "one") == "Done."
        await pair.first.until_found("SELECT 1 FROM usage WHERE calls = 1")
        assert await pair.second.ask("ann", "two") == "Done."
        await pair.second.until_found("SELECT 1 FROM usage WHERE calls = 2")
        for process in (pair.first, pair.second):
            assert "used up" in await process.ask("ann", "three")


async def test_memory_written_by_both_at_once_is_whole_and_known_to_both(shared: Path):
    async with two_processes(shared) as pair:
        stores = [one.app.memory for one in (pair.first, pair.second)]

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


async def test_tokens_and_keys_of_sends_follow_the_other_process(shared: Path):
    async with two_processes(shared) as pair:
        first, second = pair.first.app, pair.second.app
        await first.credentials.store("ann", "github", "a-token-of-ann")
        await second.house.changes.catch_up()
        assert second.credentials.tokens("ann", ["github"]) == {"github": "a-token-of-ann"}
        await second.credentials.delete("ann", "github")
        await first.house.changes.catch_up()
        assert first.credentials.services("ann") == frozenset()

        assert await pair.first.ask("ann", "hello") == "Done."
        await first.database.write(
            Unit.of(
                Write("INSERT INTO lives (after_turn, identity) SELECT max(id), 'later' FROM inbox")
            )
        )
        (row,) = await first.database.read("SELECT max(id) AS id FROM inbox")
        for app in (first, second):
            await app.house.changes.catch_up()
            assert await app.house.outbox.lives.identity(int(row["id"])) != "later"
            assert await app.house.outbox.lives.identity(int(row["id"]) + 1) == "later"
