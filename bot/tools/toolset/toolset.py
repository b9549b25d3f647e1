"""The tools of one scope: what is always on, listed, found and unlocked.

See docs/rules.md#finding-tools.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, TypeAlias

from bot.domain.finding import Beyond, SearchResult, ServiceOffer, SkillTools
from bot.domain.json_types import JsonObject
from bot.domain.models import Unlock
from bot.domain.privacy import Viewer
from bot.domain.skills import Skill
from bot.domain.tool_context import ListedTool, NativeTool, ToolScope
from bot.domain.tools import NativeImplementation, Risk, ToolCall, ToolDefinition
from bot.llm.unlocking import deferred
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.native.registry import NativeTools
from bot.tools.policy.rights import LimitsOf, Objection, no_limits
from bot.tools.toolset.dispatcher import declared_early
from bot.tools.toolset.finding import ToolFinder, WithinReach, fitting_skill, reach_of
from bot.tools.toolset.listing import Catalogue, catalogue_of, prefix_of
from bot.tools.toolset.run_rules import ACTIVATE, AGENT_PREFIX, ALWAYS_ON, OFFERED
from bot.tools.toolset.view import Sources, ToolStanding, folders_of, served, view_of

DEFERRED_CHARS = 60_000
"""Of deferred declarations in a request: about 100 tools.

They cost no tokens, but every request carries them.
"""

BeyondOf: TypeAlias = Callable[[ToolScope], Beyond]
"""What a person could come to use in a scope. Asked at each search: services are connected and
skills are written meanwhile.
"""
Remote: TypeAlias = Callable[[ToolScope], Sequence[ToolDefinition]]
"""Tools of MCP servers as they are at this moment."""


def _nothing_beyond(_scope: ToolScope) -> Beyond:
    return Beyond()


class Toolset:
    """The tools of one request; implements `domain.tool_context.ToolsetView`.

    Tools that the role, the run or the connectors lack are absent everywhere.

    `extra`: definitions that no file holds (`agent_<name>`); they win over files of the same name
    and vouch for being served. `unlocked`: declarations of the session so far. `chat_web`: the
    setting `run_shapes.chat.allow_web`. `remote`: tools of MCP servers, asked for anew at each
    `refresh`; they give way to files, whoever may use those: to files of the same name, and to
    files that say they are run by the same tool of the server. `limits`: what the policy and the
    place close, asked for anew at each `refresh`. `beyond`: what the person could come to use.
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
        remote: Remote | None = None,
        limits: LimitsOf = no_limits,
        beyond: BeyondOf = _nothing_beyond,
    ) -> None:
        self.scope = scope
        self._catalog = catalog
        self._natives = natives
        self._chat_web = chat_web
        self._extra = tuple(extra)
        self._named = {tool.name for tool in extra}
        self._remote = remote
        self._limits_of = limits
        self._beyond = beyond
        self.unlocked: dict[str, JsonObject] = {}
        """By name, in unlock order, as declared then; `unlock` adds to it.

        With removed tools, so that request bytes stay.
        """
        self.unlock(unlocked)
        self.refresh()

    def refresh(self, scope: ToolScope | None = None) -> None:
        """Apply the live catalogue and the current scope; unlocked tools stay unlocked."""
        self.scope = scope or self.scope
        remote = self._remote(self.scope) if self._remote is not None else ()
        self._sources = Sources(
            self._catalog.snapshot,
            self._natives,
            self._natives.handlers(self.scope),
            self._extra,
            tuple(tool for tool in remote if tool.name not in self._named),
            self._limits_of(self.scope),
            self._chat_web,
        )
        self._view = view_of(self._sources, self.scope)

    def widened(self, scope: ToolScope) -> "Toolset":
        """The same toolset in another scope, with the same tools unlocked."""
        wider = copy(self)
        wider.unlocked = dict(self.unlocked)
        wider.refresh(scope)
        return wider

    def objection(
        self, definition: ToolDefinition, scope: ToolScope | None = None
    ) -> Objection | None:
        """The policy or place rule that closes a tool, in this scope or the current one."""
        limits = self._sources.limits if scope is None else self._limits_of(scope)
        return limits.objection(definition) if limits.rules or limits.places else None

    def closed_by(self, name: str) -> Objection | None:
        """The rule that closes the role's tool of this name; for the gate and operators."""
        sources = self._sources
        for definition in (*sources.extra, *sources.remote, *self._catalog.anywhere(name)):
            if (
                name in {definition.name, *definition.aliases}
                and sources.standing(definition, self.scope) is ToolStanding.POLICY
            ):
                return self.objection(definition)
        return None

    # --- one tool ---

    def find(self, name: str) -> ToolDefinition | None:
        """The tool of this name or alias, if it exists for this scope. Names are case-sensitive."""
        view = self._view
        if (found := view.extra.get(name)) is not None:
            return found
        if (found := view.tools.get(name)) is not None and name not in view.taken:
            return found
        if (real := view.extra_aliases.get(name)) is not None:
            return view.extra[real]
        real = view.aliases.get(name)
        if real is not None and real not in view.taken:
            return view.tools[real]
        return self._by_bare_name(name)

    def result_schema(self, name: str) -> JsonObject | None:
        """The schema of a tool's result, where its file has one."""
        definition = self.find(name)
        return None if definition is None else definition.result

    def _by_bare_name(self, name: str) -> ToolDefinition | None:
        """The last resort: a server's own tool name, if it is unique.

        Tools that exist but are closed to this person count too.
        """
        owners = self._view.bare.get(name, ())
        if (
            len(owners) != 1
            or name.startswith(AGENT_PREFIX)
            or name in ALWAYS_ON
            or name in OFFERED
        ):
            return None
        if (
            name in self._sources.handlers
            or self._natives.reserves(name)
            or self._catalog.anywhere(name)
        ):
            return None
        taken = any(name == tool.name or name in tool.aliases for tool in self._extra)
        return None if taken else self._view.extra[owners[0]]

    def handler(self, name: str) -> NativeTool[Any] | None:
        """The native handler registered under this name in this scope."""
        return self._sources.handlers.get(name)

    def native(self, name: str) -> NativeTool[Any] | None:
        """The native tool that calls of this name reach, if one serves them."""
        definition = self.find(name)
        return None if definition is None else self._sources.native_of(definition)

    # --- one call ---

    def pure(self, call: ToolCall) -> bool:
        """Whether the call affects only its result and its unit, and asks nobody outside."""
        handler = self._riskless(call)
        return handler is not None and handler.pure

    def reads_outside(self, call: ToolCall) -> bool:
        """Whether the call only reads, and waits for somebody outside."""
        handler = self._riskless(call)
        return handler is not None and handler.reads_outside

    def _riskless(self, call: ToolCall) -> NativeTool[Any] | None:
        definition = self.find(call.name)
        if definition is None or definition.risk is not None:
            return None
        return self._sources.native_of(definition)

    def once(self, call: ToolCall) -> bool:
        """Whether the intent is recorded before the call, because a crash must not repeat it."""
        definition = self.find(call.name)
        if definition is None:
            return False
        return not may_run_again(definition, self._sources.native_of(definition), call.arguments)

    # --- callable or locked ---

    def is_callable(self, name: str) -> bool:
        definition = self.find(name)
        return definition is not None and self._open(definition.name)

    def _open(self, name: str) -> bool:
        return name in self.unlocked or name in self._view.open

    def standing(self, name: str) -> ToolStanding:
        """How a name stands here, for the gate and for `bellhop tools why`; never for the model."""
        definition = self.find(name)
        if definition is not None:
            return ToolStanding.CALLABLE if self._open(definition.name) else ToolStanding.LOCKED
        folders, sources = folders_of(self.scope), self._sources
        elsewhere = ToolStanding.UNKNOWN
        remote = (one for one in sources.remote if not sources.left_to_files(one, self.scope))
        without_file = (*sources.extra, *remote)
        for definition in (*without_file, *self._catalog.anywhere(name)):
            if name != definition.name and name not in definition.aliases:
                continue
            reason = sources.standing(definition, self.scope)
            if definition in without_file or definition.folder in folders:
                return reason
            elsewhere = ToolStanding.ROLE if reason is ToolStanding.ROLE else ToolStanding.FOLDER
        return elsewhere

    def hindrance(self, name: str) -> str | None:
        """Why the installation can't run a file's tool; only for `bellhop tools why`."""
        named = (
            tool
            for tool in self._sources.snapshot.tools
            if name in {tool.definition.name, *tool.definition.aliases}
        )
        found = (
            self._natives.hindrance(served(tool, self._sources.handlers, self._natives))
            for tool in named
        )
        return next((reason for reason in found if reason is not None), None)

    # --- unlocking ---

    def unlock(self, declarations: Sequence[JsonObject]) -> None:
        """Make tools callable for as long as they exist here.

        The first declaration of a name stays as it was.
        """
        for declaration in declarations:
            self.unlocked.setdefault(str(declaration["name"]), declaration)

    def declarations(self, unlock: Unlock) -> tuple[JsonObject, ...]:
        """`tools` of a new epoch: always-on and unlocked tools, and extras of the unlock mode.

        By reference the extras are locked tools, deferred and so invisible, as many as fit a
        reasonable request. Others are appended when found.
        """
        offered = (self.find(name) for name in declared_early(unlock))
        declared = [*self.always_on(), *(tool for tool in offered if tool is not None)]
        known = (*(tool.declaration() for tool in declared), *self.unlocked.values())
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
        found = (self.find(name) for name in self._view.always_on)
        return tuple(tool for tool in found if tool is not None)

    def _visible(self) -> list[ToolDefinition]:
        """All nameable tools: agents, files by folder (own first) and name, then servers'."""
        view = self._view
        extra = [tool for name, tool in sorted(view.extra.items()) if name not in view.quiet]
        files = [tool for name, tool in view.tools.items() if name not in view.hidden]
        agents = [tool for tool in extra if prefix_of(tool) is None]
        return [*agents, *files, *(tool for tool in extra if prefix_of(tool) is not None)]

    @property
    def names(self) -> frozenset[str]:
        """All that a call by its name reaches, also what no list has."""
        return frozenset((*self._view.tools, *self._view.extra)) - OFFERED

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
        """Up to 50 tools whose name or alias fits the glob, up to 5 hits for the query, or both."""
        viewer = Viewer.at(self.scope.location, self.scope.person)
        reach = self._reach()
        finder = ToolFinder(self._sources.snapshot, self._view, self._catalog.past, viewer, reach)
        return finder.search(pattern, query)

    def brought_by(self, skill_id: str) -> SkillTools | None:
        """What a manifest brings; None if it is not open here, or if it or the run sets limits.

        Who takes on limits has to mean it: `activate_skill` does.
        """
        reach, scope = self._reach(), self.scope
        found = (one for one in reach.beyond.manifests if one.skill_id == skill_id)
        manifest = next(found, None)
        if manifest is None or manifest.confinement is not None or scope.confinements:
            return None
        there = (reach.wider.tools.get(name) for name in manifest.required_tools)
        return SkillTools(
            skill_id,
            tuple(tool for tool in there if tool is not None),
            tuple(sorted(scope.active_tools.union(manifest.required_tools))),
        )

    def fitting_skill(self, words: str) -> Skill | None:
        """The skill that a person's words ask for; None if they say of none."""
        return fitting_skill(self._beyond(self.scope).skills, words)

    def offers(self) -> Sequence[ServiceOffer]:
        """Services that are not there, of those that would bring this person a tool."""
        return self._reach().beyond.offers

    def _reach(self) -> WithinReach:
        beyond = self._beyond(self.scope)
        if self.find(ACTIVATE) is None:
            beyond = replace(beyond, manifests=())
        return reach_of(self._sources, self.scope, self._view, beyond)


def may_run_again(
    definition: ToolDefinition, handler: NativeTool[Any] | None, arguments: JsonObject
) -> bool:
    """Whether an interrupted call can simply be repeated, whether or not it took effect.

    True for calls that only read or are marked so (`## Idempotent`, `## Reads`), for services that
    take a call once (`NativeTool.repeatable`), and for a native tool whose only effect is the unit
    committed with its result. `handler` is that of a native tool, if it exists in the scope.
    """
    if definition.idempotent or (handler is not None and handler.repeatable):
        return True
    if definition.reads is not None and definition.reads.covers(arguments):
        return True
    if (
        not isinstance(definition.implementation, NativeImplementation)
        or definition.risk is Risk.EXTERNAL_WRITE
    ):
        return False
    return handler is None or not handler.acts
