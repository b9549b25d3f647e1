"""What the importer of another assistant found in its home, what it left, and both in words."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.domain.json_types import JsonObject
from bot.domain.memory import MemoryEntry
from bot.workshop.review.findings import Finding, shown

_MOST_SHOWN = 40


@dataclass(frozen=True)
class HomeImporter:
    """Reads the homes of one other assistant.

    `read` names a function as `package.module:function`, which is imported when it is needed. It
    gets a `HomeReader`, takes with it what Bellhop has a place for, and tells what is left. It
    writes nothing, and runs in a thread.
    """

    name: str
    """`bellhop import NAME`, the folder in `imports/`, and the source of its memories."""
    title: str
    """The assistant's name for people."""
    read: str


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


def found_text(found: FoundHome, where: str) -> str:
    """The listing: what would be taken and how, what is named only, and what stays, with why."""
    return "\n".join([f"{found.title} in {shown(where, 200)}", *_parts(found)])


def found_json(found: FoundHome) -> JsonObject:
    return {
        "rival": found.rival,
        "people": [vars(one) for one in found.people.values()],
        "memories": {path: [one.text for one in held] for path, held in found.memories.items()},
        "skills": found.skills,
        "schedules": [vars(one) for one in found.schedules],
        "servers": [vars(one) for one in found.servers],
        "secrets": found.secrets,
        "left": [vars(one) for one in found.left],
        "findings": [one.to_json() for one in found.findings],
    }


def _parts(found: FoundHome) -> Iterator[str]:
    people = [
        f"{one.platform}:{one.id}{f'  {one.name}' if one.name else ''}"
        for one in found.people.values()
    ]
    entries = sum(map(len, found.memories.values()))
    memories = [f"{shown(path)}: {len(held)}" for path, held in found.memories.items()]
    yield from _part(f"People: {len(people)}, who become contacts with the default role", people)
    yield from _part(
        f"Memory: {entries} entries, for you alone and marked as from outside", memories
    )
    yield from _part(
        f"Skills: {len(found.skills)}, each audited and staged for its own yes",
        [shown(one) for one in found.skills],
    )
    yield from _part(
        f"Schedules: {len(found.schedules)}, a file each to hand in",
        [_schedule(one) for one in found.schedules],
    )
    yield from _part(
        f"MCP servers: {len(found.servers)}, as lines to copy into bellhop.yaml",
        [
            f"{one.name}: {shown(str(one.settings.get('command') or one.settings.get('url')), 80)}"
            for one in found.servers
        ],
    )
    yield from _part(f"Secrets: {len(found.secrets)}, named here and never copied", found.secrets)
    yield from _part(
        f"Not taken: {len(found.left)}", [f"{one.what}: {one.why}" for one in found.left]
    )
    yield from _part(f"Look at these: {len(found.findings)}", [str(one) for one in found.findings])


def _part(head: str, lines: list[str]) -> Iterator[str]:
    if not lines:
        return
    yield ""
    yield head
    yield from (f"  {line}" for line in lines[:_MOST_SHOWN])
    if len(lines) > _MOST_SHOWN:
        yield f"  … and {len(lines) - _MOST_SHOWN} more"


def _schedule(one: FoundSchedule) -> str:
    zone = f" ({one.zone})" if one.zone else ""
    return f"{one.name}: {one.cron or one.at}{zone}"
