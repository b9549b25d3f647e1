"""Names, ids and mentions mean one person."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.access import Person, Role
from bot.domain.database import Database, Row
from bot.domain.messages import Addressed, Conversation, Place, Visibility
from bot.domain.targets import TargetKind
from bot.errors import ToolError
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import parse_contacts
from bot.sessions.people.members import Members
from bot.sessions.people.people import AddressBook
from bot.sessions.people.person_links import PersonLinks
from bot.storage.home import open_database
from bot.testing.crash_points import CrashingDatabase
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel
from bot.tools.definitions.targets import typed

CONTACTS = """\
- {id: carol, name: Carol Jones, role: Friend, email: carol@example.com}
- {id: dan1, name: Dan Brown, role: Friend}
- {id: dan2, name: Dan White, role: Friend}
"""
ANN = Person("ann", "Ann", Role.FRIEND)


@pytest.mark.parametrize(
    ("kind", "value", "known"),
    [
        ("email", "carol@example.com", True),
        ("id", "carol", True),
        ("id", "Carol Jones", True),
        ("account", "Carol", True),
        ("id", "Dan White", True),
        ("id", "Dan", False),
        ("account", "Dan", False),
        ("id", "Eve", False),
        ("email", "carol", False),
        ("channel", "Carol", False),
    ],
)
def test_a_contact_is_known_by_address_id_and_a_name_of_their_own(
    kind: str, value: str, known: bool
):
    people = parse_contacts(CONTACTS, "contacts.yaml", KNOWN_PLATFORMS).contacts
    assert AddressBook(lambda: people)(typed("to", TargetKind(kind), value), ANN) is known


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


class _CountedReads(CrashingDatabase):
    """Counts how often it is asked."""

    def __init__(self, database: Database) -> None:
        super().__init__(database, None)
        self.reads = 0

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        self.reads += 1
        return await super().read(sql, params)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        self.reads += 1
        return await super().read_one(sql, params)


class _CountedKeeper:
    """Holds something of one person."""

    def __init__(self, person: str) -> None:
        self._person = person
        self.looks: list[int] = []
        self.moved: list[tuple[str, str]] = []

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        self.looks.append(len(persons))
        return {self._person}.intersection(persons)

    async def move(self, earlier: str, person: str) -> None:
        self.moved.append((earlier, person))


async def test_many_contacts_are_looked_for_at_once(tmp_path: Path):
    people = [
        {"id": f"p{n}", "name": f"P {n}", "ids": {"discord": [str(n)], "slack": [f"T1:U{n}"]}}
        for n in range(300)
    ]
    (tmp_path / "contacts.yaml").write_text(json.dumps(people))
    opened = await open_database(tmp_path / "bellhop.db")
    database = _CountedReads(opened)
    keeper = _CountedKeeper("slack-T1-U7")
    contacts = Contacts.load(tmp_path / "contacts.yaml", KNOWN_PLATFORMS)
    record = ContactRecord(database, FakeClock(), KNOWN_PLATFORMS)
    await contacts.follow_record(record)
    assert database.reads <= 3
    links = PersonLinks(database, FakeClock(), contacts, [keeper])
    assert await links.follow() == []
    await opened.close()
    assert keeper.looks == [len(contacts.earlier_ids())]
    assert keeper.moved == [("slack-T1-U7", "p7")]
    assert database.reads <= 10
