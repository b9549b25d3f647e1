"""What is kept of messages: their envelopes, and which are visible before one's own."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bot.domain.access import Role
from bot.domain.database import Database, Unit
from bot.domain.messages import (
    Conversation,
    IncomingMessage,
    Interaction,
    Place,
    PlatformPerson,
    ReplyTarget,
    Visibility,
)
from bot.domain.origins import Trust
from bot.domain.sessions import Session, SessionKey
from bot.sessions.records.conversation_store import (
    NewMessage,
    delete_write,
    message_write,
    unseen_in,
    unseen_read,
    visible_before,
)
from bot.sessions.records.envelope import incoming_from_json, incoming_to_json
from bot.sessions.records.session_store import end_write, open_write, seen_read
from tests.thoroughness import examples

WORDS = st.text(max_size=3)
TIMES = st.datetimes(timezones=st.just(UTC))
CONVERSATIONS = st.builds(
    Conversation, WORDS, WORDS, WORDS, st.sampled_from(Place), WORDS, channel=WORDS,
    category=WORDS, visibility=st.sampled_from(Visibility),
)  # fmt: skip
TARGETS = st.builds(
    ReplyTarget, CONVERSATIONS, *[st.none() | WORDS] * 3,
    interaction=st.none() | st.builds(Interaction, WORDS, TIMES),
)  # fmt: skip
PEOPLE = st.builds(PlatformPerson, WORDS, WORDS, st.booleans(), st.tuples(WORDS), WORDS)
MESSAGES = st.builds(
    IncomingMessage, WORDS, CONVERSATIONS, PEOPLE, WORDS, TARGETS, TIMES,
    heard=st.none(), missed=st.just(False), to_others=st.just(False),
)  # fmt: skip


@settings(max_examples=examples(50))
@given(MESSAGES)
def test_a_message_is_read_as_it_was_recorded(message: IncomingMessage):
    """Also from the longer records of earlier versions, which hold every field."""
    record = incoming_to_json(message)
    whole = TypeAdapter(IncomingMessage).dump_python(message, mode="json")
    for read in (incoming_from_json(record), incoming_from_json(whole)):
        assert TypeAdapter(IncomingMessage).dump_python(read, mode="json") == whole


def test_a_record_leaves_out_what_is_usual():
    there = Conversation("discord", "w", "1")
    said = datetime(2026, 1, 1, tzinfo=UTC)
    ann = PlatformPerson("ann", "Ann")
    message = IncomingMessage("discord:1", there, ann, "hi", ReplyTarget(there), said)
    place = {"platform": "discord", "workspace": "w", "id": "1"}
    assert incoming_to_json(message) == {
        "key": "discord:1",
        "conversation": place,
        "sender": {"id": "ann", "name": "Ann"},
        "text": "hi",
        "reply_to": {"conversation": place},
        "sent_at": "2026-01-01T00:00:00Z",
    }


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


async def test_the_messages_that_the_newest_session_had_not_seen_are_read_in_one_go(
    database: Database,
):
    await database.write(Unit(tuple(message_write(said(key)) for key in ("a", "b", "c", "own"))))
    ids = {row["key"]: row["id"] for row in await database.read("SELECT id, key FROM messages")}

    async def seen(of: SessionKey) -> tuple[int, list[str]]:
        (rows,) = await database.read_all(unseen_read(HERE, "own", seen_read(of), 20))
        unseen = unseen_in(rows)
        assert unseen.own == ids["own"]
        return unseen.after, [one.text.removeprefix("words of ") for one in unseen.messages]

    key = SessionKey("discord", "w", "general", "ann")
    assert await seen(key) == (0, ["a", "b", "c"])
    for number, name in enumerate("ab"):
        session = Session(
            name, key, "all", Role.FRIEND, AT + timedelta(hours=number), AT, seen_message=ids[name]
        )
        await database.write(Unit.of(open_write(session, "[]", "[]")))
        await database.write(Unit.of(end_write(name, "idle", AT)))
    assert await seen(key) == (ids["b"], ["c"])
    assert await seen(replace(key, person="ben")) == (0, ["a", "b", "c"])
