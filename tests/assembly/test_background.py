"""What a full disk does to turns and to the work beside them."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.app import AppOptions, open_app
from bot.assembly.background import KeptUp
from bot.assembly.tasks import TURNS_AGAIN_S
from bot.domain.database import Database, Read, Row, Unit, WriteResult
from bot.errors import StorageError
from bot.testing.connecting_home import write_connecting_home
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.oauth_provider import oauth_provider
from bot.testing.running import at_work
from bot.testing.scripted_model import ScriptedModel, say
from bot.testing.services.google_accounts import GoogleAccounts
from bot.testing.waiting import until


@dataclass
class FullDisk:
    """A database on a disk that is full for a while, so that not even SQLite's `-shm` has room."""

    database: Database
    full: bool = False

    def _look(self) -> None:
        if self.full:
            raise StorageError("not stored: database or disk is full; free some space")

    async def write(self, unit: Unit) -> WriteResult:
        self._look()
        return await self.database.write(unit)

    async def read(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        self._look()
        return await self.database.read(sql, params)

    async def read_one(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        self._look()
        return await self.database.read_one(sql, params)

    async def read_all(self, *reads: Read) -> list[list[Row]]:
        self._look()
        return await self.database.read_all(*reads)


async def test_a_full_disk_ends_no_work(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    clock, disks = FakeClock(), list[FullDisk]()

    def wrapped(database: Database) -> Database:
        disks.append(FullDisk(database))
        return disks[-1]

    async with oauth_provider("google", clock, api=GoogleAccounts()) as provider:
        write_connecting_home(tmp_path, provider)
        options = AppOptions(tmp_path, [FakeChat()], ScriptedModel(), clock, wrap_database=wrapped)
        async with open_app(options) as app:
            disks[0].full = True
            work = [asyncio.ensure_future(one()) for one in app.tasks]
            assert len(work) >= 25
            for seconds in (0, 60, 60, 300, 3_000):
                await clock.advance(seconds)
            assert not [error for one in work if one.done() and (error := one.exception())]
            told = [one for one in caplog.records if "background work failed" in one.message]
            assert all("free some space" in one.getMessage() for one in told)
            assert not [one for one in told if one.exc_info]
            assert len(told) == len({one.getMessage() for one in told}) > 0
            disks[0].full = False
            await clock.advance(60)
            assert not [error for one in work if one.done() and (error := one.exception())]
            for one in work:
                one.cancel()
            await asyncio.wait(work)


async def test_turns_go_on_when_a_full_disk_has_room_again(tmp_path: Path):
    clock, disks, chat = FakeClock(), list[FullDisk](), FakeChat()
    model = ScriptedModel([say("Ann, at once."), say("Ann, afterwards."), say("Bob, too.")])

    def wrapped(database: Database) -> Database:
        disks.append(FullDisk(database))
        return disks[-1]

    options = AppOptions(tmp_path, [chat], model, clock, wrap_database=wrapped)
    answered = model.hold(1)
    async with open_app(options) as app, at_work(app) as work:
        chat.attach(app.accept)
        await until(lambda: app.engine.started)
        await chat.say("ann", "what is new?")
        await model.asked(1)
        disks[0].full = True
        answered.set()
        await until(lambda: not app.engine.started)
        with pytest.raises(StorageError, match="free some space"):
            await chat.say("bob", "and for me?")
        await clock.advance(TURNS_AGAIN_S)
        assert not work.done()
        disks[0].full = False
        await clock.advance(TURNS_AGAIN_S)
        await chat.say("bob", "and for me?")
        await chat.until(2)
        await until(lambda: not app.engine.busy)
        assert sorted(chat.texts) == ["Ann, afterwards.", "Bob, too."]


async def test_work_that_fails_again_and_again_is_told_once(caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.WARNING)
    clock, ends = FakeClock(), [StorageError("full"), StorageError("full"), StorageError("gone")]

    async def work() -> None:
        if ends:
            async with asyncio.TaskGroup():
                raise ends.pop(0)

    kept = asyncio.ensure_future(KeptUp(clock).run(work))
    for _ in range(3):
        await clock.advance(60)
    await kept
    assert [one.getMessage().split("<")[2].split(">")[0] for one in caplog.records] == [
        "full",
        "gone",
    ]


@pytest.mark.parametrize("plugin", ["", "forecast"])
async def test_a_fault_ends_the_house_and_no_plugin(plugin: str):
    async def faulty() -> None:
        raise ValueError

    clock = FakeClock()
    kept = asyncio.ensure_future(KeptUp(clock, plugin).run(faulty))
    await clock.advance(120)
    assert kept.done() is not bool(plugin)
    kept.cancel()
    await asyncio.wait([kept])
    assert kept.cancelled() is bool(plugin)
