"""Supervised adapters: one that ends, fails or falls silent restarts; others go on."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import pytest

from bot.domain.chat import Accept, Acceptance
from bot.domain.health import PlatformState
from bot.domain.messages import IncomingMessage
from bot.errors import DeliveryError, SettingsError
from bot.sessions.inbox.platforms import DEAF_AFTER_S, RESTART_S, Platforms
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock, settle


async def accept(message: IncomingMessage) -> Acceptance:
    return Acceptance.IGNORED


@asynccontextmanager
async def supervised(clock: FakeClock, *chats: FakeChat) -> AsyncGenerator[Platforms]:
    platforms = Platforms(chats, clock)
    task = asyncio.create_task(platforms.run(accept))
    await settle()
    try:
        yield platforms
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class Falling(FakeChat):
    """Fails as often as it is told to."""

    def __init__(self, times: int, error: type[Exception] = RuntimeError) -> None:
        super().__init__("slack")
        self.times = times
        self.error = error

    async def run(self, accept: Accept) -> None:
        if self.runs < self.times:
            self.runs += 1
            raise self.error(f"fall {self.runs}")
        await super().run(accept)


async def test_a_failing_adapter_restarts_with_growing_waits_beside_the_others():
    clock, good, bad = FakeClock(), FakeChat("discord"), Falling(3)
    async with supervised(clock, good, bad) as platforms:
        assert [item.state for item in platforms.liveness()] == [
            PlatformState.SERVING,
            PlatformState.RESTARTING,
        ]
        assert platforms.liveness()[1].trouble == "RuntimeError: fall 1"
        for wait in RESTART_S[1:4]:
            runs = bad.runs
            await clock.advance(wait - 0.1)
            assert bad.runs == runs
            await clock.advance(0.1)
            assert bad.runs == runs + 1
        assert [item.state for item in platforms.liveness()] == [PlatformState.SERVING] * 2
        assert platforms.liveness()[1].restarts == 3
        assert good.runs == 1


class Losing(FakeChat):
    """Loses the first cancellation, as libraries do if it comes when their wait ends."""

    async def run(self, accept: Accept) -> None:
        with suppress(asyncio.CancelledError):
            await super().run(accept)
        await asyncio.Event().wait()


async def test_one_that_loses_a_cancellation_is_told_again(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.sessions.inbox.platforms.LEAVE_S", 0.01)
    async with asyncio.timeout(60), supervised(FakeClock(), Losing()):
        pass


@pytest.mark.parametrize(
    ("error", "traced"), [(SettingsError, False), (DeliveryError, False), (KeyError, True)]
)
async def test_a_foreseen_failure_is_logged_in_its_own_words_without_a_traceback(
    error: type[Exception], traced: bool, caplog: pytest.LogCaptureFixture
):
    async with supervised(FakeClock(), Falling(1, error)):
        record = next(record for record in caplog.records if "the adapter failed" in record.message)
        assert bool(record.exc_info) == traced
        assert ("error=<fall 1>" in record.message) != traced


async def test_one_that_falls_silent_is_deaf_and_is_started_again():
    clock, chat = FakeClock(), FakeChat()
    async with supervised(clock, chat) as platforms:
        await clock.advance(10 * DEAF_AFTER_S)
        assert chat.runs == 1
        chat.frame_age = DEAF_AFTER_S
        assert platforms.liveness()[0].state is PlatformState.DEAF
        await clock.advance(DEAF_AFTER_S / 2 + RESTART_S[0])
        assert chat.runs == 2
        await clock.advance(2)
        (found,) = platforms.liveness()
        assert (found.state, found.restarts, found.trouble) == (PlatformState.SERVING, 1, "deaf")


class Silent(FakeChat):
    """Reports its last frame's age like a real adapter: at first since the start of `run`."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__()
        self.clock = clock
        self.heard = 0.0

    async def run(self, accept: Accept) -> None:
        self.heard = self.clock.monotonic()
        await super().run(accept)

    def last_frame(self) -> float | None:
        return self.clock.monotonic() - self.heard


async def test_it_stays_deaf_until_something_comes_after_the_restart():
    clock = FakeClock()
    chat = Silent(clock)
    async with supervised(clock, chat) as platforms:
        await clock.advance(DEAF_AFTER_S)
        assert platforms.liveness()[0].state is PlatformState.DEAF
        for _ in range(3):
            await clock.advance(30)
            assert platforms.liveness()[0].state is PlatformState.DEAF
        assert chat.runs == 2
        chat.heard = clock.monotonic()
        assert platforms.liveness()[0].state is PlatformState.SERVING
        await clock.advance(DEAF_AFTER_S - 1)
        assert platforms.liveness()[0].state is PlatformState.SERVING


class Loading(Silent):
    """Loads its library before it connects, and meanwhile reports the silence of its last run."""

    async def run(self, accept: Accept) -> None:
        await self.clock.sleep(10)
        await super().run(accept)


async def test_an_old_silence_does_not_end_a_run_that_is_still_loading():
    clock = FakeClock()
    chat = Loading(clock)
    async with supervised(clock, chat):
        await clock.advance(10)
        assert chat.runs == 1
        await clock.advance(DEAF_AFTER_S + RESTART_S[0] + 10)
        assert chat.runs == 2


async def test_silence_proves_nothing_where_there_is_no_connection():
    clock, chat = FakeClock(), FakeChat()
    async with supervised(clock, chat) as platforms:
        chat.frame_age = None
        await clock.advance(100 * DEAF_AFTER_S)
        assert chat.runs == 1
        assert platforms.liveness()[0].state is PlatformState.SERVING


async def test_a_probe_that_is_answered_is_evidence_and_one_that_is_not_is_none():
    clock, chat = FakeClock(), FakeChat()
    async with supervised(clock, chat) as platforms:
        assert platforms.liveness()[0].last_probe_age_s is None
        chat.unreachable = True
        await platforms.probe()
        assert platforms.liveness()[0].last_probe_age_s is None
        chat.unreachable = False
        await platforms.probe()
        await clock.advance(7)
        assert platforms.liveness()[0].last_probe_age_s == 7


async def test_half_way_to_deaf_the_platform_is_asked():
    clock, chat = FakeClock(), FakeChat()
    async with supervised(clock, chat) as platforms:
        chat.frame_age = DEAF_AFTER_S * 0.75
        await clock.advance(DEAF_AFTER_S / 2)
        assert platforms.liveness()[0].last_probe_age_s == 0
        assert chat.runs == 1
