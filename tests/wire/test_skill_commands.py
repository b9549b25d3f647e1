"""Skills as Discord commands: registered, completed, run, and made in a form."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.loopback.discord import Channel, DiscordPlatform, Options, Person
from bot.loopback.discord.faults import Fault
from bot.loopback.discord.interaction_routes import Interaction
from bot.loopback.discord.platform import BucketRule
from bot.plugin.chat import ChatServices
from bot.plugins.discord_chat.adapter import DiscordChat
from bot.plugins.discord_chat.settings import DiscordSettings
from bot.testing.discord_town import PATIENT
from bot.testing.scripted_model import ScriptedModel, say

LIBRARY_SKILL = (
    "---\nname: {name}\ndescription: {about}\ncommand: {name}\nroles: {roles}\n---\n\n1. Say "
    "{name}.\n"
)
REGISTERING = r"/applications/\d+/(guilds/\d+/)?commands(/\d+)?"


@dataclass
class Town:
    platform: DiscordPlatform
    general: Channel
    ann: Person
    ben: Person
    troll: Person

    def registrations(self) -> int:
        return sum(
            self.platform.log.count(method, REGISTERING) for method in ("POST", "PUT", "DELETE")
        )

    async def answered(self, person: Person, used: Interaction) -> str:
        """What the person is told for an interaction, for their eyes only."""
        response = await self.platform.until(lambda: used.response)
        await self.platform.until(lambda: response.content)
        assert response.only_for == person.user.id
        return response.content

    async def command(self, name: str, channel: Channel | None = None) -> None:
        await self.platform.until(
            lambda: name in self.platform.interactions.available(channel or self.general)
        )

    async def completed(self, person: Person, text: str = "") -> list[str]:
        typing = person.types(self.general, "skill", "name", text)
        await self.platform.until(lambda: typing.choices is not None)
        return [choice["value"] for choice in typing.choices or []]


@asynccontextmanager
async def town(home: Path, options: Options | None = None) -> AsyncGenerator[Town]:
    async with DiscordPlatform(options) as platform:
        people = {name: platform.person(name) for name in ("Ann", "Ben", "Troll")}
        roles = {"Ann": "Partner", "Ben": "Friend", "Troll": "Banned"}
        contacts = [
            {"id": name.lower(), "name": name, "role": roles[name], "ids": {"discord": [person.id]}}
            for name, person in people.items()
        ]
        (home / "contacts.yaml").write_text(json.dumps(contacts))
        yield Town(
            platform,
            platform.channel(platform.guild()),
            people["Ann"],
            people["Ben"],
            people["Troll"],
        )


@asynccontextmanager
async def serving(
    made: Town, home: Path, *answers: str, **options: object
) -> AsyncGenerator[DiscordChat]:
    platform = made.platform
    where = {
        "enabled": True,
        "api_base": platform.api_base,
        "gateway_url": platform.gateway_url,
        **options,
    }
    chat = DiscordChat(
        DiscordSettings.model_validate(where),
        platform.options.token,
        ChatServices(SystemClock()),
        pace=PATIENT,
    )
    model = ScriptedModel([say(answer) for answer in answers], strict=True)
    async with open_app(AppOptions(home, [chat], model)) as app:
        running = asyncio.create_task(app.run())
        try:
            await platform.ready()
            await platform.until(lambda: "skill" in platform.interactions.available(made.ann.dm))
            yield chat
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


def library(home: Path, name: str, roles: str = "Guest+", about: str = "What it is for.") -> None:
    folder = home / "skills" / name
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(LIBRARY_SKILL.format(name=name, about=about, roles=roles))


async def shared_skill(made: Town, name: str = "weekly") -> None:
    """Ann makes a skill in words, and gives it to everybody."""
    used = made.ann.slash(made.general, "skill", name="new", task=f"{name}: List what was done.")
    assert "Saved" in await made.answered(made.ann, used)
    await made.answered(made.ann, made.ann.slash(made.general, "skill", name="share", task=name))
    await made.command(name)


async def test_a_skill_that_is_shared_becomes_a_command_that_others_run(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path, "Here is the week."):
        before = made.registrations()
        await shared_skill(made)
        assert made.registrations() == before + 1
        assert "weekly" not in made.platform.interactions.available(made.ben.dm)
        used = made.ben.slash(made.general, "weekly", task="only the numbers")
        assert await made.answered(made.ben, used) == "Here is the week."
        used = made.ann.slash(made.general, "skill", name="remove", task="shared/weekly")
        await made.answered(made.ann, used)
        await made.platform.until(
            lambda: "weekly" not in made.platform.interactions.available(made.general)
        )
        assert made.registrations() == before + 2


async def test_a_restart_registers_nothing_that_is_there_already(tmp_path: Path):
    async with town(tmp_path) as made:
        async with serving(made, tmp_path):
            await shared_skill(made)
            count = made.registrations()
        reads = made.platform.log.count("GET", REGISTERING)
        async with serving(made, tmp_path):
            used = made.ann.slash(made.general, "skill", name="list")
            assert "weekly" in await made.answered(made.ann, used)
        assert made.registrations() == count
        assert made.platform.log.count("GET", REGISTERING) == reads
        library(tmp_path, "standup_x")
        async with serving(made, tmp_path):
            await made.command("standup_x")
        assert made.registrations() == count + 1


async def test_commands_removed_by_others_are_noticed_after_a_day(tmp_path: Path):
    async with town(tmp_path) as made:
        async with serving(made, tmp_path):
            await shared_skill(made)
        made.platform.interactions.guild_commands.clear()
        database = sqlite3.connect(tmp_path / "data/bellhop.db")
        database.execute(
            "UPDATE home_values SET value = json_set(value, '$.at', "
            "'2020-01-01T00:00:00.000000Z') WHERE name = 'commands'"
        )
        database.commit()
        database.close()
        async with serving(made, tmp_path):
            await made.command("weekly")


async def test_a_server_that_the_bot_comes_into_gets_its_commands(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path):
        await shared_skill(made)
        made.platform.interactions.guild_commands.clear()
        guild = made.general.guild
        assert guild is not None
        made.platform.gateway.dispatch("GUILD_DELETE", {"id": str(guild.id)})
        new = {
            key: value
            for key, value in made.platform.payloads.guild(guild).items()
            if key != "unavailable"
        }
        made.platform.gateway.dispatch("GUILD_CREATE", new)
        await made.command("weekly")


async def test_people_without_the_role_neither_see_nor_run_the_skill(tmp_path: Path):
    library(tmp_path, "payroll", roles="Partner+")
    async with town(tmp_path) as made, serving(made, tmp_path, "Paid."):
        assert "payroll" not in made.platform.interactions.available(
            made.general
        )  # everybody would see it
        told = await made.answered(made.ben, made.ben.slash(made.general, "skill", name="payroll"))
        assert "There is no skill 'payroll' for you" in told
        assert await made.completed(made.ben, "payr") == []
        assert await made.completed(made.ann, "payr") == ["payroll"]
        assert await made.completed(made.troll) == []
        assert (
            await made.answered(made.ann, made.ann.slash(made.general, "skill", name="payroll"))
            == "Paid."
        )


async def test_a_persons_own_skills_are_completed_for_them_alone_and_at_once(tmp_path: Path):
    async with town(tmp_path) as made, serving(made, tmp_path, "Done."):
        assert "mine" not in await made.completed(made.ben)
        used = made.ben.slash(made.general, "skill", name="new", task="mine: Do as I do.")
        await made.answered(made.ben, used)
        assert (await made.completed(made.ben))[0] == "mine"
        assert await made.completed(made.ann, "mine") == []
        assert "mine" not in made.platform.interactions.available(made.general)
        assert (
            await made.answered(
                made.ben, made.ben.slash(made.general, "skill", name="mine", task="now")
            )
            == "Done."
        )


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
        listed = await made.answered(made.ann, made.ann.slash(made.general, "skill", name="list"))
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
        made.platform.interactions.commands.append(
            {"name": "old_one", "id": "1", "description": "x", "contexts": [0, 1]}
        )
        assert "I don't know /old_one" in await made.answered(
            made.ann, made.ann.slash(made.general, "old_one")
        )


async def test_beyond_a_hundred_commands_the_rest_is_run_by_name(tmp_path: Path):
    for number in range(105):
        library(tmp_path, f"skill_{number:03}")
    async with town(tmp_path) as made, serving(made, tmp_path, "Ran."):
        chat = [one for one in made.platform.interactions.commands if one["type"] == 1]
        assert len(chat) == 100
        left_out = f"skill_{104:03}"
        assert left_out not in made.platform.interactions.available(made.general)
        assert await made.completed(made.ben, "skill_10") == [
            f"skill_{number}" for number in range(100, 105)
        ]
        assert len(await made.completed(made.ben)) == 25
        used = made.ben.slash(made.general, "skill", name=left_out, task="go")
        assert await made.answered(made.ben, used) == "Ran."


async def test_commands_stay_in_the_servers_that_are_named(tmp_path: Path):
    async with town(tmp_path) as made:
        named = made.general.guild
        assert named is not None
        elsewhere = made.platform.channel(made.platform.guild("Elsewhere"))
        off = made.platform.guild("Off")
        guilds = {str(named.id): {}, str(off.id): {"answer": "off"}}
        async with serving(made, tmp_path, commands="guilds", guilds=guilds):
            await made.command("status")
            assert "status" in made.platform.interactions.available(made.ann.dm)
            assert made.platform.interactions.available(elsewhere) == {}
            assert {*made.platform.interactions.guild_commands} == {named.id}


async def test_rate_limits_of_discord_are_waited_for(tmp_path: Path):
    slow = Options(
        rate_limits={"POST /applications/{application}/guilds/{guild}/commands": BucketRule(1, 0.3)}
    )
    async with town(tmp_path, slow) as made, serving(made, tmp_path):
        for name in ("one", "two", "three"):
            await made.answered(
                made.ann, made.ann.slash(made.general, "skill", name="new", task=f"{name}: Count.")
            )
            await made.answered(
                made.ann, made.ann.slash(made.general, "skill", name="share", task=name)
            )
        for name in ("one", "two", "three"):
            await made.command(name)
        assert made.platform.log.count("POST", r"/applications/\d+/guilds/\d+/commands") <= 4


async def test_a_command_whose_skill_is_changed_is_registered_anew_alone(tmp_path: Path):
    library(tmp_path, "notes_x")
    async with town(tmp_path) as made, serving(made, tmp_path):
        await made.command("notes_x")
        before = made.registrations()
        file = tmp_path / "skills/notes_x/SKILL.md"
        file.write_text(file.read_text().replace("What it is for.", "Something else."))
        listed = made.platform.interactions.available
        await made.platform.until(
            lambda: listed(made.general)["notes_x"]["description"] == "Something else."
        )
        assert made.registrations() == before + 1


@pytest.mark.parametrize("status", [403, 500])
async def test_a_refused_registration_keeps_nothing_else_from_working(tmp_path: Path, status: int):
    async with town(tmp_path) as made, serving(made, tmp_path, "Hello."):
        for _ in range(20):
            made.platform.fault(
                Fault("POST", r"/applications/\d+/guilds/\d+/commands", status=status)
            )
        used = made.ann.slash(made.general, "skill", name="new", task="weekly: List what was done.")
        await made.answered(made.ann, used)
        await made.answered(
            made.ann, made.ann.slash(made.general, "skill", name="share", task="weekly")
        )
        used = made.ann.slash(made.general, "skill", name="weekly", task="go")
        assert await made.answered(made.ann, used) == "Hello."
