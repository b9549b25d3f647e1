"""What the names of sessions say, and which turns a command means by them.

A command means its person's turns in the place, else those in the channel's threads.
"""

from collections.abc import Iterable
from functools import lru_cache

from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation, IncomingMessage, MessageKind, Place
from bot.domain.sessions import SessionKey
from bot.domain.turns import OpenTurn
from bot.domain.work import envelope_of
from bot.turns.shares import Share, Urgency

CONTROL = "control"
"""Replaces the platform in sessions of commands and clicks, beside the person's own."""


def session_key(message: IncomingMessage, person: Person) -> SessionKey:
    conversation = message.conversation
    return SessionKey(conversation.platform, conversation.workspace, conversation.id, person.id)


def control_session(conversation: str, message: str, person: str) -> str:
    """A command's own session, by keys: a command waits for no other work of its person."""
    return str(SessionKey(CONTROL, conversation, message, person))


def conversation_in(session: str) -> str:
    """The key of a session's conversation; empty if its name does not contain one."""
    try:
        key = SessionKey.parse(session)
    except ValueError:  # a name from an earlier version
        return ""
    return key.workspace if key.platform == CONTROL else key.conversation_key


@lru_cache(maxsize=4096)
def share_of(session: str) -> Share:
    """Whose share a session counts in. The engine asks several times for each turn."""
    try:
        key = SessionKey.parse(session)
    except ValueError:  # a name from an earlier version
        return Share(session)
    if key.platform == CONTROL:
        return Share(key.person, Urgency.COMMAND)
    return Share(key.person, Urgency.BACKGROUND if key.run else Urgency.REQUEST)


BOUND = frozenset({"stop", "new", "end"})
"""Commands about turns that ran when they were given, even if a crash comes in between."""
NAME_CHARS = 60


def is_bound(message: IncomingMessage) -> bool:
    if message.kind is MessageKind.STOP:
        return True
    clicked = message.action.verb if message.action else ""
    name = message.command.name if message.command else clicked
    return name.casefold() in BOUND


def reached(turns: Iterable[OpenTurn], conversation: Conversation, person: str) -> list[OpenTurn]:
    """A person's turns in a conversation; if a channel has none, those in its threads."""
    own = [turn for turn in turns if _person(turn) == person]
    here = [turn for turn in own if _conversation(turn).key == conversation.key]
    if here or conversation.place is not Place.CHANNEL:
        return here
    return [turn for turn in own if _conversation(turn).channel_key == conversation.key]


def elsewhere(
    turns: Iterable[OpenTurn], conversation: Conversation, language: Language
) -> list[str]:
    """Threads with running turns: by title, else by the beginning of the message."""
    found = [turn for turn in turns if _conversation(turn).key != conversation.key]
    return list(dict.fromkeys(_name(turn, language) for turn in found))


def place_of(turn: OpenTurn) -> str:
    """The key of the conversation that a turn belongs to."""
    return _conversation(turn).key


def _person(turn: OpenTurn) -> str:
    try:
        return SessionKey.parse(turn.session).person
    except ValueError:  # a command in the control lane
        return ""


def _conversation(turn: OpenTurn) -> Conversation:
    try:
        key = SessionKey.parse(turn.session)
    except ValueError:
        return Conversation("", "", "")
    said: JsonObject = envelope_of(turn.body).get("conversation") or {}
    there = (key.platform, key.workspace, key.conversation)
    title, channel = str(said.get("title", "")), str(said.get("channel") or "")
    return Conversation(*there, title=title, channel=channel)


def _name(turn: OpenTurn, language: Language) -> str:
    text = str(envelope_of(turn.body).get("text", ""))
    words = _conversation(turn).title or " ".join(text.split())
    if not words:
        return Phrase("a thread here").said(language)
    return f"“{words[:NAME_CHARS]}{'…' if len(words) > NAME_CHARS else ''}”"
