"""A start doesn't ask for each of many contacts by itself whether something is to be moved."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.database import Database, Row
from bot.sessions.people.contact_record import ContactRecord
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.person_links import PersonLinks
from bot.storage.home import open_database
from bot.testing.crash_points import CrashingDatabase
from bot.testing.fake_clock import FakeClock


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
    links = PersonLinks(database, FakeClock(), contacts, record, [keeper])
    assert await links.follow() == []
    await opened.close()
    assert keeper.looks == [len(contacts.earlier_ids())]
    assert keeper.moved == [("slack-T1-U7", "p7")]
    assert database.reads <= 10
