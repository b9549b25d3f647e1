"""Whom a name means, and who is known: what plug-ins tell each other about people."""

from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, say
from tests.plugin.conftest import Install

FINDS = """
from bot.plugin.people import *
class Cards:
    async def named(self, viewer, name):
        return [PersonFile(name, f"/cards/{name}.md")] if viewer.inner else []
class It(Plugin):
    name = "cards"
    api = 14
    def build(self, given):
        return Parts(people=Cards())
"""
ASKS = """
from bot.plugin.chat_commands import *
class It(Plugin):
    name = "asks"
    api = 14
    def build(self, given):
        async def who(asked):
            found = await given.people.named(await asked.viewer(), asked.args)
            return " ".join(one.path for one in found) or "nobody"
        async def known(asked):
            found = await given.directory.newcomers()
            return " ".join(sorted(one.name for one in found)) or "nobody new"
        about = Phrase("who is who")
        return Parts(chat_commands=(
            ChatCommand("who", who, about=about), ChatCommand("known", known, about=about)
        ))
"""


async def test_plugins_find_people_where_others_keep_files_about_them(
    tmp_path: Path, install: Install
):
    install("asks", ASKS)
    install("cards", FINDS)
    know(tmp_path, ann="Partner", ben="Guest")
    (tmp_path / "bellhop.yaml").write_text("plugins: [asks, cards]\n")
    looks = call("people", {"action": "find", "query": "ben"})
    async with running_app(tmp_path, ScriptedModel([looks, say("Ben.")], strict=True)) as at:
        assert await at.command("ann", "who", "ben") == "/cards/ben.md"
        assert await at.command("ben", "who", "ann") == "nobody"
        assert await at.ask("ann", "who is ben?") == "Ben."
        assert await at.command("ann", "known") == "Ann Ben"
        assert await at.command("ann", "known") == "nobody new"
