"""Incoming messages as the journal keeps them."""

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from bot.domain.messages import (
    Conversation,
    IncomingMessage,
    Interaction,
    Place,
    PlatformPerson,
    ReplyTarget,
    Visibility,
)
from bot.sessions.records.envelope import incoming_from_json, incoming_to_json
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
