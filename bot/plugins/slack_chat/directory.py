"""People's names and user groups, requested rarely and never waited for long."""

import asyncio
import logging
from datetime import datetime, timedelta

from bot.plugin.chat import Clock, Conversation, DeliveryError, PlatformPerson, Profile
from bot.plugin.payloads import JsonObject, objects_in, text_in, texts_in
from bot.plugins.slack_chat.connection import SlackConnection
from bot.plugins.slack_chat.places import Identity
from bot.plugins.slack_chat.profiles import SlackProfile, SlackProfiles
from bot.plugins.slack_chat.trouble import SlackTrouble, as_delivery_error

log = logging.getLogger(__name__)

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

    def known_name(self, user: str) -> str:
        """The name if it is already known, else the id."""
        known = self._profiles.known(user)
        return user if known is None else known.name

    def zone_of(self, user: str) -> str:
        """The time zone of a profile, which is read with its name; empty while that is unknown."""
        known = self._profiles.known(user)
        return "" if known is None else known.timezone

    def locale_of(self, user: str) -> str:
        """The language of a person's app, read with their name; empty while that is unknown."""
        known = self._profiles.known(user)
        return "" if known is None else known.locale

    def is_bot(self, user: str) -> bool:
        """Whether a profile belongs to another app, as read with its name; False if unknown."""
        known = self._profiles.known(user)
        return known is not None and known.is_bot

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
        return self.known_name(user)

    async def message(self, channel: str, ts: str) -> JsonObject | None:
        """A referenced message; None if it is gone or Slack is too slow."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                page = await self._connection.call(
                    "conversations.replies", channel=channel, ts=ts, limit=1
                )
        except (SlackTrouble, TimeoutError) as error:
            log.debug("channel=<%s>, ts=<%s>, error=<%s> | message not read", channel, ts, error)
            return None
        return next((one for one in objects_in(page, "messages") if text_in(one, "ts") == ts), None)

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
        found = await self._read(person.id)
        if found is None or found.is_bot or found.deleted:
            return None
        names = (found.real_name, found.display_name, found.account)
        known = tuple(dict.fromkeys(name for name in names if name)) or (person.id,)
        return Profile(known[0], known[1:], found.title, found.timezone)

    async def _read(self, user: str) -> SlackProfile | None:
        try:
            return await self._profiles.read(user)
        except SlackTrouble as error:
            raise as_delivery_error(error) from error

    async def member(self, user: str, who: Identity) -> PlatformPerson | None:
        """A member of the workspace of `who`, or of a channel that it shares.

        What decides their role is at most five minutes old. None if they left or never were there.
        Raises DeliveryError if Slack doesn't tell.
        """
        found = await self._read(user)
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
