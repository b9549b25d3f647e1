"""Parts of plug-ins that act for people who are not there: pages for strangers, words to people."""

import json
from pathlib import Path

import aiohttp
import pytest

from bot.app import AppOptions, open_app
from bot.connections.credentials import Keyring
from bot.errors import SettingsError
from bot.plugin.late import Sealing
from bot.testing.free_port import free_port, until_listening
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel
from tests.plugin.conftest import Install

BELL = """
from bot.plugin.chat_commands import *
from bot.plugin.late import *
from bot.plugin.site import *
from bot.plugin.tables import *
class It(Plugin):
    name = "bell"
    api = 16
    def build(self, given):
        links = {}
        def late(ground):
            async def hang(asked):
                links["door"] = ground.people.found_by(asked)
                return f"{ground.public_url}PATH/door"
            async def show(request):
                who = await ground.people.now(links[request.path["ref"]])
                zone = ground.people.zone(who)
                return PageAnswer(body=f"{who.name}, {who.role}, {zone}".encode())
            async def ring(request):
                who = await ground.people.now(links[request.path["ref"]])
                async with ground.alone("ring"):
                    language = await ground.tells.language(who.id)
                    text = Phrase("Somebody is there.", de="Jemand ist da.").said(language)
                    await given.database.write(await ground.tells.unit("one", who.id, text))
                    ground.tells.written()
                return PageAnswer(body=str(sorted(ground.calendars(who))).encode())
            async def work():
                links["work"] = "begun"
            async def listed(asked):
                return str(sorted(links))
            commands = (
                ChatCommand("hang", hang, about=Phrase("hang a bell")),
                ChatCommand("listed", listed, about=Phrase("what there is")),
            )
            pages = (
                SitePage("GET", "PATH/{ref}", show), SitePage("POST", "PATH/{ref}", ring),
            )
            return LateParts(commands, pages, (work,))
        return Parts(late=late)
"""
ANN = "- {id: ann, name: Ann, role: Friend, timezone: Europe/Berlin, ids: {discord: [ann]}}\n"


def home_with_bell(path: Path, install: Install, at: str) -> tuple[Path, int]:
    install("bell", BELL.replace("PATH", at))
    port = free_port()
    console = {"port": port, "public_url": "https://bell.example.org"}
    (path / "bellhop.yaml").write_text(json.dumps({"plugins": ["bell"], "console": console}))
    (path / "contacts.yaml").write_text(ANN)
    return path, port


async def test_strangers_reach_somebody_by_a_page_without_the_website(
    tmp_path: Path, install: Install
):
    home, port = home_with_bell(tmp_path, install, "/plugins/bell")
    async with (
        running_app(home, ScriptedModel([], strict=True)) as at,
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as browser,
    ):
        url = await at.command("ann", "hang")
        assert url == "https://bell.example.org/plugins/bell/door"
        path = url.removeprefix("https://bell.example.org")
        await until_listening(port)
        async with browser.get(path) as answer:
            assert await answer.text() == "Ann, Friend, Europe/Berlin"
        before = len(at.chat.posts)
        for _ in range(2):
            async with browser.post(path, data={}) as answer:
                assert await answer.text() == "[]"
        posts = await at.chat.until(before + 1)
        assert [one.text for one in posts[before:]] == ["Somebody is there."], "once for its key"
        assert await at.command("ann", "listed") == "['door', 'work']"


async def test_its_pages_lie_below_its_own_path(tmp_path: Path, install: Install):
    home, _ = home_with_bell(tmp_path, install, "/book")
    with pytest.raises(SettingsError, match="must let it begin with /plugins/bell/"):
        async with open_app(AppOptions(home, model=ScriptedModel([], strict=True))):
            raise AssertionError("it started")


def test_what_one_plugin_sealed_no_other_opens():
    keys = Keyring({"BELLHOP_SECRET_KEY": f"{'A' * 43}="}.get)
    sealed = Sealing(keys, "bell").seal("the door")
    assert "door" not in sealed
    assert Sealing(keys, "bell").open(sealed) == "the door"
    assert Sealing(keys, "horn").open(sealed) is None
    assert not Sealing(Keyring(lambda _name: None), "bell").ready
