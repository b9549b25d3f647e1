"""Finds tool files under the prompt roots and reads those that changed.

Blocking: runs in a thread.
"""

import os
import sys
from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path

from bot.domain.tools import NativeImplementation, ShellImplementation, ToolDefinition
from bot.lazy_dataclass import dataclass
from bot.regular_file import read_regular_file
from bot.storage.live_files import LiveFiles, Stamp, Unread
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
        if self.script is None:
            return None
        return replace(
            self.definition,
            implementation=ShellImplementation(self.script),
            parameters=self.definition.stored_parameters,
        )


@dataclass(frozen=True, slots=True)
class _ToolFile:
    """A tool file as last read."""

    relative: str
    """`shared/send.md`: of equal ones, that of the first root counts."""
    stamp: Stamp
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


class ToolFiles(LiveFiles[_ToolFile]):
    """Tool files of several roots (home first); the same relative path in an earlier root wins.

    Only files whose time or size changed are read again. A file that became invalid keeps the texts
    of its last good version, for the roles that both versions name. If its access can't be read,
    only a MasterAdmin keeps it.
    """

    def __init__(self, roots: Sequence[Path], natives: KnowsNatives = NO_NATIVES) -> None:
        super().__init__([root / "tools" for root in roots])
        self._natives = natives
        self._good: dict[str, LoadedTool] = {}
        self._paths: dict[Path, dict[str, Path]] = {}
        """By folder: its files by name, as last found; making a path takes longer than a look."""
        self._stamps: dict[Path, Stamp] = {}
        self._taken: dict[str, set[str]] = {}
        """By the name of a folder: the files that an earlier root has."""
        self._scripts: dict[Path, bool] = {}
        """Whether a script that files name is there, by its path, as seen in this look."""
        self._problems: list[ToolProblem] = []
        """What is wrong with the folders."""

    def look(self) -> Scan:
        """Look at every file once.

        Never raises for a file or folder that can't be read: that is a problem of it.
        """
        self._stamps, self._taken, self._problems = {}, {}, []
        found = {file.relative: file for files in self.scan() for file in files}
        self._stamps, self._taken, self._scripts = {}, {}, {}
        result = Scan(problems=self._problems)
        for relative in sorted(found):
            self._put(found[relative], result)
        for relative in self._good.keys() - found.keys():
            del self._good[relative]
        return result

    def _put(self, file: _ToolFile, result: Scan) -> None:
        result.problems.extend(file.problems)
        if file.broken:
            good = self._good.get(file.relative)
            if good is None:
                result.broken.add(file.relative)
            else:
                held = held_back(good.definition, file.guards)
                result.tools[file.relative] = replace(good, definition=held)
        elif file.tool is None:
            self._good.pop(file.relative, None)
        else:
            result.tools[file.relative] = self._good[file.relative] = file.tool

    # --- finding ---

    def find(self, root: Path) -> Sequence[Path]:
        """The files of a root that no earlier root has."""
        return [path for folder in self._folders(root) for path in self._stamped(folder)]

    def _folders(self, root: Path) -> list[Path]:
        try:
            return sorted(Path(entry.path) for entry in os.scandir(root) if entry.is_dir())
        except FileNotFoundError:
            return []
        except OSError as error:
            self._folder_problem(root, error)
            return []

    def _stamped(self, folder: Path) -> Sequence[Path]:
        try:
            with os.scandir(folder) as found:
                entries = list(found)
        except OSError as error:
            self._folder_problem(folder, error)
            return ()
        before, paths = self._paths.get(folder, {}), dict[str, Path]()
        taken = self._taken.setdefault(folder.name, set())
        scripted = {entry.name[:-3] for entry in entries if entry.name.endswith(".sh")}
        for entry in entries:
            name = sys.intern(entry.name)  # as in the path, which lives as long
            path = before.get(name)
            if name in taken or not (path or _is_tool_file(name)):
                continue
            path = path or folder / name
            try:
                if entry.is_dir():
                    continue
                status = entry.stat()
            except OSError as error:
                text = f"the file can't be read: {error.strerror}"
                self._problems.append(ToolProblem(path, 0, text))
                continue
            self._stamps[path] = (status.st_mtime_ns, status.st_size, name[:-3] in scripted)
            paths[name] = path
        self._paths[folder] = paths
        taken.update(paths)
        return list(paths.values())

    def _folder_problem(self, folder: Path, error: OSError) -> None:
        text = f"the folder can't be read: {error.strerror}"
        self._problems.append(ToolProblem(folder, 0, text))

    # --- reading ---

    def stamp(self, path: Path) -> Stamp:
        """Time, size, and whether a script of its name lies beside it."""
        return self._stamps[path]

    def is_current(self, file: _ToolFile, stamp: Stamp) -> bool:
        """A broken file never is: a missing script may have been added without a change of it."""
        return not file.broken and file.stamp == stamp

    def text(self, root: Path, path: Path) -> str:
        size = self._stamps[path][1]
        if size > MAX_BYTES:
            text = f"the file has {size:,} bytes; at most {MAX_BYTES:,} are read"
            raise ToolFileError(ToolProblem(path, 0, text))
        return read_regular_file(path, MAX_BYTES).decode("utf-8")

    def parsed(self, path: Path, stamp: Stamp, text: str, before: _ToolFile | None) -> _ToolFile:
        folder, script = path.parent.name, bool(stamp[2])
        relative = f"{folder}/{path.name}"
        try:
            found = read_tool_file(
                text, path=path, folder=folder, natives=self._natives, has_script=script
            )
            tool = self._loaded(found, path, has_script=script)
            return _ToolFile(relative, stamp, tool, found.warnings)
        except ToolFileError as error:
            more = read_problems(
                text, path=path, folder=folder, natives=self._natives, has_script=script
            )
            problems = tuple(dict.fromkeys((error.problem, *more)))
            guards = read_guards(text, path=path, folder=folder)
            return _ToolFile(relative, stamp, None, problems, broken=True, guards=guards)

    def _loaded(self, found: ToolFile, path: Path, *, has_script: bool) -> LoadedTool | None:
        definition = found.definition
        if definition is None:
            return None
        match definition.implementation:
            case ShellImplementation(script) if not self._there(script):
                text = (
                    f"## Implementation: there is no script {script.name} beside the file; "
                    "add it or correct the name"
                )
                raise ToolFileError(ToolProblem(path, 0, text))
            case NativeImplementation() if has_script and not found.explicit_implementation:
                return LoadedTool(definition, path.with_suffix(".sh"))
            case _:
                return LoadedTool(definition)

    def _there(self, script: Path) -> bool:
        there = self._scripts.get(script)
        if there is None:
            there = self._scripts[script] = script.is_file()
        return there

    def failed(
        self,
        path: Path,
        stamp: Stamp,
        error: Unread,
        before: _ToolFile | None,
    ) -> _ToolFile:
        if isinstance(error, ToolFileError):
            problem = error.problem
        elif isinstance(error, UnicodeDecodeError):
            line = error.object[: error.start].count(b"\n") + 1
            problem = ToolProblem(path, line, "the file is not UTF-8; save it as UTF-8")
        else:
            why = error.strerror if isinstance(error, OSError) else error
            problem = ToolProblem(path, 0, f"the file can't be read: {why}")
        return _ToolFile(_relative(path), stamp, None, (problem,), broken=True)


def _relative(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def _is_tool_file(name: str) -> bool:
    return name.endswith(".md") and not name.startswith(".") and name.casefold() != "readme.md"
