"""All tool files of an installation, read live (docs/rules.md#finding-tools)."""

import asyncio
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.domain.tools import ToolDefinition
from bot.tools.catalog.past_requests import PastRequests
from bot.tools.catalog.search import ToolIndex
from bot.tools.catalog.tool_files import LoadedTool, Scan, ToolFiles
from bot.tools.definitions.definition import NO_NATIVES
from bot.tools.definitions.natives import KnowsNatives
from bot.tools.definitions.sections import ToolProblem

log = logging.getLogger(__name__)

STAGING = "readytools"
"""Tools that wait for approval: read and reported, never callable."""
MRTOOL = "mrtool"
"""Only the agent of that name ever sees this folder."""


@dataclass(frozen=True)
class CatalogSnapshot:
    """The catalogue at one moment. Positions in `tools` address its search index."""

    tools: tuple[LoadedTool, ...] = ()
    folders: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """Position by name, by folder; the staging folder is not among them."""
    broken: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Names by folder of files that were never readable: they hide less specific folders' names."""
    staged: tuple[ToolDefinition, ...] = ()
    problems: tuple[ToolProblem, ...] = ()
    index: ToolIndex = field(default_factory=lambda: ToolIndex(()))
    aliases: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """Positions of the tools by each of their aliases."""
    views: dict[Any, Any] = field(default_factory=dict[Any, Any])
    """Values that toolsets derived from this snapshot, kept as long as it lives."""


class ToolCatalog:
    """Tool files under several prompt roots, home first (each holds `tools/<folder>/*.md`).

    `load` before use; `reload_changed` when files changed (`storage.watch` tells). A snapshot is
    replaced as a whole, so readers never see half of it. `past` has earlier requests that its tools
    served, if known. `natives` have the parameters of the tools that they serve.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        past: PastRequests | None = None,
        natives: KnowsNatives = NO_NATIVES,
    ) -> None:
        self.past = past
        self._files = ToolFiles(roots, natives)
        self._lock = asyncio.Lock()
        self._scan: Scan | None = None
        self.snapshot = CatalogSnapshot()

    @property
    def problems(self) -> tuple[ToolProblem, ...]:
        """All problems of the files at the last look, warnings included."""
        return self.snapshot.problems

    @property
    def staged(self) -> tuple[ToolDefinition, ...]:
        """Tools of the staging folder, for the people who approve them."""
        return self.snapshot.staged

    async def load(self) -> None:
        """Read all files, and the past requests of their tools.

        Never raises for a bad one; see `problems`.
        """
        await self.reload_changed()
        if self.past is not None:
            await self.past.load()

    async def reload_changed(self) -> bool:
        """Read what changed since the last look; True if the catalogue or its problems changed."""
        async with self._lock:
            snapshot = await asyncio.to_thread(self._look)
            if snapshot is None:
                return False
            for problem in set(snapshot.problems) - set(self.snapshot.problems):
                log.warning(
                    "file=<%s>, line=<%d> | %s", problem.path, problem.line, problem.message
                )
            gone = await asyncio.to_thread(_gone, self.snapshot, snapshot)
            self.snapshot = snapshot
            if self.past is not None and gone:
                await self.past.forget(gone)
            return True

    def _look(self) -> CatalogSnapshot | None:
        scan = self._files.look()
        if self._scan is not None and scan == self._scan:
            return None
        self._scan = scan
        return _snapshot(scan, self.snapshot)

    def definitions(self, folders: Sequence[str]) -> tuple[ToolDefinition, ...]:
        """The tools of these folders, by name in each; of equal names the first folder's.

        Staged ones are never included.
        """
        found: dict[str, ToolDefinition] = {}
        for folder in folders:
            for name, position in self.snapshot.folders.get(folder, {}).items():
                found.setdefault(name, self.snapshot.tools[position].definition)
        return tuple(found.values())

    def anywhere(self, name: str) -> tuple[ToolDefinition, ...]:
        """Every definition of this name or alias, in whatever folder (staged ones excepted)."""
        snapshot = self.snapshot
        named = (folder[name] for folder in snapshot.folders.values() if name in folder)
        positions = {*named, *snapshot.aliases.get(name, ())}
        found = (snapshot.tools[position].definition for position in positions)
        return tuple(sorted(found, key=lambda tool: (tool.folder, str(tool.source))))

    def names_running(self, natives: Collection[str]) -> frozenset[str]:
        """The names under which calls run one of these native tools, whatever files call it."""
        running = (tool.definition for tool in self.snapshot.tools)
        return frozenset(
            name for tool in running if tool.acts_as in natives for name in tool.closed_as
        )


def _gone(before: CatalogSnapshot, now: CatalogSnapshot) -> set[str]:
    """Names that no tool has any more."""
    had, has = (set[str]().union(*one.folders.values()) for one in (before, now))
    return had - has


def _snapshot(scan: Scan, before: CatalogSnapshot) -> CatalogSnapshot:
    problems = list(scan.problems)
    live: dict[str, dict[str, LoadedTool]] = {}
    staged: list[ToolDefinition] = []
    for tool in scan.tools:
        definition = tool.definition
        if definition.folder == STAGING:
            staged.append(definition)
            continue
        first = live.setdefault(definition.folder, {}).setdefault(definition.name, tool)
        if first is not tool:
            source = first.definition.source
            text = f"{definition.name} is defined by {source} already; remove or rename one of them"
            problems.append(ToolProblem(Path(definition.source or ""), 0, text))
    named = [tool for tools in live.values() for tool in tools.values()]
    tools = _placed(named, before.tools)
    positions = {id(tool): at for at, tool in enumerate(tools)}
    folders = {
        folder: {name: positions[id(tool)] for name, tool in tools.items()}
        for folder, tools in live.items()
    }
    index = ToolIndex([tool.definition for tool in tools], before.index)
    aliases: dict[str, list[int]] = {}
    for position, tool in enumerate(tools):
        for alias in tool.definition.aliases:
            aliases.setdefault(alias, []).append(position)
    return CatalogSnapshot(
        tuple(tools), folders, scan.broken, tuple(staged), tuple(problems), index, aliases
    )


def _placed(tools: Collection[LoadedTool], before: Sequence[LoadedTool]) -> list[LoadedTool]:
    """The tools, each at its position of before, so that little of the index changes."""
    kept = {id(tool) for tool in tools}
    placed = [tool if id(tool) in kept else None for tool in before[: len(tools)]]
    placed += [None] * (len(tools) - len(placed))
    there = {id(tool) for tool in placed}
    others = (tool for tool in tools if id(tool) not in there)
    return [tool or next(others) for tool in placed]
