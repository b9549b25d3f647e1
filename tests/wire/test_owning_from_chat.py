"""First minutes on loopback platforms: who owns Bellhop, and who becomes known."""

import json
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.clock import SystemClock
from bot.sessions.commands.people import Claims
from bot.testing.both_platforms import PLATFORMS, reads
from bot.testing.running import running
from bot.testing.tools import NO_SANDBOX


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_the_owner_claims_it_and_pairs_the_next_person(platform: str, tmp_path: Path):
    settings = f"{NO_SANDBOX}model: {{provider: offline}}\naccess: {{unknown_people: pair}}\n"
    (tmp_path / "bellhop.yaml").write_text(settings)
    (tmp_path / "contacts.yaml").write_text("")
    async with (
        PLATFORMS[platform]() as town,
        running(AppOptions(tmp_path, [town.connect()])) as app,
    ):
        code = await Claims(app.database, SystemClock(), app.contacts).new_code("")
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
    contacts = (tmp_path / "contacts.yaml").read_text()
    assert "MasterAdmin" in contacts
    assert "Friend" in contacts


@pytest.mark.parametrize("platform", PLATFORMS)
async def test_a_former_owner_is_asked_before_their_things_are_taken_over(
    platform: str, tmp_path: Path
):
    (tmp_path / "bellhop.yaml").write_text(f"{NO_SANDBOX}model: {{provider: offline}}\n")
    async with PLATFORMS[platform]() as town:
        ann, ben = (
            {"id": name.lower(), "name": name, "ids": {platform: [town.ids[name]]}}
            for name in ("Ann", "Ben")
        )
        write = (tmp_path / "contacts.yaml").write_text
        write(json.dumps([{**ann, "role": "MasterAdmin"}, {**ben, "role": "Friend"}]))
        async with open_app(AppOptions(tmp_path)) as app:
            assert app.contacts.was_used("ben"), "the record begins"
        write(json.dumps([{**ann, "role": "MasterAdmin"}, {**ben, "id": "benno"}]))
        async with running(AppOptions(tmp_path, [town.connect()])) as app:
            await town.ready()
            town.say("Ann", "/takeover ben benno yes", direct=True)
            card = await reads(town, "Ben", "is to become that of")
            assert card.direct
            assert not [one for one in town.sees("Ann") if "become that of" in one.text]
            card.click("Yes, hand it over")
            await reads(town, "Ben", "It is being handed over")
            assert (await reads(town, "Ann", "the owner said yes")).direct
            taken = await app.database.read("SELECT earlier, contact, state FROM takeovers")
            assert [tuple(row.values()) for row in taken] == [("ben", "benno", "agreed")]
