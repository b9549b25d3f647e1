"""What exists on the loopback Telegram: people, chats, messages, files, waiting updates."""

import asyncio
import itertools
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from bot.loopback.telegram.html import units
from bot.plugin.clock import Clock
from bot.plugin.models import JsonObject

BOT_ID = 7_000_001
BOT_NAME = "bellhop_bot"
BOT: JsonObject = {
    "id": BOT_ID,
    "is_bot": True,
    "first_name": "Bellhop",
    "username": BOT_NAME,
}
_COMMAND = re.compile(r"(?<!\S)/[A-Za-z0-9_]{1,32}(?:@\w+)?")
_MENTION = re.compile(r"(?<![\w/.])@\w{3,32}")
KEPT_S = 24 * 3600.0
"""Telegram forgets updates that nobody takes for a day."""


@dataclass
class Chat:
    """A private chat, a group, or a supergroup."""

    id: int
    kind: str
    title: str = ""
    username: str = ""
    forum: bool = False
    members: dict[int, str] = field(default_factory=dict[int, str])
    """Status by user."""
    hides_members: bool = False
    """Telegram tells a bot that is no administrator nothing of other members."""
    gone: bool = False
    moved_to: int = 0

    def as_json(self) -> JsonObject:
        shown: JsonObject = {"id": self.id, "type": self.kind}
        if self.kind == "private":
            return shown
        shown["title"] = self.title
        return (
            shown
            | ({"username": self.username} if self.username else {})
            | ({"is_forum": True} if self.forum else {})
        )


@dataclass
class Message:
    """One message, as everybody in its chat sees it."""

    chat: Chat
    id: int
    author: JsonObject
    date: int
    text: str
    entities: list[JsonObject]
    topic: int = 0
    replies_to: "Message | None" = None
    buttons: JsonObject | None = None
    extra: JsonObject = field(default_factory=dict[str, Any])
    edited: int = 0
    deleted: bool = False

    @property
    def from_bot(self) -> bool:
        return self.author["id"] == BOT_ID

    @property
    def labels(self) -> list[str]:
        rows = (self.buttons or {}).get("inline_keyboard", [])
        return [button["text"] for row in rows for button in row]

    def as_json(self, *, nested: bool = False) -> JsonObject:
        """Return it as in an update; a replied message has no further one."""
        shown: JsonObject = {
            "message_id": self.id,
            "from": self.author,
            "chat": self.chat.as_json(),
            "date": self.date,
            **self.extra,
        }
        has_file = any(name in self.extra for name in ("document", "photo", "voice"))
        if self.text:
            shown["caption" if has_file else "text"] = self.text
            if self.entities:
                shown["caption_entities" if has_file else "entities"] = self.entities
        if self.topic:
            shown |= {"message_thread_id": self.topic, "is_topic_message": True}
        if self.edited:
            shown["edit_date"] = self.edited
        if self.buttons is not None:
            shown["reply_markup"] = self.buttons
        if self.replies_to is not None and not nested:
            shown["reply_to_message"] = self.replies_to.as_json(nested=True)
        return shown


class World:
    """Everything on the server."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.users: dict[int, JsonObject] = {BOT_ID: BOT}
        self.chats: dict[int, Chat] = {}
        self.messages: list[Message] = []
        self.files: dict[str, bytes] = {}
        self.commands: list[JsonObject] = []
        self.reads_all = False
        self.reachable: set[int] = set()
        """People who have written to the bot: only they can be written to."""
        self.webhook: JsonObject = {}
        self.updates: list[tuple[JsonObject, float]] = []
        self.came = asyncio.Condition()
        self.lately = itertools.count(100_000)
        self._ids = itertools.count(1)
        self._account_ids = itertools.count(1)
        self._group_ids: defaultdict[int, itertools.count[int]] = defaultdict(
            lambda: itertools.count(1)
        )

    def next_id(self, word: str) -> str:
        return f"{word}-{next(self._ids)}"

    def person(self, name: str) -> JsonObject:
        """Return a new account; the name is chosen by its owner, the number is not."""
        id_ = 500_000 + len(self.users)
        self.users[id_] = {
            "id": id_,
            "is_bot": False,
            "first_name": name,
            "username": f"{name.lower()}_{id_}",
        }
        self.chats[id_] = Chat(id_, "private", members={id_: "member", BOT_ID: "member"})
        return self.users[id_]

    def message_id(self, chat: Chat) -> int:
        """Supergroups count by themselves; all other chats of an account share a counter."""
        return next(self._group_ids[chat.id] if chat.kind == "supergroup" else self._account_ids)

    def add(
        self,
        chat: Chat,
        author: JsonObject,
        text: str,
        entities: list[JsonObject] | None = None,
        **more: Any,
    ) -> Message:
        found = entities_in(text) if entities is None else [*entities, *entities_in(text)]
        now = int(self.clock.now().timestamp())
        message = Message(chat, self.message_id(chat), author, now, text, found, **more)
        self.messages.append(message)
        return message

    def message(self, chat: int, id_: int) -> Message | None:
        return next(
            (
                one
                for one in self.messages
                if one.chat.id == chat and one.id == id_ and not one.deleted
            ),
            None,
        )

    async def tell(self, kind: str, content: JsonObject) -> None:
        """Add an update and wake whoever polls."""
        async with self.came:
            self.updates.append(
                ({"update_id": next(self.lately), kind: content}, self.clock.monotonic())
            )
            self.came.notify_all()

    def waiting(self, kinds: set[str]) -> list[JsonObject]:
        """Return the updates that nobody confirmed, without expired and unwanted ones."""
        now = self.clock.monotonic()
        self.updates = [
            (update, at)
            for update, at in self.updates
            if now - at < KEPT_S and (not kinds or kinds & update.keys())
        ]
        return [update for update, _ in self.updates]

    def confirm(self, offset: int) -> None:
        """Forget what lies below an offset."""
        self.updates = [one for one in self.updates if one[0]["update_id"] >= offset]


def entities_in(text: str) -> list[JsonObject]:
    """Return the commands and mentions that Telegram itself finds in a text."""
    found = [("bot_command", one) for one in _COMMAND.finditer(text)]
    found += [("mention", one) for one in _MENTION.finditer(text)]
    return [
        {"type": kind, "offset": units(text[: one.start()]), "length": units(one[0])}
        for kind, one in sorted(found, key=lambda pair: pair[1].start())
    ]
