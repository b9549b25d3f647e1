"""SQL of the table `polls_open`: polls that people had posted and that have not ended."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from bot.plugin.places import Conversation, Place, Visibility
from bot.plugin.tables import (
    CountedPhrase,
    Database,
    PersonTable,
    Phrase,
    Row,
    Write,
    format_utc,
    insert_into,
    parse_utc,
    purge_of,
    row_of,
)
from bot.plugin.tools import Trust

OPEN_POLLS = PersonTable(
    "polls_open",
    "owner",
    key=("key",),
    one="open poll",
    many="open polls",
    exported=False,
    called=CountedPhrase(Phrase("open poll"), Phrase("open polls")),
)
"""Not exported: it says where polls stand, and the platform has them."""


@dataclass(frozen=True)
class OpenPoll:
    """A poll that somebody had Bellhop post."""

    owner: str
    """Person id."""
    asked_in: str
    """Key of the conversation in which it was asked for, which learns how it ends."""
    agent: str
    place: Conversation
    message: str
    trust: Trust
    """Of the context in which its words were written."""
    ends_at: datetime

    @property
    def key(self) -> str:
        return poll_key(self.place.platform, self.message)


def poll_key(platform: str, message: str) -> str:
    return f"{platform}:{message}"


@dataclass(frozen=True)
class OpenPolls:
    database: Database

    async def get(self, key: str) -> OpenPoll | None:
        row = await self.database.read_one("SELECT * FROM polls_open WHERE key = ?", (key,))
        return _poll(row) if row else None

    async def asked_in(self, conversation: str) -> Sequence[OpenPoll]:
        """The polls that were asked for in a conversation, newest first."""
        rows = await self.database.read(
            "SELECT * FROM polls_open WHERE asked_in = ? ORDER BY made_at DESC, key LIMIT 5",
            (conversation,),
        )
        return [_poll(row) for row in rows]

    async def due(self, now: datetime) -> Sequence[OpenPoll]:
        """The polls whose time is over, oldest first."""
        rows = await self.database.read(
            "SELECT * FROM polls_open WHERE ends_at <= ? ORDER BY ends_at LIMIT 50",
            (format_utc(now),),
        )
        return [_poll(row) for row in rows]


def insert_poll(poll: OpenPoll, now: datetime) -> Write:
    row = row_of(
        poll,
        "message",
        key=poll.key,
        place=json.dumps(asdict(poll.place)),
        trust=poll.trust.name.lower(),
        ends_at=format_utc(poll.ends_at),
        made_at=format_utc(now),
    )
    return insert_into("polls_open", row, "ON CONFLICT (key) DO NOTHING")


def remove_poll(key: str) -> Write:
    return Write("DELETE FROM polls_open WHERE key = ?", (key,))


purge_polls = purge_of("polls_open", "key", "ends_at")
"""Also of polls whose end nobody read."""


def _poll(row: Row) -> OpenPoll:
    place = json.loads(row["place"])
    place |= {"place": Place(place["place"]), "visibility": Visibility(place["visibility"])}
    return OpenPoll(
        owner=row["owner"],
        asked_in=row["asked_in"],
        agent=row["agent"],
        place=Conversation(**place),
        message=str(row["key"]).partition(":")[2],
        trust=Trust[str(row["trust"]).upper()],
        ends_at=parse_utc(row["ends_at"]),
    )
