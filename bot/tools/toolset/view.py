"""The tools of one scope: filtered by folder, role, run, integrations and handlers."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import Any

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.tool_context import NativeTool, ToolScope
from bot.domain.tools import McpImplementation, NativeImplementation, ToolDefinition
from bot.tools.catalog.catalog import MRTOOL, STAGING, CatalogSnapshot
from bot.tools.catalog.search import NameList
from bot.tools.catalog.tool_files import LoadedTool
from bot.tools.native.registry import NativeTools
from bot.tools.policy.rights import Limits
from bot.tools.toolset.run_rules import (
    AGENT_PREFIX,
    OFFERED,
    PLANNING,
    always_on_names,
    exists_in_run,
    may_write,
    refused_arguments,
)

OWN_DECLARED = 12
"""A specialist's own folder is declared from the first request on when it holds no more tools."""
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
class Sources:
    """What tools come from and what closes them, at one moment. Each is replaced as a whole."""

    snapshot: CatalogSnapshot
    natives: NativeTools
    handlers: Mapping[str, NativeTool[Any]]
    extra: tuple[ToolDefinition, ...]
    """Tools without a file (`agent_<name>`); they win over files of the same name."""
    remote: tuple[ToolDefinition, ...]
    """Tools of MCP servers; they give way to files."""
    limits: Limits
    chat_web: bool

    def standing(self, definition: ToolDefinition, scope: ToolScope) -> ToolStanding:
        """Why a tool doesn't exist in a scope, in the gate's order; LOCKED if it exists."""
        if not definition.access.allows(scope.person.role):
            return ToolStanding.ROLE
        in_shape = definition.runs is None or scope.run.shape in definition.runs
        native = self.native_of(definition)
        # A file may run a tool under another name; what holds for that tool holds for it, too.
        names = {definition.name, definition.name if native is None else native.name}
        exists = (
            in_shape
            and may_write(definition, scope, keeps=native is not None and native.keeps)
            and all(exists_in_run(name, scope, chat_web=self.chat_web) for name in names)
        )
        if not exists:
            return ToolStanding.RUN
        if not scope.integrations.issuperset(definition.requires):
            return ToolStanding.INTEGRATION
        if self.limits.objection(definition) is not None:
            return ToolStanding.POLICY
        served = self.natives.serves(definition, self.handlers)
        return ToolStanding.LOCKED if served else ToolStanding.UNSERVED

    def native_of(self, definition: ToolDefinition) -> NativeTool[Any] | None:
        """The native tool that serves it; None if something else does, or nothing."""
        if not isinstance(definition.implementation, NativeImplementation):
            return None
        return self.handlers.get(definition.implementation.name)

    def left_to_files(self, tool: ToolDefinition, scope: ToolScope) -> bool:
        """Whether a file replaces an MCP tool; it may be closed to this role, and stays so."""
        folders, broken = self.snapshot.folders, self.snapshot.broken
        named = any(
            tool.name in folders.get(folder, {}) or tool.name in broken.get(folder, ())
            for folder in folders_of(scope)
        )
        return named or tool.implementation in _run_by_files(self.snapshot)


@dataclass(frozen=True)
class View:
    """The tools of a scope. Nothing in it belongs to one person: it serves all scopes alike."""

    tools: Mapping[str, ToolDefinition]
    """Tools with files by name, folders in order of precedence and names sorted within each."""
    aliases: Mapping[str, str]
    positions: Mapping[str, int]
    """Positions of the findable tools in the snapshot's search index, by name."""
    searched: frozenset[int]
    """The same positions as a set."""
    extra: Mapping[str, ToolDefinition]
    """Tools without a file, by name."""
    extra_aliases: Mapping[str, str]
    bare: Mapping[str, tuple[str, ...]]
    """Names of MCP tools by the names that their servers give them."""
    taken: frozenset[str]
    """Names that tools without a file have, open or closed: they hide files of the same name."""
    hidden: frozenset[str]
    """Names of files that no catalogue lists."""
    quiet: frozenset[str]
    """Names of tools without a file that no catalogue lists."""
    always_on: tuple[str, ...]
    """Names that every request declares, in their order; some of them may not exist."""
    open: frozenset[str]
    """Names that need no unlocking."""
    made_of: tuple[object, ...]
    """What the key names by identity: held, so that nothing else gets the same one."""

    @cached_property
    def labels(self) -> NameList:
        """Names and aliases of the tools that may be found; few turns search by pattern."""
        return NameList(self.tools[name] for name in self.positions)


def folders_of(scope: ToolScope) -> tuple[str, ...]:
    """Tool folders of the scope's agent, the most specific first (docs/rules.md#tool-files)."""
    extra = (folder for folder in scope.folders if folder != MRTOOL)
    names = dict.fromkeys((scope.agent, *extra, "shared"))
    return tuple(name for name in names if name != STAGING)


def view_of(sources: Sources, scope: ToolScope) -> View:
    """The view of a scope; kept with the snapshot, because most requests of a role look alike.

    The key names all that the view depends on. A view outlives none of its sources: each change
    makes another key.
    """
    made_of = (sources.handlers, *sources.extra, *sources.remote)
    key = (
        scope.agent,
        scope.folders,
        scope.specialists,
        scope.tools,
        scope.person.role,
        scope.run,
        scope.integrations,
        scope.active_tools,
        scope.depth == 0,
        sources.natives,
        sources.chat_web,
        sources.limits.key,
        len(sources.extra),
        *map(id, made_of),
    )
    views = sources.snapshot.views
    if (view := views.get(key)) is None:
        view = _build(sources, scope, made_of)
        if len(views) >= _KEPT_VIEWS:
            views.pop(next(iter(views)))
        views[key] = view
    return view


def _build(sources: Sources, scope: ToolScope, made_of: tuple[object, ...]) -> View:
    there: dict[int, ToolDefinition] = {}
    for at in _candidates(sources.snapshot, scope):
        definition = served(sources.snapshot.tools[at], sources.handlers, sources.natives)
        definition = _for_role(definition, scope.person.role)
        if sources.standing(definition, scope) is ToolStanding.LOCKED:
            there[at] = definition
    tools = {definition.name: definition for definition in there.values()}
    positions = dict(zip(tools, there, strict=True))
    for name in OFFERED & positions.keys():
        del positions[name]
    aliased = set(chain.from_iterable(sources.snapshot.aliases.values()))
    aliases: dict[str, str] = {}
    for definition in [there[at] for at in there if at in aliased]:
        for alias in definition.aliases:
            if alias not in tools:
                aliases.setdefault(alias, definition.name)
    given = {tool.name: tool for tool in sources.extra}
    remote = {tool.name: tool for tool in sources.remote if tool.name not in given}
    given |= {name: tool for name, tool in remote.items() if not sources.left_to_files(tool, scope)}
    vouched = {ToolStanding.LOCKED, ToolStanding.UNSERVED}
    extra = {name: tool for name, tool in given.items() if sources.standing(tool, scope) in vouched}
    natives = ((name, sources.native_of(tool)) for name, tool in tools.items())
    unlisted = (name for name, native in natives if native is not None and not native.listed)
    own = _own(sources.snapshot, scope)
    always_on = always_on_names(scope)
    return View(
        tools=tools,
        aliases=aliases,
        positions=positions,
        searched=frozenset(positions.values()),
        extra=extra,
        extra_aliases={alias: tool.name for tool in extra.values() for alias in tool.aliases},
        bare=_bare_names(extra),
        taken=frozenset(given),
        hidden=frozenset((*given, *OFFERED, *unlisted, *_beside_its_work(sources.snapshot, scope))),
        quiet=OFFERED | _agents_of_others(extra, scope),
        always_on=tuple(dict.fromkeys((*always_on, *sorted(own)))),
        open=OFFERED | own | frozenset(always_on),
        made_of=made_of,
    )


def _for_role(definition: ToolDefinition, role: Role) -> ToolDefinition:
    """Without the arguments for which this role is always refused."""
    refused = refused_arguments(definition.acts_as, role)
    if not refused:
        return definition
    given: JsonObject = definition.parameters.get("properties", {})
    left = {name: about for name, about in given.items() if name not in refused}
    return replace(definition, parameters={**definition.parameters, "properties": left})


def _own(snapshot: CatalogSnapshot, scope: ToolScope) -> frozenset[str]:
    """The tools that the agent's file names, and a specialist's own folder if it is small."""
    folder = snapshot.folders.get(scope.agent, {}) if scope.depth else {}
    return frozenset((*scope.tools, *(folder if len(folder) <= OWN_DECLARED else ())))


def _beside_its_work(snapshot: CatalogSnapshot, scope: ToolScope) -> frozenset[str]:
    """What else lies in a folder from which the agent's file names the tools that it needs.

    A queen's folder also holds the tools of manifests: they are for ants that are given them.
    """
    folders = [snapshot.folders.get(folder, {}).keys() for folder in scope.folders]
    named = frozenset(scope.tools) | scope.active_tools
    return frozenset(chain.from_iterable(one - named for one in folders if one & named))


def _agents_of_others(tools: Mapping[str, ToolDefinition], scope: ToolScope) -> frozenset[str]:
    """The agents that this one calls only where it looks for them.

    A specialist was called for one task: only one that plans hands parts of it on.
    """
    hands_on = not scope.depth or PLANNING in scope.folders
    return frozenset(
        name
        for name, tool in tools.items()
        if name.startswith(AGENT_PREFIX) and not (tool.listed and hands_on)
    )


def _bare_names(tools: Mapping[str, ToolDefinition]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, tool in tools.items():
        if isinstance(tool.implementation, McpImplementation):
            bare = tool.implementation.tool
            found[bare] = (*found.get(bare, ()), name)
    return found


def _run_by_files(snapshot: CatalogSnapshot) -> frozenset[McpImplementation]:
    """The MCP tools that files of this catalogue run."""
    key = "run by files"
    if (found := snapshot.views.get(key)) is None:
        implementations = (tool.definition.implementation for tool in snapshot.tools)
        found = frozenset(item for item in implementations if isinstance(item, McpImplementation))
        snapshot.views[key] = found
    return found


def _candidates(snapshot: CatalogSnapshot, scope: ToolScope) -> list[int]:
    """Positions by precedence; a more specific folder hides a name in others, for any role."""
    found: list[int] = []
    taken: set[str] = set()
    for folder in folders_of(scope):
        names = snapshot.folders.get(folder, {})
        found += [position for name, position in names.items() if name not in taken]
        taken.update(names, snapshot.broken.get(folder, ()))
    for name in sorted(scope.active_tools - taken):
        for folder in sorted(snapshot.folders.keys() - {MRTOOL, STAGING}):
            if (position := snapshot.folders[folder].get(name)) is not None:
                found.append(position)
                break
    return found


def served(
    tool: LoadedTool, handlers: Mapping[str, NativeTool[Any]], natives: NativeTools
) -> ToolDefinition:
    """The definition with its server: a native handler of its name, else the file's script."""
    definition = tool.definition
    if not isinstance(definition.implementation, NativeImplementation):
        return definition
    return definition if natives.serves(definition, handlers) else tool.scripted() or definition
