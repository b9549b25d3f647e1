"""A server's tool in the house's terms: its name, parameters, and what the operator says of it."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from bot.plugin.tool_servers import KIND_MARK, MARK, NAMED, glob_regex, pattern_of
from bot.plugin.tools import JsonObject
from bot.plugins.mcp.remote import RemoteTool
from bot.plugins.mcp.settings import McpTrustSettings

_FITTING_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_KEPT_CHARS = 55
"""Characters kept of an unsuitable name, before `_` and eight digits."""


def tool_name(server: str, tool: str) -> str:
    """The name for a server's tool; it never changes, and different tools have different names.

    A name that is too long or has other characters ends in a hash of the original instead.
    """
    plain = f"mcp__{server}__{tool}"
    if _FITTING_NAME.fullmatch(plain):
        return plain
    digest = hashlib.sha256(f"{server}\0{tool}".encode("utf-8", "replace")).hexdigest()[:8]
    return f"{re.sub('[^a-zA-Z0-9_-]', '_', plain)[:_KEPT_CHARS]}_{digest}"


_MOST_DEPTH = 64
_LEFT_OUT = frozenset({"$schema", "unevaluatedItems", MARK, KIND_MARK})
"""A server must not mark arguments as targets: its marks could avoid questions."""
_VERBATIM = frozenset({"default", "const", "enum", "examples", "required"})


def adopted(parameters: JsonObject) -> tuple[JsonObject, int]:
    """An object's schema, and how many patterns were dropped because RE2 lacks look-around.

    The server itself checks the rest.
    """
    dropped: list[str] = []
    schema = cast("JsonObject", _adopt(parameters, dropped, 0))
    return {"type": "object", **schema}, len(dropped)


def _adopt(node: Any, dropped: list[str], depth: int) -> Any:
    if depth > _MOST_DEPTH:
        return node  # the schema's check refuses it
    if isinstance(node, list):
        return [_adopt(item, dropped, depth + 1) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    kept: JsonObject = {}
    for key, value in cast("JsonObject", node).items():
        if key in _LEFT_OUT or (key == "pattern" and not _readable(value, dropped)):
            continue
        if key in NAMED and isinstance(value, dict):
            below = cast("JsonObject", value).items()
            kept[key] = {name: _adopt(child, dropped, depth + 1) for name, child in below}
        else:
            kept[key] = value if key in _VERBATIM else _adopt(value, dropped, depth + 1)
    return kept


def _readable(pattern: Any, dropped: list[str]) -> bool:
    try:
        pattern_of(str(pattern))
    except ValueError:
        dropped.append(str(pattern))
        return False
    return True


@dataclass(frozen=True)
class _TrustStanding:
    """Whether a tool only reads, and the operator's rules about it in words."""

    reads_only: bool
    rules: tuple[str, ...] = ()


def standing_of(server: str, trust: McpTrustSettings, tool: RemoteTool) -> _TrustStanding:
    """The operator's word counts for more than the server's; of both lists, `writes` counts."""
    writes, reads = _named(trust.writes, tool.name), _named(trust.reads, tool.name)
    reads_only = not writes and (reads or tool.reads_only)
    return _TrustStanding(reads_only, tuple(_rules(server, trust, tool.name)))


def own_text(trust: McpTrustSettings, tool: str) -> bool:
    """Whether the results of a tool are texts of this team."""
    return _named(trust.results, tool)


def _rules(server: str, trust: McpTrustSettings, tool: str) -> Iterator[str]:
    where = f"bellhop.yaml, mcp.servers.{server}.trust"
    if _named(trust.writes, tool):
        yield f"it writes, whatever the server says ({where}.writes)"
    elif _named(trust.reads, tool):
        yield f"it only reads, so it is not asked about ({where}.reads)"
    if _named(trust.results, tool):
        yield f"its results count as a member's words ({where}.results)"
    if trust.descriptions:
        yield f"its description counts as the operator's words ({where}.descriptions)"


def _named(globs: Sequence[str], tool: str) -> bool:
    return any(glob_regex(one).fullmatch(tool) for one in globs)
