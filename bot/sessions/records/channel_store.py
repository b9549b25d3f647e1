"""Channels: category and readers as messages reported them, and the mode that people chose."""

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime

from bot.clock import format_utc
from bot.domain.database import Database, Row, Unit, Write
from bot.domain.messages import Conversation, Place, Visibility
from bot.domain.places import AT_TERMINAL, Location


@dataclass(frozen=True)
class KnownChannel:
    category: str = ""
    visibility: Visibility = Visibility.UNKNOWN
    was_private: bool = False
    closed: bool = False
    """Whether the very thread that was asked about has readers of its own."""
    mode: str = ""
    """Whom to answer there, as its people chose."""


_CLOSED = KnownChannel(visibility=Visibility.PRIVATE, was_private=True)
"""The row of a closed thread, besides that of its channel."""


@dataclass(frozen=True)
class Noticed:
    """The place of a message, and the write with news about its channel (empty: none)."""

    location: Location
    unit: Unit = Unit()


@dataclass(eq=False)
class Channels:
    """Locates conversations.

    Facts that a message leaves open come from earlier reports about its channel.

    `withdrawn`: keys of channels that were public and that not everybody reads now.
    """

    database: Database
    withdrawn: Callable[[], frozenset[str]] = frozenset

    async def locate(self, conversation: Conversation) -> Location:
        """The known facts about a conversation's place. Raises StorageError."""
        known = await self._known(conversation)
        found = _location(conversation, _merged(conversation, known))
        return replace(found, withdrawn=self.withdrawn())

    async def locate_for(self, person: str, conversation: Conversation) -> Location:
        """The same, also with the workspaces of a person whose conversation belongs to none.

        Where only one workspace is known, that is everybody's. Of several it takes those where the
        person has written. Raises StorageError.
        """
        location = await self.locate(conversation)
        if location.has_workspace:
            return location
        at_terminal = location.platform == AT_TERMINAL.platform
        known = await self._workspaces(
            await self._platforms() if at_terminal else (location.platform,)
        )
        if len(known) > 1:
            known = await self._written_in(known, person)
        return replace(location, homes=frozenset(known))

    async def _platforms(self) -> list[str]:
        """Those that were heard of, the terminal too."""
        rows = await self.database.read(
            "SELECT DISTINCT substr(key, 1, instr(key, ':') - 1) AS platform FROM channels"
        )
        return [str(row["platform"]) for row in rows]

    async def _workspaces(self, platforms: Collection[str]) -> list[str]:
        """The known workspaces, as `platform:workspace`."""
        rows = await self.database.read(
            "SELECT DISTINCT name.value || ':' || substr(channels.key, length(name.value) + 2,"
            " instr(substr(channels.key, length(name.value) + 2), ':') - 1) AS workspace"
            " FROM json_each(?) AS name JOIN channels"
            " ON channels.key >= name.value || ':' AND channels.key < name.value || ';'",
            (json.dumps(list(platforms)),),
        )
        return [str(row["workspace"]) for row in rows]

    async def _written_in(self, workspaces: Collection[str], person: str) -> list[str]:
        rows = await self.database.read(
            "SELECT name.value AS workspace FROM json_each(?) AS name WHERE EXISTS (SELECT 1 FROM"
            " messages WHERE author = ? AND conversation >= name.value || ':'"
            " AND conversation < name.value || ';')",
            (json.dumps(list(workspaces)), person),
        )
        return [str(row["workspace"]) for row in rows]

    async def notice(self, conversation: Conversation, now: datetime) -> Noticed:
        """The same, with the write that stores it; to be committed with the message.

        Raises StorageError.
        """
        known = await self._known(conversation)
        merged = _merged(conversation, known)
        location, unit = _location(conversation, merged), Unit()
        if conversation.place is Place.DM:
            return Noticed(location)
        if merged.closed and not known.closed:
            unit += Unit((_keep(conversation.key, _CLOSED, now),))
        if (of_channel := replace(merged, closed=False)) != replace(known, closed=False):
            unit += Unit((_keep(conversation.channel_key, of_channel, now),))
        return Noticed(location, unit)

    async def of_key(self, key: str) -> Location | None:
        """The channel with the key `platform:workspace:channel`; None if unknown."""
        row = await self.database.read_one("SELECT * FROM channels WHERE key = ?", (key,))
        return None if row is None else _location(_channel(key), _read(row))

    async def all(self) -> list[Conversation]:
        """Every channel that was reported, as it was reported last."""
        rows = await self.database.read("SELECT key, visibility FROM channels")
        return [_channel(str(row["key"]), Visibility(row["visibility"])) for row in rows]

    async def named(self, channel: str) -> Location | None:
        """The channel with this id, on whatever platform."""
        rows = await self.database.read("SELECT key FROM channels ORDER BY key")
        keys = [key for row in rows if (key := str(row["key"])).split(":", 2)[2] == channel]
        return await self.of_key(keys[0]) if keys else None

    async def _known(self, conversation: Conversation) -> KnownChannel:
        if conversation.place is Place.DM:
            return KnownChannel()
        key = conversation.channel_key
        rows = await self.database.read(
            "SELECT * FROM channels WHERE key IN (?, ?)", (key, conversation.key)
        )
        found = {str(row["key"]): _read(row) for row in rows}
        closed = conversation.key != key and conversation.key in found
        return replace(found.get(key, KnownChannel()), closed=closed)


def _channel(key: str, visibility: Visibility = Visibility.UNKNOWN) -> Conversation:
    platform, workspace, id_ = key.split(":", 2)
    return Conversation(platform, workspace, id_, Place.CHANNEL, visibility=visibility)


def _read(row: Row) -> KnownChannel:
    return KnownChannel(
        str(row["category"]),
        Visibility(row["visibility"]),
        bool(row["was_private"]),
        mode=str(row["reply"]),
    )


def _merged(conversation: Conversation, known: KnownChannel) -> KnownChannel:
    visibility = conversation.visibility or known.visibility
    narrow = visibility in {Visibility.PRIVATE, Visibility.SHARED}
    was_private = known.was_private or narrow
    closed = conversation.place is Place.THREAD and (conversation.closed or known.closed)
    category = conversation.category or known.category
    return KnownChannel(category, visibility, was_private, closed, known.mode)


def _location(conversation: Conversation, known: KnownChannel) -> Location:
    filled = replace(
        conversation, category=known.category, visibility=known.visibility, closed=known.closed
    )
    return replace(Location.of(filled, was_private=known.was_private), mode=known.mode)


def _keep(key: str, known: KnownChannel, now: datetime) -> Write:
    return Write(
        "INSERT INTO channels (key, category, visibility, was_private, seen_at)"
        " VALUES (?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET category = excluded.category,"
        " visibility = excluded.visibility, seen_at = excluded.seen_at,"
        " was_private = max(channels.was_private, excluded.was_private)",
        (key, known.category, known.visibility.value, int(known.was_private), format_utc(now)),
    )


def choose_mode(conversation: Conversation, mode: str, now: datetime) -> Write:
    """Whom to answer in the channel of a conversation from now on; empty: as the rules say."""
    return Write(
        "INSERT INTO channels (key, category, visibility, was_private, seen_at, reply)"
        " VALUES (?, ?, ?, 0, ?, ?) ON CONFLICT (key) DO UPDATE SET reply = excluded.reply",
        (
            conversation.channel_key,
            conversation.category,
            conversation.visibility.value,
            format_utc(now),
            mode,
        ),
    )
