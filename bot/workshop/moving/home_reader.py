"""What the importer of another assistant's home reads with.

Blocking: runs in a thread.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from bot.workshop.importing.findings import shown
from bot.workshop.moving.foreign_home import ForeignHome, items, mapping, named_lists, word
from bot.workshop.moving.found import FoundHome
from bot.workshop.moving.memories import take_memories
from bot.workshop.moving.people import ALLOWED, PLATFORMS, take_person
from bot.workshop.moving.schedules import Clockwork, take_job
from bot.workshop.moving.servers import take_servers

_SKILL_LEVELS = 3
_INSTRUCTIONS = ("SOUL.md", "AGENTS.md", "IDENTITY.md", "TOOLS.md", "HEARTBEAT.md", "BOOTSTRAP.md")


@dataclass(frozen=True)
class HomeReader:
    """The folder to read, and what decides whether something can be taken.

    What is taken is judged here, whoever reads: memories stay marked as from outside, secrets are
    named and never kept, a job has to fit a schedule. `home` reads files; what nothing takes is
    told with `home.found.leave(what, why)`.
    """

    home: ForeignHome
    clockwork: Clockwork
    slack_team: str
    """The workspace whose people the ids of Slack are; empty if nobody said it."""

    @property
    def found(self) -> FoundHome:
        return self.home.found

    def person(self, platform: str, id_: Any, name: str, where: str) -> None:
        """Take an account that may write there, on one of PLATFORMS."""
        take_person(self.found, platform, id_, name, where, self.slack_team)

    def people(self, platform: str, allowed: Any, where: str) -> None:
        """Take the accounts of a list."""
        for one in items(allowed):
            self.person(platform, one, "", where)

    def channels(self, channels: Any, where: str) -> None:
        """Take the allow-lists of chats by platform, as OpenClaw and nanobot write them."""
        for platform, given in mapping(channels).items():
            if platform in PLATFORMS:
                self.people(platform, list(named_lists(given, ALLOWED)), where)
            elif mapping(given).get("enabled") is not False and isinstance(given, dict):
                self.found.leave(f"the chat {shown(platform, 40)}", "Bellhop doesn't speak there")

    def skills(self, folder: str, but: frozenset[str] = frozenset()) -> None:
        """Take folders with a SKILL.md; `but`: those that ship with the other assistant."""
        if found := list(self._skills(folder, _SKILL_LEVELS)):
            self.found.skills += [one for one in found if PurePosixPath(one).name not in but]
            if shipped := sum(PurePosixPath(one).name in but for one in found):
                self.found.leave(
                    f"skills in {folder}: {shipped}", "shipped with the other assistant"
                )

    def _skills(self, folder: str, levels: int) -> Iterator[str]:
        for name in self.home.names(folder):
            inner = f"{folder}/{name}"
            if name.startswith(".") or not self.home.is_folder(inner):
                continue
            if "SKILL.md" in self.home.names(inner):
                yield inner
            elif levels:
                yield from self._skills(inner, levels - 1)

    def instructions(self, folder: str) -> None:
        """Name the files that tell an agent how to be, which are not taken."""
        for name in sorted({*_INSTRUCTIONS} & {*self.home.names(folder)}):
            why = "it tells an agent how to be; here that is a file of yours (writing-agents.md)"
            self.found.leave(f"{folder}/{name}".lstrip("/"), why)

    def workspace(self, configured: Any, names: tuple[str, ...]) -> str:
        """The folder of the agent's files; one elsewhere is named, and not read."""
        last = PurePosixPath(word(configured) or names[0]).name
        for name in dict.fromkeys((last, *names)):
            if name and self.home.is_folder(name):
                return name
        if word(configured):
            why = "it lies outside of this folder; copy it into it, and look again"
            self.found.leave(f"the workspace {shown(word(configured), 120)}", why)
        return ""

    def memories(self, path: str) -> None:
        """Take the entries of a markdown file: bullets and paragraphs, or pieces between `§`."""
        take_memories(self.home, path)

    def daily_notes(self, folder: str) -> None:
        """Take the newest first: the oldest are left out if there is no room."""
        for name in reversed(self.home.names(folder)):
            if name.endswith(".md"):
                self.memories(f"{folder}/{name}")

    def jobs(self, path: str) -> list[Any]:
        """The jobs of a file: a list, or a list under `jobs`."""
        stored = self.home.json(path)
        return items(stored) or items(mapping(stored).get("jobs"))

    def job(self, job: Any, words: Any) -> None:
        """Take a job of `{name, enabled, schedule}` that hands these words to an agent."""
        take_job(self.found, job, words, self.clockwork)

    def servers(self, servers: Any, where: str) -> None:
        """Take the MCP servers of a mapping by name."""
        take_servers(self.found, servers, where)
