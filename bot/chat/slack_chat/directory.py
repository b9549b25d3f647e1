"""People's names and user groups, requested rarely and never waited for long."""

import asyncio
import logging
from collections import OrderedDict
from datetime import datetime, timedelta

from bot.chat.payloads import object_in, objects_in, text_in, texts_in
from bot.chat.slack_chat.connection import SlackConnection
from bot.chat.slack_chat.places import Home, Identity
from bot.chat.slack_chat.trouble import SlackRefused, SlackTrouble, as_delivery_error
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.domain.messages import Conversation, PlatformPerson
from bot.domain.people import Profile
from bot.errors import DeliveryError

log = logging.getLogger(__name__)

NAMES_FOR = timedelta(hours=1)
GROUPS_FOR = timedelta(minutes=5)
GROUPS_AGAIN = timedelta(seconds=15)
"""When a failed lookup is retried; until then nobody gets a new role by group."""
PATIENCE_S = 1.0
"""Slack wants an acknowledgement within 3 s; a name is not worth more than this."""
MOST_NAMES = 5000
_NOBODY = frozenset({"user_not_found", "users_not_found", "user_not_visible"})


class SlackDirectory:
    """Names by user id, and user groups by member. Unreadable values keep their last state."""

    def __init__(self, connection: SlackConnection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._names: OrderedDict[str, tuple[str, datetime]] = OrderedDict()
        self._zones: dict[str, str] = {}
        self._locales: dict[str, str] = {}
        self._bots: set[str] = set()
        self._homes: dict[str, Home] = {}
        self._groups: dict[str, tuple[str, ...]] = {}
        self._groups_until: datetime | None = None
        self._groups_fresh = False
        """Whether the last reading of the groups succeeded."""
        self._reading = asyncio.Lock()

    def known_name(self, user: str) -> str:
        """The name if it is already known, else the id."""
        return self._names[user][0] if user in self._names else user

    def zone_of(self, user: str) -> str:
        """The time zone of a profile, which is read with its name; empty while that is unknown."""
        return self._zones.get(user, "")

    def locale_of(self, user: str) -> str:
        """The language of a person's app, read with their name; empty while that is unknown."""
        return self._locales.get(user, "")

    def is_bot(self, user: str) -> bool:
        """Whether a profile belongs to another app, as read with its name; False if unknown."""
        return user in self._bots

    def is_outside(self, user: str, who: Identity) -> bool | None:
        """Whether a profile belongs to another company than `who`; None if it is unknown."""
        known = self._homes.get(user)
        return None if known is None else known.is_outside(who)

    async def name_of(self, user: str) -> str:
        """Display name, else real name, else the id when Slack does not tell in time."""
        known = self._names.get(user)
        if known is not None and self._clock.now() < known[1]:
            return known[0]
        try:
            async with asyncio.timeout(PATIENCE_S):
                found = object_in(
                    await self._connection.call("users.info", user=user, include_locale=True),
                    "user",
                )
        except (SlackTrouble, TimeoutError) as error:
            log.debug("user=<%s>, error=<%s> | name not read", user, error)
            return known[0] if known else user
        profile: JsonObject = object_in(found, "profile")
        names = (
            text_in(profile, "display_name"),
            text_in(profile, "real_name"),
            text_in(found, "name"),
        )
        name = next((one for one in names if one), user)
        self._names[user] = (name, self._clock.now() + NAMES_FOR)
        self._zones[user] = str(found.get("tz") or "")
        self._locales[user] = text_in(found, "locale")
        self._homes[user] = Home.read(found)
        (self._bots.add if found.get("is_bot") is True else self._bots.discard)(user)
        while len(self._names) > MOST_NAMES:
            oldest, _ = self._names.popitem(last=False)
            self._zones.pop(oldest, None)
            self._locales.pop(oldest, None)
            self._bots.discard(oldest)
            self._homes.pop(oldest, None)
        return name

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
        found = await self._user(person.id)
        if found is None or found.get("is_bot") or found.get("deleted"):
            return None
        shown: JsonObject = object_in(found, "profile")
        names = (
            text_in(shown, "real_name"),
            text_in(shown, "display_name"),
            text_in(found, "name"),
        )
        known = tuple(dict.fromkeys(name for name in names if name)) or (person.id,)
        return Profile(known[0], known[1:], text_in(shown, "title"), text_in(found, "tz"))

    async def _user(self, user: str) -> JsonObject | None:
        try:
            return object_in(await self._connection.call("users.info", user=user), "user")
        except SlackTrouble as error:
            if isinstance(error, SlackRefused) and error.error in _NOBODY:
                return None
            raise as_delivery_error(error) from error

    async def member(self, user: str, who: Identity) -> PlatformPerson | None:
        """A member of the workspace of `who`, or of a channel that it shares.

        Their groups are at most five minutes old. None if they left or never were there. Raises
        DeliveryError if Slack doesn't tell.
        """
        found = await self._user(user)
        if found is None or found.get("deleted"):
            return None
        groups = await self.groups_of(user)
        if not self._groups_fresh:
            raise DeliveryError("Slack does not tell its user groups", retryable=True)
        name = await self.name_of(user)
        return PlatformPerson(
            user,
            name,
            bool(found.get("is_bot")),
            groups,
            str(found.get("tz") or ""),
            outside=Home.read(found).is_outside(who),
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
