"""Where things are on Telegram: private chats, groups, topics.

See docs/rules.md#conversations-and-sessions.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.plugin.chat import DIRECT, Conversation, Place, ReplyTarget, Visibility
from bot.plugin.payloads import JsonObject, number_in, text_in

PLATFORM = "telegram"
_SUPERGROUP = "-100"


@dataclass(frozen=True)
class Me:
    """The bot's own account, from getMe."""

    id: str
    username: str
    reads_all: bool = False
    """Privacy mode is off: in groups it gets every message."""

    @classmethod
    def read(cls, answer: JsonObject) -> "Me":
        reads_all = answer.get("can_read_all_group_messages") is True
        return cls(text_in(answer, "id"), text_in(answer, "username"), reads_all)


@dataclass(frozen=True)
class ChatSpot:
    """The target of a post: chat, topic, and answered message."""

    chat: str
    topic: str = ""
    answers: str = ""

    def arguments(self) -> JsonObject:
        """The parts of a call that name it."""
        named: JsonObject = {"chat_id": self.chat}
        if self.topic:
            named["message_thread_id"] = int(self.topic)
        if self.answers:
            named["reply_parameters"] = {
                "message_id": int(self.answers),
                "allow_sending_without_reply": True,
            }
        return named


def conversation_at(chat: JsonObject, topic: str = "") -> Conversation:
    """A private chat is one conversation, a group another one, and so is each of its topics.

    Nobody but its members belongs to a group, so each group is a workspace of its own.
    """
    id_ = text_in(chat, "id")
    own = f"{id_}:{topic}" if topic else id_
    if chat.get("type") == "private":
        return Conversation(PLATFORM, DIRECT, own, Place.DM)
    title, here = text_in(chat, "title"), visibility_of(chat)
    if topic:
        return Conversation(PLATFORM, id_, own, Place.THREAD, title, channel=id_, visibility=here)
    return Conversation(PLATFORM, id_, id_, Place.CHANNEL, title, visibility=here)


def visibility_of(chat: JsonObject) -> Visibility:
    """Who can read a group: its members.

    Anybody may look into one with a public name, unless it is closed otherwise. That can't be told,
    so the limits of both apply.
    """
    return Visibility.UNKNOWN if text_in(chat, "username") else Visibility.PRIVATE


def topic_of(message: JsonObject) -> str:
    """The topic of a message. A thread of replies in a group without topics is none."""
    is_topic = message.get("is_topic_message") is True
    return text_in(message, "message_thread_id") if is_topic else ""


def spot_of(target: ReplyTarget) -> ChatSpot:
    """Where a target is. What one person alone may see goes to their private chat."""
    chat, _, topic = target.conversation.id.partition(":")
    if target.ephemeral_to is not None and target.ephemeral_to != chat:
        return ChatSpot(target.ephemeral_to)
    answers = target.message or ""
    return ChatSpot(chat, topic, answers if answers.isascii() and answers.isdecimal() else "")


def chat_of(place: Conversation) -> str:
    """The id of its chat."""
    return place.channel or place.id.partition(":")[0]


def is_id(text: str) -> bool:
    """Whether this can be the id of a person or a group."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdecimal() and len(digits) <= 20


def link_to(chat: str, topic: str, message: str) -> str:
    """A link for members of a supergroup; other chats have none."""
    if not chat.startswith(_SUPERGROUP) or not message.isdecimal():
        return ""
    parts = (chat.removeprefix(_SUPERGROUP), topic, message)
    return f"https://t.me/c/{'/'.join(part for part in parts if part)}"


def moment(data: JsonObject, name: str = "date") -> datetime:
    """A time of Telegram, in seconds since 1970."""
    try:
        return datetime.fromtimestamp(number_in(data, name), UTC)
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
