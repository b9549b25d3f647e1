"""Whose messages are taken in first when somebody sends very many."""

import asyncio
from dataclasses import replace
from pathlib import Path

from bot.assembly.own_plugins import KNOWN_PLATFORMS
from bot.domain.chat import Acceptance
from bot.domain.database import Database, Unit, Write, WriteResult
from bot.domain.messages import (
    Action,
    Addressed,
    MessageKind,
    Place,
    PlatformPerson,
    Visibility,
)
from bot.domain.turns import Question
from bot.sessions.inbox.router import TAKEN_IN, Router
from bot.sessions.people.contacts import Contacts
from bot.sessions.people.contacts_file import ContactList
from bot.sessions.settings import AccessSettings
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.noted_reads import NotedReads
from bot.testing.waiting import until
from bot.tools.policy.file import parse_policy
from bot.tools.policy.rights import Rights
from bot.turns.engine import TurnEngine

FLOOD = 5 * TAKEN_IN
FREE_IN_PRIVATE = "places:\n  - {name: ours, where: private, reply: free}\n"


class SlowDisk(NotedReads):
    """A database whose writes wait for `goes_on`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.goes_on = asyncio.Event()
        self.waiting: list[str] = []
        """The session of each message that was to be written."""

    async def write(self, unit: Unit) -> WriteResult:
        self.waiting.append(str(unit.writes[0].params[0]))
        await self.goes_on.wait()
        return await super().write(unit)

    def of(self, person: str) -> int:
        return sum(person in session for session in self.waiting)


def some_contacts() -> Contacts:
    return Contacts(Path("contacts.yaml"), ContactList((), ()), KNOWN_PLATFORMS, AccessSettings())


def a_router(database: Database, rights: Rights | None = None) -> Router:
    contacts = some_contacts()
    clock = FakeClock()
    engine = TurnEngine(database, clock, owner="test")
    return Router(database, engine, contacts, clock, rights or Rights())


async def test_a_flood_is_taken_in_few_at_a_time_and_others_come_between(database: Database):
    disk, chat = SlowDisk(database), FakeChat()
    router = a_router(disk)
    flood = [
        chat.message("flo", "hello", where=f"t{number}", place=Place.THREAD)
        for number in range(FLOOD)
    ]
    accepting = [asyncio.create_task(router.accept(message)) for message in flood]
    accepting.append(asyncio.create_task(router.accept(chat.message("ann", "hello"))))
    await until(lambda: disk.of("flo") >= TAKEN_IN and disk.of("ann"))
    assert disk.of("flo") == TAKEN_IN
    chat.attach(router.accept)
    stopping = asyncio.create_task(chat.command("flo", "stop", where="t0", place=Place.THREAD))
    await until(lambda: disk.of("flo") > TAKEN_IN)  # a command waits for no message
    disk.goes_on.set()
    assert set(await asyncio.gather(*accepting)) == {Acceptance.TURN}
    assert await stopping is Acceptance.CONTROL
    assert disk.of("flo") == FLOOD + 1


async def test_deletions_wait_for_no_deletions_of_other_people(database: Database):
    # On Discord they all come from the same nobody.
    disk, chat = SlowDisk(database), FakeChat()
    router = a_router(disk)
    nobody = PlatformPerson("0", "somebody")
    gone = [
        replace(message, kind=MessageKind.DELETE, key=f"delete:{message.key}:0", sender=nobody)
        for message in (chat.message("ann", "oops") for _ in range(FLOOD))
    ]
    deleting = [asyncio.create_task(router.accept(message)) for message in gone]
    await until(lambda: len(disk.waiting) == FLOOD)
    disk.goes_on.set()
    assert set(await asyncio.gather(*deleting)) == {Acceptance.CONTEXT}


async def test_a_channel_is_known_as_it_was_stored_last(database: Database):
    chat = FakeChat()
    router = a_router(database)
    for change in ("was_private = 0", "was_private = 1, category = 'hr'"):
        await database.write(Unit.of(Write(f"UPDATE channels SET {change}")))  # noqa: S608 - ours
        said = chat.message(
            "ann",
            "hello",
            where="office",
            place=Place.CHANNEL,
            visibility=Visibility.PUBLIC,
            addressed=Addressed.NONE,
        )
        assert await router.accept(replace(said, to_others=True)) is Acceptance.CONTEXT
    (row,) = await database.read("SELECT category, was_private FROM channels")
    assert (row["category"], row["was_private"]) == ("hr", 1)


async def test_a_rule_for_private_channels_holds_as_soon_as_a_channel_is_one(database: Database):
    chat, rights = FakeChat(), Rights()
    rights.take(parse_policy(FREE_IN_PRIVATE, "policy.yaml"))
    router = a_router(database, rights)

    async def accepted(visibility: Visibility = Visibility.UNKNOWN) -> Acceptance:
        said = chat.message(
            "ann",
            "hello",
            where="office",
            place=Place.CHANNEL,
            visibility=visibility,
            addressed=Addressed.NONE,
        )
        return await router.accept(said)

    assert await accepted(Visibility.PUBLIC) is Acceptance.CONTEXT
    assert [await accepted() for _ in range(3)] == [Acceptance.CONTEXT] * 3
    await database.write(Unit.of(Write("UPDATE channels SET visibility = 'private'")))
    assert [await accepted() for _ in range(2)] == [Acceptance.TURN] * 2


class AsksBetweenLooks(TurnEngine):
    """Its turn is under way at the first look of the router, and has asked at the next."""

    asked = False

    async def under_way(self, session: str) -> bool:
        looked, self.asked = not self.asked, True
        return looked

    async def open_question(self, conversation: str, person: str) -> Question | None:
        looked, self.asked = self.asked, True
        asked_at = FakeClock().now()
        question = Question("q1", "s", 1, conversation, person, "Which?", ("red",), asked_at)
        return question if looked else None

    async def answer(
        self, question: str, key: str, text: str, unit: Unit = Unit(), *, typed: str = ""
    ) -> bool:
        self.answered = (question, text)
        return True


async def test_a_click_while_its_question_is_recorded_answers_it(database: Database):
    engine, chat = AsksBetweenLooks(database, FakeClock(), owner="test"), FakeChat()
    router = Router(database, engine, some_contacts(), FakeClock(), Rights())
    said = chat.message("ann", "")
    click = replace(said, kind=MessageKind.ACTION, action=Action("q1", "answer", "red"))
    assert await router.accept(click) is Acceptance.CONTROL
    assert engine.answered == ("q1", "red")
