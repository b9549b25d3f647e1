"""The tools of one scope: what is always on, listed, found and unlocked.

See docs/rules.md#finding-tools.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from bot.domain.json_types import JsonObject
from bot.domain.models import Unlock
from bot.domain.privacy import Viewer
from bot.domain.tool_context import ListedTool, NativeTool, SearchResult, ToolScope
from bot.domain.tools import McpImplementation, ToolDefinition
from bot.llm.unlocking import deferred
from bot.tools.catalog.catalog import CatalogSnapshot, ToolCatalog
from bot.tools.native.registry import NativeTools
from bot.tools.policy.rights import Limits, LimitsOf, Objection, no_limits
from bot.tools.toolset.dispatcher import declared_early
from bot.tools.toolset.finding import ToolFinder
from bot.tools.toolset.listing import Catalogue, catalogue_of, prefix_of
from bot.tools.toolset.run_rules import (
    AGENT_PREFIX,
    ALWAYS_ON,
    EVERYDAY,
    OFFERED,
    UNLISTED,
    is_always_on,
)
from bot.tools.toolset.view import ToolStanding, View, folders_of, served, standing_of, view_of

OWN_DECLARED = 12
"""A specialist's own folder is declared from the first request on when it holds no more tools."""
DEFERRED_CHARS = 60_000
"""Of deferred declarations in a request: about 100 tools.

They cost no tokens, but every request carries them.
"""

Remote: TypeAlias = Callable[[ToolScope], Sequence[ToolDefinition]]
"""Tools of MCP servers as they are at this moment."""


def no_remote(scope: ToolScope) -> Sequence[ToolDefinition]:
    """No MCP servers."""
    return ()


class Toolset:
    """The tools of one request; implements `domain.tool_context.ToolsetView`.

    Tools that the role, the run or the connectors lack are absent everywhere.

    `extra`: definitions that no file holds (`agent_<name>`); they win over files of the same name
    and vouch for being served. `unlocked`: declarations of the session so far. `chat_web`: the
    setting `run_shapes.chat.allow_web`. `remote`: tools of MCP servers, asked for anew at each
    `refresh`; they give way to files, whoever may use those: to files of the same name, and to
    files that say they are run by the same tool of the server. `limits`: what the policy and the
    place close, asked for anew at each `refresh`.
    """

    def __init__(  # noqa: PLR0913 - composed per request
        self,
        catalog: ToolCatalog,
        scope: ToolScope,
        *,
        natives: NativeTools,
        extra: Sequence[ToolDefinition] = (),
        unlocked: Sequence[JsonObject] = (),
        chat_web: bool = False,
        remote: Remote = no_remote,
        limits: LimitsOf = no_limits,
    ) -> None:
        self.scope = scope
        self._catalog = catalog
        self._natives = natives
        self._chat_web = chat_web
        self._extra_given = tuple(extra)
        self._remote_source = remote
        self._limits_of = limits
        self._unlocked: dict[str, JsonObject] = {}
        self.unlock(unlocked)
        self.refresh()

    def refresh(self, scope: ToolScope | None = None) -> None:
        """Apply the live catalogue and the current scope; unlocked tools stay unlocked."""
        self.scope = scope or self.scope
        self._snapshot: CatalogSnapshot = self._catalog.snapshot
        self._handlers: Mapping[str, NativeTool[Any]] = self._natives.handlers(self.scope)
        self._limits: Limits = self._limits_of(self.scope)
        self._view: View = view_of(
            self._snapshot,
            self.scope,
            self._natives,
            self._handlers,
            chat_web=self._chat_web,
            limits=self._limits,
        )
        extra = {definition.name: definition for definition in self._extra_given}
        self._remote_given = tuple(
            tool for tool in self._remote_source(self.scope) if tool.name not in extra
        )
        if self._remote_given:
            extra |= {
                tool.name: tool for tool in self._remote_given if not self._left_to_files(tool)
            }
        own = self._snapshot.folders.get(self.scope.agent, {}) if self.scope.depth else {}
        self._own = frozenset((*self.scope.tools, *(own if len(own) <= OWN_DECLARED else ())))
        self._taken = frozenset(extra)
        self._hidden = self._taken | OFFERED | UNLISTED
        self._extra = {
            name: tool
            for name, tool in extra.items()
            if self._standing(tool) in {ToolStanding.LOCKED, ToolStanding.UNSERVED}
        }
        self._extra_aliases = {
            alias: tool.name for tool in self._extra.values() for alias in tool.aliases
        }
        self._bare = _bare_names(self._extra)

    def widened(self, scope: ToolScope) -> "Toolset":
        """The same toolset in another scope, with the same tools unlocked."""
        return Toolset(
            self._catalog,
            scope,
            natives=self._natives,
            extra=self._extra_given,
            unlocked=self.unlocked_declarations(),
            chat_web=self._chat_web,
            remote=self._remote_source,
            limits=self._limits_of,
        )

    def _left_to_files(self, tool: ToolDefinition) -> bool:
        """Whether a file replaces an MCP tool; it may be closed to this role, and stays so."""
        folders, broken = self._snapshot.folders, self._snapshot.broken
        own = folders_of(self.scope)
        named = any(
            tool.name in folders.get(folder, {}) or tool.name in broken.get(folder, ())
            for folder in own
        )
        return named or tool.implementation in _run_by_files(self._snapshot)

    def _standing(self, definition: ToolDefinition) -> ToolStanding:
        return standing_of(
            definition,
            self.scope,
            self._natives,
            self._handlers,
            chat_web=self._chat_web,
            limits=self._limits,
        )

    def objection(
        self, definition: ToolDefinition, scope: ToolScope | None = None
    ) -> Objection | None:
        """The policy or place rule that closes a tool, in this scope or the current one."""
        return (self._limits if scope is None else self._limits_of(scope)).objection(definition)

    def closed_by(self, name: str) -> Objection | None:
        """The rule that closes the role's tool of this name; for the gate and operators."""
        named = [*self._extra_given, *self._remote_given, *self._catalog.anywhere(name)]
        for definition in named:
            if (
                name in {definition.name, *definition.aliases}
                and self._standing(definition) is ToolStanding.POLICY
            ):
                return self.objection(definition)
        return None

    # --- one tool ---

    def find(self, name: str) -> ToolDefinition | None:
        """The tool of this name or alias, if it exists for this scope. Names are case-sensitive."""
        if name in self._extra:
            return self._extra[name]
        if name in self._view.tools and name not in self._taken:
            return self._view.tools[name]
        if name in self._extra_aliases:
            return self._extra[self._extra_aliases[name]]
        real = self._view.aliases.get(name)
        if real is not None and real not in self._taken:
            return self._view.tools[real]
        return self._by_bare_name(name)

    def _by_bare_name(self, name: str) -> ToolDefinition | None:
        """The last resort: a server's own tool name, if it is unique.

        Tools that exist but are closed to this person count too.
        """
        owners = self._bare.get(name, ())
        if (
            len(owners) != 1
            or name.startswith(AGENT_PREFIX)
            or name in ALWAYS_ON
            or name in OFFERED
        ):
            return None
        if name in self._handlers or self._natives.reserves(name) or self._catalog.anywhere(name):
            return None
        taken = any(name == tool.name or name in tool.aliases for tool in self._extra_given)
        return None if taken else self._extra[owners[0]]

    def handler(self, name: str) -> NativeTool[Any] | None:
        """The native handler registered under this name in this scope."""
        return self._handlers.get(name)

    def is_callable(self, name: str) -> bool:
        definition = self.find(name)
        return definition is not None and self._open(definition.name)

    def _open(self, name: str) -> bool:
        return (
            name in self._unlocked
            or name in OFFERED
            or name in self._own
            or is_always_on(name, self.scope)
        )

    def was_unlocked(self, name: str) -> bool:
        """Whether the session unlocked it, even if it no longer exists."""
        return name in self._unlocked

    def standing(self, name: str) -> ToolStanding:
        """How a name stands here, for the gate and for `bellhop tools why`; never for the model."""
        definition = self.find(name)
        if definition is not None:
            return ToolStanding.CALLABLE if self._open(definition.name) else ToolStanding.LOCKED
        folders = folders_of(self.scope)
        elsewhere = ToolStanding.UNKNOWN
        remote = (tool for tool in self._remote_given if not self._left_to_files(tool))
        for definition in (*self._extra_given, *remote, *self._catalog.anywhere(name)):
            if name != definition.name and name not in definition.aliases:
                continue
            reason = self._standing(definition)
            if (
                definition in self._extra_given
                or definition in self._remote_given
                or definition.folder in folders
            ):
                return reason
            elsewhere = ToolStanding.ROLE if reason is ToolStanding.ROLE else ToolStanding.FOLDER
        return elsewhere

    def hindrance(self, name: str) -> str | None:
        """Why the installation can't run a file's tool; only for `bellhop tools why`."""
        named = (
            tool
            for tool in self._snapshot.tools
            if name in {tool.definition.name, *tool.definition.aliases}
        )
        found = (
            self._natives.hindrance(served(tool, self._handlers, self._natives)) for tool in named
        )
        return next((reason for reason in found if reason is not None), None)

    # --- unlocking ---

    def unlock(self, declarations: Sequence[JsonObject]) -> None:
        """Make tools callable for as long as they exist here.

        The first declaration of a name stays as it was.
        """
        for declaration in declarations:
            self._unlocked.setdefault(str(declaration["name"]), declaration)

    def unlocked_declarations(self) -> tuple[JsonObject, ...]:
        """In unlock order, as declared then; with removed tools, so that request bytes stay."""
        return tuple(self._unlocked.values())

    def declarations(self, unlock: Unlock) -> tuple[JsonObject, ...]:
        """`tools` of a new epoch: always-on and unlocked tools, and extras of the unlock mode.

        By reference the extras are locked tools, deferred and so invisible, as many as fit a
        reasonable request. Others are appended when found.
        """
        offered = (self.find(name) for name in declared_early(unlock))
        declared = [*self.always_on(), *(tool for tool in offered if tool is not None)]
        known = (*(tool.declaration() for tool in declared), *self.unlocked_declarations())
        return (*known, *self._deferred()) if unlock is Unlock.REFERENCE else known

    def _deferred(self) -> Iterator[JsonObject]:
        left = DEFERRED_CHARS
        for tool in self._visible():
            if not self._open(tool.name):
                declaration = deferred(tool.declaration())
                left -= len(json.dumps(declaration, ensure_ascii=False))
                if left < 0:
                    return
                yield declaration

    # --- many tools ---

    def always_on(self) -> tuple[ToolDefinition, ...]:
        """Declared in every request, in fixed order: the shape's, control tools, specialists."""
        names = (*ALWAYS_ON, *EVERYDAY, *(f"agent_{name}" for name in self.scope.specialists))
        declared = [name for name in dict.fromkeys(names) if is_always_on(name, self.scope)]
        found = (self.find(name) for name in dict.fromkeys((*declared, *sorted(self._own))))
        return tuple(tool for tool in found if tool is not None)

    def _visible(self) -> list[ToolDefinition]:
        """All nameable tools: agents, files by folder (own first) and name, then servers'."""
        extra = [tool for name, tool in sorted(self._extra.items()) if name not in OFFERED]
        files = [tool for name, tool in self._view.tools.items() if name not in self._hidden]
        agents = [tool for tool in extra if prefix_of(tool) is None]
        return [*agents, *files, *(tool for tool in extra if prefix_of(tool) is not None)]

    def catalogue(self, tokens: int) -> Catalogue:
        """As many one-liners of locked tools as fit (characters / 4); stable bytes.

        An MCP server is one line after all of ours, so that it can't push our own tools out.
        """
        return catalogue_of([tool for tool in self._visible() if not self._open(tool.name)], tokens)

    def listing(self) -> tuple[ListedTool, ...]:
        return tuple(
            ListedTool(tool.name, tool.one_liner, self._open(tool.name)) for tool in self._visible()
        )

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        found = (self.find(name) for name in names)
        return tuple(
            {
                tool.name: tool for tool in found if tool is not None and tool.name not in OFFERED
            }.values()
        )

    def search(self, pattern: str | None, query: str | None) -> SearchResult:
        """Up to 50 tools whose name or alias fits the glob, up to 5 for the query, or both."""
        viewer = Viewer.at(self.scope.location, self.scope.person)
        found = ToolFinder(
            self._snapshot, self._view, self._extra, self._taken, self._catalog.past, viewer
        )
        return found.search(pattern, query)


def _run_by_files(snapshot: CatalogSnapshot) -> frozenset[McpImplementation]:
    """The MCP tools that files of this catalogue run."""
    key = "run by files"
    if (found := snapshot.views.get(key)) is None:
        implementations = (tool.definition.implementation for tool in snapshot.tools)
        found = frozenset(item for item in implementations if isinstance(item, McpImplementation))
        snapshot.views[key] = found
    return found


def _bare_names(tools: Mapping[str, ToolDefinition]) -> dict[str, tuple[str, ...]]:
    """Names of MCP tools by the names that their servers give them."""
    found: dict[str, tuple[str, ...]] = {}
    for name, tool in tools.items():
        if isinstance(tool.implementation, McpImplementation):
            bare = tool.implementation.tool
            found[bare] = (*found.get(bare, ()), name)
    return found
