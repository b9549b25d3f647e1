"""Who can read a Slack channel, its surroundings, and what Slack's own search finds.

Channels are cached for two minutes. The search (`assistant.search.context`) is for messages from
before Bellhop joined. A bot may search with the action token of an event that somebody caused; it
is kept in memory alone, for ten minutes. Only public channels are asked for, and who may read a hit
is asked again for each. Source: docs.slack.dev/reference/methods/assistant.search.context,
docs.slack.dev/apis/web-api/real-time-search-api.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial

from bot.plugin.catch_up import SaidThere
from bot.plugin.chat import Conversation, DeliveryError, PlatformPerson, Visibility
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in
from bot.plugin.recent import Fresh
from bot.plugins.slack_chat.directory import SlackProfiles
from bot.plugins.slack_chat.places import PLATFORM, Identity, channel_of, conversation_at
from bot.plugins.slack_chat.posts import Posts

log = logging.getLogger(__name__)

KEPT_FOR = timedelta(minutes=2)
_KINDS = "public_channel,private_channel,mpim"
_MOST_PEOPLE = 1_000


@dataclass(frozen=True)
class _Channel:
    id: str
    name: str
    is_private: bool
    is_shared: bool = False

    @property
    def visibility(self) -> Visibility:
        if self.is_shared:
            return Visibility.SHARED
        return Visibility.PRIVATE if self.is_private else Visibility.PUBLIC


class SlackReaders:
    """Implements `domain.chat.KnowsReaders` and, where `search` is on, `SearchesItself`."""

    def __init__(
        self,
        posts: Posts,
        identity: Callable[[], Awaitable[Identity]],
        profiles: SlackProfiles,
        clock: Clock,
        *,
        search: bool = False,
    ) -> None:
        own = SlackSearch(posts, identity, clock, on=search)
        self.heard, self.said_with = own.heard, own.said_with
        self._posts = posts
        self._identity = identity
        self._profiles = profiles
        self._clock = clock
        self._joined: Fresh[str, frozenset[str]] = Fresh(clock, KEPT_FOR, _MOST_PEOPLE)
        self._ours: dict[str, _Channel] = {}
        """The channels that the app is in."""
        self._ours_until: datetime | None = None

    async def may_read(self, person: str, place: Conversation) -> bool:
        try:
            channel = await self._channel(place)
            if channel is None:
                return False
            # Slack lists a person's channels 50 times a minute, for everybody together.
            if not channel.is_private and await self._is_whole(person):
                return True
            return channel.id in await self._channels_of(person)
        except DeliveryError as error:
            log.info("person=<%s>, error=<%s> | Slack does not tell what they read", person, error)
            return False

    async def may_write(self, person: str, place: Conversation) -> bool:
        if not await self.may_read(person, place):
            return False
        try:
            return channel_of(place) in await self._channels_of(person)
        except DeliveryError as error:
            log.info("person=<%s>, error=<%s> | Slack does not tell what they read", person, error)
            return False

    async def visibility(self, channel: Conversation) -> Visibility:
        found = await self._channel(channel)
        return Visibility.UNKNOWN if found is None else found.visibility

    async def reads_like_channel(self, thread: Conversation) -> bool:
        return True

    def name_of(self, place: Conversation) -> str:
        known = self._ours.get(channel_of(place))
        return known.name if known is not None else ""

    async def link(self, place: Conversation, message: str) -> str:
        try:
            who = await self._identity()
        except DeliveryError:
            return ""
        if not who.url or place.workspace != who.team:
            return ""
        channel, _, thread = place.id.partition(":")
        within = f"?thread_ts={thread}&cid={channel}" if thread and thread != message else ""
        return f"{who.url}archives/{channel}/p{message.replace('.', '')}{within}"

    async def channel_named(self, named: str, near: Conversation) -> Conversation | None:
        try:
            await self._read_ours()
            team = (await self._identity()).team
        except DeliveryError as error:
            log.info("error=<%s> | Slack does not tell its channels", error)
            return None
        name = named.casefold()
        found = [
            one for one in self._ours.values() if name in {one.id.casefold(), one.name.casefold()}
        ]
        if len(found) != 1 or near.workspace != team:
            return None
        return replace(conversation_at(team, found[0].id, None), visibility=found[0].visibility)

    # --- asking Slack ---

    async def _channel(self, place: Conversation) -> _Channel | None:
        """The channel of a place, if the app is in it."""
        if place.platform != PLATFORM or place.workspace != (await self._identity()).team:
            return None
        await self._read_ours()
        return self._ours.get(channel_of(place))

    async def _read_ours(self) -> None:
        now = self._clock.now()
        if self._ours_until is None or now >= self._ours_until:
            listed = await self._posts.conversations(_KINDS)
            self._ours = {
                text_in(one, "id"): _Channel(
                    text_in(one, "id"),
                    text_in(one, "name"),
                    one.get("is_private") is not False,
                    bool(one.get("is_ext_shared")),
                )
                for one in listed
            }
            self._ours_until = now + KEPT_FOR

    async def _is_whole(self, user: str) -> bool:
        """Whether they are a full member of the workspace, who reads every public channel."""
        profile = await self._profiles.read(user)
        # A colleague of another workspace of the organisation reads what they were added to.
        team = (await self._identity()).team
        return profile is not None and profile.is_whole and profile.home.team == team

    async def _channels_of(self, user: str) -> frozenset[str]:
        profile = await self._profiles.read(user)
        if profile is None or profile.deleted:
            return frozenset()
        return await self._joined.of(user, partial(self._listed, user))

    async def _listed(self, user: str) -> frozenset[str]:
        found = await self._posts.conversations(_KINDS, user=user)
        return frozenset(text_in(one, "id") for one in found)


METHOD = "assistant.search.context"
TOKEN_LIFE = timedelta(minutes=10)
_MOST_TOKENS = 1_000
_MOST_HITS = 20
"""Slack's maximum per request."""


class SlackSearch:
    """Implements `said_with` of `domain.chat.SearchesItself`; `on` is `slack.search`."""

    def __init__(
        self, posts: Posts, identity: Callable[[], Awaitable[Identity]], clock: Clock, *, on: bool
    ) -> None:
        self._posts = posts
        self._identity = identity
        self._on = on
        self._tokens: Fresh[str, str] = Fresh(clock, TOKEN_LIFE, _MOST_TOKENS)
        """The newest action token of each channel."""

    def heard(self, event: JsonObject) -> None:
        """Keep the action token of an event, if it carries one."""
        token = text_in(object_in(event, "assistant_thread"), "action_token") or text_in(
            event, "action_token"
        )
        if not self._on or not token:
            return
        channel = text_in(event, "channel")
        self._tokens.put(channel, token)

    async def said_with(self, words: str, near: Conversation, limit: int) -> Sequence[SaidThere]:
        """Messages of public channels. None without a token of this channel. Never raises."""
        token = self._token(near)
        if not token:
            return ()
        try:
            found = await self._posts.call(
                METHOD,
                query=words,
                action_token=token,
                content_types=["messages"],
                channel_types=["public_channel"],
                limit=min(limit, _MOST_HITS),
            )
            team = (await self._identity()).team
        except DeliveryError as error:
            log.info("error=<%s> | Slack's own search gives nothing", error)
            return ()
        return [
            said
            for hit in objects_in(object_in(found, "results"), "messages")
            if (said := _said(team, hit))
        ]

    def _token(self, near: Conversation) -> str:
        if near.platform != PLATFORM:
            return ""
        return self._tokens.get(channel_of(near)) or ""


def _said(team: str, hit: JsonObject) -> SaidThere | None:
    """A hit as a message; None if its place, author or time is missing."""
    channel, stamp, author = (
        text_in(hit, name) for name in ("channel_id", "message_ts", "author_user_id")
    )
    try:
        at = datetime.fromtimestamp(float(stamp), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    if not channel or not author:
        return None
    who = PlatformPerson(
        author, text_in(hit, "author_name") or author, hit.get("is_author_bot") is True
    )
    place = conversation_at(team, channel, None)
    return SaidThere(
        place, stamp, f"{PLATFORM}:{team}:{channel}:{stamp}", who, text_in(hit, "content"), at
    )
