"""What was found in another assistant's home, in words for a terminal."""

from collections.abc import Iterator

from bot.domain.json_types import JsonObject
from bot.workshop.moving.found import FoundHome, FoundSchedule
from bot.workshop.review.findings import shown

_MOST = 40


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
    yield from (f"  {line}" for line in lines[:_MOST])
    if len(lines) > _MOST:
        yield f"  … and {len(lines) - _MOST} more"


def _schedule(one: FoundSchedule) -> str:
    zone = f" ({one.zone})" if one.zone else ""
    return f"{one.name}: {one.cron or one.at}{zone}"
