"""Polls whose time is over: what their conversation learns, once, whatever was missed."""

from datetime import timedelta

import pytest

from bot.automations.store import Automations
from bot.automations.watching import Watching
from bot.domain.chat import ChatAdapter
from bot.domain.database import Database, Unit
from bot.domain.messages import Conversation, Place, ReplyTarget
from bot.domain.origins import Trust
from bot.domain.polls import NewPoll
from bot.plugins.polls.plugin import PollEnds
from bot.plugins.polls.store import OpenPoll, OpenPolls, insert_poll
from bot.sessions.records.conversation_store import PastMessages, newest_visible
from bot.sessions.unattended.own_events import PollResults
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock

THREAD = "discord:g:thread"
GENERAL = Conversation("discord", "g", "general", Place.CHANNEL)


class Polls:
    """One poll of Ann's, which ends in two hours."""

    def __init__(self, database: Database) -> None:
        self.database, self.clock, self.chat = database, FakeClock(), FakeChat()
        self.chat.polls.now = self.clock.now()
        watching = Watching(self.clock, Automations(database), PastMessages(database))
        adapters = dict[str, ChatAdapter](discord=self.chat)
        results = PollResults(self.clock, watching, lambda: None)
        self.ends = PollEnds(database, self.clock, adapters, results.announce)

    async def make(self, trust: Trust = Trust.PERSON) -> str:
        new = NewPoll("Which day?", ("Tue", "Thu", "Sat"), 2)
        poll = await self.chat.polls.post(ReplyTarget(GENERAL), new, "k1")
        assert poll.ends_at is not None
        known = OpenPoll("ann", THREAD, "assistant", GENERAL, poll.message, trust, poll.ends_at)
        await self.database.write(Unit.of(insert_poll(known, self.clock.now())))
        return poll.message

    async def told(self) -> list[str]:
        await self.ends.look()
        return [one.text for one in await newest_visible(self.database, THREAD, 10)]

    async def open(self) -> int:
        return len(await OpenPolls(self.database).asked_in(THREAD))


@pytest.fixture
def polls(database: Database) -> Polls:
    return Polls(database)


async def test_the_result_is_told_once_after_the_end(polls: Polls):
    message = await polls.make()
    assert await polls.told() == []
    await polls.clock.advance(2 * 3600)
    polls.chat.polls.count(message, 1, 3, 0)
    words = "The poll ended: Which day?\n- Tue: 1\n- Thu: 3\n- Sat: 0\nMost votes: Thu"
    assert [await polls.told() for _ in range(2)] == [[words]] * 2
    assert await polls.open() == 0


@pytest.mark.parametrize(
    ("votes", "first"), [((2, 2, 1), "a tie of Tue and Thu"), ((0, 0, 0), "nobody voted")]
)
async def test_a_tie_and_an_empty_poll_have_no_winner(
    polls: Polls, votes: tuple[int, ...], first: str
):
    message = await polls.make()
    await polls.clock.advance(2 * 3600)
    polls.chat.polls.count(message, *votes)
    (told,) = await polls.told()
    assert told.endswith(f"\nMost votes: {first}")


async def test_votes_that_are_still_counted_are_waited_for_an_hour(polls: Polls):
    message = await polls.make()
    await polls.clock.advance(2 * 3600)
    polls.chat.polls.count(message, 1, 0, 0, ended=False)
    assert await polls.told() == []
    await polls.clock.advance(3601)
    (told,) = await polls.told()
    assert told.endswith("Most votes: Tue")


async def test_a_platform_that_is_away_is_asked_again_for_a_week(polls: Polls):
    await polls.make()
    polls.chat.polls.away = True
    await polls.clock.advance(timedelta(days=6).total_seconds())
    assert (await polls.told(), await polls.open()) == ([], 1)
    await polls.clock.advance(timedelta(days=2).total_seconds())
    assert (await polls.told(), await polls.open()) == ([], 0)


async def test_a_poll_that_was_deleted_has_no_result(polls: Polls):
    message = await polls.make()
    del polls.chat.polls.posted[message]
    await polls.clock.advance(2 * 3600)
    assert (await polls.told(), await polls.open()) == ([], 0)


async def test_its_words_are_trusted_no_more_than_what_they_were_written_from(polls: Polls):
    message = await polls.make(Trust.EXTERNAL)
    await polls.clock.advance(2 * 3600)
    polls.chat.polls.count(message, 1, 0, 0)
    await polls.ends.look()
    (told,) = await newest_visible(polls.database, THREAD, 10)
    assert told.origin.untrusted
