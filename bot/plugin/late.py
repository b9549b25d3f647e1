"""For work on behalf of people who are not there: pages for strangers, and what goes on by itself.

Such parts are built once the house stands. So they know who somebody is now, read the calendars
that people connected, and say something to them.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Protocol

from bot.connections.credentials import Keyring
from bot.connectors.calendars import CalendarAccount
from bot.domain.access import Person
from bot.domain.chat_commands import Asked, ChatCommand
from bot.domain.database import Unit
from bot.domain.home import LinkDesk
from bot.domain.languages import Language
from bot.plugin.site import SitePage


class PeopleNow(Protocol):
    """Who people are at this moment."""

    def found_by(self, asked: Asked) -> str:
        """What finds whoever gives a command again; no word of theirs is in it."""
        ...

    async def now(self, found_by: str) -> Person:
        """Who that is now.

        Where their platform can't tell their roles, with the least that they may have.
        """
        ...

    def zone(self, person: Person) -> str:
        """Their time zone: an IANA name."""
        ...


class TellsPeople(Protocol):
    """Says something to a person (id) directly, which answers nothing that they asked."""

    async def language(self, person: str) -> Language:
        """The one in which they last wrote directly; English without any. Raises StorageError."""
        ...

    async def unit(self, key: str, person: str, text: str) -> Unit:
        """To be committed with what it tells of; empty where they can't be reached.

        It is said once for its key. Raises StorageError.
        """
        ...

    def written(self) -> None:
        """To be called after that commit: it is said now."""
        ...


@dataclass(frozen=True)
class Sealing:
    """Seals what a plug-in's tables must not show. Only the plug-in of this name can open it."""

    keys: Keyring
    name: str

    @property
    def ready(self) -> bool:
        """Whether there is a key."""
        return self.keys.present

    def seal(self, text: str) -> str:
        """Raises SettingsError when there is no usable key."""
        return self.keys.seal("*", self.name, text)

    def open(self, sealed: str) -> str | None:
        """None if it was sealed with a key that is gone. The text is kept out of logs then on."""
        return self.keys.open("*", self.name, sealed)


@dataclass(frozen=True)
class LateGround:
    """What the house hands such parts."""

    people: PeopleNow
    tells: TellsPeople
    calendars: Callable[[Person], Mapping[str, CalendarAccount]]
    """Those that somebody connected themself, by the id of the service."""
    sealing: Sealing
    alone: Callable[[str], AbstractAsyncContextManager[None]]
    """Waits until nobody else does the work of this name, in any process of the home.

    Raises StorageError.
    """
    public_url: str
    """Where strangers' browsers reach the HTTP server; empty where they don't."""


@dataclass(frozen=True)
class LateParts:
    """What a plug-in adds once the house stands."""

    commands: Sequence[ChatCommand] = ()
    """As `Parts.chat_commands`."""
    pages: Sequence[SitePage] = ()
    """As those of a `Site`, but there wherever the HTTP server listens. Nobody is signed in."""
    tasks: Sequence[Callable[[], Awaitable[None]]] = ()
    """As `Parts.tasks`."""
    links: LinkDesk | None = None
    """What chats may say of links to its pages; `Plugin.previews` says whether there are any."""
