"""tool_search: finds tools by name or by words and unlocks them.

See docs/rules.md#finding-tools.
"""

import json

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.json_types import JsonObject
from bot.domain.origins import BELLHOP, Origin, Trust, origin_of
from bot.domain.tool_context import NativeTool, SearchResult, ToolContext
from bot.domain.tool_outcomes import ToolResult, Unlocked
from bot.domain.tools import McpImplementation
from bot.errors import ToolError
from bot.tools.native.registry import ToolRegistration

UNLOCKED_BY_QUERY = 3
"""The session's requests carry each definition, so further matches are only named."""


class ToolSearchArguments(BaseModel):
    """At least one of the two."""

    model_config = ConfigDict(extra="forbid")

    pattern: str | None = Field(
        default=None,
        description="Glob over whole names: email_*, *note*.",
    )
    query: str | None = Field(default=None, description="What you want, in a few words.")


async def tool_search(context: ToolContext, arguments: ToolSearchArguments) -> ToolResult:
    """Search the person's tools.

    Matches that were still locked are returned as the effect `Unlocked`.
    """
    pattern, query = arguments.pattern, arguments.query
    if not (pattern or "").strip() and not (query or "").strip():
        raise ToolError(
            "give a pattern (a glob over tool names, such as calendar_*) or a query (a few words)"
        )
    found = context.tools.search(pattern if (pattern or "").strip() else None, query)
    best = found.matches[:UNLOCKED_BY_QUERY] if (query or "").strip() else found.matches
    declarations = tuple(
        tool.declaration() for tool in best if not context.tools.is_callable(tool.name)
    )
    answer: JsonObject = {
        "pattern": pattern,
        "query": query,
        "matches": [{"name": tool.name, "description": tool.one_liner} for tool in found.matches],
        "unlocked": [declaration["name"] for declaration in declarations],
        "total": len(found.matches) + found.cut,
    }
    if hint := _hint(found, pattern, tuple(tool.name for tool in found.matches[len(best) :])):
        answer["hint"] = hint
    effects = (Unlocked(declarations, hint),) if declarations else ()
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=_origin(found),
        effects=effects,
        summary=f"found {len(found.matches)} tools"
        if len(found.matches) != 1
        else f"found {found.matches[0].name}",
    )


def _origin(found: SearchResult) -> Origin:
    """Servers' texts about their tools are from outside."""
    servers = [
        tool.implementation.server
        for tool in found.matches
        if isinstance(tool.implementation, McpImplementation)
    ]
    return origin_of(Trust.EXTERNAL, f"mcp:{servers[0]}") if servers else BELLHOP


def _hint(found: SearchResult, pattern: str | None, locked: tuple[str, ...]) -> str:
    if not found.matches:
        return (
            "Nothing matches. Try a query in other words; get_capabilities lists skills that open "
            "more."
        )
    if locked:
        return (
            f"Only the best were unlocked; get_capabilities unlocks {' or '.join(locked)} by name."
        )
    if not found.cut:
        return ""
    how = (
        "use a longer pattern or add a query"
        if pattern
        else "use more specific words or add a pattern"
    )
    return f"{found.cut} more matched and were not unlocked; to reach them {how}."


TOOL_SEARCH = NativeTool("tool_search", ToolSearchArguments, tool_search, pure=True)


def discovery_registration() -> ToolRegistration:
    """Registers tool_search, for every scope."""
    return ToolRegistration((TOOL_SEARCH,))
