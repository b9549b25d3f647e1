"""The methods of the Bot API that bots of ours use, with their documented errors."""

import json
from collections.abc import Callable, Mapping
from typing import Any, cast

from bot.loopback.telegram.faults import Refusal, bad
from bot.loopback.telegram.html import read_html, units
from bot.loopback.telegram.world import BOT, BOT_ID, Chat, Message, World
from bot.plugin.models import JsonObject

MOST_UNITS = 4096
MOST_CAPTION = 1024
_NOT_MODIFIED = (
    "message is not modified: specified new message content and reply markup are exactly the same "
    "as a current content and reply markup of the message"
)
Arguments = Mapping[str, Any]


class Methods:
    """Carries out calls. Raises Refusal."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.queries: dict[str, JsonObject] = {}
        """Answers to clicks, by id of the query."""
        self.actions: list[JsonObject] = []
        self.known: dict[str, Callable[[Arguments], Any]] = {
            "getme": self._get_me,
            "getchat": self._get_chat,
            "getchatmember": self._get_chat_member,
            "getfile": self._get_file,
            "sendmessage": self._send_message,
            "senddocument": self._send_document,
            "sendchataction": self._send_chat_action,
            "editmessagetext": self._edit_message_text,
            "deletemessage": self._delete_message,
            "answercallbackquery": self._answer_callback_query,
            "setmycommands": self._set_my_commands,
            "getwebhookinfo": self._get_webhook_info,
            "setwebhook": self._set_webhook,
            "deletewebhook": self._delete_webhook,
        }

    # --- the bot, chats, people ---

    def _get_me(self, _arguments: Arguments) -> JsonObject:
        return {
            **BOT,
            "can_join_groups": True,
            "can_read_all_group_messages": self._world.reads_all,
        }

    def _get_chat(self, arguments: Arguments) -> JsonObject:
        chat = self._chat(arguments)
        if chat.kind != "private":
            return chat.as_json()
        user = self._world.users[chat.id]
        return {**chat.as_json(), **{k: v for k, v in user.items() if k != "is_bot"}}

    def _get_chat_member(self, arguments: Arguments) -> JsonObject:
        chat, user = self._chat(arguments), int(arguments["user_id"])
        if user not in self._world.users:
            raise bad("user not found")
        own = chat.members.get(BOT_ID)
        if chat.hides_members and own != "administrator" and user != BOT_ID:
            raise bad("CHAT_ADMIN_REQUIRED")
        status = chat.members.get(user, "left")
        shown: JsonObject = {"user": self._world.users[user], "status": status}
        return shown | (
            {"is_member": True, "can_send_messages": False} if status == "restricted" else {}
        )

    def _get_file(self, arguments: Arguments) -> JsonObject:
        id_ = str(arguments.get("file_id"))
        data = self._world.files.get(id_)
        if data is None:
            raise bad("wrong file_id or the file is temporarily unavailable")
        if len(data) > 20 * 1024 * 1024:
            raise bad("file is too big")
        return {
            "file_id": id_,
            "file_unique_id": f"u{id_}",
            "file_size": len(data),
            "file_path": f"documents/{id_}",
        }

    # --- messages ---

    def _send_message(self, arguments: Arguments) -> JsonObject:
        chat = self._writable(arguments)
        text, entities = _text(arguments, "text")
        if not text.strip():
            raise bad("message text is empty")
        if units(text) > MOST_UNITS:
            raise bad("message is too long")
        return self._post(chat, text, entities, arguments).as_json()

    def _send_document(self, arguments: Arguments) -> JsonObject:
        chat = self._writable(arguments)
        name, data = cast("tuple[str, bytes]", arguments["document"])
        if not data:
            raise bad("file must be non-empty")
        caption, entities = _text(arguments, "caption")
        if units(caption) > MOST_CAPTION:
            raise bad("message caption is too long")
        id_ = self._world.next_id("file")
        self._world.files[id_] = data
        file = {
            "file_id": id_,
            "file_unique_id": f"u{id_}",
            "file_name": name,
            "file_size": len(data),
        }
        return self._post(chat, caption, entities, arguments, document=file).as_json()

    def _post(
        self,
        chat: Chat,
        text: str,
        entities: list[JsonObject],
        arguments: Arguments,
        **extra: Any,
    ) -> Message:
        reply, topic = (
            _object(arguments, "reply_parameters"),
            int(arguments.get("message_thread_id") or 0),
        )
        if topic and not any(
            one.topic == topic and one.chat is chat for one in self._world.messages
        ):
            raise bad("message thread not found")
        answered = self._world.message(chat.id, int(reply["message_id"])) if reply else None
        if reply and answered is None and not reply.get("allow_sending_without_reply"):
            raise bad("message to be replied not found")
        return self._world.add(
            chat,
            BOT,
            text,
            entities,
            topic=topic,
            replies_to=answered,
            buttons=_buttons(arguments),
            extra=extra,
        )

    def _send_chat_action(self, arguments: Arguments) -> bool:
        self._writable(arguments)
        self.actions.append(dict(arguments))
        return True

    def _edit_message_text(self, arguments: Arguments) -> JsonObject:
        message = self._world.message(self._chat(arguments).id, int(arguments["message_id"]))
        if message is None:
            raise bad("message to edit not found")
        if not message.from_bot:
            raise bad("message can't be edited")
        if "document" in message.extra:
            raise bad("there is no text in the message to edit")
        text, entities = _text(arguments, "text")
        if not text.strip():
            raise bad("message text is empty")
        if units(text) > MOST_UNITS:
            raise bad("MESSAGE_TOO_LONG")
        buttons = _buttons(arguments)
        plain = [one for one in message.entities if one["type"] not in {"mention", "bot_command"}]
        if (text, entities, buttons) == (message.text, plain, message.buttons):
            raise bad(_NOT_MODIFIED)
        message.text, message.entities, message.buttons = text, entities, buttons
        message.edited = int(self._world.clock.now().timestamp())
        return message.as_json()

    def _delete_message(self, arguments: Arguments) -> bool:
        message = self._world.message(self._chat(arguments).id, int(arguments["message_id"]))
        if message is None:
            raise bad("message to delete not found")
        if not message.from_bot and message.chat.members.get(BOT_ID) != "administrator":
            raise bad("message can't be deleted")
        message.deleted = True
        return True

    def _answer_callback_query(self, arguments: Arguments) -> bool:
        if len(str(arguments.get("text", ""))) > 200:
            raise bad("MESSAGE_TOO_LONG")
        self.queries[str(arguments["callback_query_id"])] = dict(arguments)
        return True

    # --- settings ---

    def _set_my_commands(self, arguments: Arguments) -> bool:
        commands = cast("list[JsonObject]", _value(arguments, "commands"))
        if len(commands) > 100:
            raise bad("BOT_COMMANDS_TOO_MUCH")
        for one in commands:
            name, about = str(one["command"]), str(one["description"])
            if (
                not (1 <= len(name) <= 32)
                or not name.replace("_", "a").isalnum()
                or name.lower() != name
            ):
                raise bad("BOT_COMMAND_INVALID")
            if not 1 <= len(about) <= 256:
                raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
        self._world.commands = commands
        return True

    def _get_webhook_info(self, _arguments: Arguments) -> JsonObject:
        return {
            "url": self._world.webhook.get("url", ""),
            "has_custom_certificate": False,
            "pending_update_count": len(self._world.updates),
        }

    def _set_webhook(self, arguments: Arguments) -> bool:
        self._world.webhook = {
            "url": arguments["url"],
            "secret_token": arguments.get("secret_token", ""),
        }
        return True

    def _delete_webhook(self, _arguments: Arguments) -> bool:
        self._world.webhook = {}
        return True

    # --- parts ---

    def _chat(self, arguments: Arguments) -> Chat:
        id_ = arguments.get("chat_id")
        if id_ is None:
            raise bad("chat_id is empty")
        chat = self._world.chats.get(int(id_))
        if chat is None:
            raise bad("chat not found")
        if chat.moved_to:
            raise Refusal(
                400,
                "Bad Request: group chat was upgraded to a supergroup chat",
                migrate_to_chat_id=chat.moved_to,
            )
        if chat.gone or BOT_ID not in chat.members:
            raise Refusal(403, "Forbidden: bot was kicked from the group chat")
        return chat

    def _writable(self, arguments: Arguments) -> Chat:
        chat = self._chat(arguments)
        if chat.kind == "private" and chat.id not in self._world.reachable:
            raise Refusal(403, "Forbidden: bot can't initiate conversation with a user")
        return chat


def _value(arguments: Arguments, name: str) -> Any:
    """Return a part of a call; whatever is no text comes as JSON in a form."""
    value = arguments.get(name)
    return json.loads(value) if isinstance(value, str) and value[:1] in "[{" else value


def _object(arguments: Arguments, name: str) -> JsonObject:
    return cast("JsonObject", _value(arguments, name) or {})


def _text(arguments: Arguments, name: str) -> tuple[str, list[JsonObject]]:
    written = str(arguments.get(name) or "")
    match arguments.get("parse_mode"):
        case None:
            return written, []
        case "HTML":
            text, entities = read_html(written)
            return text.strip("\n"), entities
        case other:
            raise bad(f"unsupported parse_mode {other}")


def _buttons(arguments: Arguments) -> JsonObject | None:
    markup = _object(arguments, "reply_markup")
    rows = cast("list[list[JsonObject]]", markup.get("inline_keyboard") or [])
    for button in (one for row in rows for one in row):
        if not str(button.get("text", "")):
            raise bad("BUTTON_TEXT_INVALID")
        if not 1 <= len(str(button.get("callback_data", "")).encode()) <= 64:
            raise bad("BUTTON_DATA_INVALID")
    return {"inline_keyboard": rows} if rows else None
