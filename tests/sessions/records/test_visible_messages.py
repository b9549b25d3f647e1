"""The messages that a turn quotes: those before its own, since the session last looked."""

from datetime import UTC, datetime

from bot.domain.database import Database, Unit
from bot.domain.origins import Trust
from bot.sessions.records.conversation_store import (
    NewMessage,
    delete_write,
    message_write,
    visible_before,
)

AT = datetime(2026, 11, 23, tzinfo=UTC)
HERE = "discord:w:general"


def said(key: str, there: str = HERE) -> NewMessage:
    return NewMessage(key, there, "ann", "Ann", Trust.MEMBER, f"words of {key}", AT)


async def test_the_newest_messages_before_ones_own_are_read_with_its_row(database: Database):
    keys = ("a", "b", "gone", "c", "own", "later")
    await database.write(Unit(tuple(message_write(said(key)) for key in keys)))
    await database.write(Unit.of(message_write(said("elsewhere", "discord:w:other"))))
    await database.write(Unit.of(delete_write("gone", AT)))

    async def seen(key: str, after: int, limit: int) -> list[str]:
        _, messages = await visible_before(database, HERE, key, after, limit)
        return [message.text.removeprefix("words of ") for message in messages]

    own, messages = await visible_before(database, HERE, "own", 0, 20)
    assert own is not None
    assert own > messages[-1].id
    assert await seen("own", 0, 20) == ["a", "b", "c"]
    assert await seen("own", 0, 2) == ["b", "c"]
    assert await seen("own", messages[0].id, 20) == ["b", "c"]
    assert await seen("own", 0, 0) == []
    assert await visible_before(database, HERE, "own", own, 20) == (own, [])
    assert await seen("nobody wrote it", 0, 20) == ["a", "b", "c", "own", "later"]
    assert (await visible_before(database, HERE, "nobody wrote it", own + 9, 20))[0] is None
