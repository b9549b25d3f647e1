"""The messages of a channel and its threads since Bellhop last read them.

See docs/rules.md#catching-up.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, cast

from bot.plugin.catch_up import Gap, GapHistory, Missed, News, RecordedMessage, Recovered
from bot.plugin.chat import Conversation, DeliveryError, Heard
from bot.plugin.payloads import JsonObject, Unreadable, as_objects, object_in, objects_in, text_in
from bot.plugins.slack_chat.inbound import GONE, REACTION, is_said
from bot.plugins.slack_chat.places import (
    SHARED,
    Identity,
    channel_of,
    is_timestamp,
    moment,
    place_at,
)
from bot.plugins.slack_chat.posts import Posts, next_cursor
from bot.plugins.slack_chat.trouble import SlackRefused

KINDS = "public_channel,private_channel,mpim,im"
_PAGES = 5
"""The most messages of a channel that are read, the newest ones."""
_THREADS = 20
"""How many threads with an old first message are checked: those heard most recently."""
_REACTIONS = 100
"""The most reactions of a channel that are read late, those on the newest messages."""
_OLD_ROOTS = timedelta(hours=24)
"""The age before the gap up to which threads are checked, reactions included."""
_GONE = {
    "channel_not_found",
    "not_in_channel",
    "is_archived",
    "no_permission",
    "missing_scope",
    "thread_not_found",
}


@dataclass(frozen=True)
class _Read:
    """Messages by timestamp; a broadcast appears both in its thread and in the channel."""

    messages: dict[str, JsonObject]
    newest: dict[str | None, str]
    """The read position, by thread; None is the channel itself."""

    def add(self, thread: str | None, found: Iterable[JsonObject], after: str) -> None:
        for message in found:
            ts = text_in(message, "ts")
            if ts and _is_newer(ts, after):
                self.messages[ts] = message
                if _is_newer(ts, self.newest.get(thread, after)):
                    self.newest[thread] = ts


@dataclass
class SlackArchive:
    """Implements chat.catch_up.Archive.

    `hear` accepts a message event; its flag: too late for an answer.
    """

    posts: Posts
    who: Callable[[], Awaitable[Identity]]
    hear: Callable[[JsonObject, bool], Awaitable[bool]]
    unreadable: Unreadable
    _kinds: dict[str, tuple[str, bool]] = field(
        default_factory=dict[str, tuple[str, bool]], init=False
    )
    """By channel, its kind as events name it: history does not tell it."""

    def channel_of(self, place: Conversation) -> str:
        return channel_of(place)

    async def news(self, recovered: Recovered) -> News:
        """Every channel and direct conversation that the app is in, those heard last first."""
        known = list(dict.fromkeys(self.channel_of(mark.place) for mark in recovered.marks))
        try:
            self._kinds = {
                text_in(channel, "id"): (_kind(channel), bool(channel.get("is_ext_shared")))
                for channel in await self.posts.conversations(
                    KINDS, background=True, exclude_archived=True
                )
            }
        except SlackRefused as refused:
            if refused.error == "missing_scope":
                return News(known)  # an app with an older manifest, to be renewed
            raise
        new = [id_ for id_ in self._kinds if id_ and id_ not in known]
        return News([*(channel for channel in known if channel in self._kinds), *new])

    # --- one channel ---

    async def read(self, gap: Gap) -> GapHistory:
        try:
            return await self._read(gap)
        except SlackRefused as refused:
            raise DeliveryError(str(refused), retryable=refused.error not in _GONE) from refused

    async def _read(self, gap: Gap) -> GapHistory:
        who = await self.who()
        team = who.team
        marks = {_thread_of(mark.place): mark.position for mark in gap.heard.values()}
        floor = f"{gap.floor.timestamp():.6f}"
        start = marks.get(None, floor)
        window = min(float(start), gap.floor.timestamp()) - _OLD_ROOTS.total_seconds()
        kept = {
            _thread_of(mark.place): gap.kept[key]
            for key, mark in gap.heard.items()
            if key in gap.kept
        }
        top, whole = await self._pages("conversations.history", gap, oldest=f"{max(window, 0):.6f}")
        read = _Read({}, {})
        read.add(None, top, start)
        lately = list(top)
        changes = self._changes(gap.channel, None, top, kept.get(None, ()) if whole else ())
        wanted = _threads_to_read(top, marks, floor, start, self._by_age(gap))
        wanted = {
            thread: str(marks[thread]) for thread in self._by_age(gap) if thread in kept
        } | wanted
        for thread, after in wanted.items():
            oldest = min([after, *(_before(one) for one in kept.get(thread, ()))], key=float)
            try:
                replies, whole = await self._pages(
                    "conversations.replies", gap, ts=thread, oldest=oldest
                )
            except SlackRefused as refused:
                if refused.error != "thread_not_found":
                    raise
                continue
            lately += replies
            read.add(thread, (m for m in replies if m.get("ts") != thread), after)
            changes += self._changes(
                gap.channel, thread, replies, kept.get(thread, ()) if whole else ()
            )
        missed = [
            self._missed(who, gap.channel, read.messages[ts])
            for ts in sorted(read.messages, key=float)
        ]
        reached = [
            Heard(place_at(team, gap.channel, thread), newest, moment(newest))
            for thread, newest in read.newest.items()
        ]
        reactions = self._reactions(gap.channel, lately)
        return GapHistory([one for one in missed if one is not None], reached, changes, reactions)

    def _reactions(
        self, channel: str, messages: Sequence[JsonObject]
    ) -> list[Callable[[], Awaitable[bool]]]:
        """Reactions on messages, as the events that may be missing; the oldest message first."""
        if channel.startswith("D"):
            return []  # nothing is watched there
        found: dict[tuple[str, str, str], None] = {}
        for message in sorted(messages, key=lambda one: float(text_in(one, "ts")), reverse=True):
            for reaction in objects_in(message, "reactions"):
                users: Any = reaction.get("users")
                for user in cast("list[Any]", users) if isinstance(users, list) else []:
                    found[(text_in(message, "ts"), text_in(reaction, "name"), str(user))] = None
        events: list[JsonObject] = [
            {
                "type": REACTION,
                "channel": channel,
                "ts": ts,
                "item": {"type": "message", "channel": channel, "ts": ts},
                "reaction": name,
                "user": user,
                "event_ts": ts,  # the time of the reaction is unknown: it is after this
            }
            for ts, name, user in list(found)[:_REACTIONS]
        ]
        return [partial(self.hear, event, True) for event in reversed(events)]

    @staticmethod
    def _by_age(gap: Gap) -> list[str]:
        threads = [(mark.at, _thread_of(mark.place)) for mark in gap.heard.values()]
        return [thread for _, thread in sorted(threads, reverse=True) if thread is not None][
            :_THREADS
        ]

    def _missed(self, who: Identity, channel: str, message: JsonObject) -> Missed | None:
        if not is_said(message, who):
            return None
        ts, thread = text_in(message, "ts"), text_in(message, "thread_ts") or None
        place = place_at(who.team, channel, None if thread == ts else thread)
        event: JsonObject = {**message, **self._about(channel)}
        return Missed(place, moment(ts), lambda late: self.hear(event, late))

    def _changes(
        self,
        channel: str,
        thread: str | None,
        found: Sequence[JsonObject],
        kept: Sequence[RecordedMessage],
    ) -> list[Callable[[], Awaitable[bool]]]:
        """Changes to messages heard before, as the events that were missed."""
        standing = {
            text_in(message, "ts"): message
            for message in found
            if message.get("subtype") != "tombstone"
        }
        changes: list[Callable[[], Awaitable[bool]]] = []
        for one in kept:
            ts = _ts_of(one)
            event: JsonObject = {**self._about(channel), "ts": ts, "thread_ts": thread}
            now = standing.get(ts)
            if now is None:
                event["subtype"] = GONE
            elif edited := text_in(object_in(now, "edited"), "ts"):
                if one.edited_at is not None and moment(edited) <= one.edited_at:
                    continue
                event |= {"subtype": "message_changed", "message": now, "event_ts": edited}
            else:
                continue
            changes.append(partial(self.hear, event, False))
        return changes

    def _about(self, channel: str) -> JsonObject:
        """The fields of an event about its channel."""
        kind, shared = self._kinds.get(channel, ("", False))
        return {"type": "message", "channel": channel, "channel_type": kind, SHARED: shared}

    async def _pages(
        self, method: str, gap: Gap, **arguments: Any
    ) -> tuple[list[JsonObject], bool]:
        """The messages, and whether those are all."""
        found: list[JsonObject] = []
        whole, cursor = True, ""
        where = {"channel": gap.channel, "background": not gap.urgent}
        async for page in self.posts.pages(method, _PAGES, **where, **arguments):
            listed, cursor = page.get("messages"), next_cursor(page)
            readable = [
                message for message in as_objects(listed) if is_timestamp(text_in(message, "ts"))
            ]
            if not isinstance(listed, list) or len(readable) < len(cast("list[Any]", listed)):
                whole = False
                self.unreadable.skip(f"message of {method}", ValueError(), gap.channel)
            found += readable
        return found, whole and not cursor


def _threads_to_read(
    top: Sequence[JsonObject],
    marks: dict[str | None, str],
    floor: str,
    start: str,
    old: Sequence[str],
) -> dict[str, str]:
    """Threads with possible news, and the message to read from."""
    seen = {text_in(root, "ts") for root in top}
    wanted = {thread: str(marks[thread]) for thread in old if thread not in seen}
    for root in top:
        ts, latest = text_in(root, "ts"), text_in(root, "latest_reply")
        after = marks.get(ts) or (ts if _is_newer(ts, start) else floor)
        if is_timestamp(latest) and _is_newer(latest, after):
            wanted[ts] = after
    return wanted


def _kind(channel: JsonObject) -> str:
    """The kind of a channel as events name it."""
    kinds = {"im": "is_im", "mpim": "is_mpim", "group": "is_private"}
    return next((kind for kind, sign in kinds.items() if channel.get(sign)), "channel")


def _thread_of(place: Conversation) -> str | None:
    return place.id.partition(":")[2] or None


def _ts_of(kept: RecordedMessage) -> str:
    return kept.key.rpartition(":")[2]


def _before(kept: RecordedMessage) -> str:
    return f"{float(_ts_of(kept)) - 0.000_001:.6f}"


def _is_newer(ts: str, than: str) -> bool:
    return float(ts) > float(than)
