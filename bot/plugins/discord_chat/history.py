"""The messages of a channel since Bellhop last read it (docs/rules.md#catching-up)."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from bot.plugin.catch_up import Gap, GapHistory, Missed, News, RecordedMessage, Recovered
from bot.plugin.chat import DIRECT, Conversation, Heard, Place
from bot.plugins.discord_chat.intake import conversation_of
from bot.plugins.discord_chat.rest import DiscordRest
from bot.plugins.discord_chat.seen import (
    SeenChannel,
    SeenDeletion,
    SeenHistory,
    SeenMessage,
    SeenPlace,
)

_EPOCH_MS = 1_420_070_400_000
_ASLEEP = 50
"""The number of threads unlisted by Discord that are checked: the most recently heard ones."""


@dataclass(frozen=True)
class DiscordArchive:
    """Implements chat.catch_up.Archive.

    `hear` accepts a message; its flag says that it is too late for an answer.

    `change` accepts an edit or deletion of a message heard before.
    """

    rest: Callable[[], DiscordRest]
    hear: Callable[[SeenMessage, bool], Awaitable[bool]]
    change: Callable[[SeenMessage | SeenDeletion], Awaitable[bool]]

    def channel_of(self, place: Conversation) -> str:
        return place.id

    async def read(self, gap: Gap) -> GapHistory:
        mark = next(iter(gap.heard.values()), None)
        kept = gap.kept.get(mark.place.key, ()) if mark else ()
        after = mark.position if mark else snowflake(gap.floor)
        back_to = str(min([int(after), *(int(_id_of(one)) - 1 for one in kept)]))
        seen = await self.rest().history(gap.channel, after, back_to, background=not gap.urgent)
        missed = [self._missed(message) for message in seen.messages]
        changes = self._changes(mark.place, seen, kept) if mark else []
        place = mark.place if mark else None
        if place is None and seen.messages:
            place = conversation_of(seen.messages[0].place)
        if place is None or seen.newest is None or seen.newest_at is None:
            return GapHistory(missed, changes=changes)
        return GapHistory(missed, (Heard(place, seen.newest, seen.newest_at),), changes)

    def _changes(
        self, place: Conversation, seen: SeenHistory, kept: Sequence[RecordedMessage]
    ) -> list[Callable[[], Awaitable[bool]]]:
        """Changes to messages heard before, as the events that were missed."""
        known = {_id_of(one): one for one in kept}
        where = _seen_place(place)
        changes: list[Callable[[], Awaitable[bool]]] = []
        for message in seen.edited:
            one = known.get(message.id)
            if one is not None and (one.edited_at is None or message.edited_at != one.edited_at):
                changes.append(partial(self.change, message))
        if seen.whole:
            gone = [SeenDeletion(id_, where) for id_ in known if id_ not in seen.standing]
            changes += [partial(self.change, deletion) for deletion in gone]
        return changes

    def _missed(self, message: SeenMessage) -> Missed:
        return Missed(
            conversation_of(message.place), message.at, lambda late: self.hear(message, late)
        )

    async def news(self, recovered: Recovered) -> News:
        """Known direct conversations (Discord lists none), and channels with news, then threads.

        An archived thread is not listed, so recently heard ones are checked. Places with recent
        messages but no news come last, because messages may have been edited. Channels of an
        unavailable server are left out.
        """
        marks = {mark.place.id: mark for mark in recovered.marks}
        direct = [mark.place.id for mark in recovered.marks if mark.place.workspace == DIRECT]
        floor = snowflake(recovered.floor) if recovered.floor else "0"

        def is_news(channel: SeenChannel) -> bool:
            mark = marks.get(channel.id)
            return int(channel.newest) > int(mark.position if mark else floor)

        line = self.rest().line
        listed = line.channels()
        fresh = [channel for channel in listed if is_news(channel)]
        fresh.sort(key=lambda channel: (channel.parent is not None, -int(channel.newest)))
        awake = {channel.id for channel in listed}
        threads = [mark.place.id for mark in recovered.marks if mark.place.place is Place.THREAD]
        asleep = [thread for thread in threads if thread not in awake][:_ASLEEP]
        lately = [
            mark.place.id
            for mark in recovered.marks
            if mark.at >= recovered.since and mark.place.id in awake
        ]
        channels = list(
            dict.fromkeys([*direct, *(channel.id for channel in fresh), *asleep, *lately])
        )
        return News(channels, complete=not line.servers_away())


def _id_of(kept: RecordedMessage) -> str:
    return kept.key.rpartition(":")[2]


def _seen_place(place: Conversation) -> SeenPlace:
    """A place that is known only by its mark; a thread's channel is then unknown."""
    if place.workspace == DIRECT:
        return SeenPlace(place.id)
    return SeenPlace(place.id, place.workspace, "" if place.place is Place.THREAD else None)


def moment_of(id_: str) -> datetime:
    """The creation time of the thing with this id."""
    return datetime.fromtimestamp(((int(id_) >> 22) + _EPOCH_MS) / 1000, UTC)


def snowflake(moment: datetime) -> str:
    """The smallest id of a message of this moment."""
    return str(max(int(moment.timestamp() * 1000) - _EPOCH_MS, 0) << 22)
