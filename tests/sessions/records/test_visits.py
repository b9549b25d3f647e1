"""What is kept of threads and visits, on each database."""

from datetime import UTC, datetime

from bot.domain.database import Database, Unit
from bot.domain.messages import Conversation, Place
from bot.domain.origins import Trust
from bot.sessions.records.answer_length_store import (
    AnswerLength,
    AnswerLengths,
    reads_beginnings_read,
)
from bot.sessions.records.conversation_store import (
    NewMessage,
    answered_since_read,
    conversation_write,
    follow_write,
    is_followed,
    leave_write,
    message_write,
    was_left,
)
from bot.sessions.records.spoken_store import wrote_at

NOW = datetime(2026, 11, 28, tzinfo=UTC)
THREAD = Conversation("discord", "w", "t", Place.THREAD, channel="square")


def said(key: str, author: str, addressee: str = "") -> Unit:
    kept = NewMessage(key, THREAD.key, author, author, Trust.MEMBER, "hello", NOW, addressee)
    return Unit.of(conversation_write(THREAD, False, NOW), message_write(kept))


async def test_an_answer_brings_nobody_back_who_was_sent_away(database: Database):
    await database.write(said("k1", "ann") + Unit.of(follow_write(THREAD.key)))
    assert await is_followed(database, THREAD.key)
    await database.write(Unit.of(leave_write(THREAD.key)))
    await database.write(Unit.of(follow_write(THREAD.key)))
    assert await was_left(database, THREAD.key)
    await database.write(Unit.of(follow_write(THREAD.key, again=True)))
    assert await is_followed(database, THREAD.key)
    assert not await was_left(database, THREAD.key)


async def test_a_visit_is_what_somebody_wrote_in_a_channel_or_its_thread(database: Database):
    await database.write(said("k1", "ann"))
    assert await wrote_at(database, "ann", ["discord:w:square"], "", "k2") == [NOW]
    assert await wrote_at(database, "ann", [], THREAD.key, "k2") == [NOW]
    assert await wrote_at(database, "ann", [], THREAD.key, "k1") == []
    assert await wrote_at(database, "ben", ["discord:w:square"], "", "k2") == []


async def test_answers_to_others_behind_a_message_are_found(database: Database):
    await database.write(said("k1", "agent:assistant", "ben") + said("k2", "ann"))
    await database.write(
        said("k3", "agent:assistant", "ben") + said("k4", "agent:assistant", "ann")
    )
    read = answered_since_read(THREAD.key, "k2", "ann", 5)
    assert [row["key"] for row in await database.read(read.sql, read.params)] == ["k3"]


async def test_how_somebody_wants_long_answers_is_kept(database: Database):
    lengths, read = AnswerLengths(database), reads_beginnings_read("ann")
    for chosen in (AnswerLength.SHORT, AnswerLength.THREAD):
        await lengths.choose("ann", chosen)
        assert await lengths.of("ann") is chosen
        assert await database.read(read.sql, read.params)
    assert await lengths.of("ben") is AnswerLength.WHOLE
    await lengths.choose("ann", AnswerLength.WHOLE)
    assert not await database.read(read.sql, read.params)
