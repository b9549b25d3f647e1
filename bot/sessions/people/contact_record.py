"""What contacts.yaml said before: every id that a contact ever had, and the accounts it stood for.

contacts.yaml alone says who is whom. This record only makes that safer. An id that comes back with
none of its former accounts gets nothing of what is kept under it, and what an account made before
it was added to a contact stays apart, until somebody takes it over (`takeovers.py`).
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.platforms import KnownPlatforms
from bot.sessions.people.contact_store import (
    AccountKey,
    KnownIds,
    account_write,
    gone_write,
    id_write,
    read_known,
)
from bot.sessions.people.contacts_file import TERMINAL, Contact, ids_of_accounts, reserved_for
from bot.sessions.people.person_store import persons_kept

_BEGUN = ""
"""The key of the row that says that the record was begun."""
_TOGETHER = 150
"""Rows that are written in one unit."""


@dataclass(frozen=True)
class Verdict:
    """What the record says about a version of contacts.yaml."""

    withheld: Mapping[str, Sequence[AccountKey]] = field(
        default_factory=dict[str, "Sequence[AccountKey]"]
    )
    """Ids that belonged to other accounts, which are named; nobody has such an id now."""
    used: frozenset[str] = frozenset()
    """All ids that a contact ever had, casefolded."""


def key_of(id_: str) -> str:
    """An id as it is compared: folders of people may ignore case."""
    return id_.casefold()


def accounts_of(contact: Contact) -> set[AccountKey]:
    """The accounts that a platform vouches for; names at the terminal are none of them."""
    return {
        (platform, one)
        for platform, ids in contact.ids.items()
        if platform != TERMINAL
        for one in ids
    }


@dataclass(frozen=True)
class ContactRecord:
    """The record of a home."""

    database: Database
    clock: Clock
    platforms: KnownPlatforms

    async def judge(
        self, people: Sequence[Contact], kept: Collection[str] = (), *, only_look: bool = False
    ) -> Verdict:
        """Compare a version of the file with the record, and note what is new in it.

        `kept`: ids that have something outside the database; needed when the record begins. Raises
        StorageError.
        """
        known = await read_known(self.database)
        begun = _BEGUN in known.present
        used = set(known.present) - {_BEGUN} | {key_of(one.id) for one in people}
        if not begun:
            used |= await self._begin(people, kept, only_look=only_look)
            return Verdict({}, frozenset(used))
        withheld, writes = await asyncio.to_thread(self._compared, people, known)
        if not only_look:
            await self._write(writes)
        return Verdict(withheld, frozenset(used))

    def _compared(
        self, people: Sequence[Contact], known: KnownIds
    ) -> tuple[dict[str, Sequence[AccountKey]], list[Write]]:
        """The ids that are another's, and what is new; a list of thousands takes a while."""
        writes: list[Write] = []
        withheld: dict[str, Sequence[AccountKey]] = {}
        for contact in people:
            if self._is_anothers(contact, known):
                withheld[contact.id] = tuple(known.accounts.get(key_of(contact.id), {}))
            else:
                writes += self._noted(contact, known)
        return withheld, writes + _gone(people, withheld, known)

    def take_unit(self, contact: str, account: AccountKey) -> Unit:
        """From now on what was kept for this account before is the contact's."""
        return Unit.of(account_write(key_of(contact), account, takes=True))

    def vouch_unit(self, contact: Contact) -> Unit:
        """The id belongs to these accounts, whosever it was."""
        key, accounts = key_of(contact.id), sorted(accounts_of(contact))
        return Unit((
            self._id(contact.id, present=True),
            *(account_write(key, one, takes=len(accounts) == 1) for one in accounts),
        ))  # fmt: skip

    def _is_anothers(self, contact: Contact, known: KnownIds) -> bool:
        """Whether the id comes back with none of the accounts that it stood for."""
        key, now = key_of(contact.id), accounts_of(contact)
        before = known.accounts.get(key, {})
        if key not in known.present or not now or now & before.keys():
            return False
        its_own = contact.id in ids_of_accounts(contact.ids, self.platforms).values()
        return not its_own and (bool(before) or not known.present[key])

    def _noted(self, contact: Contact, known: KnownIds) -> list[Write]:
        """What is new about a contact.

        A new contact has what its one account made before: nobody else gets to see it.
        """
        key, now = key_of(contact.id), accounts_of(contact)
        before = known.accounts.get(key, {})
        first = key not in known.present
        writes = [
            account_write(key, one, takes=first and len(now) == 1)
            for one in sorted(now - before.keys())
        ]
        if first or (not known.present[key] and now & before.keys()):
            writes.append(self._id(contact.id, present=True))
        return writes

    async def _begin(
        self, people: Sequence[Contact], kept: Collection[str], *, only_look: bool
    ) -> set[str]:
        """The first look at a home: its contacts have what was moved to them until now."""
        others = {
            one
            for one in (*await persons_kept(self.database), *kept)
            if reserved_for(one, self.platforms) is None
        }
        present = {key_of(one.id) for one in people}
        former = {key_of(one): one for one in others if key_of(one) not in present}
        if not only_look:
            writes = [self._id(one, present=False) for one in former.values()]
            for contact in people:
                writes.append(self._id(contact.id, present=True))
                key = key_of(contact.id)
                writes += [
                    account_write(key, one, takes=True) for one in sorted(accounts_of(contact))
                ]
            await self._write([*writes, self._id(_BEGUN, present=True)])
        return set(former)

    async def _write(self, writes: Sequence[Write]) -> None:
        for start in range(0, len(writes), _TOGETHER):
            await self.database.write(Unit(tuple(writes[start : start + _TOGETHER])))

    def _id(self, id_: str, *, present: bool) -> Write:
        return id_write(key_of(id_), id_, self.clock.now(), present=present)


def _gone(people: Sequence[Contact], withheld: Collection[str], known: KnownIds) -> list[Write]:
    """Ids and accounts that the file names no more.

    What such an account makes from now on is its own, also when it is named again.
    """
    now = {key_of(one.id): accounts_of(one) for one in people if one.id not in withheld}
    writes = [
        gone_write(key)
        for key, present in known.present.items()
        if present and key not in now and key != _BEGUN
    ]
    writes += [
        account_write(key, one, takes=False)
        for key, accounts in known.accounts.items()
        for one, takes in accounts.items()
        if takes and one not in now.get(key, set())
    ]
    return writes
