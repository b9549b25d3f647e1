"""Browser profiles: cookies and site storage of sessions, each in its own folder.

A profile belongs to a person, an agent and a place: a login in a direct message is a login nowhere
else. Everything here blocks.
"""

import json
import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

from bot.plugin.folders import open_folder, read_bytes, replace_bytes
from bot.plugin.tables import StorageError
from bot.plugin.tools import Learned, ToolContext, raised_as

_FILE = "state.json"
STATE_BYTES = 8_000_000


@dataclass(frozen=True)
class BrowserProfile:
    """The person and agent of a session, and the place of its use."""

    person: str
    agent: str
    place: Learned

    @classmethod
    def of(cls, context: ToolContext) -> "BrowserProfile":
        """Each direct message and each private channel has its own; public channels share one."""
        place = Learned.at(context.location)
        return cls(
            context.person.id, context.agent, place if place.private else Learned(place.reach)
        )

    @property
    def parts(self) -> tuple[str, str]:
        place = f"{self.agent}\0{self.place.reach}\0{self.place.channel}"
        return person_folder(self.person), f"{self.place.reach}-{_digest(place)}"


class BrowserProfiles:
    """The folder `data/browser` of a home, closed to other users of the machine."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def load(self, profile: BrowserProfile) -> dict[str, Any] | None:
        """The state of a session, or None for a new one. One that can't be read counts as new."""
        try:
            with open_folder(self._root, profile.parts) as folder:
                return cast("dict[str, Any]", json.loads(read_bytes(folder, _FILE, STATE_BYTES)))
        except (OSError, ValueError):
            return None

    def save(self, profile: BrowserProfile, state: object) -> bool:
        """Keep the state; False when it is larger than a state may be. Raises StorageError."""
        data = json.dumps(state, ensure_ascii=False).encode()
        if len(data) > STATE_BYTES:
            return False
        with raised_as(StorageError, OSError, about="the browser's logins can't be kept"):
            self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._root.chmod(0o700)
            with open_folder(self._root, profile.parts[:1], create=True) as folder:
                os.fchmod(folder, 0o700)
            with open_folder(self._root, profile.parts, create=True) as folder:
                os.fchmod(folder, 0o700)
                replace_bytes(folder, _FILE, data)
                os.chmod(_FILE, 0o600, dir_fd=folder)
        return True

    def holding(self, persons: Collection[str]) -> set[str]:
        """Those of these people who have a saved profile."""
        try:
            kept = {one.name for one in self._root.iterdir()}
        except FileNotFoundError:
            return set()
        return {person for person in persons if person_folder(person) in kept} if kept else set()

    def move(self, earlier: str, person: str) -> None:
        """Give one person id's profiles to another, which keeps its own where both have one."""
        source, target = self._root / person_folder(earlier), self._root / person_folder(person)
        if not source.is_dir() or source == target:
            return
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in source.iterdir():
            if not (target / folder.name).exists():
                folder.rename(target / folder.name)
        with suppress(OSError):
            shutil.rmtree(source)


def person_folder(person: str) -> str:
    return _digest(person)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]
