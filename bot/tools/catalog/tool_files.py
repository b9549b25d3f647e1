"""Finds tool files under the prompt roots and reads those that changed.

Blocking: runs in a thread.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from bot.domain.tools import NativeImplementation, ShellImplementation, ToolDefinition
from bot.regular_file import read_regular_file, undecoded_line
from bot.tools.definitions.definition import (
    NO_NATIVES,
    ToolFile,
    read_guards,
    read_problems,
    read_tool_file,
)
from bot.tools.definitions.guards import CLOSED, Guards, held_back
from bot.tools.definitions.natives import KnowsNatives
from bot.tools.definitions.sections import ToolFileError, ToolProblem

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

    root: Path
    modified_ns: int
    size: int
    has_script: bool
    """Whether a script of its name lies beside it."""
    good: LoadedTool | None
    """Its last good version; None for a file that was never readable or is switched off."""
    problems: tuple[ToolProblem, ...] = ()
    held_to: Guards | None = None
    """The guards of a broken file; None for a sound one."""

    def is_current(self, root: Path, modified_ns: int, size: int, has_script: bool) -> bool:
        """A broken file never is: a missing script may have been added without a change of it."""
        return (
            self.modified_ns == modified_ns
            and self.size == size
            and self.has_script == has_script
            and self.root is root
            and self.held_to is None
        )


_Content: TypeAlias = tuple[LoadedTool | None, tuple[ToolProblem, ...], Guards | None]
"""The last three fields of a tool file."""


@dataclass
class Scan:
    """The result of a scan: tools by folder and file name, and all problems."""

    tools: list[LoadedTool] = field(default_factory=list[LoadedTool])
    problems: list[ToolProblem] = field(default_factory=list[ToolProblem])
    broken: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Names by folder of files never readable: they still hide tools of their name."""


class ToolFiles:
    """Tool files of several roots (home first); a file in an earlier root hides its namesake.

    Only files whose time or size changed are read again. A file that became invalid keeps the texts
    of its last good version, for the roles that both versions name. If its access can't be read,
    only a MasterAdmin keeps it. There may be thousands of files, so a look makes nothing for those
    that are as before.
    """

    def __init__(self, roots: Sequence[Path], natives: KnowsNatives = NO_NATIVES) -> None:
        self._roots = tuple(dict.fromkeys(root / "tools" for root in roots))
        self._natives = natives
        self._files: dict[str, dict[str, _ToolFile]] = {}
        """By folder and file name, as last found."""
        self._scripts: dict[Path, bool] = {}
        """Whether a script that files name is there, by its path, as seen in this look."""
        self._problems: list[ToolProblem] = []
        """What is wrong with the folders."""

    def look(self) -> Scan:
        """Look at every file once.

        Never raises for a file or folder that can't be read: that is a problem of it.
        """
        self._scripts, self._problems = {}, []
        found: dict[str, dict[str, _ToolFile]] = {}
        for root in self._roots:
            for directory in self._directories(root):
                self._look_into(root, directory, found.setdefault(directory.name, {}))
        self._files = found
        result = Scan(problems=self._problems)
        for folder in sorted(found):
            files = found[folder]
            for name in sorted(files):
                _put(files[name], result)
            if never := [name for name, file in files.items() if file.held_to and not file.good]:
                result.broken[folder] = frozenset(name.removesuffix(".md") for name in never)
        return result

    # --- finding ---

    def _directories(self, root: Path) -> list[Path]:
        try:
            with os.scandir(root) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except FileNotFoundError:
            return []
        except OSError as error:
            self._folder_problem(root, error)
            return []
        return [Path(entry.path) for entry in entries if self._is_folder(entry)]

    def _is_folder(self, entry: os.DirEntry[str]) -> bool:
        """One link that leads nowhere doesn't stop the other folders."""
        try:
            return entry.is_dir()
        except OSError as error:
            self._folder_problem(Path(entry.path), error)
            return False

    def _look_into(self, root: Path, directory: Path, found: dict[str, _ToolFile]) -> None:
        """Add the files of a directory that no earlier root has."""
        try:
            with os.scandir(directory) as listed:
                entries = list(listed)
        except OSError as error:
            self._folder_problem(directory, error)
            return
        before = self._files.get(directory.name, {})
        taken = frozenset(found)
        scripted = {entry.name[:-3] for entry in entries if entry.name.endswith(".sh")}
        for entry in entries:
            name = entry.name
            file = before.get(name)
            if name in taken or not (file or _is_tool_file(name)):
                continue
            try:
                if entry.is_dir():
                    continue
                status = entry.stat()
            except OSError as error:
                self._problems.append(_unreadable(entry.path, error))
                continue
            seen = root, status.st_mtime_ns, status.st_size, name[:-3] in scripted
            if file is None or not file.is_current(*seen):
                good = file.good if file else None
                file = _ToolFile(*seen, *self._read(directory.name, entry.path, *seen[2:], good))
            found[name] = file

    def _folder_problem(self, folder: Path, error: OSError) -> None:
        text = f"the folder can't be read ({error.strerror}); make it a readable folder"
        self._problems.append(ToolProblem(folder, 0, text))

    # --- reading ---

    def _read(
        self, folder: str, path: str, size: int, has_script: bool, good: LoadedTool | None
    ) -> _Content:
        """Read a file; `good` is its last good version."""
        natives = self._natives
        try:
            text = _text(path, size)
        except (OSError, UnicodeDecodeError, ToolFileError) as error:
            return good, (_unread(path, error),), CLOSED
        try:
            found = read_tool_file(
                text, path=path, folder=folder, natives=natives, has_script=has_script
            )
            return self._loaded(found, path, has_script=has_script), found.warnings, None
        except ToolFileError as error:
            more = read_problems(
                text, path=path, folder=folder, natives=natives, has_script=has_script
            )
            problems = tuple(dict.fromkeys((error.problem, *more)))
            return good, problems, read_guards(text, path=path, folder=folder)

    def _loaded(self, found: ToolFile, path: str, *, has_script: bool) -> LoadedTool | None:
        definition = found.definition
        if definition is None:
            return None
        match definition.implementation:
            case ShellImplementation(script) if not self._there(script):
                text = (
                    f"## Implementation: there is no script {script.name} beside the file; "
                    "add it or correct the name"
                )
                raise ToolFileError(ToolProblem(Path(path), 0, text))
            case NativeImplementation() if has_script and not found.explicit_implementation:
                return LoadedTool(definition, Path(path).with_suffix(".sh"))
            case _:
                return LoadedTool(definition)

    def _there(self, script: Path) -> bool:
        there = self._scripts.get(script)
        if there is None:
            there = self._scripts[script] = script.is_file()
        return there


def _put(file: _ToolFile, result: Scan) -> None:
    result.problems.extend(file.problems)
    good = file.good
    if good is not None and file.held_to is not None:
        good = replace(good, definition=held_back(good.definition, file.held_to))
    if good is not None:
        result.tools.append(good)


def _text(path: str, size: int) -> str:
    """Raises OSError, UnicodeDecodeError or ToolFileError."""
    if size > MAX_BYTES:
        text = f"the file has {size:,} bytes; at most {MAX_BYTES:,} are read"
        raise ToolFileError(ToolProblem(Path(path), 0, text))
    return read_regular_file(path, MAX_BYTES).decode("utf-8")


def _unread(path: str, error: OSError | UnicodeDecodeError | ToolFileError) -> ToolProblem:
    """Why a file has no text."""
    if isinstance(error, ToolFileError):
        return error.problem
    if isinstance(error, UnicodeDecodeError):
        text = "the file is not UTF-8; save it as UTF-8"
        return ToolProblem(Path(path), undecoded_line(error), text)
    return _unreadable(path, error)


def _unreadable(path: str, error: OSError) -> ToolProblem:
    text = f"the file can't be read ({error.strerror}); make it a readable text file"
    return ToolProblem(Path(path), 0, text)


def _is_tool_file(name: str) -> bool:
    return name.endswith(".md") and not name.startswith(".") and name.casefold() != "readme.md"
