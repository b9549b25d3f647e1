"""Who sends the one-time code in a direct message is the owner; nobody else becomes one."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from bot.app import load_settings
from bot.cli.claiming import new_claim_words
from bot.domain.messages import Place
from bot.sessions.commands.claims import Claims, how_to_claim
from bot.sessions.commands.store import MOST_TRIES, add_try, wrong_tries
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, say

NOBODY = "# Who is who.\n"


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    (tmp_path / "contacts.yaml").write_text(NOBODY)
    return tmp_path


async def code_of(house: Harness, operator: str = "") -> str:
    app = house.app
    return await Claims(app.database, app.clock, app.contacts).new_code(operator)


async def test_the_code_makes_its_sender_the_owner_once(empty: Path):
    async with running_app(empty, ScriptedModel([say("Hello.")])) as house:
        code = await code_of(house, "kit")
        answer = await house.command("ann", "claim", code.lower().replace("-", " "))
        assert answer.startswith("You are my owner here now")
        owner = house.app.contacts.people[0]
        assert (str(owner.role), dict(owner.ids)) == (
            "MasterAdmin",
            {"terminal": ("kit",), "discord": ("ann",)},
        )
        assert (empty / "contacts.yaml").read_text().startswith(NOBODY)
        assert "role MasterAdmin" in await house.command("ann", "status")
        assert "have an owner here already" in await house.command("ben", "claim", code)
        assert "have an owner here already" in await house.command(
            "ben", "claim", await code_of(house)
        )


async def test_a_code_that_others_could_read_is_void(empty: Path):
    async with running_app(empty, ScriptedModel([])) as house:
        code = await code_of(house)
        before = len(house.chat.posts)
        await house.chat.command("ann", "claim", code, place=Place.CHANNEL)
        posts = await house.chat.until(before + 1)
        assert "it is void" in posts[before].text
        assert "not valid" in await house.command("ann", "claim", code)


async def test_wrong_codes_are_limited_and_old_ones_are_void(empty: Path):
    clock = FakeClock()
    async with running_app(empty, ScriptedModel([]), clock=clock) as house:
        code = await code_of(house)
        for _ in range(5):
            assert "not valid" in await house.command("ben", "claim", "AAAA-BBBB")
        assert "too many" in await house.command("ben", "claim", code)
        await clock.advance(timedelta(hours=25).total_seconds())
        assert "older than 24 hours" in await house.command("ben", "claim", code)


@pytest.mark.parametrize("platform", ["discord", "slack"])
async def test_wrong_codes_of_others_never_delay_the_owner(platform: str, empty: Path):
    async with running_app(empty, ScriptedModel([]), FakeChat(platform)) as house:
        code = await code_of(house)
        for stranger in ("ben", "cy", "dee", "eve", "fay"):
            for _ in range(5):
                assert "not valid" in await house.command(stranger, "claim", "AAAA-BBBB")
            assert "too many" in await house.command(stranger, "claim", "AAAA-BBBB")
        assert "my owner here now" in await house.command("ann", "claim", code)


async def test_a_flood_of_accounts_fills_no_table(empty: Path):
    clock = FakeClock()
    async with running_app(empty, ScriptedModel([]), clock=clock) as house:
        database, now = house.app.database, clock.now()
        for number in range(MOST_TRIES + 50):
            await database.write(add_try(f"discord:g:{number}", now, now - timedelta(hours=1)))
        rows = await database.read("SELECT count(*) AS kept FROM claim_tries")
        assert rows[0]["kept"] == MOST_TRIES
        assert await wrong_tries(database, f"discord:g:{MOST_TRIES}", now - timedelta(1)) == 1


async def test_a_code_is_long_enough_for_any_number_of_tries(empty: Path):
    async with running_app(empty, ScriptedModel([])) as house:
        codes = {await code_of(house) for _ in range(3)}
        assert len(codes) == 3
        for code in codes:
            letters = code.replace("-", "")
            assert len(letters) * 5 >= 128
            assert set(letters) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


async def test_the_only_owner_claims_a_second_platform_as_the_same_person(empty: Path):
    (empty / "contacts.yaml").write_text(
        "- {id: olga, name: Olga, role: MasterAdmin, ids: {slack: ['T1:U1']}}\n"
    )
    async with running_app(empty, ScriptedModel([])) as house:
        await house.command("ann", "claim", await code_of(house))
        assert [one.id for one in house.app.contacts.people] == ["olga"]
        assert "discord" in house.app.contacts.people[0].ids


async def test_an_owner_keeps_what_they_made_as_a_guest(empty: Path):
    async with running_app(empty, None, FakeChat()) as house:
        await house.ask("ann", "add a todo: bread")
        await house.command("ann", "claim", await code_of(house))
        told = {post.text for post in await house.chat.until(3)}
        assert (
            "I know you as ann now. What I kept for you before is yours here too: 1 todo." in told
        )
        assert "bread" in await house.ask("ann", "list my todos")


def test_nothing_is_shown_where_everybody_is_known():
    assert how_to_claim([]) == ""


async def test_each_platform_has_a_code_of_its_own(empty: Path):
    """A code works once, so one code for two platforms leaves the second without an owner."""
    (empty / "bellhop.yaml").write_text("discord: {enabled: true}\nslack: {enabled: true}\n")
    async with running_app(empty, ScriptedModel([])) as house:
        app, settings = house.app, load_settings(empty)
        told = await new_claim_words(app.database, app.contacts, settings, "root")
        found = re.findall(r"claim ([A-Z2-7-]{34})", told)
        assert len(set(found)) == 2, told
        await house.command("ann", "claim", found[0])
        assert len(app.contacts.people) == 1
