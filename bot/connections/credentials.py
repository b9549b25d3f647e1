"""People's tokens for services: sealed on disk, opened for one call, never logged.

Person and service are sealed with the token (`sealing.py`), so a row moved to somebody else opens
for nobody. The key is BELLHOP_SECRET_KEY, from the environment or .env. During a rotation it lists
several, separated by commas: the first seals, all of them open.
"""

import hashlib
import json
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from bot.connections.credentials_store import (
    drop_sealed,
    lapse,
    move_sealed,
    put_sealed,
    read_lapsed,
    read_refused,
    read_sealed,
    refuse,
    replace_sealed,
)
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.errors import SettingsError, StorageError
from bot.log import register_secret

if TYPE_CHECKING:
    from bot.connections.sealing import TextSeal

log = logging.getLogger(__name__)

KEY = "BELLHOP_SECRET_KEY"
_BATCH = 100


class Keyring:
    """The keys of an installation.

    Made when it is first needed, so a home without tokens needs none.
    """

    def __init__(self, secret: Callable[[str], str | None]) -> None:
        self._secret = secret
        self._made: TextSeal | None = None
        self.present = bool((secret(KEY) or "").strip())

    def seal(self, person: str, service: str, token: str) -> str:
        """Raises SettingsError when there is no usable key."""
        sealed: JsonObject = {"person": person, "service": service, "token": token}
        return self._seal.seal(json.dumps(sealed))

    def open(self, person: str, service: str, sealed: str) -> str | None:
        """The token; None if these keys can't open it, or if it was sealed for somebody else."""
        if (opened := self._seal.open(sealed)) is None:
            return None
        try:
            found = json.loads(opened)
        except ValueError:
            return None
        if (found.get("person"), found.get("service")) != (person, service):
            return None
        token = str(found["token"])
        register_secret(token)
        return token

    def resealed(self, sealed: str) -> str | None:
        """The same, sealed with the first key; None when no key opens it."""
        return self._seal.resealed(sealed)

    @property
    def _seal(self) -> "TextSeal":
        if self._made is None:
            self._made = self._make()
        return self._made

    def _make(self) -> "TextSeal":
        from bot.connections.sealing import TextSeal  # noqa: PLC0415 - loads OpenSSL

        names = [part.strip() for part in (self._secret(KEY) or "").split(",") if part.strip()]
        if not names:
            raise SettingsError(
                f"{KEY} is not set, and people's tokens can't be kept without it; `bellhop "
                "rotate-key` makes one"
            )
        for name in names:
            register_secret(name)
        try:
            return TextSeal(*names)
        except ValueError:
            raise SettingsError(
                f"{KEY} is no key: it has to be 32 bytes in URL-safe base64; `bellhop rotate-key` "
                "makes one"
            ) from None


class Credentials:
    """Accounts that people let Bellhop use: connectors store tokens, calls read their person's."""

    def __init__(self, database: Database, keys: Keyring, clock: Clock) -> None:
        self._database = database
        self._keys = keys
        self.ready = keys.present
        """Whether tokens can be kept: there is a key."""
        self._clock = clock
        self._sealed: dict[tuple[str, str], str] = {}
        self._lapsed: set[tuple[str, str]] = set()
        self._services: dict[str, frozenset[str]] | None = None
        """The cached answers of `services` by person; None after a token was added or removed."""
        self.changes = 0
        """Grows with each change of who has a token that is accepted."""
        self._refused: dict[str, str] = {}

    async def load(self) -> None:
        """Read the sealed tokens, once at the start, without opening them."""
        await self.read_again()
        if self._sealed and not self._keys.present:
            log.error(
                "tokens=<%d> | people's tokens can't be opened: %s is not set",
                len(self._sealed),
                KEY,
            )

    def _changed(self) -> None:
        self._services = None
        self.changes += 1

    def services(self, person: str) -> frozenset[str]:
        """A person's connected services; each request asks for them several times."""
        if self._services is None:
            found: dict[str, set[str]] = {}
            for owner, service in self._sealed.keys() - self._lapsed:
                found.setdefault(owner, set()).add(service)
            self._services = {owner: frozenset(services) for owner, services in found.items()}
        return self._services.get(person, frozenset())

    def lapsed(self, person: str) -> frozenset[str]:
        """Services that this person has to connect again."""
        return frozenset(service for owner, service in self._lapsed if owner == person)

    async def lapse(self, person: str, service: str, unit: Unit) -> bool:
        """Record that the service no longer accepts this token; `unit` is committed with it.

        False if that was known or there is no token; then nothing is written. Raises StorageError.
        """
        if (person, service) not in self._sealed or (person, service) in self._lapsed:
            return False
        self._lapsed.add((person, service))
        self._changed()
        await self._database.write(lapse(person, service, self._clock.now()) + unit)
        return True

    def refused(self, service: str, token: str) -> bool:
        """Whether the service no longer accepts this token from the settings."""
        return self._refused.get(service) == hash_of(token)

    async def refuse(self, service: str, token: str, unit: Unit) -> bool:
        """Record that the service no longer accepts this token from the settings, with `unit`.

        False when it was known: then nothing is written. Raises StorageError.
        """
        if self.refused(service, token):
            return False
        self._refused[service] = hash_of(token)
        self._changed()
        await self._database.write(refuse(service, hash_of(token), self._clock.now()) + unit)
        return True

    def tokens(self, person: str, services: Iterable[str]) -> Mapping[str, str]:
        """Open a person's tokens for these services, for one call."""
        found: dict[str, str] = {}
        for service in services:
            sealed = self._sealed.get((person, service))
            token = (
                self._keys.open(person, service, sealed)
                if sealed is not None and self._keys.present
                else None
            )
            if token is not None:
                found[service] = token
            elif sealed is not None:
                log.error(
                    "person=<%s>, service=<%s> | a token can't be opened with %s",
                    person,
                    service,
                    KEY,
                )
        return found

    async def store(self, person: str, service: str, token: str, unit: Unit | None = None) -> None:
        """Keep a token, in the place of an earlier one; `unit` is written with it.

        Raises SettingsError without a key, UnitRejected with `unit`, StorageError.
        """
        register_secret(token)
        sealed = self._keys.seal(person, service, token)
        kept = put_sealed(person, service, sealed, self._clock.now())
        await self._database.write((unit or Unit()) + kept)
        self._sealed[person, service] = sealed
        self._lapsed.discard((person, service))
        self._changed()

    async def delete(self, person: str, service: str) -> bool:
        """Forget a token; False when there is none. Raises StorageError."""
        if (person, service) not in self._sealed:
            return False
        await self._database.write(drop_sealed(person, service))
        del self._sealed[person, service]
        self._lapsed.discard((person, service))
        self._changed()
        return True

    async def holding(self, persons: Collection[str]) -> Collection[str]:
        """Those of these people who have a token."""
        return {person for person, _ in self._sealed}.intersection(persons)

    async def move(self, earlier: str, person: str) -> None:
        """Move the tokens of one person id to another, sealed anew; the newer of two wins.

        Tokens that can't be opened stay. Raises StorageError.
        """
        for owner, service in [place for place in self._sealed if place[0] == earlier]:
            token = (
                self._keys.open(earlier, service, self._sealed[owner, service])
                if self._keys.present
                else None
            )
            if token is None:
                log.error(
                    "person=<%s>, service=<%s> | a token can't be opened, so it was not moved",
                    earlier,
                    service,
                )
                continue
            sealed = self._keys.seal(person, service, token)
            await self._database.write(move_sealed(earlier, person, service, sealed))
            await self.read_again()

    async def read_again(self) -> None:
        """Reload the sealed tokens, which another process may have changed. Raises StorageError."""
        sealed = await read_sealed(self._database)
        lapsed = await read_lapsed(self._database)
        refused = await read_refused(self._database)
        self._sealed, self._lapsed, self._refused = sealed, lapsed, refused
        self._changed()

    async def reseal(self) -> int:
        """Seal everything with the first key; returns the number of tokens.

        Raises StorageError when something can't be opened.

        If interrupted, some tokens have the old key and some the new one, which both still open.
        """
        fresh: dict[tuple[str, str], tuple[str, str]] = {}
        for (person, service), sealed in self._sealed.items():
            new = self._keys.resealed(sealed)
            if new is None:
                raise StorageError(
                    f"the token of {person} for {service} can't be opened with {KEY}; nothing was "
                    "changed. Put the old key back behind a comma, or let them connect again"
                )
            fresh[person, service] = (sealed, new)
        places = list(fresh)
        for start in range(0, len(places), _BATCH):
            part = {place: fresh[place] for place in places[start : start + _BATCH]}
            await self._database.write(replace_sealed(part))
            self._sealed.update({place: new for place, (_, new) in part.items()})
        return len(places)


def hash_of(token: str) -> str:
    """A token is long and random, so its plain hash can't be guessed."""
    return hashlib.sha256(token.encode()).hexdigest()
