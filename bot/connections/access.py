"""Tokens for calls: chooses the account, and renews its access before it expires."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

from bot.connections.credentials import Credentials
from bot.connections.oauth import GrantRefused, OAuth, OAuthTrouble, Tokens
from bot.connections.services import Service
from bot.domain.access import Person, Role
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.errors import ToolError
from bot.storage.exclusive import Exclusive

log = logging.getLogger(__name__)

WORKSPACE = "*"
"""In the place of a person id: the account that the workspace has at a service.

No contact has this id.
"""
_AHEAD = timedelta(seconds=60)
"""A token with less time left than this is renewed, so that it lasts for the call."""
_KEPT = 4_096
"""People of whom it is remembered which services they can use."""


class LapseListener(Protocol):
    """Told that a person (id), or WORKSPACE, has to connect a service again."""

    async def lapse_unit(self, person: str, service: Service) -> Unit:
        """The unit to commit together with the lapse."""
        ...

    def lapsed(self) -> None:
        """Called after that commit."""
        ...


@dataclass(frozen=True)
class AccessToken:
    """The token of one call. `owner`: the person id of the account, or WORKSPACE."""

    text: str = field(repr=False)
    owner: str
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotConnected:
    """There is no account to use.

    `lapsed`: there was one, but the service no longer accepts its token. `shared`: it was the
    workspace's.
    """

    service: Service
    lapsed: bool = False
    shared: bool = False

    @property
    def text(self) -> str:
        """The error in words for the model."""
        if self.shared:
            return (
                f"{self.service.title} no longer accepts the workspace's account, and the "
                "MasterAdmins have been told. Say so; don't repeat the call."
            )
        if self.lapsed:
            return (
                f"{self.service.title} no longer accepts this person's connection. Tell them to "
                f"connect it again with `/connect {self.service.id}`; don't repeat the call before "
                "that."
            )
        return (
            f"{self.service.title} is not connected. The person can connect it with `/connect "
            f"{self.service.id}`."
        )


class Connections:
    """The services that a person can use now, and the token for a call.

    One renewal at a time for each account.
    """

    def __init__(
        self,
        services: Mapping[str, Service],
        credentials: Credentials,
        oauth: OAuth,
        clock: Clock,
        exclusive: Exclusive | None = None,
    ) -> None:
        """`exclusive` keeps other processes from changing the same account meanwhile."""
        self.services = services
        """All that Bellhop knows, by id."""
        self.on_lapse: list[LapseListener] = []
        self._credentials = credentials
        self._oauth = oauth
        self._clock = clock
        self.exclusive = exclusive or Exclusive(clock)
        self._renewing: dict[tuple[str, str], asyncio.Task[Tokens | None]] = {}
        self._usable: dict[tuple[str, Role], frozenset[str]] = {}
        """Answers of `usable` by person and role, until a token changes."""
        self._changes = credentials.changes

    def usable(self, person: Person) -> frozenset[str]:
        """Ids of services that this person's requests can use: by own or workspace account."""
        if self._changes != self._credentials.changes or len(self._usable) >= _KEPT:
            self._usable.clear()
            self._changes = self._credentials.changes
        key = (person.id, person.role)
        if (found := self._usable.get(key)) is None:
            own = self._credentials.services(person.id)
            found = self._usable[key] = frozenset(
                service.id
                for service in self.services.values()
                if service.id in own or self._shared(person, service)
            )
        return found

    @property
    def ready(self) -> bool:
        """Whether tokens can be stored: there is a key."""
        return self._credentials.ready

    def connected(self, person: str) -> frozenset[str]:
        """Ids of the services that a person (id) has connected themself."""
        return self._credentials.services(person)

    def connectable(self, person: Person) -> tuple[Service, ...]:
        """Services that this person could connect, or has to connect again."""
        if not self._credentials.ready:
            return ()
        own = self._credentials.services(person.id)
        return tuple(one for one in self.services.values() if one.offered and one.id not in own)

    async def token_for(
        self, person: Person, service: str, stale: str = ""
    ) -> AccessToken | NotConnected:
        """The token for a call, renewed if it is about to expire.

        `stale` is a token that the service has just refused: it is renewed although it has not
        expired. Raises ToolError when the service can't be asked for a new one now.
        """
        asked = self.services[service]
        if service in self._credentials.services(person.id):
            return await self._own(person.id, asked, stale)
        if not self._shared(person, asked):
            return self._lacking(person, asked)
        if self._given(asked):
            if asked.workspace_token != stale:
                return AccessToken(asked.workspace_token, WORKSPACE)
            await self._given_refused(asked)
            if not self._shared(person, asked):
                return self._lacking(person, asked)
        return await self._own(WORKSPACE, asked, stale)

    async def tokens_for(self, person: Person, services: Iterable[str]) -> Mapping[str, str]:
        """The tokens of these services as texts, where they exist; other names are left out."""
        found: dict[str, str] = {}
        for service in services:
            if service in self.services and service in self.usable(person):
                token = await self.token_for(person, service)
                if isinstance(token, AccessToken):
                    found[service] = token.text
        return found

    async def keep(
        self, owner: str, service: Service, tokens: Tokens, unit: Unit | None = None
    ) -> None:
        """Seal new tokens, which replace earlier ones; `unit` is committed with them.

        Raises SettingsError without a key, UnitRejected with `unit`, StorageError.
        """
        await self._credentials.store(owner, service.id, tokens.to_text(), unit)

    async def drop(self, owner: str, service: Service) -> bool | None:
        """Delete an account and revoke its access at the service; None when there is none.

        It is deleted even if the service fails; True if the service revoked the access.
        """
        tokens = self._read(owner, service)
        if not await self._credentials.delete(owner, service.id):
            return None
        try:
            return tokens is not None and await self._oauth.revoke(service, tokens)
        except ToolError as error:
            log.warning("service=<%s>, error=<%s> | an access was not revoked", service.id, error)
            return False

    async def refused(self, owner: str, service: Service) -> None:
        """The service rejects this account's token: its tools are gone until it is reconnected."""
        if service.id not in self._credentials.services(owner):
            return
        if not await self._credentials.lapse(owner, service.id, await self._told(owner, service)):
            return
        log.warning("person=<%s>, service=<%s> | has to be connected again", owner, service.id)
        self._tell()

    def lapsed_for_all(self, person: Person) -> tuple[Service, ...]:
        """Services where the workspace's account lapsed that this person's requests could use."""
        return tuple(
            one
            for one in self.services.values()
            if one.workspace.allows(person.role) and self._shared_lapsed(one)
        )

    async def _given_refused(self, service: Service) -> None:
        """The service no longer accepts the workspace's token in the settings."""
        told = await self._told(WORKSPACE, service)
        if await self._credentials.refuse(service.id, service.workspace_token, told):
            name = f"{service.id.upper()}_WORKSPACE_TOKEN"
            log.error("service=<%s> | refuses the token of %s", service.id, name)
            self._tell()

    async def _told(self, owner: str, service: Service) -> Unit:
        unit = Unit()
        for listener in self.on_lapse:
            unit += await listener.lapse_unit(owner, service)
        return unit

    def _tell(self) -> None:
        for listener in self.on_lapse:
            listener.lapsed()

    def _lacking(self, person: Person, service: Service) -> NotConnected:
        if service.id in self._credentials.lapsed(person.id):
            return NotConnected(service, lapsed=True)
        shared = service in self.lapsed_for_all(person)
        return NotConnected(service, lapsed=shared, shared=shared)

    def _given(self, service: Service) -> bool:
        """Whether the settings hold a token of the workspace that is not refused."""
        token = service.workspace_token
        return bool(token) and not self._credentials.refused(service.id, token)

    def _there(self, service: Service) -> bool:
        return self._given(service) or service.id in self._credentials.services(WORKSPACE)

    def _shared(self, person: Person, service: Service) -> bool:
        return self._there(service) and service.workspace.allows(person.role)

    def _shared_lapsed(self, service: Service) -> bool:
        once = bool(service.workspace_token) or service.id in self._credentials.lapsed(WORKSPACE)
        return once and not self._there(service)

    def _read(self, owner: str, service: Service) -> Tokens | None:
        text = self._credentials.tokens(owner, [service.id]).get(service.id)
        return None if text is None else Tokens.from_text(text)

    async def _own(self, owner: str, service: Service, stale: str) -> AccessToken | NotConnected:
        tokens = self._read(owner, service)
        if tokens is not None and (
            tokens.access == stale or tokens.stale(self._clock.now(), _AHEAD)
        ):
            tokens = await self._renewed(owner, service, tokens)
        if tokens is None:
            return NotConnected(service, lapsed=True, shared=owner == WORKSPACE)
        return AccessToken(tokens.access, owner, tokens.scopes)

    async def _renewed(self, owner: str, service: Service, tokens: Tokens) -> Tokens | None:
        """Renew a stale token. All callers share one renewal, which survives a cancelled caller.

        A service that returns a new refresh token has forgotten the old one by then.
        """
        place = (owner, service.id)
        task = self._renewing.get(place)
        if task is None:
            task = self._renewing[place] = asyncio.create_task(self._renew(owner, service, tokens))
            task.add_done_callback(lambda _done: self._renewing.pop(place, None))
        return await asyncio.shield(task)

    async def _renew(self, owner: str, service: Service, tokens: Tokens) -> Tokens | None:
        async with self.exclusive.held(f"renew:{service.id}:{owner}"):
            await self._credentials.read_again()
            return await self._renew_now(owner, service, tokens)

    async def _renew_now(self, owner: str, service: Service, tokens: Tokens) -> Tokens | None:
        current = self._read(owner, service)
        if current is not None and current.access != tokens.access:
            return current  # renewed between reading and getting here, maybe elsewhere
        if not tokens.refresh:
            await self.refused(owner, service)
            return None
        try:
            fresh = await self._oauth.refresh(service, tokens)
        except GrantRefused:
            await self.refused(owner, service)
            return None
        except OAuthTrouble as error:
            log.warning("service=<%s>, error=<%s> | could not renew an access", service.id, error)
            raise ToolError(
                f"{service.title} can't renew the access just now; try again later"
            ) from error
        await self.keep(owner, service, fresh)
        return fresh
