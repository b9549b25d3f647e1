"""Slack's own search (`assistant.search.context`), for messages from before Bellhop joined.

A bot may search with the action token of an event that somebody caused. It is kept in memory alone,
for ten minutes. Only public channels are asked for; who may read a hit is asked again for each of
them. Source: docs.slack.dev/reference/methods/assistant.search.context,
docs.slack.dev/apis/web-api/real-time-search-api.
"""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta

from bot.plugin.catch_up import SaidThere
from bot.plugin.chat import Clock, Conversation, DeliveryError, PlatformPerson
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in
from bot.plugins.slack_chat.places import PLATFORM, Identity, conversation_at
from bot.plugins.slack_chat.posts import Posts
from bot.plugins.slack_chat.trouble import SlackTrouble

log = logging.getLogger(__name__)

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
        self._clock = clock
        self._on = on
        self._tokens: OrderedDict[str, tuple[str, datetime]] = OrderedDict()
        """The newest action token of each channel, and when it came."""

    def heard(self, event: JsonObject) -> None:
        """Keep the action token of an event, if it carries one."""
        token = text_in(object_in(event, "assistant_thread"), "action_token") or text_in(
            event, "action_token"
        )
        if not self._on or not token:
            return
        channel = text_in(event, "channel")
        self._tokens[channel] = (token, self._clock.now())
        self._tokens.move_to_end(channel)
        if len(self._tokens) > _MOST_TOKENS:
            self._tokens.popitem(last=False)

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
        except (SlackTrouble, DeliveryError) as error:
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
        token, came = self._tokens.get(
            near.channel or near.id.partition(":")[0], ("", self._clock.now())
        )
        return token if self._clock.now() - came < TOKEN_LIFE else ""


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
