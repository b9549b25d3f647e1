"""What is kept of a place where something was said."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.domain.database import Database, Unit
from bot.domain.messages import Conversation, Place
from bot.domain.origins import Trust
from bot.sessions.records.conversation_store import (
    NewMessage,
    conversation_write,
    message_write,
    newest_key_of,
)

FIRST, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)
CHANNEL = Conversation("slack", "T", "C1", Place.CHANNEL, "general")
THREAD = Conversation("slack", "T", "C1:1", Place.THREAD, "general", "C1")


async def heard(database: Database, *conversations: Conversation) -> dict[str, Any]:
    """The row after messages there, the last of them at `LATER`."""
    for conversation in conversations:
        at = LATER if conversation is conversations[-1] else FIRST
        await database.write(Unit.of(conversation_write(conversation, False, at)))
    [row] = await database.read("SELECT title, channel, updated_at FROM conversations")
    return {**row, "updated_at": str(row["updated_at"])[:10]}


@pytest.mark.parametrize(
    ("place", "updated"),
    [
        pytest.param(replace(CHANNEL), "2026-01-01", id="a channel that stays as it is"),
        pytest.param(replace(THREAD), "2026-02-01", id="a thread, whose last use counts"),
        pytest.param(replace(CHANNEL, title="all"), "2026-02-01", id="another title"),
    ],
)
async def test_a_place_is_written_again_only_for_what_counts(
    database: Database, place: Conversation, updated: str
):
    before = THREAD if place.place is Place.THREAD else CHANNEL
    row = await heard(database, before, place)
    assert (row["title"], row["updated_at"]) == (place.title, updated)


async def test_the_channel_is_learned_and_never_forgotten(database: Database):
    unknown = replace(CHANNEL, channel="")
    known = replace(CHANNEL, channel="C1")
    assert (await heard(database, unknown, known))["channel"] == "C1"
    assert (await heard(database, known, unknown))["channel"] == "C1"


async def test_the_newest_message_of_a_channel_may_stand_in_a_thread_below_it(database: Database):
    for place in (CHANNEL, THREAD, replace(THREAD, id="C2:1", channel="C2")):
        said = NewMessage(place.id, place.key, "ann", "Ann", Trust.MEMBER, "hello", FIRST)
        await database.write(Unit.of(conversation_write(place, False, FIRST), message_write(said)))
    assert await newest_key_of(database, CHANNEL.key, "ann") == THREAD.id
    assert await newest_key_of(database, THREAD.key, "ann") == THREAD.id
    assert await newest_key_of(database, CHANNEL.key, "ben") is None
