"""Which member a name or id means."""

from pathlib import Path

import pytest

from bot.domain.messages import Addressed, Conversation, Place, Visibility
from bot.errors import ToolError
from bot.sessions.people.members import Members
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel

PEOPLE = """\
- {id: ann, name: Ann Lee, role: Friend, ids: {discord: ["1"]}}
- {id: ann-2, name: Ann Poe, role: Friend, ids: {discord: ["2"]}}
- {id: sue, name: Sue, role: Friend, ids: {slack: ["T1:U9"]}}
"""


async def test_names_ids_and_mentions_mean_one_person_or_are_asked_back(tmp_path: Path):
    (tmp_path / "contacts.yaml").write_text(PEOPLE)
    async with running_app(tmp_path, ScriptedModel([])) as at:
        await at.chat.say(
            "7",
            "hello all",
            where="general",
            place=Place.CHANNEL,
            name="Zoe",
            addressed=Addressed.NONE,
        )
        there = Conversation("discord", "w", "general", Place.CHANNEL, visibility=Visibility.PUBLIC)
        house = at.app.house
        members = Members(
            at.app.database,
            house.people.contacts,
            house.channels,
            house.chats.by_platform,
        )
        for who in ("Ann Lee", "1", "<@1>", "@ann lee", "ann"):
            assert (await members.find(who, there)).sender.id == "1", who
        for id_ in ("7", "discord-7", "<@7>"):
            assert (await members.find(id_, there)).person.id == "discord-7", id_
        with pytest.raises(ToolError, match="calls themself 'zoe' here is discord-7"):
            await members.find("zoe", there)
        with pytest.raises(ToolError, match=r"may be ann \(account 1\), ann-2 \(account 2\)"):
            await members.find("Ann", there)
        for nobody in ("Sue", "", "everyone", "agent:assistant"):
            with pytest.raises(ToolError, match="know nobody"):
                await members.find(nobody, there)


async def test_an_id_that_is_somebody_elses_name_is_asked_back(tmp_path: Path):
    newer = '- {id: p-x, name: Sue, role: Friend, ids: {discord: ["3"]}}\n'
    older = '- {id: sue, name: Susan, role: Friend, ids: {discord: ["4"]}}\n'
    (tmp_path / "contacts.yaml").write_text(newer + older)
    async with running_app(tmp_path, ScriptedModel([])) as at:
        there = Conversation("discord", "w", "general", Place.CHANNEL)
        house = at.app.house
        members = Members(
            at.app.database,
            house.people.contacts,
            house.channels,
            house.chats.by_platform,
        )
        with pytest.raises(ToolError, match="may be p-x"):
            await members.find("sue", there)
        assert (await members.find("3", there)).person.id == "p-x"
        assert (await members.find("4", there)).person.id == "sue"
