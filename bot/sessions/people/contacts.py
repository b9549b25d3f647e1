"""Resolves a sender: by contacts.yaml, then their platform's roles, then the default.

See docs/rules.md#roles.
"""

import asyncio
import dataclasses
import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.access import Person, Role
from bot.domain.messages import IncomingMessage, PlatformPerson
from bot.domain.platforms import Account, KnownPlatforms
from bot.errors import SettingsError
from bot.sessions.people.contacts_file import (
    Contact,
    ContactList,
    slug,
    with_contact,
    without_contact,
)
from bot.sessions.people.contacts_reader import ContactsReader
from bot.sessions.settings import AccessSettings
from bot.storage.live_files import LiveFile
from bot.storage.markdown import MarkdownStore
from bot.yaml_file import read_text

log = logging.getLogger(__name__)

TERMINAL = "terminal"


class _Known:
    """The content of one version of the file, found by ids; built in the reading thread."""

    def __init__(self, known: ContactList, platforms: KnownPlatforms) -> None:
        self.list = known
        self.by_id: Mapping[str, Contact] = {
            contact.id.casefold(): contact for contact in known.contacts
        }
        self.by_platform_id: Mapping[tuple[str, str], Contact] = {
            (platform, one): contact
            for contact in known.contacts
            for platform, ids in contact.ids.items()
            for one in ids
        }
        self.strangers = _strangers(known.contacts, platforms)


def _strangers(people: Iterable[Contact], platforms: KnownPlatforms) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for contact in people:
        for earlier in _ids_as_stranger(contact, platforms):
            found.setdefault(earlier, contact.id)
    return {earlier: id_ for earlier, id_ in found.items() if earlier != id_}


def _ids_as_stranger(contact: Contact, platforms: KnownPlatforms) -> Iterator[str]:
    """Their person ids from before contacts.yaml named them, the most certain first."""
    for traits in platforms:
        for written in contact.ids.get(traits.name, ()) if traits.name != TERMINAL else ():
            account = traits.account(written)
            yield traits.person_id(account.workspace, account.id)
    for name in (*contact.ids.get(TERMINAL, ()), contact.id, contact.name):
        yield at_terminal(name)


class Contacts:
    """The known people.

    `resolve` is called for each message, so that a ban applies from the next one on.
    """

    def __init__(
        self,
        path: Path,
        known: ContactList,
        platforms: KnownPlatforms,
        access: AccessSettings,
        file: LiveFile | None = None,
        reader: ContactsReader | None = None,
    ) -> None:
        self.platforms = platforms
        self._path = path
        self._access = access
        self._file = file or LiveFile(path)
        self._trouble: str | None = None
        self._subscribers: list[Callable[[], None]] = []
        self._reader = reader or ContactsReader(platforms)
        self._known = _Known(known, platforms)

    @classmethod
    def load(
        cls, path: Path, platforms: KnownPlatforms, access: AccessSettings | None = None
    ) -> "Contacts":
        """Read the file; without one, nobody is known.

        Raises SettingsError naming file, line and remedy.
        """
        reader, file = ContactsReader(platforms), LiveFile(path)
        file.changed()
        known = _read(path, reader)
        return cls(path, known, platforms, access or AccessSettings(), file, reader)

    @property
    def people(self) -> tuple[Contact, ...]:
        return self._known.list.contacts

    @property
    def problems(self) -> tuple[str, ...]:
        """The file's current problem; while it is invalid, the last good version is in use."""
        return (*((self._trouble,) if self._trouble else ()), *self._known.list.problems)

    def sender_of(self, message: IncomingMessage) -> Person:
        there = message.conversation
        return self.resolve(there.platform, there.workspace, message.sender)

    def author_of(self, message: IncomingMessage, author: PlatformPerson) -> Person:
        """Another author of a text that a message refers to, in the same workspace."""
        there = message.conversation
        return self.resolve(there.platform, there.workspace, author)

    def resolve(self, platform: str, workspace: str, sender: PlatformPerson) -> Person:
        """The sender as a contact, a person with platform roles, or one with the default role."""
        if platform == TERMINAL:
            return self._at_the_terminal(sender)
        traits = self.platforms[platform]
        written = traits.written_id(workspace, sender.id)
        contact = self._known.by_platform_id.get((platform, written))
        given = self._mapped_role(platform, sender) or self._access.default_role
        if sender.outside:  # no colleague, whatever colleagues start with
            given = min(given, Role.GUEST, key=lambda role: role.rank)
        if contact is not None:
            person = self._person(contact, self._role(contact) or given)
            return (
                person if person.timezone else dataclasses.replace(person, timezone=_zone(sender))
            )
        id_ = traits.person_id(workspace, sender.id)
        return Person(id_, sender.name, given, _zone(sender))

    def is_stranger(self, platform: str, workspace: str, sender: PlatformPerson) -> bool:
        """Whether neither contacts.yaml nor a role of their platform names this sender."""
        if platform == TERMINAL:
            return False
        written = self.platforms[platform].written_id(workspace, sender.id)
        known = (platform, written) in self._known.by_platform_id
        return not known and self._mapped_role(platform, sender) is None

    def person(self, id_: str) -> Person | None:
        """The contact with this person id, with the role that the file gives it now."""
        contact = self._known.by_id.get(id_.casefold())
        return None if contact is None else self._person(contact, self._role(contact))

    def accounts(self, id_: str) -> tuple[Account, ...]:
        """A person id's platform accounts; for people not in contacts.yaml the id has them."""
        contact = self._known.by_id.get(id_.casefold())
        if contact is not None:
            return tuple(
                self.platforms[platform].account(one)
                for platform, ids in contact.ids.items()
                for one in ids
            )
        found = (traits.account_of(id_) for traits in self.platforms if traits.name != TERMINAL)
        return tuple(account for account in found if account is not None)

    def role_of(self, id_: str) -> Role | None:
        """The role in contacts.yaml for this person id now; None if it names none."""
        contact = self._known.by_id.get(id_.casefold())
        return None if contact is None else self._role(contact)

    def role_source(self, person: Person) -> str:
        """The source of this person's role, for people: file and line, or the setting."""
        contact = self._known.by_id.get(person.id.casefold())
        if contact is not None and contact.role is person.role:
            return f"{self._path.name}, line {contact.line}"
        if person.id.startswith(f"{TERMINAL}-"):
            return "the person at the terminal"
        if person.role is self._access.default_role:
            return "access.default_role"
        tables = [f"access.{one.role_table}" for one in self.platforms if one.role_table]
        return f"their roles on the platform ({', '.join(tables)})"

    async def reload_if_changed(self) -> bool:
        """Read the file again when it changed.

        If it is invalid or missing, names, ids and bans of the last good version stay in use. Roles
        above Guest do not, because nobody can read who was to lose them. The terminal is exempt.
        """
        if not await asyncio.to_thread(self._file.changed):
            return False
        try:
            known = await asyncio.to_thread(
                lambda: _Known(
                    _read(self._path, self._reader, required=bool(self.people)), self.platforms
                )
            )
        except SettingsError as error:
            self._trouble = (
                f"{error} (the last good version is in use, and gives nobody more than Guest)"
            )
            log.warning("file=<%s> | %s", self._path, self._trouble)
            return False
        self._trouble = None
        self._known = known
        for changed in self._subscribers:
            changed()
        return True

    def stranger_ids(self) -> Mapping[str, str]:
        """Person ids from before contacts.yaml named them, with their current ids."""
        return self._known.strangers

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call `changed` after each reading of the file that brought a new version."""
        self._subscribers.append(changed)

    async def set_contact(self, contact: Contact) -> None:
        """Add or change a contact; comments stay, and `<file>.bak` keeps the old text.

        Raises SettingsError if the file would be invalid, StorageError if it cannot be written.
        """
        name = self._path.name
        store = MarkdownStore(self._path.parent)
        await store.update(
            name, lambda text: with_contact(text, contact, name, self.platforms), backup=True
        )
        await self.reload_if_changed()

    async def remove_contact(self, id_: str) -> None:
        """Remove a contact from the file; comments stay, and `<file>.bak` keeps the old text.

        Raises SettingsError when nobody has this id or the file is not valid, StorageError when it
        can't be written.
        """
        name = self._path.name
        await MarkdownStore(self._path.parent).update(
            name, lambda text: without_contact(text, id_, name, self.platforms), backup=True
        )
        await self.reload_if_changed()

    @property
    def vouching(self) -> tuple[Contact, ...]:
        """People whose addresses the operator trusts: nobody while the file is unreadable."""
        return () if self._trouble else self.people

    def _role(self, contact: Contact) -> Role | None:
        """The role that the file gives.

        A version that is older than an unreadable one gives no rights.
        """
        lowest = min(Role.GUEST, self._access.default_role, key=lambda role: role.rank)
        if self._trouble is None or (contact.role is not None and contact.role.rank <= lowest.rank):
            return contact.role
        return lowest

    def _person(self, contact: Contact, role: Role | None) -> Person:
        role = role or self._access.default_role
        return Person(contact.id, contact.name, role, contact.timezone, contact.email, known=True)

    def _mapped_role(self, platform: str, sender: PlatformPerson) -> Role | None:
        if sender.is_bot or not sender.platform_roles:
            return None
        table = self._access.role_table(self.platforms[platform].role_table)
        return _highest(table[role] for role in sender.platform_roles if role in table)

    def _at_the_terminal(self, sender: PlatformPerson) -> Person:
        """The operator at the keyboard owns the files, so only `--role` limits them."""
        chosen = _chosen_role(sender)
        contact = self._known.by_platform_id.get((TERMINAL, sender.id)) or self._named(sender)
        if contact is not None:
            return self._person(contact, chosen or contact.role)
        return Person(
            at_terminal(sender.name or sender.id),
            sender.name or sender.id,
            chosen or Role.MASTER_ADMIN,
        )

    def _named(self, sender: PlatformPerson) -> Contact | None:
        wanted = {sender.id.casefold(), sender.name.casefold()} - {""}
        return next(
            (
                known
                for known in self.people
                if {known.id.casefold(), known.name.casefold()} & wanted
            ),
            None,
        )


def at_terminal(name: str) -> str:
    """The person id of a terminal user whose name is missing in contacts.yaml."""
    return f"{TERMINAL}-local-{slug(name)}"


def new_contact_id(name: str, people: Iterable[Contact]) -> str:
    """A free id for a new contact of this name."""
    taken = {one.id.casefold() for one in people}
    made = slug(name)
    numbered = (made if number == 1 else f"{made}-{number}" for number in itertools.count(1))
    return next(one for one in numbered if one not in taken)


def with_platform_id(contact: Contact, platform: str, id_: str) -> Contact:
    """The contact with one more id on a platform; unchanged when it has it."""
    ids = {**contact.ids, platform: tuple(dict.fromkeys((*contact.ids.get(platform, ()), id_)))}
    return dataclasses.replace(contact, ids=ids)


def without_platform_id(contact: Contact, platform: str, id_: str) -> Contact:
    """The contact without an id on a platform."""
    left = tuple(one for one in contact.ids.get(platform, ()) if one != id_)
    ids = {**contact.ids, platform: left}
    return dataclasses.replace(contact, ids={name: found for name, found in ids.items() if found})


def _zone(sender: PlatformPerson) -> str | None:
    """The zone of a profile, if this machine knows it (docs/rules.md#time)."""
    return sender.timezone if sender.timezone and is_zone(sender.timezone) else None


def zone_of(name: str) -> ZoneInfo:
    """The time zone, or UTC for an unknown name (settings and contacts report those)."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


@lru_cache(maxsize=512)
def is_zone(name: str) -> bool:
    """Whether a time zone of this name is known here."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _highest(roles: Iterable[Role]) -> Role | None:
    """The highest of several roles; but one banning role bans, whatever the others give."""
    found = list(roles)
    if Role.BANNED in found:
        return Role.BANNED
    return max(found, key=lambda role: role.rank, default=None)


def _chosen_role(sender: PlatformPerson) -> Role | None:
    if not sender.platform_roles:
        return None
    try:
        return Role.parse(sender.platform_roles[0])
    except ValueError:
        return Role.GUEST


def _read(path: Path, reader: ContactsReader, *, required: bool = False) -> ContactList:
    if required and not path.exists():
        raise SettingsError(
            f"{path.name} has vanished; put it back, or leave an empty file to know nobody"
        )
    return reader.read(read_text(path), path.name)
