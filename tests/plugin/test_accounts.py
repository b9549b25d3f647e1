"""Calendars and mailboxes: what a plug-in keeps at its service, and others read."""

import json
from pathlib import Path

from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel
from tests.plugin.conftest import Install

KEEPS = """
from bot.plugin.accounts import *
from bot.plugin.services import *
class Days:
    async def events(self, person, start, end, query=""):
        return EventList((CalendarEvent("1", f"Lunch of {person.name}", start, end),))
class It(Plugin):
    name = "diary"
    services = (Service(
        id="diary", title="Diary", what="a diary", base_url="https://diary.example",
        authorize_url="https://diary.example/yes", token_url="https://diary.example/token",
        scopes=(),
    ),)
    def build(self, given):
        return Parts(calendars={"diary": Days()})
"""
READS = """
from datetime import timedelta
from bot.plugin.accounts import *
from bot.plugin.chat_commands import *
class It(Plugin):
    name = "agenda"
    api = 19
    def build(self, given):
        async def agenda(asked):
            now = given.clock.now()
            try:
                found = await given.calendars.gather(
                    asked.person, None, lambda one: one.events(asked.person, now, now)
                )
            except ToolError as error:
                return str(error)
            return str([one.summary for all in found.by_service.values() for one in all.events])
        return Parts(chat_commands=(ChatCommand("agenda", agenda, about=Phrase("today")),))
"""
ENV = f"BELLHOP_SECRET_KEY={'A' * 43}=\nDIARY_CLIENT_ID=id\nDIARY_CLIENT_SECRET=secret\n"


async def test_a_plugin_reads_the_calendars_that_others_keep_of_who_connected_them(
    tmp_path: Path, install: Install
):
    install("agenda", READS)
    install("diary", KEEPS)
    (tmp_path / ".env").write_text(ENV)
    (tmp_path / ".env").chmod(0o600)
    know(tmp_path, ann="Friend", ben="Friend")
    (tmp_path / "bellhop.yaml").write_text("plugins: [agenda, diary]\n")
    async with running_app(tmp_path, ScriptedModel([], strict=True)) as at:
        token = json.dumps({"access": "a", "refresh": "r", "expires_at": None, "scopes": []})
        await at.app.house.accounts.credentials.store("ann", "diary", token)
        assert await at.command("ann", "agenda") == "['Lunch of Ann']"
        assert "is not connected for this person" in await at.command("ben", "agenda")
