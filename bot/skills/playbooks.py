"""Playbook candidates: recurring ways of working, and their promotion by a MasterAdmin.

A candidate is `memory/playbooks/candidates/{slug}.md`. Promoting writes `skills/{slug}/SKILL.md`,
which may use the playbook's tools only, and then sets the candidate's status. Everything that
touches files blocks.
"""

import datetime as dt
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bot.domain.access import Access
from bot.domain.languages import Phrase, ToldError
from bot.errors import DefinitionError
from bot.regular_file import plain_lines
from bot.skills import skill_words
from bot.skills.front_matter import FrontMatter, read_front_matter
from bot.skills.names import command_name
from bot.skills.skill_file import DESCRIPTION_CHARS, FILE_BYTES, SKILL_FILE, parse_skill_file
from bot.storage.confined import open_folder, read_bytes, replace_bytes

CANDIDATES = ("memory", "playbooks", "candidates")
CANDIDATE, PROMOTED, REJECTED = "candidate", "promoted", "rejected"
_SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
_STATUS = re.compile(r"status\s*:.*")


class NotPromoted(ToldError):
    """A playbook can't become a skill; one sentence that names file, line and remedy."""


@dataclass(frozen=True)
class Playbook:
    """What one candidate says."""

    slug: str
    name: str
    signature: str
    tools: tuple[str, ...]
    occurrences: int
    sessions: tuple[str, ...]
    first_seen: str
    last_seen: str
    status: str
    steps: str


@dataclass(frozen=True)
class Promotion:
    """A candidate with the skill that it makes.

    `text` is the candidate's own, `lines` where its keys stand.
    """

    playbook: Playbook
    skill: bytes
    text: str
    status_line: int


def read_playbook(text: str, path: Path) -> Playbook:
    """Read a candidate. Raises DefinitionError that names file, line and remedy."""
    return _playbook(read_front_matter(text, str(path)), path.stem)


def _playbook(keys: FrontMatter, slug: str) -> Playbook:
    if not _SLUG.fullmatch(slug):
        raise keys.bad(
            "",
            (
                f"{slug[:80]!r} is no name for a skill; rename the file to a-z, 0-9, - and _, 50 "
                "at most"
            ),
        )
    tools = _texts(keys, "tools")
    limits = keys.confinement_of("tools", tools)
    if not tools or limits is None:
        raise keys.bad(
            "tools",
            "tools is missing or empty; list the tools in the order in which they were used",
        )
    status = keys.text("status")
    if status not in {CANDIDATE, PROMOTED, REJECTED}:
        raise keys.bad(
            "status",
            f"status is {status[:40]!r}; it must be {CANDIDATE} (or {PROMOTED}, {REJECTED})",
        )
    if not keys.body:
        raise keys.bad("", "the playbook has no steps; write them below the second ---")
    name = " ".join(
        "".join(char if char.isprintable() else " " for char in keys.text("name")).split()
    )
    if not name:
        raise keys.bad("name", "name is missing; say in a few words what the playbook does")
    return Playbook(
        slug=slug,
        name=name,
        signature=" ".join(_texts(keys, "signature")),
        tools=limits,
        occurrences=_count(keys),
        sessions=tuple(_texts(keys, "sessions")),
        first_seen=_moment(keys, "first_seen"),
        last_seen=_moment(keys, "last_seen"),
        status=status,
        steps=keys.body,
    )


def _texts(keys: FrontMatter, key: str) -> list[str]:
    value: Any = keys.values.get(key)
    if isinstance(value, str):
        return [value.strip()] if value.strip() else []
    if value is None:
        return []
    if not isinstance(value, list):
        raise keys.bad(key, f"{key} must be a list; write it as [one, two]")
    return [str(item).strip() for item in cast("list[Any]", value)]


def _count(keys: FrontMatter) -> int:
    value = keys.values.get("occurrences")
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise keys.bad("occurrences", "occurrences must be a number of at least 1")
    return value


def _moment(keys: FrontMatter, key: str) -> str:
    value = keys.values.get(key)
    if isinstance(value, dt.date):  # YAML reads dates by itself
        return value.isoformat()
    text = keys.text(key)
    try:
        dt.datetime.fromisoformat(text)
    except ValueError:
        raise keys.bad(key, f"{key} must be a date or time such as 2026-11-20") from None
    return text


def skill_of(playbook: Playbook, access: Access) -> bytes:
    """The SKILL.md: a description from the evidence, the steps, and the playbook's tools only."""
    times = f"{playbook.occurrences} times" if playbook.occurrences > 1 else "once"
    description = (
        f"{playbook.name.rstrip('.')}. A way of working that served {times}: "
        f"{', '.join(playbook.tools)}."
    )
    front = [
        f"name: {playbook.slug}",
        f"description: {json.dumps(description[:DESCRIPTION_CHARS], ensure_ascii=False)}",
        f"command: {command_name(playbook.slug)}",
        *([f"roles: {access.describe()}"] if access.roles is not None else []),
        f"allowed-tools: {' '.join(playbook.tools)}",
    ]
    return "\n".join(["---", *front, "---", "", playbook.steps, ""]).encode("utf-8", "replace")


def prepare(home: Path, slug: str, access: Access) -> Promotion:
    """Read a candidate and make its skill. Raises NotPromoted; writes nothing."""
    slug = slug.removesuffix(".md")
    shown = home.joinpath(*CANDIDATES, f"{slug[:80]}.md")
    try:
        if not _SLUG.fullmatch(slug):
            raise FileNotFoundError
        with open_folder(home, CANDIDATES) as folder:
            data = read_bytes(folder, f"{slug}.md", FILE_BYTES + 1)
        text = plain_lines(data.decode())
        keys = read_front_matter(text, str(shown))
        playbook = _playbook(keys, slug)
        skill = skill_of(playbook, access)
        parse_skill_file(skill, home / "skills" / slug / SKILL_FILE)
    except FileNotFoundError:
        known = ", ".join(candidates(home)) or "none"
        told = Phrase("there is no playbook candidate {name}; there are: {known}").filled(
            name=repr(slug[:80]), known=known
        )
        raise NotPromoted(told) from None
    except UnicodeDecodeError:
        raise NotPromoted(
            Phrase("{file}: is not UTF-8 text; save it as UTF-8").filled(file=shown)
        ) from None
    except DefinitionError as error:
        raise NotPromoted(skill_words.IN_FILES.in_all(str(error))) from None
    return Promotion(playbook, skill, text, keys.lines["status"])


def write_skill(home: Path, made: Promotion) -> None:
    """Make it live, then note it in the candidate.

    Again after a crash, it ends in the same place.
    """
    slug = made.playbook.slug
    with open_folder(home, ("skills", slug), create=True) as folder:
        try:
            there = read_bytes(folder, SKILL_FILE, FILE_BYTES + 1)
        except FileNotFoundError:
            replace_bytes(folder, SKILL_FILE, made.skill)
        else:
            if there != made.skill:
                file = home / "skills" / slug / SKILL_FILE
                raise NotPromoted(
                    Phrase(
                        "{file} is another skill already; rename the candidate or the skill"
                    ).filled(file=file)
                )
    lines = made.text.split("\n")
    lines[made.status_line - 1] = _STATUS.sub(f"status: {PROMOTED}", lines[made.status_line - 1])
    with open_folder(home, CANDIDATES) as folder:
        replace_bytes(folder, f"{slug}.md", "\n".join(lines).encode())


def taken_by_another(home: Path, made: Promotion) -> bool:
    """Whether a skill of this name is there already that this promotion did not write."""
    try:
        with open_folder(home, ("skills", made.playbook.slug)) as folder:
            return read_bytes(folder, SKILL_FILE, FILE_BYTES + 1) != made.skill
    except FileNotFoundError:
        return False
    except OSError:
        return True


def candidates(home: Path) -> list[str]:
    """The names of the candidates that there are."""
    folder = home.joinpath(*CANDIDATES)
    return sorted(path.stem for path in folder.glob("*.md")) if folder.is_dir() else []
