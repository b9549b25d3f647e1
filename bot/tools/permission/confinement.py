"""Holds calls to the limits of active skills, manifests and tool files.

A call must provably stay within every limit. An unreadable host or path is outside, and so is a
tool with unknown reach.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from bot.domain.confinement import Confinement
from bot.domain.json_types import JsonObject
from bot.domain.targets import Target, TargetKind
from bot.domain.tool_context import ToolContext, ToolScope
from bot.domain.tools import (
    HttpImplementation,
    McpImplementation,
    ShellImplementation,
    ToolCall,
    ToolDefinition,
)
from bot.tools.definitions.targets import targets_of, typed

CONTROL_TOOLS = frozenset(
    (
        *("finish_task", "send", "ask_user_for_clarification", "get_capabilities", "save_fact"),
        *("tool_search", "request_more_turns", "deactivate_skill"),
    )
)
"""Always allowed, because a run reports with these within its own session."""
_UNSEEN = frozenset({"pm_shell"})
"""Tools whose arguments don't show which files they use."""
_READING = frozenset({"read_file", "list_directory"})
_REACHING = frozenset({TargetKind.URL, TargetKind.HOST, TargetKind.EMAIL})
_SHOWN_CHARS = 1_500
_WITHIN = "Go on within that, or tell the person what is missing; it ends with this request."
_WAY_OUT = (
    "It ends with this request. If the person has asked for other work since, deactivate_skill "
    "ends it now; else go on within it, or tell them what is missing."
)
_PATH = "path"
"""The argument that names a file where a tool's schema marks none."""


@dataclass(frozen=True)
class Outside:
    """A call outside a limit: the owner of the limit, and the reason for the model."""

    holder: str
    text: str


def confined(call: ToolCall, definition: ToolDefinition, scope: ToolScope) -> Outside | None:
    """The first limit that the call exceeds; None if it is within all current limits."""
    if definition.acts_as in CONTROL_TOOLS or definition.name in scope.assigned:
        return None
    limits = (*scope.confinements, *([definition.confinement] if definition.confinement else []))
    if not limits:
        return None
    targets = targets_of(definition, call.arguments)
    for limit in limits:
        if problem := _outside(limit, call.arguments, definition, targets):
            holder, allowed = limit.holder[:1].upper() + limit.holder[1:], limit.describe()
            allowed = allowed if len(allowed) <= _SHOWN_CHARS else f"{allowed[:_SHOWN_CHARS]} …"
            return Outside(
                limit.holder,
                f"not run: {problem}. {holder} may use only: {allowed}."
                f" {_WAY_OUT if not limit.own else _WITHIN}",
            )
    return None


def reaches(context: ToolContext, definition: ToolDefinition, host: str) -> bool:
    """Whether all limits of a call allow this host; for redirects, which no argument shows."""
    limits = (*context.confinements, *([definition.confinement] if definition.confinement else []))
    return all(limit.allows_host(host) for limit in limits)


def _outside(
    limit: Confinement, arguments: JsonObject, definition: ToolDefinition, targets: Sequence[Target]
) -> str:
    paths = _paths(definition, arguments, targets)
    if _reads_own(limit, definition, paths):
        return ""
    if not limit.allows_tool(definition.name, *definition.aliases):
        return f"{definition.name} is not among its tools"
    return _outside_hosts(limit, definition, targets) or _outside_paths(limit, definition, paths)


def _reads_own(limit: Confinement, definition: ToolDefinition, paths: Sequence[Target]) -> bool:
    """Whether the call reads the skill's own files, which are always allowed."""
    if not limit.own or definition.acts_as not in _READING:
        return False
    own = Confinement("", paths=(limit.own,))
    return bool(paths) and all(path.sound and own.allows_path(path.value) for path in paths)


def _outside_hosts(
    limit: Confinement, definition: ToolDefinition, targets: Sequence[Target]
) -> str:
    if limit.hosts is None:
        return ""
    match definition.implementation:
        case HttpImplementation(server=name) if name and not _named(limit, definition):
            return (
                f"the host of {definition.name} stands in the settings, and it is not named among "
                "the tools"
            )
        case HttpImplementation(url=url, free=False, server=""):
            targets = (
                *targets,
                typed("url", TargetKind.URL, url.split("{", 1)[0].split("?", 1)[0]),
            )
        case ShellImplementation(network=True) | McpImplementation() if not _named(
            limit, definition
        ):
            return (
                f"nobody can see which hosts {definition.name} reaches, and it is not named among "
                "the tools"
            )
        case _:
            pass
    for target in targets:
        if target.kind not in _REACHING:
            continue
        host = host_of(target)
        if host is None or not limit.allows_host(host):
            return f"{target.field} leads to {target.value[:80]!r}, which is not among its hosts"
    return ""


def _named(limit: Confinement, definition: ToolDefinition) -> bool:
    """Whether the limits name exactly this tool; then their author answers for its hosts."""
    return limit.tools is not None and definition.name in limit.tools


def host_of(target: Target) -> str | None:
    """The host that a target leads to; None for kinds without hosts, and unreadable ones."""
    if not target.sound:
        return None
    match target.kind:
        case TargetKind.URL:
            return urlsplit(target.value).hostname or ""
        case TargetKind.HOST:
            return target.value
        case TargetKind.EMAIL:
            return target.value.rpartition("@")[2]
        case _:
            return None


def _outside_paths(limit: Confinement, definition: ToolDefinition, paths: Sequence[Target]) -> str:
    if limit.paths is None:
        return ""
    if definition.acts_as in _UNSEEN and not _named(limit, definition):
        return (
            f"nobody can see which files {definition.name} uses, and it is not named among the "
            "tools"
        )
    declared = (
        definition.implementation.reads
        if isinstance(definition.implementation, ShellImplementation)
        else ()
    )
    for path in (*(typed("read", TargetKind.PATH, str(one)) for one in declared), *paths):
        if not path.sound or not limit.allows_path(path.value):
            return f"{path.field} names {path.value[:80]!r}, which is not among its paths"
    return ""


def _paths(
    definition: ToolDefinition, arguments: JsonObject, targets: Iterable[Target]
) -> tuple[Target, ...]:
    """The files of a call: marked ones, and the argument `path` (an omitted folder is the root)."""
    found = [target for target in targets if target.kind is TargetKind.PATH]
    properties: JsonObject = definition.parameters.get("properties") or {}
    if _PATH in properties and not any(target.field == _PATH for target in found):
        given = arguments.get(_PATH)
        found.append(typed(_PATH, TargetKind.PATH, "/" if given is None else str(given)))
    return tuple(found)
