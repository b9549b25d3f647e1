"""The catalogue for one scope: filtered by folder, role, run, integrations and handlers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.tools.catalog.catalog import MRTOOL, STAGING, CatalogSnapshot
from bot.tools.catalog.search import NameList
from bot.tools.catalog.tool_files import LoadedTool
from bot.tools.native.registry import NativeTools
from bot.tools.policy.rights import Limits
from bot.tools.toolset.run_rules import OFFERED, exists_in_run, may_write

_KEPT_VIEWS = 128


class ToolStanding(StrEnum):
    """How a name stands in a scope. All but CALLABLE and LOCKED look the same to the model."""

    CALLABLE = "callable"
    LOCKED = "locked"
    UNKNOWN = "unknown"
    FOLDER = "folder"
    """Another agent's tool."""
    ROLE = "role"
    RUN = "run"
    INTEGRATION = "integration"
    UNSERVED = "unserved"
    """No handler or route can run it."""
    POLICY = "policy"
    """A rule of policy.yaml or of this place closes it."""


@dataclass(frozen=True)
class View:
    """Visible tools by name, folders in order of precedence and names sorted within each."""

    tools: Mapping[str, ToolDefinition]
    aliases: Mapping[str, str]
    positions: Mapping[str, int]
    """Positions of the findable tools in the snapshot's search index, by name."""
    searched: frozenset[int]
    """The same positions as a set."""
    labels: NameList
    """Names and aliases of the tools that may be found."""


def folders_of(scope: ToolScope) -> tuple[str, ...]:
    """Tool folders of the scope's agent, the most specific first (docs/rules.md#tool-files)."""
    extra = (folder for folder in scope.folders if folder != MRTOOL)
    names = dict.fromkeys((scope.agent, *extra, "shared"))
    return tuple(name for name in names if name != STAGING)


def standing_of(
    definition: ToolDefinition,
    scope: ToolScope,
    natives: NativeTools,
    handlers: Mapping[str, NativeTool[Any]],
    *,
    chat_web: bool,
    limits: Limits,
) -> ToolStanding:
    """Why a tool doesn't exist in a scope, in the gate's order; LOCKED if it exists."""
    if not definition.access.allows(scope.person.role):
        return ToolStanding.ROLE
    in_shape = definition.runs is None or scope.run.shape in definition.runs
    exists = (
        in_shape
        and may_write(definition, scope)
        and exists_in_run(definition.name, scope, chat_web=chat_web)
    )
    if not exists:
        return ToolStanding.RUN
    if not scope.integrations.issuperset(definition.requires):
        return ToolStanding.INTEGRATION
    if limits.objection(definition) is not None:
        return ToolStanding.POLICY
    return ToolStanding.LOCKED if natives.serves(definition, handlers) else ToolStanding.UNSERVED


def view_of(
    snapshot: CatalogSnapshot,
    scope: ToolScope,
    natives: NativeTools,
    handlers: Mapping[str, NativeTool[Any]],
    *,
    chat_web: bool,
    limits: Limits,
) -> View:
    """The view of a scope; kept with the snapshot, because most requests of a role look alike."""
    key = (
        folders_of(scope),
        scope.person.role,
        scope.run,
        scope.integrations,
        scope.active_tools,
        scope.depth == 0,
        scope.tools if scope.depth else (),
        frozenset(handlers),
        natives,
        chat_web,
        limits.key,
    )
    if (view := snapshot.views.get(key)) is None:
        view = _build(snapshot, scope, natives, handlers, chat_web=chat_web, limits=limits)
        if len(snapshot.views) >= _KEPT_VIEWS:
            snapshot.views.pop(next(iter(snapshot.views)))
        snapshot.views[key] = view
    return view


def _build(
    snapshot: CatalogSnapshot,
    scope: ToolScope,
    natives: NativeTools,
    handlers: Mapping[str, NativeTool[Any]],
    *,
    chat_web: bool,
    limits: Limits,
) -> View:
    tools: dict[str, ToolDefinition] = {}
    positions: dict[str, int] = {}
    for position in _candidates(snapshot, scope):
        definition = served(snapshot.tools[position], handlers, natives)
        if (
            standing_of(definition, scope, natives, handlers, chat_web=chat_web, limits=limits)
            is ToolStanding.LOCKED
        ):
            tools[definition.name] = definition
            if definition.name not in OFFERED:
                positions[definition.name] = position
    aliases: dict[str, str] = {}
    for definition in tools.values():
        for alias in definition.aliases:
            if alias not in tools:
                aliases.setdefault(alias, definition.name)
    labels = NameList(tools[name] for name in positions)
    return View(tools, aliases, positions, frozenset(positions.values()), labels)


def _candidates(snapshot: CatalogSnapshot, scope: ToolScope) -> Iterator[int]:
    """Positions by precedence; a more specific folder hides a name in others, for any role."""
    taken: set[str] = set()
    own = folders_of(scope)
    for folder in own:
        names = snapshot.folders.get(folder, {})
        yield from (position for name, position in names.items() if name not in taken)
        taken |= names.keys() | snapshot.broken.get(folder, frozenset())
    for name in sorted(scope.active_tools - taken):
        for folder in sorted(snapshot.folders.keys() - {MRTOOL, STAGING}):
            if (position := snapshot.folders[folder].get(name)) is not None:
                yield position
                break


def served(
    tool: LoadedTool, handlers: Mapping[str, NativeTool[Any]], natives: NativeTools
) -> ToolDefinition:
    """The definition with its server: a native handler of its name, else the file's script."""
    definition = tool.definition
    if not isinstance(definition.implementation, NativeImplementation):
        return definition
    return definition if natives.serves(definition, handlers) else tool.scripted() or definition
