"""What a start finds out again each time is found out once per test process.

A test opens a home as a starting process does, and every start reads the shipped files and tries
the sandbox: half of what an opening costs. Each answer below depends on nothing but its key, so it
is kept for the next opening. Files that a test writes have texts or paths of their own; those that
ship don't change, so they are not even looked at again. Functions of the rooms are replaced for
that, because the product would gain nothing from keeping anything.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from bot.domain.json_types import JsonObject
from bot.domain.tools import Implementation, ToolDefinition
from bot.storage.definition_files import DefinitionFile, DefinitionFiles
from bot.storage.live_files import Stamp
from bot.tools.catalog import catalog, search, tool_files
from bot.tools.catalog.catalog import CatalogSnapshot
from bot.tools.catalog.tool_files import Scan
from bot.tools.definitions.definition import NO_NATIVES, ToolFile
from bot.tools.definitions.natives import KnowsNatives
from bot.tools.running.sandbox import Bubblewrap, Sandbox
from bot.tools.settings import ShellSettings

T = TypeVar("T")

_CHECKOUT = str(Path(__file__).parents[2])
_TEXTS = 1_000
_CATALOGUES = 8
_FOLDERS = 200
"""Each plug-in has three that are asked for."""


class _Kept(OrderedDict[Hashable, T]):
    """The latest answers, by what they depend on."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def keep(self, key: Hashable, answer: T) -> T:
        self[key] = answer
        if len(self) > self._most:
            self.popitem(last=False)
        return answer

    def once(self, key: Hashable, find_out: Callable[[], T]) -> T:
        """The answer that is known, or else what is found out now. Threads may ask at once."""
        try:
            return self[key]
        except KeyError:
            return self.keep(key, find_out())


class _Asked:
    """Notes what a file asked of the native tools: its meaning depends on these answers, too."""

    def __init__(self, natives: KnowsNatives) -> None:
        self._natives = natives
        self.schemas: dict[str, JsonObject | None] = {}
        self.reserved: dict[str, bool] = {}
        self.lacking: dict[Implementation, str] = {}

    def parameters(self, name: str) -> JsonObject | None:
        return self.schemas.setdefault(name, self._natives.parameters(name))

    def reserves(self, name: str) -> bool:
        return self.reserved.setdefault(name, self._natives.reserves(name))

    def lacks(self, implementation: Implementation) -> str:
        return self.lacking.setdefault(implementation, self._natives.lacks(implementation))

    def let_go(self) -> None:
        """Forget whom it asked: they hold a whole app."""
        self._natives = NO_NATIVES

    def answered_alike(self, natives: KnowsNatives) -> bool:
        return (
            all(natives.reserves(name) is told for name, told in self.reserved.items())
            and all(natives.parameters(name) == told for name, told in self.schemas.items())
            and all(natives.lacks(one) == told for one, told in self.lacking.items())
        )


def start_alike() -> None:
    """From now on, tool files, agents, manifests, catalogues and the sandbox are known."""
    tool_files.read_tool_file = _tool_files_read_once(tool_files.read_tool_file)
    catalog._snapshot = _snapshots_made_once(catalog._snapshot)  # noqa: SLF001 - see above
    search.words_of = _words_found_once(search.words_of)
    tool_files._text = _texts_read_once(tool_files._text)  # noqa: SLF001 - see above
    DefinitionFiles.parsed = _definitions_parsed_once(DefinitionFiles[Any].parsed)
    listed_once = _folders_listed_once(DefinitionFiles[Any].find)
    DefinitionFiles.find = listed_once  # pyright: ignore[reportAttributeAccessIssue] - a method
    read_once = _definitions_read_once(DefinitionFiles[Any]._read)  # noqa: SLF001 - see above
    DefinitionFiles._read = read_once  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue] - a method
    tried_once = _sandboxes_tried_once(Sandbox._works)  # noqa: SLF001 - see above
    Sandbox._works = tried_once  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue] - a method


def _tool_files_read_once(read: Callable[..., ToolFile]) -> Callable[..., ToolFile]:
    kept = _Kept[tuple[_Asked, ToolFile]](_TEXTS)

    def read_once(
        text: str,
        *,
        path: Path | str,
        folder: str,
        natives: KnowsNatives = NO_NATIVES,
        has_script: bool = False,
    ) -> ToolFile:
        key = (text, str(path), folder, has_script)
        found = kept.get(key)
        if found is not None and found[0].answered_alike(natives):
            return found[1]
        asked = _Asked(natives)
        file = read(text, path=path, folder=folder, natives=asked, has_script=has_script)
        asked.let_go()
        return kept.keep(key, (asked, file))[1]

    return read_once


def _snapshots_made_once(
    make: Callable[[Scan, CatalogSnapshot], CatalogSnapshot],
) -> Callable[[Scan, CatalogSnapshot], CatalogSnapshot]:
    kept = _Kept[tuple[Scan, CatalogSnapshot]](_CATALOGUES)

    def make_once(scan: Scan, before: CatalogSnapshot) -> CatalogSnapshot:
        if before.tools:
            return make(scan, before)
        # The scan is kept with the answer: nothing else may get the identity of its definitions.
        key = (
            tuple((id(tool.definition), tool.script) for tool in scan.tools),
            tuple(scan.problems),
            tuple(sorted(scan.broken.items())),
        )
        found = kept.get(key) or kept.keep(key, (scan, make(scan, before)))
        return replace(found[1], views={})

    return make_once


def _words_found_once(
    words_of: Callable[[ToolDefinition], list[str]],
) -> Callable[[ToolDefinition], list[str]]:
    kept = _Kept[tuple[ToolDefinition, list[str]]](_TEXTS)

    def found_once(definition: ToolDefinition) -> list[str]:
        # The definition is kept with its words: nothing else may get its identity.
        return kept.once(id(definition), lambda: (definition, words_of(definition)))[1]

    return found_once


def _ships(path: Path | str) -> bool:
    return str(path).startswith(_CHECKOUT)


def _texts_read_once(read: Callable[[str, int], str]) -> Callable[[str, int], str]:
    kept = _Kept[str](_TEXTS)

    def read_once(path: str, size: int) -> str:
        if not _ships(path):
            return read(path, size)
        return kept.once(path, lambda: read(path, size))

    return read_once


def _folders_listed_once(
    find: Callable[[DefinitionFiles[Any], Path], Sequence[Path]],
) -> Callable[[DefinitionFiles[Any], Path], Sequence[Path]]:
    kept = _Kept[Sequence[Path]](_FOLDERS)

    def found_once(files: DefinitionFiles[Any], root: Path) -> Sequence[Path]:
        if not _ships(root):
            return find(files, root)
        key = (type(files), files._pattern, root)  # noqa: SLF001 - see above
        return kept.once(key, lambda: find(files, root))

    return found_once


def _definitions_read_once(
    read: Callable[[DefinitionFiles[Any], Path, Path], DefinitionFile[Any]],
) -> Callable[[DefinitionFiles[Any], Path, Path], DefinitionFile[Any]]:
    kept = _Kept[DefinitionFile[Any]](_TEXTS)

    def read_once(files: DefinitionFiles[Any], root: Path, path: Path) -> DefinitionFile[Any]:
        if not _ships(root):
            return read(files, root, path)
        key = (files._parse, path)  # noqa: SLF001 - see above
        return kept.once(key, lambda: read(files, root, path))

    return read_once


def _definitions_parsed_once(
    parse: Callable[..., DefinitionFile[Any]],
) -> Callable[..., DefinitionFile[Any]]:
    kept = _Kept[Any](_TEXTS)

    def parsed_once(
        files: DefinitionFiles[Any],
        path: Path,
        stamp: Stamp,
        text: str,
        before: DefinitionFile[Any] | None,
    ) -> DefinitionFile[Any]:
        key = (files._parse, path, text)  # noqa: SLF001 - see above
        if key in kept:
            return DefinitionFile(path, stamp, kept[key])
        file = parse(files, path, stamp, text, before)
        if file.problem is None:
            kept.keep(key, file.good)
        return file

    return parsed_once


def _sandboxes_tried_once(
    works: Callable[[Sandbox, Bubblewrap], Awaitable[bool]],
) -> Callable[[Sandbox, Bubblewrap], Coroutine[Any, Any, bool]]:
    working = set[tuple[Bubblewrap, int, ShellSettings]]()

    async def works_again(sandbox: Sandbox, program: Bubblewrap) -> bool:
        file = await asyncio.to_thread(os.stat, program.path)
        tried = (program, file.st_mtime_ns, sandbox._settings)  # noqa: SLF001 - see above
        if tried in working:
            return True
        found = await works(sandbox, program)
        if found:
            working.add(tried)
        return found

    return works_again
