"""The folder `imports/<assistant>` of a home: what was found, for a MasterAdmin to read and change.

Blocking: runs in a thread.
"""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.domain.memory import MemoryEntry
from bot.errors import BotError
from bot.memory.entries import format_entry, parse_entries
from bot.regular_file import read_text_file
from bot.workshop.moving.found import FoundHome, FoundSchedule, HomeImporter
from bot.workshop.moving.taking import untrusted
from bot.yaml_file import inline_yaml, write_yaml

FOLDER = "imports"
PEOPLE, MEMORY, SCHEDULES, SERVERS = "people.yaml", "memory.md", "schedules", "mcp.yaml"


class NotMoved(BotError):
    """Something can't be staged or taken over; the text says why, and what to do."""


@dataclass(frozen=True)
class Staged:
    """What waits of one assistant."""

    home: Path
    importer: HomeImporter

    @property
    def rival(self) -> str:
        return self.importer.name

    @property
    def folder(self) -> Path:
        return self.home / FOLDER / self.rival

    def require_none(self) -> None:
        """Raises NotMoved if something waits here already."""
        if self.folder.exists():
            raise NotMoved(
                f"{self.folder} waits already; `bellhop import approve {self.rival}` takes it, and "
                f"`bellhop import discard {self.rival}` throws it away"
            )

    def put(self, found: FoundHome, slug: Callable[[str], str]) -> None:
        """Write what was found. Raises NotMoved if something waits here already."""
        self.require_none()
        new = self.folder.with_name(f".{self.rival}.new")
        shutil.rmtree(new, ignore_errors=True)
        (new / SCHEDULES).mkdir(parents=True)
        for name, text in (
            (PEOPLE, _people(found)),
            (MEMORY, _memory(found)),
            (SERVERS, _servers(found)),
        ):
            if text:
                (new / name).write_text(text, encoding="utf-8")
        for name, text in _schedules(found.schedules, slug):
            (new / SCHEDULES / f"{name}.md").write_text(text, encoding="utf-8")
        new.rename(self.folder)

    def people(self) -> str:
        """The people as they stand in the file, in the form of contacts.yaml."""
        return self._text(PEOPLE)

    def memories(self) -> tuple[MemoryEntry, ...]:
        """The entries as they stand in the file; each stays marked as from outside."""
        return tuple(untrusted(one, self.rival) for one in parse_entries(self._text(MEMORY)))

    def schedules(self) -> list[Path]:
        return sorted((self._there() / SCHEDULES).glob("*.md"))

    def servers(self) -> Path | None:
        path = self._there() / SERVERS
        return path if path.is_file() else None

    def discard(self) -> None:
        shutil.rmtree(self._there())

    def _there(self) -> Path:
        if not self.folder.is_dir() or self.folder.is_symlink():
            raise NotMoved(
                f"nothing of {self.importer.title} waits here; begin with `bellhop import "
                f"{self.rival} PATH --stage`"
            )
        return self.folder

    def _text(self, name: str) -> str:
        try:
            return read_text_file(self._there() / name)
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or "it is no text in UTF-8"
            raise NotMoved(f"{self.folder / name}: {why}") from error


def _people(found: FoundHome) -> str:
    if not found.people:
        return ""
    entries = [
        {
            "name": one.name or f"{one.platform} {one.id[-4:]}",
            "ids": {one.platform: one.id},
        }
        for one in found.people.values()
    ]
    return (
        f"# People who might write to {found.title}. Take out whom you don't want,\n"
        "# correct names, and add `role:` where somebody is to have more than the default role.\n"
        f"{write_yaml(entries)}"
    )


def _memory(found: FoundHome) -> str:
    parts = [
        f"\n# {path}\n\n" + "".join(format_entry(one) for one in entries)
        for path, entries in found.memories.items()
    ]
    if not parts:
        return ""
    return (
        f"<!-- What {found.title} kept. Take out what you don't want. Each entry stays "
        "private and marked as from outside, whatever its tags say. -->\n" + "".join(parts)
    )


def _servers(found: FoundHome) -> str:
    if not found.servers:
        return ""
    servers = {one.name: one.settings for one in found.servers}
    return (
        "# Nothing reads this file. Look at each program and address (its path may hold a key),\n"
        "# put what stands in ${…} into .env, and copy what you want into bellhop.yaml.\n"
        f"{write_yaml({'mcp': {'servers': servers}})}"
    )


def _schedules(
    schedules: Sequence[FoundSchedule], slug: Callable[[str], str]
) -> list[tuple[str, str]]:
    """Files by their stem; of two with one name, the later is numbered."""
    files: dict[str, str] = {}
    for one in schedules:
        name, number = one.name, 1
        while slug(name) in files:
            number += 1
            name = f"{one.name[:50]} {number}"
        when = f"cron: {inline_yaml(one.cron)}" if one.cron else f"at: {inline_yaml(one.at)}"
        zone = [f"timezone: {inline_yaml(one.zone)}"] if one.zone else []
        lines = ["---", f"name: {inline_yaml(name)}", when, *zone, "---", "", one.prompt]
        files[slug(name)] = "\n".join(lines) + "\n"
    return list(files.items())
