"""Resolves a sender: by contacts.yaml, then their platform's roles, then the default.

See docs/rules.md#roles.
"""

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.domain.access import Person, Role
from bot.domain.card_words import in_words
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Conversation, IncomingMessage, PlatformPerson
from bot.domain.platforms import Account, KnownPlatforms
from bot.errors import SettingsError, StorageError
from bot.sessions.people.contact_record import AccountKey, ContactRecord, Verdict, accounts_of
from bot.sessions.people.contacts_file import (
    TERMINAL,
    Contact,
    ContactList,
    at_terminal,
    ids_of_accounts,
    new_person_id,
    parse_contacts,
    with_contact,
    without_contact,
)
from bot.sessions.settings import AccessSettings
from bot.sessions.wording import phrases
from bot.storage.live_files import LiveFile
from bot.storage.markdown import MarkdownStore
from bot.yaml_file import read_text

log = logging.getLogger(__name__)

CONTACTS_FILE = "contacts.yaml"
"""In the home folder."""
_NOTHING_WITHHELD = Verdict()


@dataclass(frozen=True)
class EarlierId:
    """The id that a contact's account had by itself; what it made then is kept under it."""

    id: str
    person: str
    platform: str
    account: str
    """As in contacts.yaml."""


class _Known:
    """The content of one version of the file, found by ids; built in the reading thread."""

    def __init__(
        self, known: ContactList, platforms: KnownPlatforms, verdict: Verdict = _NOTHING_WITHHELD
    ) -> None:
        self.list = known
        self.verdict = verdict
        self.people = tuple(
            person
            for contact in known.contacts
            for person in (
                _apart(contact, platforms) if contact.id in verdict.withheld else (contact,)
            )
        )
        self.by_id: Mapping[str, Contact] = {
            contact.id.casefold(): contact for contact in self.people
        }
        self.by_platform_id: Mapping[tuple[str, str], Contact] = {
            (platform, one): contact
            for contact in self.people
            for platform, ids in contact.ids.items()
            for one in ids
        }
        self.earlier = tuple(_earlier(self.people, platforms))


def _apart(contact: Contact, platforms: KnownPlatforms) -> Iterator[Contact]:
    """A contact whose id belonged to somebody else: each account as itself, with its role."""
    for (platform, written), id_ in ids_of_accounts(contact.ids, platforms).items():
        yield dataclasses.replace(contact, id=id_, ids={platform: (written,)})


def _earlier(people: Iterable[Contact], platforms: KnownPlatforms) -> Iterator[EarlierId]:
    seen: set[str] = set()
    for contact in people:
        found = dict(ids_of_accounts(contact.ids, platforms))
        found[TERMINAL, contact.id] = at_terminal(contact.id)
        for (platform, written), id_ in found.items():
            if id_ != contact.id and id_ not in seen:
                yield EarlierId(id_, contact.id, platform, written)
            seen.add(id_)


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
        lock: Path | None = None,
    ) -> None:
        self.platforms = platforms
        self._path = path
        self._store = MarkdownStore(path.parent, lock)
        self._access = access
        self._file = file or LiveFile(path)
        self._trouble: str | None = None
        self._subscribers: list[Callable[[], None]] = []
        self._known = _Known(known, platforms)
        self.record: ContactRecord | None = None
        """What new versions of the file are compared with."""
        self._reading = asyncio.Lock()

    @classmethod
    def load(
        cls,
        path: Path,
        platforms: KnownPlatforms,
        access: AccessSettings | None = None,
        lock: Path | None = None,
    ) -> "Contacts":
        """Read the file; without one, nobody is known. Who changes it takes `lock`.

        Raises SettingsError naming file, line and remedy, or a table of roles that gives none.
        """
        access = access or AccessSettings()
        having = [one.name for one in platforms if one.has_roles]
        if strange := access.roles.keys() - having:
            raise SettingsError(
                f"access.roles.{min(strange)}: no platform with roles is called so; there are "
                f"{' and '.join(having) or 'none'}"
            )
        file = LiveFile(path)
        file.changed()
        return cls(path, _read(path, platforms), platforms, access, file, lock)

    @property
    def people(self) -> tuple[Contact, ...]:
        """The contacts; one whose id is withheld counts as each of its accounts."""
        return self._known.people

    @property
    def problems(self) -> tuple[str, ...]:
        """The file's current problem; while it is invalid, the last good version is in use."""
        known = self._known
        withheld = [
            f"{self._path.name}, line {contact.line}: the id {contact.id!r} "
            f"{_whose(known.verdict.withheld[contact.id])}, so what is kept under it is withheld;"
            " write an id that nobody had, or take it over:"
            f" bellhop contacts take-over {contact.id} {contact.id}"
            for contact in known.list.contacts
            if contact.id in known.verdict.withheld
        ]
        return (*((self._trouble,) if self._trouble else ()), *known.list.problems, *withheld)

    def sender_of(self, message: IncomingMessage) -> Person:
        return self.seen_in(message.conversation, message.sender)

    def seen_in(self, place: Conversation, sender: PlatformPerson) -> Person:
        """Somebody of a place, such as another author of a text that a message refers to."""
        return self.resolve(place.platform, place.workspace, sender)

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

    def account_of(self, message: IncomingMessage) -> AccountKey:
        """The platform of a message's sender, and their id as contacts.yaml writes it."""
        there = message.conversation
        return there.platform, self.platforms[there.platform].written_id(
            there.workspace, message.sender.id
        )

    def newcomer(self, message: IncomingMessage, role: Role | None) -> Contact:
        """A contact for a sender whom the file does not name yet.

        The id is a new one, whatever the name is, because strangers choose their names.
        """
        name, zone = in_words(message.sender.name), _zone(message.sender)
        contact = Contact(self.new_id(), name, role, zone)
        return with_platform_id(contact, *self.account_of(message))

    def is_stranger(self, place: Conversation, sender: PlatformPerson) -> bool:
        """Whether neither contacts.yaml nor a role of their platform names this sender."""
        platform = place.platform
        if platform == TERMINAL:
            return False
        written = self.platforms[platform].written_id(place.workspace, sender.id)
        known = (platform, written) in self._known.by_platform_id
        return not known and self._mapped_role(platform, sender) is None

    def person(self, id_: str) -> Person | None:
        """The contact with this person id, with the role that the file gives it now."""
        contact = self._known.by_id.get(id_.casefold())
        return None if contact is None else self._person(contact, self._role(contact))

    def last_known(self, id_: str, role: Role) -> Person:
        """The person with this id; where the file gives no role, the one that they had last.

        That is so for roles that come from a platform, from `access.default_role` or the terminal.
        """
        contact = self._known.by_id.get(id_.casefold())
        if contact is None:
            return Person(id_, id_, role)
        return self._person(contact, self._role(contact) or role)

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

    def role_source(self, person: Person, language: Language = Language.EN) -> str:
        """The source of this person's role, for people: file and line, or the setting."""
        contact = self._known.by_id.get(person.id.casefold())
        if contact is not None and contact.role is person.role:
            return phrases.at_line(f"{self._path.name}, line {contact.line}", language)
        if person.id.startswith(f"{TERMINAL}-"):
            return Phrase("the person at the terminal").said(language)
        if person.role is self._access.default_role:
            return "access.default_role"
        tables = [f"access.roles.{one.name}" for one in self.platforms if one.has_roles]
        return Phrase("their roles on the platform ({tables})").said(
            language, tables=", ".join(tables)
        )

    async def follow_record(
        self, record: ContactRecord, kept: Iterable[str] = (), *, only_look: bool = False
    ) -> None:
        """From now on compare each version of the file with the record, this one too.

        `kept`: ids that have something outside the database. Raises StorageError.
        """
        known = self._known.list
        verdict = await record.judge(known.contacts, frozenset(kept), only_look=only_look)
        self._log_withheld(verdict)
        self._known = await asyncio.to_thread(_Known, known, self.platforms, verdict)
        self.record = record

    async def reload_if_changed(self) -> bool:
        """Read the file again when it changed.

        If it is invalid or missing, names, ids and bans of the last good version stay in use. Roles
        above Guest do not, because nobody can read who was to lose them. The terminal is exempt.
        """
        async with self._reading:
            return await self._reload_if_changed()

    async def _reload_if_changed(self) -> bool:
        if not await asyncio.to_thread(self._file.changed):
            return False
        try:
            read = await asyncio.to_thread(
                partial(_read, self._path, self.platforms, required=bool(self.people))
            )
        except SettingsError as error:
            self._trouble = (
                f"{error} (the last good version is in use, and gives nobody more than Guest)"
            )
            log.warning("file=<%s> | %s", self._path, self._trouble)
            return False
        verdict = await self._judged(read)  # before anybody is found by the new version
        self._log_withheld(verdict)
        self._known = await asyncio.to_thread(_Known, read, self.platforms, verdict)
        self._trouble = None
        for changed in self._subscribers:
            changed()
        return True

    async def _judged(self, read: ContactList) -> Verdict:
        """What the record says; without its answer, no id that is new gets what is kept for it."""
        if self.record is None:
            return _NOTHING_WITHHELD
        try:
            return await self.record.judge(read.contacts)
        except StorageError as error:
            log.warning("file=<%s>, error=<%s> | new ids could not be checked", self._path, error)
            self._file = LiveFile(self._path)  # looked at again
            known = {one.id: accounts_of(one) for one in self._known.list.contacts}
            old = self._known.verdict
            new = {
                one.id: ()
                for one in read.contacts
                if one.id not in known or not known[one.id] & accounts_of(one)
            }
            return Verdict({**new, **old.withheld}, old.used)

    async def reread(self) -> None:
        """Have every process read the file again, because the record has changed."""
        await asyncio.to_thread(self._path.touch)
        await self.reload_if_changed()

    def _log_withheld(self, verdict: Verdict) -> None:
        for id_, accounts in verdict.withheld.items():
            log.warning(
                "file=<%s>, id=<%s> | the id %s: its things are withheld",
                self._path,
                id_,
                _whose(accounts),
            )

    @property
    def withheld(self) -> frozenset[str]:
        """Ids in the file that belonged to somebody else; nobody has them."""
        return frozenset(self._known.verdict.withheld)

    @property
    def written_people(self) -> tuple[Contact, ...]:
        """The entries of the file, those whose id is withheld as they are written."""
        return self._known.list.contacts

    def written(self, id_: str) -> Contact | None:
        """The entry of the file with this id, also while the id is withheld."""
        return next((one for one in self._known.list.contacts if one.id == id_), None)

    def was_used(self, id_: str) -> bool:
        """Whether some contact has or had this id."""
        return id_.casefold() in self._known.verdict.used or id_.casefold() in self._known.by_id

    def new_id(self) -> str:
        """An id for a new contact, that nobody has or had."""
        return new_person_id(self._known.verdict.used | self._known.by_id.keys())

    def earlier_ids(self) -> tuple[EarlierId, ...]:
        """The ids that accounts of contacts have by themselves."""
        return self._known.earlier

    def subscribe(self, changed: Callable[[], None]) -> None:
        """Call `changed` after each reading of the file that brought a new version."""
        self._subscribers.append(changed)

    async def set_contact(self, contact: Contact) -> None:
        """Add or change a contact; comments stay, and `<file>.bak` keeps the old text.

        Raises SettingsError if the file would be invalid, StorageError if it cannot be written.
        """
        name = self._path.name
        await self._store.update(
            name, lambda text: with_contact(text, contact, name, self.platforms), backup=True
        )
        await self.reload_if_changed()

    async def remove_contact(self, id_: str) -> None:
        """Remove a contact from the file; comments stay, and `<file>.bak` keeps the old text.

        Raises SettingsError when nobody has this id or the file is not valid, StorageError when it
        can't be written.
        """
        name = self._path.name
        await self._store.update(
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
        table = self._access.roles.get(platform, {})
        return _highest(table[role] for role in sender.platform_roles if role in table)

    def _at_the_terminal(self, sender: PlatformPerson) -> Person:
        """The operator at the keyboard owns the files, so only `--role` limits them."""
        chosen, name = _chosen_role(sender), sender.name or sender.id
        contact = self._known.by_platform_id.get((TERMINAL, sender.id))
        contact = contact or self._known.by_id.get(sender.id.casefold())
        if contact is not None:
            return self._person(contact, chosen or contact.role)
        return Person(at_terminal(name), name, chosen or Role.MASTER_ADMIN)


def _whose(accounts: Sequence[tuple[str, str]]) -> str:
    """Of whom an id was, for people."""
    names = ", ".join(f"{platform}:{one}" for platform, one in accounts)
    return f"belonged to {names}" if names else "belonged to a contact that was removed"


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


def _read(path: Path, platforms: KnownPlatforms, *, required: bool = False) -> ContactList:
    if required and not path.exists():
        raise SettingsError(
            f"{path.name} has vanished; put it back, or leave an empty file to know nobody"
        )
    return parse_contacts(read_text(path), path.name, platforms)
