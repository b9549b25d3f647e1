"""What people search at once, and since when they were away."""

import asyncio
import random
from datetime import UTC, datetime, timedelta

import pytest

from bot.domain.database import Database
from bot.domain.messages import Place
from bot.domain.search import SearchQuery
from bot.errors import StorageError
from bot.sessions.search.index import Together
from bot.sessions.search.recall import before_this_visit
from bot.testing.fake_clock import settle
from bot.testing.noted_reads import NotedReads
from bot.testing.search_town import SearchTown


class Looks:
    """Counts looks; each waits until it may end."""

    def __init__(self) -> None:
        self.begun = 0
        self.may_end = asyncio.Event()

    async def __call__(self) -> int:
        self.begun += 1
        number = self.begun
        await self.may_end.wait()
        if number == 3:
            raise StorageError("the third fails")
        return number


async def test_who_asks_during_a_look_gets_the_next_one():
    looks = Looks()
    together = Together(looks)
    early = [asyncio.create_task(together()) for _ in range(3)]
    await settle()
    late = [asyncio.create_task(together()) for _ in range(3)]
    await settle()
    assert (looks.begun, together.is_idle) == (1, False)
    late[0].cancel()  # others still want it
    looks.may_end.set()
    assert await asyncio.gather(*early) == [1, 1, 1]
    assert await asyncio.gather(*late[1:]) == [2, 2]
    assert together.is_idle
    for asking in [asyncio.create_task(together()) for _ in range(2)]:
        with pytest.raises(StorageError, match="third"):
            await asking
    assert await together() == 4


class Noted(NotedReads):
    """A database that notes what is read."""

    def of(self, words: str) -> int:
        return sum(words in sql for sql in self.reads)


async def test_a_crowd_that_recalls_reads_new_messages_and_channels_together(database: Database):
    noted = Noted(database)
    made = SearchTown(noted, random.Random(1), ("ann", "ben"))  # noqa: S311
    await made.build(3)
    await made.say(20)
    context = await made.context("ann", next(one for one in made.places if one.place is Place.DM))
    wanted = SearchQuery("budget", 5)

    async def recall() -> set[int]:
        found = await made.search.recalled(context, wanted, (), shown=True)
        return {one.said.id for one in found}

    noted.reads.clear()
    alone = await recall()
    assert alone
    assert (noted.of("message_words_changed LIMIT"), noted.of("WITH wanted")) == (1, 1)
    noted.reads.clear()
    assert await asyncio.gather(*(recall() for _ in range(20))) == [alone] * 20
    assert noted.of("message_words_changed LIMIT") == 1
    assert noted.of("WITH wanted") <= 2


NOW = datetime(2026, 11, 28, 12, 0, tzinfo=UTC)


def ago(*minutes: int) -> list[datetime]:
    return [NOW - timedelta(minutes=one) for one in minutes]


def test_what_was_written_in_this_visit_does_not_count():
    assert before_this_visit(ago(1, 20, 49, 600), NOW) == ago(600)[0]
    assert before_this_visit(ago(30), NOW) == ago(30)[0]


def test_who_never_left_or_never_came_has_no_earlier_visit():
    assert before_this_visit(ago(5, 10), NOW) is None
    assert before_this_visit([], NOW) is None
