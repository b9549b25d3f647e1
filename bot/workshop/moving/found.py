"""What was found in another assistant's home, and what was left there."""

from dataclasses import dataclass, field

from bot.domain.json_types import JsonObject
from bot.domain.memory import MemoryEntry
from bot.workshop.review.findings import Finding


@dataclass(frozen=True)
class FoundPerson:
    """An account that might talk with the other assistant."""

    platform: str
    id: str
    """In the spelling of contacts.yaml."""
    name: str
    """Empty if the home knows only the id."""


@dataclass(frozen=True)
class FoundSchedule:
    """A task that runs by the clock; exactly one of `cron` and `at` is set."""

    name: str
    prompt: str
    cron: str = ""
    at: str = ""
    zone: str = ""
    """Empty: the zone of whoever hands it in."""


@dataclass(frozen=True)
class FoundServer:
    """An MCP server as it would stand in bellhop.yaml, with names in place of its secrets."""

    name: str
    settings: JsonObject


@dataclass(frozen=True)
class LeftOut:
    """Something that is not taken, and why."""

    what: str
    why: str


@dataclass
class FoundHome:
    """Everything that a reader found. Texts in it are untrusted."""

    rival: str
    """The importer's name."""
    title: str
    """The assistant's name for people."""
    people: dict[tuple[str, str], FoundPerson] = field(
        default_factory=dict[tuple[str, str], FoundPerson]
    )
    memories: dict[str, tuple[MemoryEntry, ...]] = field(
        default_factory=dict[str, tuple[MemoryEntry, ...]]
    )
    """Entries by the file that they stand in."""
    skills: list[str] = field(default_factory=list[str])
    """Folders with a SKILL.md, relative to the home."""
    schedules: list[FoundSchedule] = field(default_factory=list[FoundSchedule])
    servers: list[FoundServer] = field(default_factory=list[FoundServer])
    secrets: list[str] = field(default_factory=list[str])
    """The names of secrets that the home holds; their values are never kept."""
    left: list[LeftOut] = field(default_factory=list[LeftOut])
    findings: list[Finding] = field(default_factory=list[Finding])

    def leave(self, what: str, why: str) -> None:
        one = LeftOut(what, why)
        if one not in self.left:
            self.left.append(one)
