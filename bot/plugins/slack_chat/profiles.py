"""What Slack says of people, asked once for everybody who wants to know it.

Names, roles and what somebody may read all need the same profile, and Slack tells of about 90
people a minute. So one answer serves them all, and those who wait for it share one call.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from bot.plugin.chat import Clock
from bot.plugin.payloads import JsonObject, object_in, text_in
from bot.plugin.recent import Recent
from bot.plugins.slack_chat.places import Home
from bot.plugins.slack_chat.trouble import SlackRefused, SlackUnsure

RIGHTS_FOR = timedelta(minutes=5)
"""How old a profile may be that decides what somebody may do or read."""
MOST = 5000
_INFO = "users.info"
_NOBODY = frozenset({"user_not_found", "users_not_found", "user_not_visible"})
_NOT_WHOLE = ("deleted", "is_restricted", "is_ultra_restricted", "is_stranger", "is_bot")

Call = Callable[..., Awaitable[JsonObject]]
"""A call of the Web API that may be repeated. Raises SlackTrouble."""


@dataclass(frozen=True)
class SlackProfile:
    """One person, as everybody in the workspace can read them."""

    user: str
    display_name: str
    real_name: str
    account: str
    title: str
    timezone: str
    locale: str
    """The language of their app; empty while Slack has not told it."""
    home: Home
    is_bot: bool
    deleted: bool
    is_whole: bool
    """No guest of the workspace, no bot, and nobody who left."""

    @classmethod
    def read(cls, found: JsonObject) -> "SlackProfile":
        """A user object of Slack, with an id."""
        shown = object_in(found, "profile")
        return cls(
            user=text_in(found, "id"),
            display_name=text_in(shown, "display_name"),
            real_name=text_in(shown, "real_name"),
            account=text_in(found, "name"),
            title=text_in(shown, "title"),
            timezone=text_in(found, "tz"),
            locale=text_in(found, "locale"),
            home=Home.read(found),
            is_bot=found.get("is_bot") is True,
            deleted=bool(found.get("deleted")),
            is_whole=not any(found.get(mark) for mark in _NOT_WHOLE),
        )

    @property
    def name(self) -> str:
        """What they are called in conversations."""
        return self.display_name or self.real_name or self.account or self.user


@dataclass(frozen=True)
class _Kept:
    profile: SlackProfile | None
    """None: there is no such person."""
    at: datetime
    """When Slack was asked; what it tells later is newer."""


class SlackProfiles:
    """Profiles by user id. Slack's word that somebody changed replaces what is known of them."""

    def __init__(self, call: Call, clock: Clock) -> None:
        self._call = call
        self._clock = clock
        self._kept: Recent[str, _Kept] = Recent(MOST)
        self._asked: dict[str, asyncio.Task[SlackProfile | None]] = {}

    def known(self, user: str) -> SlackProfile | None:
        """The last state, however old; None if there is none."""
        kept = self._kept.get(user)
        return None if kept is None else kept.profile

    async def read(self, user: str, within: timedelta = RIGHTS_FOR) -> SlackProfile | None:
        """A profile that is at most so old; None if there is no such person.

        Raises SlackTrouble if Slack doesn't tell. A caller who stops waiting stops nobody else.
        """
        kept = self._kept.get(user)
        if kept is not None and self._clock.now() - kept.at < within:
            return kept.profile
        asked = self._asked.get(user)
        if asked is None:
            asked = self._asked[user] = asyncio.create_task(self._ask(user), name="slack profile")
            asked.add_done_callback(lambda done: self._answered(user, done))
        return await asyncio.shield(asked)

    def changed(self, event: JsonObject) -> None:
        """Take the new state from a `user_change` event.

        People whom nobody asked about are passed over: there are more of them than are kept.
        """
        found = object_in(event, "user")
        user = text_in(found, "id")
        if user in self._kept or user in self._asked:
            known, new = self.known(user), SlackProfile.read(found)
            locale = new.locale or (known.locale if known is not None else "")
            self._keep(user, replace(new, locale=locale), self._clock.now())

    async def _ask(self, user: str) -> SlackProfile | None:
        began = self._clock.now()
        try:
            answer = await self._call(_INFO, user=user, include_locale=True)
        except SlackRefused as refused:
            if refused.error not in _NOBODY:
                raise
            profile = None
        else:
            found = object_in(answer, "user")
            if not found:
                raise SlackUnsure(_INFO, "the answer names nobody")
            profile = SlackProfile.read({**found, "id": user})
        kept = self._kept.get(user)
        if kept is not None and kept.at > began:
            return kept.profile  # an event that came meanwhile knows better
        self._keep(user, profile, began)
        return profile

    def _keep(self, user: str, profile: SlackProfile | None, at: datetime) -> None:
        self._kept[user] = _Kept(profile, at)

    def _answered(self, user: str, done: asyncio.Task[SlackProfile | None]) -> None:
        self._asked.pop(user, None)
        if not done.cancelled():
            done.exception()  # it belongs to those who wait, even if nobody waits any more
