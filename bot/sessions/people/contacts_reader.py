"""Reads contacts.yaml after each edit, in a time independent of the number of people."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice

from bot.domain.platforms import KnownPlatforms
from bot.errors import SettingsError
from bot.sessions.people.contacts_file import Contact, ContactList, parse_contacts, there_twice

MOST_ANEW = 20
"""With more new entries than this, parsing all of them takes less time per entry."""
_TOGETHER = 100
"""Entries parsed at once. A tree of 2,000 took 22 MB, which left holes in the heap."""
_FIRST = re.compile(r"^( *)-(?=[ \n])", re.MULTILINE)
_HEAD = re.compile(r"(?: *(?:#.*)?\n)*(?:--- *\n)?(?: *(?:#.*)?\n)*")
_UNUSUAL = re.compile(r"[\r\x85\u2028\u2029\ufeff]|^(?:---|\.\.\.)", re.MULTILINE)
"""Line breaks that only YAML knows, and markers of further documents."""


@dataclass(frozen=True)
class _Entry:
    """The text of one entry; `line` is its first line in the file, from 1."""

    text: str
    line: int


class ContactsReader:
    """Remembers entries by their text and parses only those that are new.

    The result equals that of `parse_contacts`: a text that can't be cut into entries, or that has a
    mistake, is parsed in one piece.
    """

    def __init__(self, platforms: KnownPlatforms, together: int = _TOGETHER) -> None:
        self._platforms = platforms
        self._together = together
        self._known: dict[str, Contact] = {}
        self.parsed_whole = 0
        """How often every entry of a file was parsed."""

    def read(self, text: str, file: str) -> ContactList:
        """Raises SettingsError; see `parse_contacts`."""
        entries = _cut(text)
        new = frozenset(entry.line for entry in entries if entry.text not in self._known)
        if len(new) > MOST_ANEW:
            new = frozenset(entry.line for entry in entries)
        found = self._in_parts(entries, new, file)
        if found is None or len(new) == len(entries):
            self.parsed_whole += 1
        if found is None:
            found = parse_contacts(text, file, self._platforms)
        self._remember(entries, found)
        return found

    def _in_parts(
        self, entries: Sequence[_Entry], new: frozenset[int], file: str
    ) -> ContactList | None:
        """Parse the entries on `new` lines; None if the file has to be parsed in one piece."""
        if not entries:
            return None
        contacts: list[Contact] = []
        problems: list[str] = []
        flawed: set[int] = set()
        for is_new, run in groupby(entries, lambda entry: entry.line in new):
            if not is_new:
                contacts += map(self._remembered, run)
                continue
            while part := list(islice(run, self._together)):
                try:
                    parsed = _parsed(part, file, self._platforms)
                except SettingsError:
                    return None
                if len(parsed.contacts) != len(part):
                    return None
                flawed.update(len(contacts) + at for at in parsed.flawed)
                contacts += parsed.contacts
                problems += parsed.problems
        if there_twice(file, contacts):
            return None
        return ContactList(tuple(contacts), tuple(problems), frozenset(flawed))

    def _remembered(self, entry: _Entry) -> Contact:
        known = self._known[entry.text]
        return known if known.line == entry.line else replace(known, line=entry.line)

    def _remember(self, entries: Sequence[_Entry], found: ContactList) -> None:
        """Remembers entries only if each was parsed from exactly its own text.

        Entries with a problem are parsed again each time, since the problem names a line.
        """
        cut = [entry.line for entry in entries]
        if cut != [contact.line for contact in found.contacts]:
            self._known = {}
            return
        self._known = {
            entry.text: contact
            for at, (entry, contact) in enumerate(zip(entries, found.contacts, strict=True))
            if at not in found.flawed
        }


def _cut(text: str) -> list[_Entry]:
    """The entries of a list in block style; empty where their borders are not certain."""
    first = _FIRST.search(text)
    if first is None or not _HEAD.fullmatch(text, 0, first.start()):
        return []
    if _UNUSUAL.search(text, first.start()):
        return []
    begins = re.compile(rf"^{first[1]}-(?=[ \n])", re.MULTILINE)
    starts = [found.start() for found in begins.finditer(text, first.start())]
    line = text.count("\n", 0, first.start()) + 1
    entries: list[_Entry] = []
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        entries.append(_Entry(text[start:end], line))
        line += text.count("\n", start, end)
    return entries


def _parsed(part: Sequence[_Entry], file: str, platforms: KnownPlatforms) -> ContactList:
    """Parsed below as many empty lines as stand above it, so that problems name its lines."""
    above = "\n" * (part[0].line - 1)
    return parse_contacts(above + "".join(entry.text for entry in part), file, platforms)
