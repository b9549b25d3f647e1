"""People on the loopback Telegram: what they write, click and see."""

from collections.abc import Callable
from typing import Any

from bot.loopback.telegram.html import units
from bot.loopback.telegram.world import BOT_ID, BOT_NAME, Chat, Message, World
from bot.plugin.models import JsonObject

Tell = Callable[[str, JsonObject], None]


class Person:
    """An account. A chat that is left out is the private one with the bot."""

    def __init__(self, user: JsonObject, world: World, tell: Tell) -> None:
        self.user = user
        self.id = str(user["id"])
        self._world = world
        self._tell = tell

    @property
    def private(self) -> Chat:
        return self._world.chats[self.user["id"]]

    def say(
        self,
        text: str,
        chat: Chat | None = None,
        *,
        reply_to: Message | None = None,
        topic: int = 0,
        **extra: Any,
    ) -> Message:
        """Write a message; `extra` are further fields of it."""
        where = chat or self.private
        entities = extra.pop("entities", None)
        if topic and reply_to is None:  # everything in a topic hangs from its beginning
            reply_to = self._world.message(where.id, topic)
        message = self._world.add(
            where,
            self.user,
            text,
            entities,
            replies_to=reply_to,
            topic=topic,
            extra=extra,
        )
        if where.kind == "private":
            self._world.reachable.add(self.user["id"])
        if self._bot_gets(message):
            self._tell("message", message.as_json())
        return message

    def mention(self, text: str, chat: Chat, **options: Any) -> Message:
        """Write to the bot in a group."""
        return self.say(f"@{BOT_NAME} {text}", chat, **options)

    def name(self, other: "Person", text: str, chat: Chat) -> Message:
        """Write with a mention of somebody without a public name, as apps do it by number."""
        said = str(other.user["first_name"])
        named = {"type": "text_mention", "offset": 0, "length": units(said), "user": other.user}
        return self.say(f"{said} {text}", chat, entities=[named])

    def upload(
        self, name: str, data: bytes, caption: str = "", chat: Chat | None = None
    ) -> Message:
        """Send a document."""
        file: JsonObject = {**self._file(data), "file_name": name, "mime_type": "text/plain"}
        return self.say(caption, chat, document=file)

    def speak(self, data: bytes, chat: Chat | None = None) -> Message:
        """Send a voice message."""
        voice: JsonObject = {**self._file(data), "duration": 3, "mime_type": "audio/ogg"}
        return self.say("", chat, voice=voice)

    def photo(self, data: bytes, caption: str = "") -> Message:
        """Send a picture, which Telegram scales."""
        sizes = [{**self._file(data[: 4 * n]), "width": 90 * n, "height": 60 * n} for n in (1, 2)]
        return self.say(caption, photo=sizes)

    def forward(self, message: Message, chat: Chat | None = None) -> Message:
        """Pass on somebody's message."""
        origin = {"type": "user", "sender_user": message.author, "date": message.date}
        return self.say(message.text, chat, forward_origin=origin)

    def edit(self, message: Message, text: str) -> None:
        message.text, message.edited = text, int(self._world.clock.now().timestamp())
        if self._bot_gets(message):
            self._tell("edited_message", message.as_json())

    def click(self, message: Message, label: str) -> str:
        """Press a button; returns the id of the query, which the bot answers."""
        rows = (message.buttons or {})["inline_keyboard"]
        button = next(one for row in rows for one in row if one["text"] == label)
        id_ = self._world.next_id("query")
        query = {
            "id": id_,
            "from": self.user,
            "message": message.as_json(),
            "chat_instance": str(message.chat.id),
            "data": button["callback_data"],
        }
        self._tell("callback_query", query)
        return id_

    def sees(self, chat: Chat | None = None) -> list[Message]:
        """Return the bot's messages in a chat that this person is in."""
        where = chat or self.private
        if self.user["id"] not in where.members:
            return []
        return [
            one
            for one in self._world.messages
            if one.chat is where and one.from_bot and not one.deleted
        ]

    def _file(self, data: bytes) -> JsonObject:
        id_ = self._world.next_id("file")
        self._world.files[id_] = data
        return {"file_id": id_, "file_unique_id": f"u{id_}", "file_size": len(data)}

    def _bot_gets(self, message: Message) -> bool:
        """By privacy mode: commands, mentions and replies, and all as an administrator."""
        chat = message.chat
        status = chat.members.get(BOT_ID)
        if chat.kind == "private" or status == "administrator" or self._world.reads_all:
            return status is not None
        if status is None:
            return False
        named = f"@{BOT_NAME}" in message.text
        command = any(
            one["type"] == "bot_command" and one["offset"] == 0 for one in message.entities
        )
        replied = message.replies_to is not None and message.replies_to.from_bot
        return named or command or replied
