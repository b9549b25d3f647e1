"""contacts.yaml as text: reads entries with lines, and changes one, keeping the rest.

Ids of people are opaque ones for new contacts, and those that platform accounts have by themselves.
No id is made of a name, because strangers choose their names. See docs/security.md#between-people.
"""

import re
import secrets
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, cast
from zoneinfo import ZoneInfo

import yaml
from pydantic import BeforeValidator, Field, ValidationError

from bot.dates.zone_names import no_zone
from bot.domain.access import Role
from bot.domain.platforms import KnownPlatforms
from bot.errors import SettingsError
from bot.settings import Section, explain
from bot.yaml_file import YamlDocument, inline_yaml, kind_of, parse_yaml, write_yaml

TERMINAL = "terminal"
GENERATED = re.compile(r"p-[a-z2-7]{12}", re.IGNORECASE)
"""The form of ids that Bellhop makes; nobody writes one by hand."""
_ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
_CHARS = 12


def new_person_id(taken: Collection[str]) -> str:
    """An id that nobody has. `taken`: all ids that anybody ever had, casefolded."""
    while True:
        made = "p-" + "".join(secrets.choice(_ALPHABET) for _ in range(_CHARS))
        if made not in taken:
            return made


def slug(name: str) -> str:
    """A name of the system as a part of an id: `Ann Lee` gives `ann-lee`."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:48] or "person"


def at_terminal(name: str) -> str:
    """The person id of a terminal user whom contacts.yaml doesn't name."""
    return f"{TERMINAL}-local-{slug(name)}"


def ids_of_accounts(
    ids: Mapping[str, Iterable[str]], platforms: KnownPlatforms
) -> Mapping[tuple[str, str], str]:
    """The person id that each account has by itself, by platform and id as in contacts.yaml."""
    found: dict[tuple[str, str], str] = {}
    for platform, written in ids.items():
        traits = platforms[platform]
        for one in written:
            account = traits.account(one)
            found[platform, one] = (
                at_terminal(one)
                if platform == TERMINAL
                else traits.person_id(account.workspace, account.id)
            )
    return found


def reserved_for(id_: str, platforms: KnownPlatforms) -> str | None:
    """The platform whose accounts have ids of this form; None for any other id."""
    folded = id_.casefold()
    return next((one.name for one in platforms if folded.startswith(f"{one.name}-")), None)


_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_RESERVED = {"playbooks"}
"""Folder names that memory/ uses for itself; a person id names a folder there."""


def _id_list(value: object) -> object:
    return [value] if isinstance(value, str | int) else value


class ContactEntry(Section):
    """One entry in the file's own form."""

    name: str
    id: str | None = None
    role: str | None = None
    timezone: str | None = None
    email: str | None = None
    ids: dict[str, Annotated[list[str], BeforeValidator(_id_list)]] = Field(default_factory=dict)


@dataclass(frozen=True)
class Contact:
    """A known person. `ids`: each platform's ids, in its own spelling."""

    id: str
    name: str
    role: Role | None
    """None: the default role of the settings."""
    timezone: str | None = None
    email: str | None = None
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    line: int = 0
    """The entry's first line, counted from 1; 0 for a new entry."""


@dataclass(frozen=True)
class ContactList:
    contacts: tuple[Contact, ...]
    problems: tuple[str, ...]
    """Problems with a workaround; each names the line and the remedy."""


def parse_contacts(text: str, file: str, platforms: KnownPlatforms) -> ContactList:
    """Read the text of a contacts file.

    Raises SettingsError when an error could give somebody another person's rights.
    """
    document = parse_yaml(text, file)
    if document.value is None:
        return ContactList((), ())
    value: object = document.value
    if not isinstance(value, list):
        raise SettingsError(
            f"{document.file}, line 1: must be a list of `- id: …` entries, not a {kind_of(value)}"
        )
    reader = _EntryReader(document, platforms)
    contacts: list[Contact] = []
    refused: list[str] = []
    for index, item in enumerate(cast("list[object]", value)):
        try:
            contacts.append(reader.contact(index, item))
        except SettingsError as error:
            refused.append(str(error))
    refused += _there_twice(document.file, contacts)
    if refused:
        raise SettingsError("\n".join([*refused, *reader.problems]))
    return ContactList(tuple(contacts), tuple(reader.problems))


@dataclass(eq=False)
class _EntryReader:
    document: YamlDocument
    platforms: KnownPlatforms
    problems: list[str] = field(default_factory=list[str])

    def contact(self, index: int, item: object) -> Contact:
        try:
            entry = ContactEntry.model_validate(item)
        except ValidationError as error:
            found = explain(error, ContactEntry, (index,))
            lines = [
                f"{self._where(path)}: {'.'.join(map(str, path[1:]))} {text}"
                for path, text in found
            ]
            raise SettingsError("\n".join(lines).replace(":  ", ": ")) from error
        ids = self._ids(index, entry)
        return Contact(
            self._id(index, entry, ids),
            " ".join(entry.name.split()),
            self._role(index, entry),
            self._timezone(index, entry),
            entry.email,
            ids,
            self.document.line((index,)),
        )

    def _id(self, index: int, entry: ContactEntry, ids: Mapping[str, tuple[str, ...]]) -> str:
        if not entry.name.strip():
            raise SettingsError(f"{self._where((index, 'name'))}: the name is empty; write one")
        if entry.id is None:
            return self._without_id(index, entry, ids)
        if not _ID.fullmatch(entry.id) or entry.id.casefold() in _RESERVED:
            raise SettingsError(
                f"{self._where((index, 'id'))}: {entry.id!r} cannot be a person id;"
                " use up to 64 letters, digits, `-`, `_` and `.`"
            )
        platform = reserved_for(entry.id, self.platforms)
        if platform and entry.id not in ids_of_accounts(ids, self.platforms).values():
            raise SettingsError(
                f"{self._where((index, 'id'))}: {entry.id!r} is an id that an account on {platform}"
                " has by itself, and this contact has no such account; write another id"
                f" (`bellhop contacts add` makes one), or add the account under `ids: {platform}:`"
            )
        return entry.id

    def _without_id(
        self, index: int, entry: ContactEntry, ids: Mapping[str, tuple[str, ...]]
    ) -> str:
        """The id that the first account has by itself: no id is made of a name."""
        made = next(iter(ids_of_accounts(ids, self.platforms).values()), None)
        if made is None:
            raise SettingsError(
                f"{self._where((index,))}: {entry.name} has no id and no account; add an `id` that"
                " nobody ever had (`bellhop contacts add` makes one)"
            )
        self.problems.append(
            f"{self._where((index,))}: {entry.name} has no id; add `id: {made}`, which is the id of"
            " their first account, or another account at the first place loses their memory"
        )
        return made

    def _role(self, index: int, entry: ContactEntry) -> Role | None:
        if entry.role is None:
            return None
        try:
            return Role.parse(entry.role)
        except ValueError as error:
            self.problems.append(
                f"{self._where((index, 'role'))}: {error}; {entry.name} is a Guest until then"
            )
            return Role.GUEST

    def _timezone(self, index: int, entry: ContactEntry) -> str | None:
        try:
            return ZoneInfo(entry.timezone).key if entry.timezone else None
        except (ValueError, OSError, KeyError):  # ZoneInfo raises all three
            self.problems.append(
                f"{self._where((index, 'timezone'))}: {no_zone(entry.timezone or '')}"
            )
            return None

    def _ids(self, index: int, entry: ContactEntry) -> dict[str, tuple[str, ...]]:
        for platform, ids in entry.ids.items():
            where = self._where((index, "ids", platform))
            if platform not in self.platforms:
                known = ", ".join(traits.name for traits in self.platforms)
                raise SettingsError(f"{where}: {platform!r} is no platform; known are {known}")
            traits = self.platforms[platform]
            for one in ids:
                problem = f"{where}: {one!r} {traits.id_remedy}"
                if traits.id_required and not traits.id_shape.fullmatch(one):
                    raise SettingsError(problem)
                if traits.handle is not None and traits.handle.search(one):
                    self.problems.append(problem)
        return {platform: tuple(one.strip() for one in ids) for platform, ids in entry.ids.items()}

    def _where(self, path: Sequence[Hashable]) -> str:
        return f"{self.document.file}, line {self.document.line(path)}"


def _there_twice(file: str, contacts: Sequence[Contact]) -> list[str]:
    """The problem of two contacts with one id; empty when there is none."""
    found: list[str] = []
    seen: dict[tuple[str, str], Contact] = {}
    for contact in contacts:
        keys = [("id", contact.id.casefold())]
        keys += [(platform, one) for platform, ids in contact.ids.items() for one in ids]
        for key in keys:
            other = seen.setdefault(key, contact)
            if other is not contact:
                found.append(
                    f"{file}, line {contact.line}: {key[0]} {key[1]!r} is there twice (first on "
                    f"line {other.line}); give each person one entry"
                )
    return found


# --- writing ---


def with_contact(text: str, contact: Contact, file: str, platforms: KnownPlatforms) -> str:
    """The text with this contact added, or changed by its id; comments and order stay.

    Raises SettingsError if the text is not valid, or would not be with the contact.
    """
    contact = replace(contact, name=" ".join(contact.name.split()))
    before = parse_contacts(text, file, platforms)
    old = next((known for known in before.contacts if known.id == contact.id), None)
    after = (
        _appended(text, contact)
        if old is None
        else _changed(text, before.contacts.index(old), old, contact)
    )
    if not _keeps(before, after, contact, file, platforms):
        others = [known for known in before.contacts if known is not old]
        after = _dump([_fields(known) for known in (*others, contact)])
        parse_contacts(after, file, platforms)
    return after


def without_contact(text: str, id_: str, file: str, platforms: KnownPlatforms) -> str:
    """The file's text without this contact; comments and order of the others stay.

    Raises SettingsError when the text is not valid, or names nobody with this id.
    """
    before = parse_contacts(text, file, platforms)
    ids = [known.id for known in before.contacts]
    if id_ not in ids:
        raise SettingsError(f"{file} names nobody with the id {id_!r}")
    after = _removed(text, ids.index(id_))
    left = [_fields(known) for known in before.contacts if known.id != id_]
    try:
        kept = [_fields(known) for known in parse_contacts(after, file, platforms).contacts]
    except SettingsError:
        kept = []
    return after if kept == left else _dump(left)


def _removed(text: str, index: int) -> str:
    """The text without the lines of one entry; comments between entries stay."""
    root = cast("yaml.SequenceNode", yaml.compose(text, Loader=yaml.SafeLoader))
    item: yaml.Node = root.value[index]
    start = text.rfind("\n", 0, item.start_mark.index) + 1
    line_end = text.find("\n", _end(item))
    return text[:start] + ("" if line_end < 0 else text[line_end + 1 :])


def _keeps(
    before: ContactList, after: str, contact: Contact, file: str, platforms: KnownPlatforms
) -> bool:
    """Whether the edited text has exactly the intended meaning; otherwise it is written anew."""
    try:
        contacts = parse_contacts(after, file, platforms).contacts
    except SettingsError:
        return False
    found = {known.id: _fields(known) for known in contacts}
    wanted = {known.id: _fields(known) for known in before.contacts}
    return found == {**wanted, contact.id: _fields(contact)}


def _appended(text: str, contact: Contact) -> str:
    entry = _dump([_fields(contact)])
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.SequenceNode):
        return f"{text.rstrip()}\n{entry}".lstrip()
    if not root.value:  # a lone `[]`
        return f"{text[: root.start_mark.index]}{entry}{text[root.end_mark.index :].lstrip()}"
    if root.flow_style:
        return entry  # other entries would be lost, so the file is written anew
    indent = " " * root.start_mark.column
    lines = "".join(f"{indent}{line}\n" for line in entry.splitlines())
    return f"{text.rstrip()}\n{lines}"


def _changed(text: str, index: int, before: Contact, contact: Contact) -> str:
    root = cast("yaml.SequenceNode", yaml.compose(text, Loader=yaml.SafeLoader))
    item: yaml.MappingNode = root.value[index]
    pairs = cast("list[tuple[yaml.ScalarNode, yaml.Node]]", item.value)
    have = {str(key.value): value for key, value in pairs}
    wanted = _fields(contact)
    edits: list[tuple[int, int, str]] = []
    missing = {key: value for key, value in wanted.items() if key not in have}
    old = _fields(before)
    for key, node in have.items():
        if wanted.get(key) != old.get(key):
            start = node.start_mark.index
            gap = " " if text[start - 1] == ":" else ""
            empty: object = {} if key == "ids" else None
            edits.append((start, _end(node), gap + inline_yaml(wanted.get(key, empty))))
    if missing:
        column = pairs[0][0].start_mark.column
        lines = "".join(
            f"\n{' ' * column}{key}: {inline_yaml(value)}" for key, value in missing.items()
        )
        line_end = text.find("\n", _end(item))
        end = len(text) if line_end < 0 else line_end
        edits.append((end, end, lines))
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _end(node: yaml.Node) -> int:
    """The end of a node's own text; a block's end mark comes after the comments behind it."""
    if isinstance(node, yaml.ScalarNode) or (
        isinstance(node, yaml.CollectionNode) and node.flow_style
    ):
        return node.end_mark.index
    if isinstance(node, yaml.MappingNode):
        pairs = cast("list[tuple[yaml.Node, yaml.Node]]", node.value)
        inner = [part for pair in pairs for part in pair]
    else:
        inner = cast("list[yaml.Node]", node.value)
    return max((_end(part) for part in inner), default=node.start_mark.index)


def _fields(contact: Contact) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": contact.id,
        "name": contact.name,
        "role": str(contact.role) if contact.role else None,
        "timezone": contact.timezone,
        "email": contact.email,
        "ids": {platform: list(ids) for platform, ids in contact.ids.items()} or None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def _dump(entries: list[dict[str, Any]]) -> str:
    return write_yaml(entries) if entries else ""
