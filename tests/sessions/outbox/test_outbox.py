"""Refused sends are retried: per platform, each message once, in all faults."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from bot.domain.chat import LiveReply
from bot.domain.database import Database, Unit, Write
from bot.domain.messages import Conversation, OutgoingMessage, Place, Receipt, ReplyTarget
from bot.errors import DeliveryError
from bot.sessions.outbox.outbox import Outbox
from bot.sessions.outbox.outbox_store import PendingSend, count_pending, pending_write
from bot.sessions.outbox.retries import KEEP_TRYING, RETRY_S, with_asker
from bot.sessions.records.conversation_store import conversation_write
from bot.sessions.records.envelope import outgoing_to_json
from bot.storage.home import open_database
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.slow_to_tell import SlowToTell
from bot.testing.waiting import until


class Unreachable(FakeChat):
    """Takes a call and never answers, until the gate is open."""

    def __init__(self, platform: str) -> None:
        super().__init__(platform)
        self.gate = asyncio.Event()
        self.tried = 0

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        self.tried += 1
        await self.gate.wait()
        return await super().send(message, key, live)


class Broken(FakeChat):
    """Fails in a way that nobody foresaw."""

    broken = True

    async def send(
        self, message: OutgoingMessage, key: str, live: LiveReply | None = None
    ) -> Receipt:
        if self.broken:
            raise KeyError(key)
        return await super().send(message, key, live)


async def keep(
    database: Database, clock: FakeClock, platform: str, text: str, *more: Write
) -> None:
    """Store a send that waits, and `more` in the same unit."""
    target = ReplyTarget(Conversation(platform, "w", f"dm-{text}", Place.DM))
    message = outgoing_to_json(OutgoingMessage(target, text))
    pending = PendingSend(
        f"t-{text}/send:answer", target.conversation.key, "ann", message, 1, clock.now()
    )
    await database.write(Unit.of(pending_write(pending, "down", clock.now()), *more))


@asynccontextmanager
async def running(
    home: Path, clock: FakeClock, *chats: FakeChat
) -> AsyncGenerator[tuple[Outbox, Database]]:
    database = await open_database(home / "data.db")
    outbox = Outbox(database, clock, chats)
    task = asyncio.create_task(outbox.retries.run())
    try:
        yield outbox, database
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await database.close()


async def until_left(database: Database, count: int) -> None:
    async def is_left() -> bool:
        return await count_pending(database) == count

    await until(is_left)


async def test_a_platform_that_does_not_answer_keeps_no_other_waiting(tmp_path: Path):
    clock, slack, discord = FakeClock(), Unreachable("slack"), FakeChat("discord")
    async with running(tmp_path, clock, slack, discord) as (outbox, database):
        await keep(database, clock, "slack", "one")
        await keep(database, clock, "slack", "two")
        await keep(database, clock, "discord", "three")
        outbox.retries.wake()
        await until_left(database, 2)
        await keep(database, clock, "discord", "four")
        outbox.retries.wake()
        await until_left(database, 2)
        assert (discord.texts, slack.tried) == (["three", "four"], 1)
        slack.gate.set()
        await until_left(database, 0)
        assert slack.texts == ["one", "two"]


async def test_unforeseen_errors_stop_neither_the_process_nor_other_sends(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    clock, chat = FakeClock(), Broken("discord")
    async with running(tmp_path, clock, chat) as (outbox, database):
        await keep(database, clock, "discord", "one")
        outbox.retries.wake()
        await until(
            lambda: any("could not be tried" in record.message for record in caplog.records)
        )
        chat.broken = False
        async with asyncio.timeout(60):
            while not chat.texts:
                await clock.advance(RETRY_S[1])
        assert chat.texts == ["one"]
        await until_left(database, 0)


async def test_a_send_repeated_during_its_try_is_sent_once(tmp_path: Path):
    clock, chat = FakeClock(), Unreachable("terminal")
    async with running(tmp_path, clock, chat) as (outbox, database):
        await keep(database, clock, "terminal", "one")
        outbox.retries.wake()
        await until(lambda: chat.tried > 0)
        brought = asyncio.create_task(outbox.retries.flush("terminal"))
        await settle()
        chat.gate.set()
        assert await brought == 0
        assert (chat.tried, chat.texts) == (1, ["one"])


async def test_what_was_read_before_a_send_waited_does_not_let_later_ones_pass(tmp_path: Path):
    clock = FakeClock()
    database = await open_database(tmp_path / "data.db")
    slow = SlowToTell(database)
    retries = Outbox(slow, clock, []).retries
    early = asyncio.create_task(retries.held_back.get())
    await slow.has_read.wait()
    await keep(database, clock, "discord", "one")
    retries.wake()
    slow.gate.set()
    assert await early == set()
    assert await retries.held_back.get() == {("discord:w:dm-one", "ann")}
    await database.close()


async def test_undeliverable_sends_are_dropped_after_a_day(tmp_path: Path):
    clock, chat = FakeClock(), FakeChat("discord")
    chat.refuse = lambda _message: DeliveryError("down", retryable=True)
    async with running(tmp_path, clock, chat) as (outbox, database):
        await keep(database, clock, "discord", "one")
        await keep(database, clock, "gone", "two")
        outbox.retries.wake()
        await clock.advance(KEEP_TRYING.total_seconds() + RETRY_S[-1] + 1)  # one try after a day
        await until_left(database, 0)
        rows = await database.read("SELECT DISTINCT state FROM outbox")
        assert [row["state"] for row in rows] == ["dropped"]


async def test_a_row_that_can_not_be_read_is_set_aside_and_told(tmp_path: Path):
    clock, chat = FakeClock(), FakeChat("discord")
    async with running(tmp_path, clock, chat) as (outbox, database):
        place = Conversation("discord", "w", "dm-lost", Place.DM)
        await keep(
            database,
            clock,
            "discord",
            "lost",
            Write("UPDATE outbox SET message = '{' WHERE key = 't-lost/send:answer'"),
            conversation_write(place, private=True, now=clock.now()),
        )
        await keep(database, clock, "discord", "fine")
        outbox.retries.wake()
        await until(lambda: len(chat.posts) == 2)
        await outbox.retries.flush("discord")
        assert await count_pending(database) == 0
        [row] = await database.read("SELECT state FROM outbox WHERE key = 't-lost/send:answer'")
        assert row["state"] == "dropped"
    told = (
        "Sorry, an answer that waited to be sent here is damaged and lost. Please ask again. "
        "(reference t-lost)"
    )
    assert sorted(chat.texts) == [told, "fine"]


async def test_the_asker_is_told_directly_of_a_given_up_send(tmp_path: Path):
    clock, chat = FakeClock(), FakeChat("discord")
    there = Conversation("discord", "g1", "c1", Place.CHANNEL)
    chat.refuse = lambda message: (
        None
        if message.target.ephemeral_to
        else DeliveryError("an error that nobody knows", retryable=True)
    )
    async with running(tmp_path, clock, chat) as (outbox, database):
        text = outgoing_to_json(OutgoingMessage(ReplyTarget(there), "one"))
        pending = PendingSend(
            "t1/send:answer", there.key, "ann", with_asker(text, "u-ann"), 1, clock.now()
        )
        await database.write(Unit.of(pending_write(pending, "", clock.now())))
        outbox.retries.wake()
        await clock.advance(KEEP_TRYING.total_seconds() + RETRY_S[-1] + 1)
        async with asyncio.timeout(60):
            while not chat.texts:
                await clock.advance(RETRY_S[1])
        assert [sent.message.target.ephemeral_to for sent in chat.posts] == ["u-ann"]
