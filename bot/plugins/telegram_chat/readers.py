"""Who can read a group. Telegram tells bots about one person at a time, and lists nobody."""

import logging
from datetime import timedelta
from functools import partial

from bot.plugin.chat import DIRECT, Conversation, DeliveryError, Place, PlatformPerson, Visibility
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.recent import Fresh, Recent
from bot.plugins.telegram_chat.connection import TelegramConnection
from bot.plugins.telegram_chat.inbound import person_of
from bot.plugins.telegram_chat.places import (
    PLATFORM,
    chat_of,
    conversation_at,
    is_id,
    link_to,
    visibility_of,
)
from bot.plugins.telegram_chat.rates import is_group
from bot.plugins.telegram_chat.trouble import TelegramRefused

log = logging.getLogger(__name__)

KEPT_FOR = timedelta(minutes=1)
_MOST = 5_000
_IN = frozenset({"creator", "administrator", "member"})
_NOT_THERE = ("user not found", "member not found", "participant_id_invalid", "user_id_invalid")


class TelegramReaders:
    """Implements `domain.chat.KnowsReaders`: whatever can't be found out counts as no."""

    def __init__(self, connection: TelegramConnection, clock: Clock) -> None:
        self._connection = connection
        self._members: Fresh[tuple[str, str], JsonObject] = Fresh(clock, KEPT_FOR, _MOST)
        self._chats: Recent[str, JsonObject] = Recent(_MOST)
        """Groups that something was said in, by id."""

    def heard(self, chat: JsonObject) -> None:
        """Something was said in this chat: its name is known now."""
        id_ = text_in(chat, "id")
        if is_group(id_):
            self._chats[id_] = chat

    async def may_read(self, person: str, place: Conversation) -> bool:
        return _is_in(await self._told(person, place))

    async def may_write(self, person: str, place: Conversation) -> bool:
        member = await self._told(person, place)
        muted = text_in(member, "status") == "restricted"
        return _is_in(member) and (not muted or member.get("can_send_messages") is True)

    async def _told(self, person: str, place: Conversation) -> JsonObject:
        try:
            return await self._member(person, place)
        except DeliveryError as error:
            log.info("person=<%s>, error=<%s> | Telegram does not tell", person, error)
            return {}

    async def visibility(self, channel: Conversation) -> Visibility:
        try:
            chat = await self._connection.call("getChat", chat_id=chat_of(channel))
        except TelegramRefused as refused:
            if refused.lasting and not refused.no_token:
                return Visibility.UNKNOWN
            raise
        return visibility_of(chat)

    async def reads_like_channel(self, thread: Conversation) -> bool:
        """Whoever is in a group reads all of its topics."""
        return thread.place is Place.THREAD

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        name = named.strip().casefold()
        found = [
            chat
            for id_, chat in self._chats.items()
            if name in {id_, text_in(chat, "title").casefold()} and near.workspace in {DIRECT, id_}
        ]
        return conversation_at(found[0]) if len(found) == 1 else None

    def name_of(self, place: Conversation) -> str:
        return text_in(self._chats.get(chat_of(place), {}), "title")

    async def link(self, place: Conversation, message: str) -> str:
        chat, _, topic = place.id.partition(":")
        return link_to(chat, topic, message)

    async def member(self, there: Conversation, person: str) -> PlatformPerson | None:
        """Implements domain.chat.KnowsMembers."""
        if not is_id(person) or is_group(person):
            return None
        try:
            if there.place is Place.DM:
                chat = await self._connection.call("getChat", chat_id=person)
                return person_of(chat) if chat.get("type") == "private" else None
            member = await self._member(person, there)
        except TelegramRefused as refused:
            if refused.says("chat not found", *_NOT_THERE):
                return None
            raise
        return person_of(object_in(member, "user")) if _is_in(member) else None

    async def _member(self, person: str, place: Conversation) -> JsonObject:
        chat = chat_of(place)
        if place.platform != PLATFORM or not is_group(chat) or not is_id(person):
            return {}
        ask = partial(self._connection.call, "getChatMember", chat_id=chat, user_id=int(person))
        member = await self._members.of((chat, person), ask)
        return member if text_in(object_in(member, "user"), "id") == person else {}


def _is_in(member: JsonObject) -> bool:
    status = text_in(member, "status")
    return status in _IN or (status == "restricted" and member.get("is_member") is True)
