"""What Slack says of people: profiles, names, user groups, asked for rarely.

Names, roles and what somebody may read all need the same profile, and Slack tells of about 90
people a minute. So one answer serves everybody who wants to know it, and those who wait for it
share one call. Nobody waits long for a name.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from bot.plugin.chat import Conversation, DeliveryError, PlatformPerson, Profile
from bot.plugin.clock import Clock
from bot.plugin.payloads import JsonObject, object_in, objects_in, text_in, texts_in
from bot.plugin.recent import Recent
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.places import Home, Identity
from bot.plugins.slack_chat.trouble import (
    SlackRefused,
    SlackTrouble,
    SlackUnsure,
)

log = logging.getLogger(__name__)

RIGHTS_FOR = timedelta(minutes=5)
"""How old a profile may be that decides what somebody may do or read."""
MOST = 5000
_INFO = "users.info"
_ONLY_AN_ID = "check_file_info"
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


NAMES_FOR = timedelta(hours=1)
GROUPS_FOR = timedelta(minutes=5)
GROUPS_AGAIN = timedelta(seconds=15)
"""When a failed lookup is retried; until then nobody gets a new role by group."""
PATIENCE_S = 1.0
"""Slack wants an acknowledgement within 3 s; a name is not worth more than this."""


class SlackDirectory:
    """Names by user id, and user groups by member. Unreadable values keep their last state."""

    def __init__(self, connection: SlackConnection, profiles: SlackProfiles, clock: Clock) -> None:
        self._connection = connection
        self._profiles = profiles
        self._clock = clock
        self._groups: dict[str, tuple[str, ...]] = {}
        self._groups_until: datetime | None = None
        self._groups_fresh = False
        """Whether the last reading of the groups succeeded."""
        self._reading = asyncio.Lock()

    def known(self, user: str) -> SlackProfile:
        """What is known of somebody, however old; they have nothing but their id at first."""
        return self._profiles.known(user) or SlackProfile.read({"id": user})

    def is_outside(self, user: str, who: Identity) -> bool | None:
        """Whether a profile belongs to another company than `who`; None if it is unknown."""
        known = self._profiles.known(user)
        return None if known is None else known.home.is_outside(who)

    async def name_of(self, user: str) -> str:
        """Display name, else real name, else the id when Slack does not tell in time."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._profiles.read(user, NAMES_FOR)
        except (SlackTrouble, TimeoutError) as error:
            log.debug("user=<%s>, error=<%s> | name not read", user, error)
        return self.known(user).name

    async def message(self, channel: str, ts: str) -> JsonObject | None:
        """A referenced message; None if it is gone or Slack is too slow."""
        page = await self._told("conversations.replies", channel=channel, ts=ts, limit=1)
        return next((one for one in objects_in(page, "messages") if text_in(one, "ts") == ts), None)

    async def with_whole_files(self, message: JsonObject) -> JsonObject:
        """The message with its files. Of files in channels of several companies it has ids alone.

        Source: docs.slack.dev/apis/slack-connect, "Files in Slack Connect channels".
        """
        files = objects_in(message, "files")
        if not any(one.get("file_access") == _ONLY_AN_ID for one in files):
            return message
        return {**message, "files": await asyncio.gather(*map(self._whole_file, files))}

    async def _whole_file(self, file: JsonObject) -> JsonObject:
        """As it is, if Slack does not tell in time."""
        if file.get("file_access") != _ONLY_AN_ID:
            return file
        answer = await self._told("files.info", file=text_in(file, "id"))
        return object_in(answer, "file") or file

    async def _told(self, method: str, **arguments: Any) -> JsonObject:
        """Slack's answer, or an empty one if it does not come in time."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                return await self._connection.call(method, **arguments)
        except (SlackTrouble, TimeoutError) as error:
            log.debug("method=<%s>, of=<%s>, error=<%s> | not read", method, arguments, error)
            return {}

    async def groups_of(self, user: str) -> tuple[str, ...]:
        """Ids of this person's user groups."""
        async with self._reading:
            if self._groups_until is None or self._clock.now() >= self._groups_until:
                await self._read_groups()
        return self._groups.get(user, ())

    async def profile(self, person: PlatformPerson, place: Conversation) -> Profile | None:
        """A person's profile, as everybody in the workspace can read it; None: nobody, or a bot.

        Raises DeliveryError.
        """
        found = await self._profiles.read(person.id)
        if found is None or found.is_bot or found.deleted:
            return None
        names = (found.real_name, found.display_name, found.account)
        known = tuple(dict.fromkeys(name for name in names if name)) or (person.id,)
        return Profile(known[0], known[1:], found.title, found.timezone)

    async def member(self, user: str, who: Identity) -> PlatformPerson | None:
        """A member of the workspace of `who`, or of a channel that it shares.

        What decides their role is at most five minutes old. None if they left or never were there.
        Raises DeliveryError if Slack doesn't tell.
        """
        found = await self._profiles.read(user)
        if found is None or found.deleted:
            return None
        groups = await self.groups_of(user)
        if not self._groups_fresh:
            raise DeliveryError("Slack does not tell its user groups", retryable=True)
        outside = found.home.is_outside(who)
        return PlatformPerson(
            user, found.name, found.is_bot, groups, found.timezone, outside=outside
        )

    async def _read_groups(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                listed = await self._connection.call("usergroups.list", include_users=True)
        except (SlackTrouble, TimeoutError) as error:
            log.warning(
                "error=<%s> | user groups not read; roles by group stay as they were", error
            )
            self._groups_until = self._clock.now() + GROUPS_AGAIN
            self._groups_fresh = False
        else:
            members: dict[str, list[str]] = {}
            for group in objects_in(listed, "usergroups"):
                for user in texts_in(group, "users"):
                    members.setdefault(user, []).append(text_in(group, "id"))
            self._groups = {user: tuple(sorted(groups)) for user, groups in members.items()}
            self._groups_until = self._clock.now() + GROUPS_FOR
            self._groups_fresh = True
