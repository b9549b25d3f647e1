"""Catching up: order, limits, gaps that can't be read now, and marks that pass nothing unheard."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from bot.chat.catch_up import CatchUp, Gap, GapHistory, Missed, News
from bot.domain.chat import RecordedMessage, Recovered
from bot.domain.messages import Conversation, Heard, Place
from bot.errors import DeliveryError
from bot.testing.fake_clock import FakeClock, settle
from bot.testing.fake_recovery import FakeRecovery

CLOCK = FakeClock()


def place(channel: str) -> Conversation:
    return Conversation("fake", "w", channel, Place.CHANNEL)


@dataclass
class FakeArchive:
    """Channels with numbered messages, one a minute."""

    channels: dict[str, int]
    heard: list[tuple[str, int, bool]] = field(default_factory=list[tuple[str, int, bool]])
    troubles: list[Exception] = field(default_factory=list[Exception])
    reads: list[str] = field(default_factory=list[str])
    urgent: list[bool] = field(default_factory=list[bool])
    kept: list[Mapping[str, Sequence[RecordedMessage]]] = field(
        default_factory=list[Mapping[str, Sequence[RecordedMessage]]]
    )
    changes: list[bool] = field(default_factory=list[bool])
    """Whether the next changes are recorded."""
    refused: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    locks: dict[str, asyncio.Lock] = field(default_factory=dict[str, asyncio.Lock])
    hold: asyncio.Event | None = None
    away: set[str] = field(default_factory=set[str])
    """Channels that the platform does not list now."""

    def channel_of(self, place: Conversation) -> str:
        return place.id

    @asynccontextmanager
    async def in_order(self, channel: str) -> AsyncGenerator[None]:
        async with self.locks.setdefault(channel, asyncio.Lock()):
            yield

    async def read(self, gap: Gap) -> GapHistory:
        self.reads.append(gap.channel)
        self.urgent.append(gap.urgent)
        self.kept.append(gap.kept)
        if self.hold is not None:
            await self.hold.wait()
        if self.troubles:
            raise self.troubles.pop(0)
        mark = next(iter(gap.heard.values()), None)
        first = int(mark.position) + 1 if mark else 1
        missed = [
            self.missed(gap.channel, number)
            for number in range(first, self.channels[gap.channel] + 1)
        ]
        return GapHistory(
            missed, (mark_at(gap.channel, self.channels[gap.channel]),), [self.change]
        )

    async def change(self) -> bool:
        return self.changes.pop() if self.changes else True

    def missed(self, channel: str, number: int) -> Missed:
        async def hear(late: bool) -> bool:
            if (channel, number) in self.refused:
                self.refused.discard((channel, number))
                return False
            self.heard.append((channel, number, late))
            return True

        return Missed(place(channel), at(number), hear)

    async def news(self, recovered: Recovered) -> News:
        return News(
            [name for name in self.channels if name not in self.away], complete=not self.away
        )


def at(number: int) -> datetime:
    return CLOCK.now() + timedelta(minutes=number)


def mark_at(channel: str, number: int) -> Heard:
    return Heard(place(channel), str(number), at(number))


def recovery_at(**numbers: int) -> FakeRecovery:
    return FakeRecovery(
        marks={place(name).key: mark_at(name, number) for name, number in numbers.items()}
    )


async def test_without_anything_heard_before_nothing_is_read():
    archive, recovery = FakeArchive({"a": 5}), FakeRecovery()
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    catch_up.lost()
    await catch_up.run()
    assert archive.reads == []


async def test_new_messages_wait_for_missed_ones_of_their_channel_only():
    archive, recovery = FakeArchive({"a": 3, "b": 2}, hold=asyncio.Event()), recovery_at(a=1, b=1)
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    catch_up.lost()
    running = asyncio.create_task(catch_up.run())
    order: list[str] = []

    async def live() -> None:
        async with catch_up.before("b") as clear:
            order.append(
                f"live after {[number for name, number, _ in archive.heard if name == 'b']}, "
                f"{clear}"
            )

    said = asyncio.create_task(live())
    await settle()
    assert order == []
    assert archive.hold is not None
    archive.hold.set()
    await asyncio.gather(running, said)
    assert order == ["live after [2], True"]
    assert [(name, number) for name, number, _ in archive.heard if name == "a"] == [
        ("a", 2),
        ("a", 3),
    ]
    assert (recovery.finished, recovery.marks[place("a").key].position) == (1, "3")


async def test_writers_in_a_channel_being_read_do_not_wait_for_the_pass():
    archive, recovery = FakeArchive({"a": 3}, hold=asyncio.Event()), recovery_at(a=1)
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    catch_up.lost()
    running = asyncio.create_task(catch_up.run())
    await settle()
    held, archive.hold = archive.hold, None
    async with catch_up.before("a") as clear:
        assert (clear, [number for _, number, _ in archive.heard]) == (True, [2, 3])
    assert (archive.reads, archive.urgent) == (["a", "a"], [False, True])
    assert held is not None
    held.set()
    await running
    assert [number for _, number, _ in archive.heard] == [2, 3]


async def test_changes_of_what_was_recorded_lately_are_heard_before_what_is_new():
    archive, recovery = FakeArchive({"a": 3}), recovery_at(a=1)
    recovery.recorded[place("a").key] = [
        RecordedMessage("fake:0", at(0)),
        RecordedMessage("fake:1", at(1)),
    ]
    recovery.since = at(1)
    archive.changes = [False]
    clock = FakeClock()
    catch_up = CatchUp("fake", archive, recovery, clock)
    catch_up.lost()
    running = asyncio.create_task(catch_up.run())
    await settle()
    assert archive.heard == []
    await clock.advance(5)
    await running
    assert archive.kept == [{place("a").key: [RecordedMessage("fake:1", at(1))]}] * 2
    assert archive.heard == [("a", 2, False), ("a", 3, False)]


async def test_a_gap_that_can_not_be_read_keeps_its_mark_and_is_read_later():
    clock, archive = (
        FakeClock(),
        FakeArchive({"a": 2}, troubles=[DeliveryError("503", retryable=True)] * 2),
    )
    recovery = recovery_at(a=1)
    catch_up = CatchUp("fake", archive, recovery, clock)
    catch_up.lost()
    running = asyncio.create_task(catch_up.run())
    await settle()
    async with catch_up.before("a") as clear:
        assert not clear
    assert (recovery.finished, archive.heard) == (0, [])
    await clock.advance(5)
    await running
    assert archive.heard == [("a", 2, False)]


async def test_an_unrecorded_message_is_read_again_before_later_ones():
    clock, archive, recovery = (
        FakeClock(),
        FakeArchive({"a": 3}, refused={("a", 2)}),
        recovery_at(a=1),
    )
    catch_up = CatchUp("fake", archive, recovery, clock)
    catch_up.lost()
    running = asyncio.create_task(catch_up.run())
    await settle()
    assert (archive.heard, recovery.marks[place("a").key].position) == ([], "1")
    await clock.advance(5)
    await running
    assert [number for _, number, _ in archive.heard] == [2, 3]


async def test_an_ended_clients_messages_do_not_move_marks_past_unread_ones():
    archive, recovery = FakeArchive({"a": 3}, hold=asyncio.Event()), recovery_at(a=1)
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    clear: list[bool] = []

    async def live() -> None:
        async with catch_up.before("a") as is_clear:
            clear.append(is_clear)

    catch_up.lost()
    said = asyncio.create_task(live())
    catch_up.stop()
    await said
    await live()  # one that its client had only just handed on
    assert clear == [False, False]
    assert archive.hold is not None
    archive.hold.set()
    catch_up.lost()
    await catch_up.run()
    await live()
    assert (clear[2], [number for _, number, _ in archive.heard]) == (True, [2, 3])


async def test_a_channel_that_is_gone_is_given_up():
    archive, recovery = FakeArchive({"a": 3}, troubles=[DeliveryError("403")]), recovery_at(a=1)
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    catch_up.lost()
    await catch_up.run()
    assert (archive.heard, recovery.finished) == ([], 1)


async def test_a_catch_up_is_not_over_while_the_platform_hides_a_place():
    clock, archive, recovery = (
        FakeClock(),
        FakeArchive({"a": 2, "b": 2}, away={"b"}),
        recovery_at(a=1, b=1),
    )
    catch_up = CatchUp("fake", archive, recovery, clock)
    catch_up.lost()
    running = asyncio.create_task(catch_up.run())
    await settle()
    assert (archive.reads, recovery.finished) == (["a"], 0)
    archive.away.clear()
    await clock.advance(5)
    await running
    assert (archive.reads, recovery.finished) == (["a", "b"], 1)


async def test_a_second_loss_reads_again_from_where_the_first_came_to():
    archive, recovery = FakeArchive({"a": 3, "b": 1}), recovery_at(a=1)
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    for newest in (3, 5):
        archive.channels["a"] = newest
        catch_up.lost()
        await catch_up.run()
    assert [number for name, number, _ in archive.heard if name == "a"] == [2, 3, 4, 5]


@given(st.integers(0, 30), st.integers(0, 12), st.integers(0, 40))
async def test_only_the_newest_within_the_limits_are_answered(missed: int, messages: int, old: int):
    archive, recovery = FakeArchive({"a": missed + 1}), recovery_at(a=1)
    recovery.messages, recovery.since = messages, at(old)
    catch_up = CatchUp("fake", archive, recovery, FakeClock())
    catch_up.lost()
    await catch_up.run()
    numbers = list(range(2, missed + 2))
    answered = [number for number in numbers if number >= old][-messages:] if messages else []
    assert [number for _, number, late in archive.heard if not late] == answered
    assert [number for _, number, _ in archive.heard] == numbers
    assert recovery.told == ([place("a")] if missed else [])
