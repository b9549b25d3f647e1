"""First minutes on loopback platforms: who owns Bellhop, and who becomes known."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.sessions.commands.claims import Claims
from bot.testing.both_platforms import PLATFORMS, reads
from bot.testing.tools import NO_SANDBOX


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_the_owner_claims_it_and_pairs_the_next_person(platform: str, tmp_path: Path):
    settings = f"{NO_SANDBOX}model: {{provider: offline}}\naccess: {{unknown_people: pair}}\n"
    (tmp_path / "bellhop.yaml").write_text(settings)
    (tmp_path / "contacts.yaml").write_text("")
    async with (
        PLATFORMS[platform]() as town,
        open_app(AppOptions(tmp_path, [town.connect()])) as app,
    ):
        code = await Claims(app.database, SystemClock(), lambda: app.contacts).new_code("")
        running = asyncio.create_task(app.run())
        try:
            await town.ready()
            town.say("Ann", f"/claim {code}", direct=True)
            assert (await reads(town, "Ann", "You are my owner here now")).direct
            town.say("Ben", "add a todo: buy milk", direct=True)
            card = await reads(town, "Ann", "asks for access")
            assert card.labels[:2] == ("Friend", "Partner")
            card.click("Friend")
            await reads(town, "Ben", "buy milk")
            town.say("Ben", f"/claim {code}", direct=True)
            assert (await reads(town, "Ben", "have an owner here already")).direct
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
    contacts = (tmp_path / "contacts.yaml").read_text()
    assert "MasterAdmin" in contacts
    assert "Friend" in contacts
