"""Catching up: order, limits, gaps that can't be read now, and marks that pass nothing unheard."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

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
    hold: asyncio.Event | None = None
    away: set[str] = field(default_factory=set[str])
    """Channels that the platform does not list now."""

    def channel_of(self, place: Conversation) -> str:
        return place.id

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


class Passes:
    """Catching up with an archive, after messages up to `heard` of each channel."""

    def __init__(self, channels: dict[str, int], heard: dict[str, int], **archive: Any) -> None:
        self.clock = FakeClock()
        self.archive = FakeArchive(channels, **archive)
        self.recovery = recovery_at(**heard)
        self.catch_up = CatchUp("fake", self.archive, self.recovery, self.clock)

    async def whole(self) -> None:
        """Lose a session, and catch up."""
        self.catch_up.lost()
        await self.catch_up.run()

    async def begun(self) -> asyncio.Task[None]:
        """Lose a session, and catch up as far as that goes without time."""
        self.catch_up.lost()
        running = asyncio.create_task(self.catch_up.run())
        await settle()
        return running

    def numbers(self, channel: str = "a") -> list[int]:
        """The messages of a channel that were heard."""
        return [number for name, number, _ in self.archive.heard if name == channel]


async def test_without_anything_heard_before_nothing_is_read():
    passes = Passes({"a": 5}, {})
    await passes.whole()
    assert passes.archive.reads == []


async def test_new_messages_wait_for_missed_ones_of_their_channel_only():
    hold = asyncio.Event()
    passes = Passes({"a": 3, "b": 2}, {"a": 1, "b": 1}, hold=hold)
    order: list[tuple[list[int], bool]] = []

    async def live() -> None:
        async with passes.catch_up.before("b") as clear:
            order.append((passes.numbers("b"), clear))

    running = await passes.begun()
    said = asyncio.create_task(live())
    await settle()
    assert order == []
    hold.set()
    await asyncio.gather(running, said)
    assert order == [([2], True)]
    assert passes.numbers("a") == [2, 3]
    assert passes.recovery.finished == 1
    assert passes.recovery.marks[place("a").key].position == "3"


async def test_writers_in_a_channel_being_read_do_not_wait_for_the_pass():
    hold = asyncio.Event()
    passes = Passes({"a": 3}, {"a": 1}, hold=hold)
    running = await passes.begun()
    passes.archive.hold = None
    async with passes.catch_up.before("a") as clear:
        assert (clear, passes.numbers()) == (True, [2, 3])
    assert (passes.archive.reads, passes.archive.urgent) == (["a", "a"], [False, True])
    hold.set()
    await running
    assert passes.numbers() == [2, 3]


async def test_changes_of_what_was_recorded_lately_are_heard_before_what_is_new():
    passes = Passes({"a": 3}, {"a": 1}, changes=[False])
    known = [RecordedMessage(f"fake:{number}", at(number)) for number in (0, 1)]
    passes.recovery.recorded[place("a").key] = known
    passes.recovery.since = at(1)
    running = await passes.begun()
    assert passes.archive.heard == []
    await passes.clock.advance(5)
    await running
    assert passes.archive.kept == [{place("a").key: known[1:]}] * 2
    assert passes.archive.heard == [("a", 2, False), ("a", 3, False)]


async def test_a_gap_that_can_not_be_read_keeps_its_mark_and_is_read_later():
    troubles = [DeliveryError("503", retryable=True)] * 2
    passes = Passes({"a": 2}, {"a": 1}, troubles=troubles)
    running = await passes.begun()
    async with passes.catch_up.before("a") as clear:
        assert not clear
    assert (passes.recovery.finished, passes.archive.heard) == (0, [])
    await passes.clock.advance(5)
    await running
    assert passes.archive.heard == [("a", 2, False)]


async def test_an_unrecorded_message_is_read_again_before_later_ones():
    passes = Passes({"a": 3}, {"a": 1}, refused={("a", 2)})
    running = await passes.begun()
    assert passes.archive.heard == []
    assert passes.recovery.marks[place("a").key].position == "1"
    await passes.clock.advance(5)
    await running
    assert passes.numbers() == [2, 3]


async def test_an_ended_clients_messages_do_not_move_marks_past_unread_ones():
    hold = asyncio.Event()
    passes = Passes({"a": 3}, {"a": 1}, hold=hold)
    clear: list[bool] = []

    async def live() -> None:
        async with passes.catch_up.before("a") as is_clear:
            clear.append(is_clear)

    passes.catch_up.lost()
    said = asyncio.create_task(live())
    passes.catch_up.stop()
    await said
    await live()  # one that its client had only just handed on
    assert clear == [False, False]
    hold.set()
    await passes.whole()
    await live()
    assert (clear[2], passes.numbers()) == (True, [2, 3])


async def test_a_channel_that_is_gone_is_given_up():
    passes = Passes({"a": 3}, {"a": 1}, troubles=[DeliveryError("403")])
    await passes.whole()
    assert (passes.archive.heard, passes.recovery.finished) == ([], 1)


async def test_a_catch_up_is_not_over_while_the_platform_hides_a_place():
    passes = Passes({"a": 2, "b": 2}, {"a": 1, "b": 1}, away={"b"})
    running = await passes.begun()
    assert (passes.archive.reads, passes.recovery.finished) == (["a"], 0)
    passes.archive.away.clear()
    await passes.clock.advance(5)
    await running
    assert (passes.archive.reads, passes.recovery.finished) == (["a", "b"], 1)


async def test_a_second_loss_reads_again_from_where_the_first_came_to():
    passes = Passes({"a": 3, "b": 1}, {"a": 1})
    for newest in (3, 5):
        passes.archive.channels["a"] = newest
        await passes.whole()
    assert passes.numbers() == [2, 3, 4, 5]


class Watching(FakeRecovery):
    """Remembers how many messages had been heard when a place was told what stays unanswered."""

    def __init__(self, archive: FakeArchive, messages: int) -> None:
        super().__init__(messages=messages, marks={place("a").key: mark_at("a", 1)})
        self.archive = archive
        self.heard_before: list[int] = []

    async def tell(self, place: Conversation) -> None:
        self.heard_before.append(len(self.archive.heard))
        await super().tell(place)


@given(st.integers(1, 12), st.integers(0, 12))
async def test_people_are_told_what_stays_unanswered_when_it_is_known_and_before_any_answer(
    missed: int, messages: int
):
    archive = FakeArchive({"a": missed + 1})
    watching = Watching(archive, messages)
    catch_up = CatchUp("fake", archive, watching, FakeClock())
    catch_up.lost()
    await catch_up.run()
    assert watching.heard_before == [max(0, missed - messages)]


@given(st.integers(0, 30), st.integers(0, 12), st.integers(0, 40))
async def test_only_the_newest_within_the_limits_are_answered(missed: int, messages: int, old: int):
    passes = Passes({"a": missed + 1}, {"a": 1})
    passes.recovery.messages, passes.recovery.since = messages, at(old)
    await passes.whole()
    numbers = list(range(2, missed + 2))
    answered = [number for number in numbers if number >= old][-messages:] if messages else []
    assert [number for _, number, late in passes.archive.heard if not late] == answered
    assert passes.numbers() == numbers
    assert passes.recovery.told == ([place("a")] if missed else [])
