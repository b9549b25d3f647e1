"""Who there is, and when one last talked with them: looked up in public places alone."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import Conversation, Place, PlatformPerson, Visibility
from bot.domain.origins import Trust
from bot.domain.people import LastTalk, Profile
from bot.errors import DeliveryError
from bot.plugins.people.store import TABLES
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.members import HouseDirectory
from bot.sessions.people.person_store import move_unit
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import NewMessage, conversation_write, message_write
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock

SQUARE = Conversation("slack", "T1", "C1", Place.CHANNEL, "#square", visibility=Visibility.PUBLIC)
VAULT = Conversation("slack", "T1", "C2", Place.CHANNEL, "#vault", visibility=Visibility.PRIVATE)
DM = Conversation("slack", "T1", "D1", Place.DM)
NOW = FakeClock().now()


class _Slack(FakeChat):
    """A platform that knows one profile."""

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        if person.id == "U9":
            raise DeliveryError("away", retryable=True)
        return (
            Profile("Bob Frost", (), "Poet")
            if (person.id, place.workspace) == ("U2", "T1")
            else None
        )


@pytest.fixture
def directory(tmp_path: Path, database: Database) -> HouseDirectory:
    path = tmp_path / "contacts.yaml"
    path.write_text(
        '- {id: ann, name: Ann, role: Friend, ids: {slack: ["T1:U1"]}}\n- {id: eve, name: Eve, '
        "role: Banned}\n"
    )
    contacts, adapters = (
        Contacts.load(path, KNOWN_PLATFORMS),
        dict[str, ChatAdapter](slack=_Slack()),
    )
    return HouseDirectory(database, contacts, lambda: adapters)


async def said(
    database: Database,
    key: str,
    author: str,
    place: Conversation,
    at: datetime,
    trust: Trust = Trust.MEMBER,
) -> None:
    noticed = await Channels(database).notice(place, at)
    message = NewMessage(key, place.key, author, author.title(), trust, "hello", at)
    await database.write(
        Unit.of(conversation_write(place, place.place is Place.DM, at), message_write(message))
        + noticed.unit
    )


async def test_writers_and_contacts_are_reported_once(
    database: Database, directory: HouseDirectory
):
    await said(database, "m1", "slack-T1-U2", SQUARE, NOW, Trust.OUTSIDER)
    await said(database, "m1b", "slack-T1-U3", SQUARE, NOW)
    await said(database, "m2", "agent:assistant", SQUARE, NOW)
    assert {one.id: (one.name, one.rank) for one in await directory.newcomers()} == {
        "ann": ("Ann", 2),
        "slack-T1-U2": ("Slack-T1-U2", 1),
        "slack-T1-U3": ("Slack-T1-U3", 2),  # a member, though the file does not name them
    }
    assert await directory.newcomers() == []
    await said(database, "m3", "discord-5", SQUARE, NOW)
    assert [one.id for one in await directory.newcomers()] == ["discord-5"]


async def test_private_messages_do_not_count_as_last_talked(
    database: Database, directory: HouseDirectory
):
    bob = "slack-T1-U2"
    days = [NOW + timedelta(days=number) for number in range(4)]
    await said(database, "m1", bob, SQUARE, days[0])
    assert await directory.last_talk("ann", [bob]) == LastTalk(seen=days[0])
    await said(database, "m2", "ann", SQUARE, days[1])
    await said(database, "m3", bob, VAULT, days[2])
    await said(database, "m4", "ann", VAULT, days[2])
    await said(database, "m5", bob, DM, days[3])
    closed = replace(SQUARE, id="C1:t", place=Place.THREAD, channel="C1", closed=True)
    await said(database, "m6", bob, closed, days[3])
    await said(database, "m7", "ann", closed, days[3])
    assert await directory.last_talk("ann", [bob]) == LastTalk(days[0], days[0], "#square")


async def test_profiles_and_mentions(directory: HouseDirectory):
    assert await directory.profile("slack-T1-U2") == Profile("Bob Frost", (), "Poet")
    assert await directory.profile("slack-T2-U2") is None
    assert await directory.profile("terminal-local-x") is None
    assert await directory.profile("ann") is None
    with pytest.raises(DeliveryError):
        await directory.profile("slack-T1-U9")
    assert directory.mentioned("<@U1>", SQUARE) == "ann"
    assert directory.mentioned("<@U2|bob>", SQUARE) == "slack-T1-U2"
    assert directory.mentioned("bob", SQUARE) is None


async def test_files_of_two_ids_of_one_person_are_merged(database: Database):
    file = (
        "INSERT INTO people_files (id, slug, owner, name, created_at, updated_at, agent, session, "
        "conversation, reach,"
        " origin) VALUES (?, ?, '', ?, '', '', '', '', '', 'public', '{}')"
    )
    account = "INSERT INTO people_accounts (person, about) VALUES (?, ?)"
    note = (
        "INSERT INTO people_remarks (id, about, owner, text, created_at, agent, session, "
        "conversation, reach, origin)"
        " VALUES (?, ?, ?, 'x', '', '', '', '', 'public', '{}')"
    )
    await database.write(
        Unit.of(
            *(Write(file, (id_, slug, slug)) for id_, slug in (("p1", "kit"), ("p2", "ann"))),
            *(
                Write(account, row)
                for row in (("discord-7", "p1"), ("slack-T1-U7", "p1"), ("ann", "p2"))
            ),
            *(Write(note, row) for row in (("n1", "p1", "discord-7"), ("n2", "p2", "ben"))),
        )
    )
    for _ in range(2):  # a move that was cut off is done again
        await database.write(move_unit("discord-7", "ann", NOW, TABLES))
        assert [row["id"] for row in await database.read("SELECT id FROM people_files")] == ["p2"]
        notes = await database.read("SELECT about, owner FROM people_remarks ORDER BY id")
        assert [(row["about"], row["owner"]) for row in notes] == [("p2", "ann"), ("p2", "ben")]
        accounts = await database.read("SELECT person, about FROM people_accounts ORDER BY person")
        assert [(row["person"], row["about"]) for row in accounts] == [
            ("ann", "p2"),
            ("slack-T1-U7", "p2"),
        ]
        assert [row["slug"] for row in await database.read("SELECT slug FROM people_slugs")] == [
            "kit"
        ]
    await database.write(Unit.of(Write(account, ("discord-8", "p3"))))
    await database.write(move_unit("discord-8", "cleo", NOW, TABLES))
    [moved] = await database.read("SELECT person FROM people_accounts WHERE about = 'p3'")
    assert moved["person"] == "cleo"
