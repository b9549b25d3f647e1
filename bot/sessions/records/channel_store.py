"""Channels as messages reported them: category, readers, and changes of those."""

from dataclasses import replace
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.places import Location
from bot.lazy_dataclass import dataclass


@dataclass(frozen=True)
class KnownChannel:
    category: str = ""
    visibility: Visibility = Visibility.UNKNOWN
    was_private: bool = False


@dataclass(frozen=True)
class Noticed:
    """The place of a message, and the write with news about its channel (empty: none)."""

    location: Location
    unit: Unit = Unit()


class Channels:
    """Locates conversations.

    Facts that a message leaves open come from earlier reports about its channel.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def locate(self, conversation: Conversation) -> Location:
        """The known facts about a conversation's place. Raises StorageError."""
        known = await self._known(conversation)
        return _location(conversation, _merged(conversation, known))

    async def notice(self, conversation: Conversation, now: datetime) -> Noticed:
        """The same, with the write that stores it; to be committed with the message.

        Raises StorageError.
        """
        known = await self._known(conversation)
        merged = _merged(conversation, known)
        location = _location(conversation, merged)
        if conversation.place is Place.DM or merged in {known, KnownChannel()}:
            return Noticed(location)
        return Noticed(location, Unit.of(_keep(conversation.channel_key, merged, now)))

    async def of_key(self, key: str) -> Location | None:
        """The channel with the key `platform:workspace:channel`; None if unknown."""
        row = await self._database.read_one("SELECT * FROM channels WHERE key = ?", (key,))
        if row is None:
            return None
        platform, workspace, channel = key.split(":", 2)
        return _location(Conversation(platform, workspace, channel, Place.CHANNEL), _read(row))

    async def named(self, channel: str) -> Location | None:
        """The channel with this id, on whatever platform."""
        rows = await self._database.read("SELECT key FROM channels ORDER BY key")
        key = next(
            (str(row["key"]) for row in rows if str(row["key"]).split(":", 2)[2] == channel), None
        )
        return None if key is None else await self.of_key(key)

    async def _known(self, conversation: Conversation) -> KnownChannel:
        if conversation.place is Place.DM:
            return KnownChannel()
        row = await self._database.read_one(
            "SELECT * FROM channels WHERE key = ?", (conversation.channel_key,)
        )
        return KnownChannel() if row is None else _read(row)


def _read(row: Row) -> KnownChannel:
    return KnownChannel(
        str(row["category"]), Visibility(row["visibility"]), bool(row["was_private"])
    )


def _merged(conversation: Conversation, known: KnownChannel) -> KnownChannel:
    visibility = conversation.visibility or known.visibility
    was_private = known.was_private or visibility is Visibility.PRIVATE
    return KnownChannel(conversation.category or known.category, visibility, was_private)


def _location(conversation: Conversation, known: KnownChannel) -> Location:
    filled = replace(conversation, category=known.category, visibility=known.visibility)
    return Location.of(filled, was_private=known.was_private)


def _keep(key: str, known: KnownChannel, now: datetime) -> Write:
    return Write(
        "INSERT INTO channels (key, category, visibility, was_private, seen_at) VALUES (?, ?, ?, "
        "?, ?)"
        " ON CONFLICT (key) DO UPDATE SET category = excluded.category, visibility = "
        "excluded.visibility,"
        " was_private = max(channels.was_private, excluded.was_private),"
        " seen_at = excluded.seen_at",
        (key, known.category, known.visibility.value, int(known.was_private), format_utc(now)),
    )
