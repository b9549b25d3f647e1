"""Skills as Discord commands: registered, completed, run, and made in a form."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.loopback.discord import Options
from bot.loopback.discord.faults import Fault
from bot.loopback.discord.platform import BucketRule
from bot.testing import discord_house
from bot.testing.discord_house import House
from bot.testing.scripted_model import ScriptedModel, say

LIBRARY_SKILL = (
    "---\nname: {name}\ndescription: What it is for.\ncommand: {name}\nroles: {roles}\n---\n\n"
    "1. Say {name}.\n"
)
GUILD_COMMANDS = r"/applications/\d+/guilds/\d+/commands"
REGISTERING = r"/applications/\d+/(guilds/\d+/)?commands(/\d+)?"


def town(home: Path, options: Options | None = None) -> AbstractAsyncContextManager[House]:
    """Ann, who may share skills, and Ben, who may run them."""
    return discord_house.town(home, options, ann="Partner", ben="Friend")


@asynccontextmanager
async def serving(made: House, home: Path, *answers: str, **options: Any) -> AsyncGenerator[None]:
    model = ScriptedModel([say(answer) for answer in answers], strict=True)
    async with discord_house.serving(made, home, model, **options):
        offered = made.platform.interactions.available
        await made.platform.until(lambda: "skill" in offered(made.ann.dm))
        yield


def registrations(made: House) -> int:
    count = made.platform.log.count
    return sum(count(method, REGISTERING) for method in ("POST", "PUT", "DELETE"))


def library(home: Path, name: str, roles: str = "Guest+") -> None:
    folder = home / "skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(LIBRARY_SKILL.format(name=name, roles=roles))


async def shared_skill(made: House, name: str = "weekly") -> None:
    """Ann makes a skill in words, and gives it to everybody."""
    assert "Saved" in await made.skill(made.ann, "new", f"{name}: List what was done.")
    await made.skill(made.ann, "share", name)


async def test_a_skill_that_is_shared_becomes_a_command_that_others_run(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path, "Here is the week."):
        before = registrations(made)
        await shared_skill(made)
        await made.has_command("weekly")
        assert registrations(made) == before + 1
        assert "weekly" not in made.platform.interactions.available(made.ben.dm)
        used = made.ben.slash(made.general, "weekly", task="only the numbers")
        assert await made.answered(made.ben, used) == "Here is the week."
        await made.skill(made.ann, "remove", "shared/weekly")
        offered = made.platform.interactions.available
        await made.platform.until(lambda: "weekly" not in offered(made.general))
        assert registrations(made) == before + 2


async def test_a_restart_registers_nothing_that_is_there_already(tmp_path: Path):
    async with town(tmp_path) as made:
        async with serving(made, tmp_path):
            await shared_skill(made)
            await made.has_command("weekly")
            count = registrations(made)
        reads = made.platform.log.count("GET", REGISTERING)
        async with serving(made, tmp_path):
            assert "weekly" in await made.skill(made.ann, "list")
        assert registrations(made) == count
        assert made.platform.log.count("GET", REGISTERING) == reads
        library(tmp_path, "standup_x")
        async with serving(made, tmp_path):
            await made.has_command("standup_x")
        assert registrations(made) == count + 1


async def test_commands_removed_by_others_are_noticed_after_a_day(tmp_path: Path):
    async with town(tmp_path) as made:
        async with serving(made, tmp_path):
            await shared_skill(made)
            await made.has_command("weekly")
        made.platform.interactions.guild_commands.clear()
        database = sqlite3.connect(tmp_path / "data/bellhop.db")
        database.execute(
            "UPDATE home_values SET value = json_set(value, '$.at', "
            "'2020-01-01T00:00:00.000000Z') WHERE name = 'commands'"
        )
        database.commit()
        database.close()
        async with serving(made, tmp_path):
            await made.has_command("weekly")


async def test_a_server_that_the_bot_comes_into_gets_its_commands(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path):
        await shared_skill(made)
        await made.has_command("weekly")
        made.platform.interactions.guild_commands.clear()
        guild = made.general.guild
        assert guild is not None
        made.platform.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)})
        new = made.platform.payloads.guild(guild)
        new.pop("unavailable", None)
        made.platform.gateway.dispatch("GUILD_CREATE", new)
        await made.has_command("weekly")


async def test_people_without_the_role_neither_see_nor_run_the_skill(tmp_path: Path):
    library(tmp_path, "payroll", roles="Partner+")
    async with town(tmp_path) as made, serving(made, tmp_path, "Paid."):
        offered = made.platform.interactions.available(made.general)
        assert "payroll" not in offered, "everybody would see it"
        told = await made.skill(made.ben, "payroll")
        assert "There is no skill 'payroll' for you" in told
        assert await made.completed(made.ben, "payr") == []
        assert await made.completed(made.ann, "payr") == ["payroll"]
        assert await made.completed(made.troll) == []
        assert await made.skill(made.ann, "payroll") == "Paid."


async def test_a_persons_own_skills_are_completed_for_them_alone_and_at_once(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path, "Done."):
        assert "mine" not in await made.completed(made.ben)
        await made.skill(made.ben, "new", "mine: Do as I do.")
        assert (await made.completed(made.ben))[0] == "mine"
        assert await made.completed(made.ann, "mine") == []
        assert "mine" not in made.platform.interactions.available(made.general)
        assert await made.skill(made.ben, "mine", "now") == "Done."


async def test_a_form_makes_a_skill_and_each_interaction_counts_once(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path):
        made.platform.gateway.copies = 3
        asked = made.ann.slash(made.general, "skill", name="new", task="Weekly report")
        await made.platform.until(lambda: asked.modal)
        sent = made.ann.submit(asked, instructions="1. Read it.\n2. Tell it.", command="week")
        assert "`/week` runs it" in await made.answered(made.ann, sent)
        assert (asked.answered, sent.answered) == (9, 5)
        made.platform.interactions.redeliver(sent)
        made.platform.gateway.copies = 1
        assert (await made.completed(made.ann, "week")) == ["week", "weekly-report"]
        assert "retro" in await made.completed(made.ann, "teamwork")
        listed = await made.skill(made.ann, "list")
    assert listed.count("weekly_report") == 1
    assert len(made.ann.sees(made.general)) == 2


async def test_a_form_that_is_refused_gives_everything_back(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path):
        asked = made.ann.slash(made.general, "skill", name="new")
        await made.platform.until(lambda: asked.modal)
        sent = made.ann.submit(
            asked, name="Weekly", instructions="1. Print ```x```.\n2. Stop.", auto_invoke="yes"
        )
        told = await made.answered(made.ann, sent)
        assert "needs a description" in told
        assert "1. Print ```x```.\n2. Stop." in told
        assert "name: Weekly" in told


async def test_a_form_that_can_not_be_shown_any_more_is_asked_in_words(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path):
        made.platform.interactions.too_late_s = -1.0
        asked = made.ann.slash(made.general, "skill", name="new", task="weekly")
        await made.platform.until(lambda: made.ann.sees(made.ann.dm))
        assert asked.modal is None
        assert "What should I do for /weekly?" in made.ann.sees(made.ann.dm)[0].content


async def test_a_command_that_has_gone_is_answered_with_a_sentence(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path):
        old: JsonObject = {"name": "old_one", "id": "1", "description": "x", "contexts": [0, 1]}
        made.platform.interactions.commands.append(old)
        used = made.ann.slash(made.general, "old_one")
        assert "I don't know /old_one" in await made.answered(made.ann, used)


async def test_beyond_a_hundred_commands_the_rest_is_run_by_name(tmp_path: Path):
    for number in range(105):
        library(tmp_path, f"skill_{number:03}")
    async with town(tmp_path) as made, serving(made, tmp_path, "Ran."):
        chat = [one for one in made.platform.interactions.commands if one["type"] == 1]
        assert len(chat) == 100
        left_out = f"skill_{104:03}"
        assert left_out not in made.platform.interactions.available(made.general)
        found = [f"skill_{number}" for number in range(100, 105)]
        assert await made.completed(made.ben, "skill_10") == found
        assert len(await made.completed(made.ben)) == 25
        assert await made.skill(made.ben, left_out, "go") == "Ran."


async def test_rate_limits_of_discord_are_waited_for(tmp_path: Path):
    slow = Options(
        rate_limits={"POST /applications/{application}/guilds/{guild}/commands": BucketRule(1, 0.3)}
    )
    async with town(tmp_path, slow) as made, serving(made, tmp_path):
        for name in ("one", "two", "three"):
            await shared_skill(made, name)
        for name in ("one", "two", "three"):
            await made.has_command(name)
        assert made.platform.log.count("POST", GUILD_COMMANDS) <= 4


async def test_a_command_whose_skill_is_changed_is_registered_anew_alone(tmp_path: Path):
    library(tmp_path, "notes_x")
    async with town(tmp_path) as made, serving(made, tmp_path):
        await made.has_command("notes_x")
        before = registrations(made)
        file = tmp_path / "skills/notes_x/SKILL.md"
        file.write_text(file.read_text().replace("What it is for.", "Something else."))
        listed = made.platform.interactions.available
        await made.platform.until(
            lambda: listed(made.general)["notes_x"]["description"] == "Something else."
        )
        assert registrations(made) == before + 1


@pytest.mark.parametrize("status", [403, 500])
async def test_a_refused_registration_keeps_nothing_else_from_working(tmp_path: Path, status: int):
    async with town(tmp_path) as made, serving(made, tmp_path, "Hello."):
        for _ in range(20):
            made.platform.fault(Fault("POST", GUILD_COMMANDS, status=status))
        await shared_skill(made)
        assert await made.skill(made.ann, "weekly", "go") == "Hello."
