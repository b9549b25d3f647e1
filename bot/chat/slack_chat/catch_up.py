"""What was said while nobody listened: read from history after a gap (design §3.9)."""

import logging
from collections import OrderedDict

from bot.chat.slack_chat.payloads import text_in
from bot.chat.slack_chat.places import Spot, spot_of
from bot.chat.slack_chat.posts import Posts
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage
from bot.errors import DeliveryError

log = logging.getLogger(__name__)

PLACES = 40
"""So many channels and threads are caught up with, those of the last messages first; Slack allows 50 reads a minute."""
MOST = 50
"""Older messages of one place than its last so many are left out, and the log says so."""


class CatchUp:
    """Remembers the newest accepted message of each place, and reads what came after it."""

    def __init__(self, posts: Posts) -> None:
        self._posts = posts
        self._marks: OrderedDict[tuple[str, str | None], str] = OrderedDict()

    def note(self, message: IncomingMessage) -> None:
        """Somebody said this: its thread, and its channel if it opened the thread, are heard up to here."""
        ts = message.reply_to.message
        if ts is None:
            return
        spot = spot_of(message.reply_to)
        if spot.thread is not None:
            self._mark(spot.channel, spot.thread, ts)
        if spot.thread in {None, ts}:
            self._mark(spot.channel, None, ts)

    def _mark(self, channel: str, thread: str | None, ts: str) -> None:
        place = (channel, thread)
        if float(ts) >= float(self._marks.get(place, "0")):
            self._marks[place] = ts
        self._marks.move_to_end(place)
        while len(self._marks) > PLACES:
            self._marks.popitem(last=False)

    async def missed(self) -> list[JsonObject]:
        """Message events of everything since, oldest first. A place that can't be read is logged and left out."""
        found: dict[tuple[str, str], JsonObject] = {}
        for (channel, thread), mark in list(self._marks.items()):
            try:
                messages = await self._posts.read(Spot(channel, thread, mark))
            except DeliveryError as error:
                log.warning("channel=<%s>, thread=<%s>, error=<%s> | not caught up with", channel, thread, error)
                continue
            newer = sorted((m for m in messages if float(text_in(m, "ts") or 0) > float(mark)), key=_time)
            if len(newer) > MOST:
                log.warning("channel=<%s>, skipped=<%s> | too many missed messages", channel, len(newer) - MOST)
            found |= {(channel, m["ts"]): {**m, "type": "message", "channel": channel} for m in newer[-MOST:]}
        return sorted(found.values(), key=_time)


def _time(message: JsonObject) -> float:
    return float(message["ts"])
