"""What platforms show of Bellhop beside its messages: a person's page, and previews of its links.

The page has their own things, with buttons. `sessions` makes it, and platforms with such a page
show it (Slack's App Home).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bot.domain.messages import Choice, Conversation, PlatformPerson


@dataclass(frozen=True)
class HomeItem:
    """One thing; its text is nobody's markup."""

    text: str
    choices: tuple[Choice, ...] = ()
    """A click comes back as an `Action` in the person's direct messages."""


@dataclass(frozen=True)
class HomeSection:
    title: str
    items: tuple[HomeItem, ...]
    more: str = ""
    """What is not shown, or that there is nothing."""


@dataclass(frozen=True)
class Prompt:
    """A request that is suggested: its label, and what the person then says."""

    title: str
    message: str


class HomeDesk(Protocol):
    """Makes pages; `build_app` hands it to adapters."""

    async def page(
        self, sender: PlatformPerson, place: Conversation, locale: str = ""
    ) -> tuple[HomeSection, ...] | None:
        """What this person alone sees, in their direct messages `place`.

        `locale` is the language that their app is set to.

        None for somebody who is not answered. May raise StorageError.
        """
        ...

    async def prompts(
        self, sender: PlatformPerson, place: Conversation, locale: str = ""
    ) -> tuple[Prompt, ...]:
        """At most four requests that fit this person, for their direct messages `place`.

        May raise StorageError.
        """
        ...

    def owner(self, sender: PlatformPerson, place: Conversation) -> str:
        """The id of the person whose page it is."""
        ...

    def tell(self, changed: Callable[[str], object]) -> None:
        """From now on `changed` hears the id of each person whose page changed from elsewhere.

        Such as in a browser, where they connected an account.
        """
        ...


@runtime_checkable
class HasHome(Protocol):
    """An adapter whose platform has such a page, or suggests requests."""

    def offer_home(self, desk: HomeDesk) -> None:
        """Called once by build_app, before `run`."""
        ...


class LinkDesk(Protocol):
    """Knows the links; `build_app` hands it to adapters."""

    async def line(self, url: str) -> str:
        """What whoever opens this link reads there anyway, in one line; empty for any other.

        So a preview tells nobody more than the link does. May raise StorageError.
        """
        ...


@runtime_checkable
class PreviewsLinks(Protocol):
    """An adapter whose platform asks the app what its links lead to."""

    def offer_links(self, desk: LinkDesk) -> None:
        """Called once by build_app, before `run`."""
        ...
