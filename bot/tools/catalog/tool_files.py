"""Finds tool files under the prompt roots and reads those that changed.

Blocking: runs in a thread.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.domain.tools import NativeImplementation, ShellImplementation, ToolDefinition
from bot.regular_file import read_regular_file
from bot.tools.definitions.definition import (
    NO_NATIVES,
    ToolFile,
    read_guards,
    read_problems,
    read_tool_file,
)
from bot.tools.definitions.guards import CLOSED, Guards, held_back
from bot.tools.definitions.natives import KnowsNatives
from bot.tools.definitions.tool_problem import ToolFileError, ToolProblem

MAX_BYTES = 256 * 1024
"""A tool file is a prompt; a larger one is a mistake."""


@dataclass(frozen=True, slots=True)
class LoadedTool:
    """A definition in the catalogue's form."""

    definition: ToolDefinition
    script: Path | None = None
    """The script that serves it if it names no implementation and no native handler exists."""

    def scripted(self) -> ToolDefinition | None:
        """The definition served by its sibling script, if there is one."""
        return (
            replace(self.definition, implementation=ShellImplementation(self.script))
            if self.script
            else None
        )


@dataclass(frozen=True, slots=True)
class _Stamp:
    path: Path
    mtime_ns: int
    size: int
    script: bool


@dataclass(frozen=True, slots=True)
class _Read:
    stamp: _Stamp
    tool: LoadedTool | None
    problems: tuple[ToolProblem, ...]
    broken: bool = False
    guards: Guards = CLOSED
    """The access of a broken file's last good version."""


@dataclass
class Scan:
    """The result of a scan: tools by relative path in sorted order, and all problems."""

    tools: dict[str, LoadedTool] = field(default_factory=dict[str, LoadedTool])
    problems: list[ToolProblem] = field(default_factory=list[ToolProblem])
    broken: set[str] = field(default_factory=set[str])
    """Relative paths of files never readable: they still hide tools of their name."""


class ToolFiles:
    """Tool files of several roots (home first); the same relative path in an earlier root wins.

    Only files whose time or size changed are read again. A file that became invalid keeps the texts
    of its last good version, for the roles that both versions name. If its access can't be read,
    only a MasterAdmin keeps it.
    """

    def __init__(self, roots: Sequence[Path], natives: KnowsNatives = NO_NATIVES) -> None:
        self._roots = tuple(roots)
        self._natives = natives
        self._seen: dict[str, _Read] = {}
        self._good: dict[str, LoadedTool] = {}

    @property
    def directories(self) -> tuple[Path, ...]:
        """The `tools` folders of all roots, whether they exist or not."""
        return tuple(root / "tools" for root in self._roots)

    def scan(self) -> Scan:
        """Look at every file once.

        Never raises for a file or folder that can't be read: that is a problem of it.
        """
        result = Scan()
        found = self._find(result.problems)
        for relative in sorted(found):
            read = self._read(relative, found[relative])
            result.problems.extend(read.problems)
            if read.broken:
                good = self._good.get(relative)
                if good is None:
                    result.broken.add(relative)
                else:
                    result.tools[relative] = replace(
                        good, definition=held_back(good.definition, read.guards)
                    )
                continue
            if read.tool is None:
                self._good.pop(relative, None)
            else:
                result.tools[relative] = self._good[relative] = read.tool
        for relative in self._good.keys() - found.keys():
            del self._good[relative]
        self._seen = {relative: read for relative, read in self._seen.items() if relative in found}
        return result

    def _find(self, problems: list[ToolProblem]) -> dict[str, _Stamp]:
        found: dict[str, _Stamp] = {}
        for directory in self.directories:
            for folder in _folders(directory, problems):
                for name, stamp in _stamps(folder, problems):
                    found.setdefault(f"{folder.name}/{name}", stamp)
        return found

    def _read(self, relative: str, stamp: _Stamp) -> _Read:
        seen = self._seen.get(relative)
        # Read a broken file each time: a missing script may have been added without a change of the
        # file.
        if seen is None or seen.broken or seen.stamp != stamp:
            seen = self._seen[relative] = self._read_file(stamp, relative.split("/", 1)[0])
        return seen

    def _read_file(self, stamp: _Stamp, folder: str) -> _Read:
        path = stamp.path
        try:
            if stamp.size > MAX_BYTES:
                text = f"the file has {stamp.size:,} bytes; at most {MAX_BYTES:,} are read"
                raise ToolFileError(ToolProblem(path, 0, text))
            return self._read_text(
                read_regular_file(path, MAX_BYTES).decode("utf-8"), stamp, folder
            )
        except ToolFileError as error:
            return _Read(stamp, None, (error.problem,), broken=True)
        except UnicodeDecodeError as error:
            line = error.object[: error.start].count(b"\n") + 1
            return _Read(
                stamp,
                None,
                (ToolProblem(path, line, "the file is not UTF-8; save it as UTF-8"),),
                broken=True,
            )
        except OSError as error:
            text = f"the file can't be read: {error.strerror}"
            return _Read(stamp, None, (ToolProblem(path, 0, text),), broken=True)

    def _read_text(self, text: str, stamp: _Stamp, folder: str) -> _Read:
        path = stamp.path
        try:
            found = read_tool_file(
                text, path=path, folder=folder, natives=self._natives, has_script=stamp.script
            )
            return _Read(stamp, _loaded(found, stamp), found.warnings)
        except ToolFileError as error:
            guards = read_guards(text, path=path, folder=folder)
            more = read_problems(
                text, path=path, folder=folder, natives=self._natives, has_script=stamp.script
            )
            problems = dict.fromkeys((error.problem, *more))
            return _Read(stamp, None, tuple(problems), broken=True, guards=guards)


def _folders(directory: Path, problems: list[ToolProblem]) -> list[Path]:
    try:
        return sorted(Path(entry.path) for entry in os.scandir(directory) if entry.is_dir())
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.append(ToolProblem(directory, 0, f"the folder can't be read: {error.strerror}"))
        return []


def _stamps(folder: Path, problems: list[ToolProblem]) -> Iterator[tuple[str, _Stamp]]:
    try:
        entries = {entry.name: entry for entry in os.scandir(folder)}
    except OSError as error:
        problems.append(ToolProblem(folder, 0, f"the folder can't be read: {error.strerror}"))
        return
    for name, entry in entries.items():
        if not name.endswith(".md") or name.startswith(".") or name.casefold() == "readme.md":
            continue
        try:
            if not entry.is_dir():
                status = entry.stat()
                script = f"{name[:-3]}.sh" in entries
                yield name, _Stamp(Path(entry.path), status.st_mtime_ns, status.st_size, script)
        except OSError as error:
            problems.append(
                ToolProblem(Path(entry.path), 0, f"the file can't be read: {error.strerror}")
            )


def _loaded(found: ToolFile, stamp: _Stamp) -> LoadedTool | None:
    definition = found.definition
    if definition is None:
        return None
    match definition.implementation:
        case ShellImplementation(script) if not script.is_file():
            text = (
                f"## Implementation: there is no script {script.name} beside the file; add it or "
                "correct the name"
            )
            raise ToolFileError(ToolProblem(stamp.path, 0, text))
        case NativeImplementation() if stamp.script and not found.explicit_implementation:
            return LoadedTool(definition, stamp.path.with_suffix(".sh"))
        case _:
            return LoadedTool(definition)
