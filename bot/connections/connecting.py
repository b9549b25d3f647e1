"""Connecting: a link for one person, and the answer that returns from it.

A link is valid once, for its person, for some minutes.
"""

import hashlib
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeAlias

from bot.connections.access import Connections
from bot.connections.credentials import Keyring
from bot.connections.credentials_store import Request, add_request, find_request, use_up
from bot.connections.oauth import GrantRefused, OAuth, OAuthTrouble, invite
from bot.connections.services import Service
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.languages import Language, Phrase, Translations
from bot.errors import UnitRejected
from bot.log import register_secret

IS_CONNECTED = Phrase("{service} is connected.")

log = logging.getLogger(__name__)

LINK_LIFE = timedelta(minutes=15)
CALLBACK = "/connect/callback"
_SEALED_AS = "connecting"
_LOCAL_PORT = 8765
"""In an address that nothing has to answer: the person copies it from the browser."""

Connected: TypeAlias = Callable[[str, Service], Awaitable[None]]
"""Told that a person (id) has connected a service."""


@dataclass(frozen=True)
class Pending:
    """An issued link: its person, their name for a page, and its service."""

    person: str
    shown: str
    service: Service
    verifier: str = field(repr=False)
    redirect_uri: str


@dataclass(frozen=True)
class Outcome:
    """The outcome of a link, in a sentence for the person who followed it.

    `service`: what is connected now, if anything.
    """

    told: Translations
    service: Service | None = None

    @property
    def text(self) -> str:
        """In English, for a page whose reader's language nobody knows."""
        return self.told.said(Language.EN)


OVER = Outcome(
    Phrase(
        "That link is not valid any more: it was used before, or is older than {minutes} minutes. "
        "Ask for a new one with /connect."
    ).filled(minutes=LINK_LIFE // timedelta(minutes=1))
)


def redirect_uri(public_url: str, port: int) -> str:
    """Where services send people back to; it is registered with each of them."""
    return f"{public_url or f'http://localhost:{port or _LOCAL_PORT}'}{CALLBACK}"


class Connecting:
    """Makes links and handles their answers.

    `public_url` is where browsers reach `console.port`; empty: nowhere.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        keys: Keyring,
        connections: Connections,
        oauth: OAuth,
        public_url: str,
        port: int,
    ) -> None:
        self._database = database
        self._clock = clock
        self._keys = keys
        self._connections = connections
        self._oauth = oauth
        self.called_back = bool(public_url)
        """Whether the service's answer arrives by itself, so that nobody has to paste it."""
        self.redirect_uri = redirect_uri(public_url, port)
        self.on_connected: list[Connected] = []
        self._finishing: set[str] = set()
        """Links whose code is being exchanged: services revoke everything if a code comes twice."""

    async def begin(self, person: str, service: Service, shown: str) -> str:
        """A link for this person alone; `shown` names them on the page.

        Raises SettingsError, StorageError.
        """
        made = invite(service, self.redirect_uri)
        register_secret(made.state)
        kept = {"verifier": made.verifier, "shown": shown, "redirect_uri": self.redirect_uri}
        now = self._clock.now()
        sealed = self._keys.seal(person, _SEALED_AS, json.dumps(kept))
        request = Request(_hash(made.state), person, service.id, sealed)
        await self._database.write(add_request(request, now + LINK_LIFE, now))
        return made.url

    async def pending(self, state: str) -> Pending | None:
        """The pending link of a state, while it is valid. This doesn't use it up."""
        found = await find_request(self._database, _hash(state), self._clock.now())
        return None if found is None else self._opened(found)

    async def finish(self, state: str, code: str, person: str | None = None) -> Outcome:
        """Exchange the code of a link and keep the tokens, which uses the link up.

        `person`: who pasted it; None for a browser.

        Somebody else's link is not used up, and looks like an expired one. Raises StorageError.
        """
        register_secret(code)
        found = await find_request(self._database, _hash(state), self._clock.now())
        if found is None:
            return OVER
        if person is not None and found.person != person:
            log.warning("person=<%s> | came with the link of somebody else", person)
            return OVER
        link = self._opened(found)
        if link is None or found.state in self._finishing:
            return OVER
        self._finishing.add(found.state)
        try:
            async with self._connections.exclusive.held(f"connect:{found.state}"):
                if await find_request(self._database, found.state, self._clock.now()) is None:
                    return OVER
                return await self._exchange(found, link, code)
        finally:
            self._finishing.discard(found.state)

    async def _exchange(self, request: Request, link: Pending, code: str) -> Outcome:
        """Turn the code into tokens.

        The link is used up in the unit that keeps them. Until then it stays valid: if the process
        ends or the service refuses, the person opens the same link again.
        """
        service, name = link.service, link.service.title
        try:
            tokens = await self._oauth.exchange(service, code, link.verifier, link.redirect_uri)
        except GrantRefused:
            return Outcome(
                Phrase(
                    "{service} does not take that code. Open the link again, or ask for a new one "
                    "with /connect {id}."
                ).filled(service=name, id=service.id)
            )
        except OAuthTrouble as error:
            log.error("service=<%s>, error=<%s> | a code was not exchanged", service.id, error)  # noqa: TRY400
            return Outcome(
                Phrase(
                    "{service} could not be connected just now; the operator finds the reason in "
                    "the log."
                ).filled(service=name)
            )
        try:
            await self._connections.keep(request.person, service, tokens, use_up(request))
        except UnitRejected:
            return OVER
        log.info("person=<%s>, service=<%s> | connected", request.person, service.id)
        for tell in self.on_connected:
            await tell(request.person, service)
        return Outcome(IS_CONNECTED.filled(service=name), service)

    def _opened(self, request: Request) -> Pending | None:
        text = self._keys.open(request.person, _SEALED_AS, request.sealed)
        service = self._connections.services.get(request.service)
        if text is None or service is None:
            return None  # the key was changed meanwhile
        kept = json.loads(text)
        return Pending(
            request.person, kept["shown"], service, kept["verifier"], kept["redirect_uri"]
        )


def _hash(state: str) -> str:
    """A state has 43 random characters, so its plain hash can't be guessed."""
    return hashlib.sha256(state.encode()).hexdigest()
