"""Chat commands of plug-ins: answered, listed, completed and registered like those of the house."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.assembly.commands import commands_of_plugins
from bot.assembly.plugged import Plugged
from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.languages import Phrase
from bot.domain.messages import Command, MessageKind, Place
from bot.errors import SettingsError
from bot.plugin.plugin import NoSettings, Parts, Plugin
from bot.testing import both_platforms, discord_house
from bot.testing.harness import running_app
from bot.testing.running import running
from bot.testing.scripted_model import ScriptedModel
from tests.plugin.conftest import Install

ROTA = """
from bot.plugin.chat_commands import *
async def run(asked):
    if asked.person.role.rank < Role.FRIEND.rank:
        return Phrase("That is for members.").said(asked.language)
    if asked.args == "mine":
        return CommandReply(f"{asked.person.name} cooks.", alone=True, on_record="(a rota)")
    viewer = await asked.viewer()
    return f"{asked.args or 'nobody'} cooks in {viewer.place.reach.value}"
async def offered(asks):
    return [Completion(f"the week of {asks.person.name}", "mine"), Completion("Ben", "ben")]
class It(Plugin):
    name = "kitchen"
    api = 13
    def build(self, given):
        about = Phrase("who cooks this week", de="wer diese Woche kocht")
        return Parts(chat_commands=(
            ChatCommand("rota", run, ("cooks",), "[WHO]", Role.FRIEND, about,
                called=Phrase("rota", de="kochplan"), offers=offered),
        ))
"""
CONTACTS = (
    "- {{id: ann, name: Ann, role: Partner, ids: {{{platform}: ['{ann}']}}}}\n"
    "- {{id: ben, name: Ben, role: Guest, ids: {{{platform}: ['{ben}']}}}}\n"
)


def home_of_the_kitchen(path: Path, install: Install) -> Path:
    install("kitchen", ROTA)
    (path / "bellhop.yaml").write_text("plugins: [kitchen]\n")
    return path


async def test_a_command_answers_where_it_is_given_and_is_listed_for_its_role(
    tmp_path: Path, install: Install
):
    home = home_of_the_kitchen(tmp_path, install)
    (home / "contacts.yaml").write_text(CONTACTS.format(platform="discord", ann="ann", ben="ben"))
    async with running_app(home, ScriptedModel([], strict=True)) as at:
        general = {"where": "general", "place": Place.CHANNEL}
        assert await at.command("ann", "rota", "ben", **general) == "ben cooks in private"
        assert await at.command("ann", "cooks") == "nobody cooks in dm"
        assert await at.command("ann", "rota", "mine", **general) == "Ann cooks."
        alone = at.chat.posts[-1].message
        assert (alone.target.ephemeral_to, alone.target.conversation.id) == ("ann", "general")
        assert await at.command("ann", "rota", "mine") == "Ann cooks."
        kept = [row["text"] for row in await at.rows("SELECT text FROM messages")]
        assert "(a rota)" in kept
        assert "Ann cooks." not in kept
        listed = "- `/rota [WHO]` (`/cooks`) who cooks this week"
        assert listed in (await at.command("ann", "help")).splitlines()
        assert "rota" not in await at.command("ben", "help")
        assert await at.command("ben", "rota", "ben") == "That is for members."
        assert "Did you mean /rota?" in await at.command("ann", "rotta")
        german = replace(
            at.chat.message("ann", "/help"),
            kind=MessageKind.COMMAND,
            command=Command("help"),
            locale="de",
        )
        assert "wer diese Woche kocht" in await at.meanwhile(at.chat.deliver(german))


async def test_discord_registers_and_completes_it_in_each_language(
    tmp_path: Path, install: Install
):
    home = home_of_the_kitchen(tmp_path, install)
    async with (
        discord_house.town(home, ann="Friend", ben="Guest") as made,
        discord_house.serving(made, home, ScriptedModel([], strict=True)),
    ):
        await made.has_command("rota")
        known = made.platform.interactions.available(made.general)["rota"]
        assert known["name_localizations"]["de"] == "kochplan"
        assert known["description_localizations"]["de"] == "wer diese Woche kocht"
        assert known["description_localizations"]["fr"] == "who cooks this week"
        typing = made.ann.types(made.general, "rota", "text", "week")
        await made.platform.until(lambda: typing.choices is not None)
        assert typing.choices == [{"name": "the week of Ann", "value": "mine"}]
        hidden = made.ben.types(made.general, "rota", "text", "")
        await made.platform.until(lambda: hidden.choices is not None)
        assert hidden.choices == []
        used = made.ann.slash(made.general, "rota", text="mine")
        assert await made.answered(made.ann, used) == "Ann cooks."


@pytest.mark.parametrize("platform", ["slack", "telegram"])
async def test_it_is_a_command_on_other_platforms(tmp_path: Path, install: Install, platform: str):
    home = home_of_the_kitchen(tmp_path, install)
    async with both_platforms.PLATFORMS[platform]() as town:
        ids = {name.lower(): id_ for name, id_ in town.ids.items()}
        (home / "contacts.yaml").write_text(CONTACTS.format(platform=platform, **ids))
        options = AppOptions(home, [town.connect(home)], ScriptedModel([], strict=True))
        async with running(options):
            await town.ready()
            town.command("Ann", "rota", text="ben")
            shown = await both_platforms.reads(town, "Ann", "ben cooks in ")
            assert not shown.direct


class Other(Plugin[NoSettings]):
    name = "other"


class Third(Plugin[NoSettings]):
    name = "third"


async def nothing(_asked: Asked) -> str:
    return ""


def command(name: str, *aliases: str) -> ChatCommand:
    return ChatCommand(name, nothing, aliases, about=Phrase("what it does"))


HOUSE = (ChatCommand("todo", nothing, ("todos",)),)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        *product(
            [command("rota"), command("plans", "rota")], [command("rota"), command("x", "rota")]
        )
    ],
)
def test_two_plugins_with_one_name_are_both_named(mine: ChatCommand, theirs: ChatCommand):
    plugged = [
        Plugged(Other(), Parts(chat_commands=(mine,))),
        Plugged(Third(), Parts(chat_commands=(theirs,))),
    ]
    with pytest.raises(SettingsError) as refused:
        commands_of_plugins(plugged, {}, HOUSE)
    assert (
        "the plug-in 'third' has a chat command /rota, and so has the plug-in 'other'; "
        "remove third from plugins, or have its author rename the command"
    ) in str(refused.value).splitlines()


@pytest.mark.parametrize("name", ["todo", "todos", "help", "bellhop", "skill", "quit", "answer"])
@pytest.mark.parametrize("aliased", [False, True])
def test_the_names_of_the_house_are_taken(name: str, *, aliased: bool):
    own = command("rota", name) if aliased else command(name)
    with pytest.raises(SettingsError) as refused:
        commands_of_plugins([Plugged(Other(), Parts(chat_commands=(own,)))], {}, HOUSE)
    assert str(refused.value).startswith(
        f"the plug-in 'other' has a chat command /{name}, and so has Bellhop; remove other"
    )


def test_a_command_beside_its_pages_has_no_name_of_another():
    plugged = [Plugged(Other(), Parts(chat_commands=(command("rota"),))), Plugged(Third(), Parts())]
    more = {"third": [command("cooks")]}
    assert [one.name for one in commands_of_plugins(plugged, more, HOUSE)] == ["rota", "cooks"]
    with pytest.raises(SettingsError, match="'third' has a chat command /rota, and so has the"):
        commands_of_plugins(plugged, {"third": [command("rota")]}, HOUSE)
    with pytest.raises(SettingsError, match="'other' has a chat command /rota, and so has"):
        commands_of_plugins(plugged, {"other": [command("rota")]}, HOUSE)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (command("Rota"), "has a chat command called 'Rota'; its author must take up to 32 small"),
        (command("who cooks"), "has a chat command called 'who cooks'"),
        (command("rota", "köche"), "has a chat command called 'köche'"),
        (command("r" * 33), f"has a chat command called '{'r' * 33}'"),
        (command(""), "has a chat command called ''"),
        (ChatCommand("rota", nothing), "doesn't say what its chat command /rota does"),
        (
            ChatCommand("rota", nothing, about=Phrase("who", de="w" * 101)),
            "says in 101 characters what /rota does (de); its author must say it in 1 to 100",
        ),
        (
            replace(command("rota"), called=Phrase("rota", fr="Le plan")),
            "calls /rota 'Le plan' (fr); its author must take up to 32 small letters",
        ),
    ],
)
def test_what_a_platform_would_refuse_is_told_at_the_start(wrong: ChatCommand, told: str):
    with pytest.raises(SettingsError) as refused:
        commands_of_plugins([Plugged(Other(), Parts(chat_commands=(wrong,)))], {}, HOUSE)
    assert f"the plug-in 'other' {told}" in str(refused.value)


async def test_a_name_of_a_real_house_ends_the_start(tmp_path: Path, install: Install):
    install("kitchen", ROTA.replace('ChatCommand("rota"', 'ChatCommand("memory"'))
    home = tmp_path
    (home / "bellhop.yaml").write_text("plugins: [kitchen]\n")
    with pytest.raises(SettingsError, match="'kitchen' has a chat command /memory, and so"):
        async with open_app(AppOptions(home)):
            raise AssertionError("it opened")
