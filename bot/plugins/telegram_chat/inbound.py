"""Updates of Telegram as `IncomingMessage`. Nothing is asked and nothing decided here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.plugin.chat import (
    Addressed,
    Command,
    Conversation,
    Heard,
    IncomingMessage,
    MessageKind,
    Place,
    PlatformPerson,
    QuotedMessage,
    ReplyTarget,
)
from bot.plugin.clock import Clock
from bot.plugin.commands import parse_command
from bot.plugin.payloads import JsonObject, number_in, object_in, objects_in, text_in
from bot.plugins.telegram_chat.buttons import read_click
from bot.plugins.telegram_chat.markup import readable, said_by, typed_words
from bot.plugins.telegram_chat.media import attachments_of, described
from bot.plugins.telegram_chat.places import PLATFORM, Me, conversation_at, moment, topic_of
from bot.plugins.telegram_chat.settings import TelegramSettings

KINDS = ("message", "edited_message", "callback_query")
"""The updates that are asked for. Telegram tells bots of no deletion."""
_START = "start"
_PEOPLE = frozenset({"private", "group", "supergroup"})


@dataclass(frozen=True)
class ClickedButton:
    """A click, and what is needed to answer it."""

    id: str
    message: IncomingMessage | None
    asked: str = ""
    """The id of the person whom the question is for, if only they may answer."""


@dataclass(frozen=True)
class UpdateReader:
    """Reads updates. `is_ours` tells whether a word is a command of ours."""

    me: Me
    settings: TelegramSettings
    clock: Clock
    is_ours: Callable[[str], bool]

    def message(self, update: JsonObject) -> IncomingMessage | None:
        """A message or an edit; None for places that are off and for notices.

        A notice, such as a new title or timer of the chat, comes as a message that says nothing.
        """
        edited = "edited_message" in update
        data = object_in(update, "edited_message" if edited else "message")
        chat, sender = object_in(data, "chat"), object_in(data, "from")
        if chat.get("type") not in _PEOPLE or text_in(sender, "id") in {"", self.me.id}:
            return None
        off = self.settings.answer_in(text_in(chat, "id")) == "off"
        if off or not (_words(data)[0] or attachments_of(data) or described(data)):
            return None
        said = self._said(data, chat, sender)
        if not edited:
            return said
        stamp = f"{number_in(data, 'edit_date')}-{number_in(update, 'update_id')}"
        return replace(
            said,
            key=f"{MessageKind.EDIT.value}:{said.key}:{stamp}",
            kind=MessageKind.EDIT,
            command=None,
            sent_at=moment(data, "edit_date"),
            heard=None,
        )

    def _said(self, data: JsonObject, chat: JsonObject, sender: JsonObject) -> IncomingMessage:
        conversation = conversation_at(chat, topic_of(data))
        written, entities = _words(data)
        shown, typed = readable(written, entities), typed_words(written, entities)
        quoted, files, told = self._quoted(data), attachments_of(data), described(data)
        if "forward_origin" in data:  # the words of another, whoever passes them on
            quoted = (QuotedMessage(_origin(data), shown or told, _names(data), files),)
            shown, typed, files, told, written, entities = "", "", (), "", "", []
        elif "via_bot" in data:  # another bot wrote them
            typed = ""
        addressed = self._addressed(data, conversation, written, entities)
        id_ = text_in(data, "message_id")
        message = IncomingMessage(
            key=f"{PLATFORM}:{text_in(chat, 'id')}:{id_}",
            conversation=conversation,
            sender=_author(data),
            text=self._without_name(shown) or told,
            typed=self._without_name(typed),
            reply_to=ReplyTarget(conversation, id_),
            sent_at=moment(data),
            attachments=files,
            addressed=addressed,
            private=conversation.place is Place.DM,
            locale=text_in(sender, "language_code"),
            to_others=addressed is Addressed.NONE and self._is_to_others(data, entities),
            quoted=quoted,
            answers=text_in(_replied(data), "message_id") or None,
            heard=Heard(replace(conversation, title=""), id_, moment(data)),
        )
        return self._as_command(message)

    # --- whom it is for ---

    def _addressed(
        self, data: JsonObject, place: Conversation, written: str, entities: Sequence[JsonObject]
    ) -> Addressed:
        if place.place is Place.DM:
            return Addressed.DM
        if any(self._names_me(one, written) for one in entities):
            return Addressed.MENTION
        name, _, bot = written.split(maxsplit=1)[0].partition("@") if written.strip() else ("",) * 3
        if bot.casefold() == self.me.username.casefold() and name[:1] == "/":
            return Addressed.MENTION
        if not bot and name[:1] in {"/", "!"} and self.is_ours(name[1:].casefold()):
            return Addressed.MENTION
        if text_in(object_in(_replied(data), "from"), "id") == self.me.id:
            return Addressed.REPLY
        free = self.settings.answer_in(text_in(object_in(data, "chat"), "id")) == "all"
        if free and not bot and not self._is_to_others(data, entities):
            return Addressed.FOLLOWED
        return Addressed.NONE

    def _names_me(self, entity: JsonObject, written: str) -> bool:
        match text_in(entity, "type"):
            case "mention":
                said = said_by(entity, written)
                return said.casefold() == f"@{self.me.username}".casefold()
            case "text_mention":
                return text_in(object_in(entity, "user"), "id") == self.me.id
            case _:
                return False

    def _is_to_others(self, data: JsonObject, entities: Sequence[JsonObject]) -> bool:
        """It names, or replies to, somebody other than the bot."""
        named = any(text_in(one, "type") in {"mention", "text_mention"} for one in entities)
        replied = object_in(_replied(data), "from")
        return named or text_in(replied, "id") not in {"", self.me.id}

    def _without_name(self, text: str) -> str:
        """The text after the bot's name at its start, and a command without it."""
        name, text = f"@{self.me.username}".casefold(), text.strip()
        first, rest = (*text.split(maxsplit=1), "", "")[:2]
        if first.casefold().rstrip(",:") == name:
            return rest.lstrip(" ,:")
        if first.startswith("/") and first.casefold().endswith(name):
            return f"{first[: -len(name)]} {rest}".strip()
        return text

    def _as_command(self, message: IncomingMessage) -> IncomingMessage:
        """`/name` from people who address the assistant; `/start` is how Telegram says hello."""
        command = parse_command(message.typed or "")
        if command is None or message.addressed is Addressed.NONE:
            return message
        if command.name == _START:
            command = Command("help")
        return replace(
            message, kind=MessageKind.COMMAND, command=command, addressed=Addressed.COMMAND
        )

    # --- what it refers to ---

    def _quoted(self, data: JsonObject) -> tuple[QuotedMessage, ...]:
        """The message that it replies to, here or elsewhere.

        The bot's own are known; of these, the part that the sender chose is quoted.
        """
        chosen = object_in(data, "quote")
        part = text_in(chosen, "text")
        if external := object_in(data, "external_reply"):
            text = part or described(external)
            return (QuotedMessage(_origin({"forward_origin": external.get("origin")}), text),)
        replied, part = _replied(data), part if chosen.get("is_manual") is True else ""
        author = text_in(object_in(replied, "from"), "id")
        if author == self.me.id and part:
            return (QuotedMessage(_author(replied), part),)
        if author in {"", self.me.id}:
            return ()
        written, entities = _words(replied)
        text = readable(written, entities) or described(replied)
        text = f"{text}\n(they point at: {part})" if part else text
        person = _origin(replied) if "forward_origin" in replied else _author(replied)
        return (QuotedMessage(person, text, _names(replied), attachments_of(replied)),)

    # --- clicks ---

    def click(self, update: JsonObject) -> ClickedButton | None:
        """A click on a button of ours; its message is None if the button is none."""
        data = object_in(update, "callback_query")
        message = object_in(data, "message")
        chat, sender, id_ = object_in(message, "chat"), object_in(data, "from"), text_in(data, "id")
        if not id_ or not text_in(sender, "id"):
            return None
        action = read_click(text_in(data, "data"), message)
        if action is None or chat.get("type") not in _PEOPLE:
            return ClickedButton(id_, None)
        conversation = conversation_at(chat, topic_of(message))
        asked = text_in(object_in(_replied(message), "from"), "id")
        clicked = IncomingMessage(
            key=f"{PLATFORM}:click:{id_}",
            conversation=conversation,
            sender=person_of(sender),
            text="",
            typed="",
            reply_to=ReplyTarget(conversation, text_in(message, "message_id") or None),
            sent_at=self.clock.now(),
            kind=MessageKind.ACTION,
            action=action,
            addressed=Addressed.COMMAND,
            private=conversation.place is Place.DM,
            locale=text_in(sender, "language_code"),
        )
        return ClickedButton(id_, clicked, asked if action.verb == "answer" else "")


def _words(data: JsonObject) -> tuple[str, list[JsonObject]]:
    """The text of a message, or the caption of its file, with its entities."""
    if text := text_in(data, "text"):
        return text, objects_in(data, "entities")
    return text_in(data, "caption"), objects_in(data, "caption_entities")


def _replied(data: JsonObject) -> JsonObject:
    """The message that it replies to. In a topic, everything hangs from the topic's beginning."""
    replied = object_in(data, "reply_to_message")
    return {} if "forum_topic_created" in replied else replied


def _names(data: JsonObject) -> tuple[str, ...]:
    return tuple(one.name for one in attachments_of(data))


def person_of(user: JsonObject) -> PlatformPerson:
    """A user, by number: usernames change hands, and names are chosen."""
    names = (text_in(user, "first_name"), text_in(user, "last_name"))
    name = " ".join(part for part in names if part)
    return PlatformPerson(text_in(user, "id"), name or "somebody", user.get("is_bot") is True)


def _author(data: JsonObject) -> PlatformPerson:
    """Who wrote a message. Where a group or a channel speaks, nobody is known to."""
    chat = object_in(data, "sender_chat")
    return _speaking(chat) if chat else person_of(object_in(data, "from"))


def _speaking(chat: JsonObject) -> PlatformPerson:
    return PlatformPerson(text_in(chat, "id"), text_in(chat, "title") or "somebody", is_bot=True)


def _origin(data: JsonObject) -> PlatformPerson:
    """Who said a forwarded message, as far as they let Telegram tell."""
    origin = object_in(data, "forward_origin")
    match text_in(origin, "type"):
        case "user":
            return person_of(object_in(origin, "sender_user"))
        case "chat":
            return _speaking(object_in(origin, "sender_chat"))
        case "channel":
            return _speaking(object_in(origin, "chat"))
        case _:
            name = text_in(origin, "sender_user_name") or "somebody"
            return PlatformPerson("hidden", name)
