"""Example sets: folders of `examples/` whose agents, tools and skills a home can take over.

A home keeps what it took in `data/examples/<set>.json`: each file with its hash. So removing a set,
or taking a newer one, never touches a file that somebody has changed since.
"""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from bot.errors import BotError, StorageError
from bot.regular_file import read_regular_file
from bot.shipped import shipped_dir
from bot.storage.confined import open_folder, replace_bytes

_ABOUT = "set.yaml"
_PLACES = ("prompts", "skills")
BEFORE = ".before"
"""Ends the name of a file that a set replaced."""


class ExampleProblem(BotError):
    """A set can't be found, read, taken over or removed."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    about: str
    example: str = ""
    file: str = ""
    """The file of the set that needs it."""


class _SetFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    about: str
    secrets: tuple[_Part, ...] = ()
    servers: tuple[_Part, ...] = ()
    settings: tuple[_Part, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExampleSet:
    """A set as it ships. `files`: paths in a home, with their bytes."""

    name: str
    about: _SetFile
    files: dict[str, bytes]


@dataclass(frozen=True)
class Standing:
    """How a home's files compare with a set's."""

    new: tuple[str, ...]
    same: tuple[str, ...]
    older: tuple[str, ...]
    """Taken over before, unchanged since, and different in the set of now."""
    others: tuple[str, ...]
    """Files that somebody wrote or changed."""


def example_sets() -> list[ExampleSet]:
    """All sets, by name. Blocking."""
    root = shipped_dir("examples")
    return [_read(path.parent) for path in sorted(root.glob(f"*/{_ABOUT}"))]


def example_set(name: str) -> ExampleSet:
    """Raises ExampleProblem for a name that no set has. Blocking."""
    sets = {one.name: one for one in example_sets()}
    if name not in sets:
        raise ExampleProblem(f"there is no set {name!r}; there are {', '.join(sets) or 'none'}")
    return sets[name]


def _read(folder: Path) -> ExampleSet:
    try:
        about = _SetFile.model_validate(yaml.safe_load((folder / _ABOUT).read_text("utf-8")))
    except (ValidationError, yaml.YAMLError) as error:
        raise ExampleProblem(f"{folder / _ABOUT} can't be read: {error}") from error
    paths = sorted(path for place in _PLACES for path in (folder / place).rglob("*"))
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }
    return ExampleSet(folder.name, about, files)


def installed(home: Path) -> dict[str, dict[str, str]]:
    """The sets that a home took over: their files with hashes.

    Blocking. Raises ExampleProblem.
    """
    found: dict[str, dict[str, str]] = {}
    folder = home / "data" / "examples"
    try:
        paths = sorted(folder.glob("*.json"))
    except OSError as error:
        raise ExampleProblem(
            f"{folder} can't be read ({error.strerror}); make it a readable folder"
        ) from error
    for path in paths:
        try:
            kept: Any = json.loads(read_regular_file(path))
        except (ValueError, OSError) as error:
            raise ExampleProblem(f"{path} can't be read; delete it: {error}") from error
        if isinstance(kept, dict):
            found[path.stem] = cast("dict[str, str]", kept)
    return found


def standing(one: ExampleSet, home: Path) -> Standing:
    """Compare. Blocking."""
    kept = installed(home).get(one.name, {})
    sorted_out: dict[str, list[str]] = {"new": [], "same": [], "older": [], "others": []}
    for path, content in one.files.items():
        sorted_out[_how(home / path, content, kept.get(path))].append(path)
    return Standing(**{name: tuple(paths) for name, paths in sorted_out.items()})


def _how(place: Path, content: bytes, kept: str | None) -> str:
    if not os.path.lexists(place):
        return "new"
    if place.is_symlink() or not place.is_file():
        return "others"
    now = place.read_bytes()
    if now == content:
        return "same"
    return "older" if _digest(now) == kept else "others"


def take_over(one: ExampleSet, home: Path, *, keep: bool, replace: bool) -> list[str]:
    """Write a set's files into a home; what was done, a line for each file. Blocking.

    Raises ExampleProblem if that would overwrite somebody's file, unless `keep` leaves it or
    `replace` puts it aside.
    """
    found = standing(one, home)
    if found.others and not (keep or replace):
        listed = "\n".join(f"  {path}" for path in found.others)
        raise ExampleProblem(
            "nothing was written: these files exist and are not the set's\n"
            f"{listed}\n--keep leaves them as they are; --replace puts each aside as NAME{BEFORE}"
        )
    told: list[str] = []
    record = dict(installed(home).get(one.name, {}))
    for path in (*found.new, *found.older, *(found.others if replace else ())):
        place = home / path
        if path in found.others:
            place.replace(_aside(place))
            told.append(f"wrote {path} (the former one is {path}{BEFORE})")
        else:
            told.append(f"{'wrote' if path in found.new else 'updated'} {path}")
        _write(place, one.files[path])
    told += [f"kept  {path}, which is yours" for path in found.others if not replace]
    told += [f"has   {path}" for path in found.same]
    ours = [path for path in one.files if replace or path not in found.others]
    record |= {path: _digest(one.files[path]) for path in ours}
    text = json.dumps(record, indent=1, sort_keys=True)
    _write(home / "data" / "examples" / f"{one.name}.json", text.encode())
    return told


def take_away(name: str, home: Path) -> list[str]:
    """Remove what a home took over and nobody has changed since. Blocking."""
    record = installed(home).get(name)
    if record is None:
        have = ", ".join(installed(home)) or "none"
        raise ExampleProblem(f"{name!r} was not added to this home; there are {have}")
    told: list[str] = []
    for path, digest in sorted(record.items()):
        place = home / path
        if not os.path.lexists(place):
            continue
        if place.is_symlink() or not place.is_file() or _digest(place.read_bytes()) != digest:
            told.append(f"kept    {path}, which was changed")
            continue
        place.unlink()
        told.append(f"removed {path}")
        _remove_empty(place.parent, home)
    (home / "data" / "examples" / f"{name}.json").unlink()
    return told


def _remove_empty(folder: Path, home: Path) -> None:
    """Folders of one set that are empty now; those of every home stay."""
    stay = {home, *(home / place for place in (*_PLACES, "prompts/tools", "prompts/agents"))}
    stay.add(home / "prompts" / "tools" / "shared")
    while folder not in stay and folder.is_relative_to(home) and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _aside(place: Path) -> Path:
    aside = place.with_name(place.name + BEFORE)
    if os.path.lexists(aside):
        raise ExampleProblem(f"{aside} exists already; move it away first")
    return aside


def _write(place: Path, content: bytes) -> None:
    try:
        with open_folder(place.parent, (), create=True) as folder:
            replace_bytes(folder, place.name, content)
    except OSError as error:
        raise StorageError(f"cannot write {place}: {error.strerror}") from error
