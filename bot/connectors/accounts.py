"""Chooses among a person's mailboxes or calendars, and reads several at once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from bot.connectors.due_dates import local
from bot.domain.access import Person
from bot.domain.characters import short_line, whole_characters
from bot.domain.json_types import as_values
from bot.domain.runs import RunShape
from bot.errors import ToolError
from bot.tools.native.registry import Needs, Usable

AccountT = TypeVar("AccountT")
FoundT = TypeVar("FoundT")
ItemT = TypeVar("ItemT", bound=BaseModel)


@dataclass(frozen=True)
class Gathered(Generic[FoundT]):
    """The accounts' answers by service id, and a sentence for the model about each failure."""

    by_service: Mapping[str, FoundT]
    troubles: tuple[str, ...] = ()


class PersonAccounts(Generic[AccountT]):
    """The accounts of one kind, by service id; a person's requests reach their own alone."""

    def __init__(self, usable: Usable, accounts: Mapping[str, AccountT]) -> None:
        self._usable = usable
        self._accounts = accounts

    @property
    def services(self) -> Set[str]:
        """The services that keep them: those of all plug-ins once these are built."""
        return self._accounts.keys()

    @property
    def needs(self) -> Needs:
        """One of the accounts."""
        return Needs(
            aloud=frozenset({RunShape.CHAT}),
            services=self.services,
            usable=self._usable,
        )

    def usable(self, person: Person) -> Mapping[str, AccountT]:
        """Those that this person's requests can use now."""
        usable = self._usable(person)
        return {name: account for name, account in self._accounts.items() if name in usable}

    def those(self, person: Person, named: str | None) -> Mapping[str, AccountT]:
        """The named account, or all of them. Raises ToolError if there is none."""
        found = self.usable(person)
        if named is not None:
            found = {name: account for name, account in found.items() if name == named}
        if not found:
            raise ToolError(f"{named or 'no such account'} is not connected for this person")
        return found

    def one(self, person: Person, named: str | None) -> tuple[str, AccountT]:
        """The named account, or the only one. Raises ToolError if several are possible."""
        found = self.those(person, named)
        if len(found) > 1:
            raise ToolError(
                f"give `account`: {' or '.join(found)}. Ask the person which one, unless they have "
                "said it."
            )
        return next(iter(found.items()))

    async def gather(
        self, person: Person, named: str | None, read: Callable[[AccountT], Awaitable[FoundT]]
    ) -> Gathered[FoundT]:
        """Read all accounts, or the named one. Raises ToolError when none could be read."""
        asked = self.those(person, named)
        outcomes = await asyncio.gather(*(_attempt(read(account)) for account in asked.values()))
        found: dict[str, FoundT] = {}
        troubles: list[str] = []
        for name, (value, error) in zip(asked, outcomes, strict=True):
            if error is not None:
                troubles.append(f"{name} could not be read: {error}")
            elif value is not None:
                found[name] = value
        if not found:
            raise ToolError(" ".join(troubles))
        return Gathered(found, tuple(troubles))


async def _attempt(reading: Awaitable[FoundT]) -> tuple[FoundT | None, ToolError | None]:
    try:
        return await reading, None
    except ToolError as error:
        return None, error


def read_items(kind: type[ItemT], raw: Any) -> tuple[list[ItemT], int]:
    """The readable items of an answer, and the number of unreadable ones."""
    found: list[ItemT] = []
    bad = 0
    for item in as_values(raw):
        try:
            found.append(kind.model_validate(item))
        except ValidationError:
            bad += 1
    return found, bad


def plain_line(text: str, most: int) -> str:
    """Somebody else's text on one line, cut to length."""
    return short_line(whole_characters(text).replace("\0", ""), most)


def shown_time(moment: datetime | date | None, timezone: str) -> str:
    """A day stays as it is; a moment is shown in the person's zone."""
    if isinstance(moment, datetime):
        return local(moment, timezone).isoformat(timespec="minutes")
    return moment.isoformat() if moment is not None else ""


def aware(moment: datetime) -> datetime:
    """Services omit the offset when they answer in UTC."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
