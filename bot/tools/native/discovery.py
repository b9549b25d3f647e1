"""tool_search: finds what a person wants, unlocks what surely fits, and says what else it takes.

See docs/rules.md#finding-tools.
"""

import json
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from bot.domain.finding import SearchResult, SkillTools, ToolHit
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, described_by
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import SkillActivated, ToolResult, Unlocked
from bot.domain.tools import ToolDefinition
from bot.errors import ToolError
from bot.tools.native.registry import ToolRegistration
from bot.tools.schemas.calls import call_of

UNLOCKED_BY_QUERY = 3
"""The session's requests carry each definition, so further matches are only named."""
CLOSEST, CLOSEST_SKILLS = 2, 3
"""How many are named when nothing fits: of all, and of skills, which few ask for plainly."""
ACTIVATE, CONNECT = "activate_skill", "connect_service"
"""The tools that lead to a hit that can't be called yet."""


class ToolSearchArguments(BaseModel):
    """At least one of the two."""

    model_config = ConfigDict(extra="forbid")

    pattern: str | None = Field(
        default=None,
        description="Glob over whole names: email_*, *note*.",
    )
    query: str | None = Field(default=None, description="What you want, in a few words.")


async def tool_search(context: ToolContext, arguments: ToolSearchArguments) -> ToolResult:
    """Search what the person can use, or could come to use.

    Tools that fit and were still locked are returned as the effect `Unlocked`, with the tool that
    leads to a hit in a skill or of a service. A skill that surely fits is activated, if it only
    adds tools.
    """
    pattern, query = arguments.pattern, arguments.query
    if not (pattern or "").strip() and not (query or "").strip():
        raise ToolError(
            "give a pattern (a glob over tool names, such as calendar_*) or a query (a few words)"
        )
    found = context.tools.search(pattern if (pattern or "").strip() else None, query)
    best = [hit for hit in found.hits if hit.sure]
    if (query or "").strip():
        best = best[:UNLOCKED_BY_QUERY]
    brought = _brought(context, best)
    declarations = tuple(
        tool.declaration()
        for tool in _opened(context, found, best, brought)
        if not context.tools.is_callable(tool.name)
    )
    unlocked = [str(declaration["name"]) for declaration in declarations]
    answer: JsonObject = {
        "pattern": pattern,
        "query": query,
        "matches": [_shown(hit, context) for hit in found.hits],
        "unlocked": unlocked,
        "total": len(found.hits) + found.cut,
    }
    if brought is not None:
        answer["activated"] = brought.skill_id
    if not found.hits and found.closest:
        answer["closest"] = [_shown(hit, context) for hit in _closest(found)]
    locked = [
        call_of(tool)
        for tool in found.matches
        if tool.name not in unlocked and not context.tools.is_callable(tool.name)
    ]
    if hint := _hint(found, pattern, locked, brought):
        answer["hint"] = hint
    effects = (
        *((SkillActivated(brought.skill_id, tools=brought.active),) if brought else ()),
        *((Unlocked(declarations, hint),) if declarations else ()),
    )
    return ToolResult(
        json.dumps(answer, ensure_ascii=False),
        origin=_origin(found),
        effects=effects,
        summary=_summary(found),
    )


def _closest(found: SearchResult) -> list[ToolHit]:
    skills = [hit for hit in found.closest[CLOSEST:] if hit.path]
    return [*found.closest[:CLOSEST], *skills[:CLOSEST_SKILLS]]


def _brought(context: ToolContext, best: Sequence[ToolHit]) -> SkillTools | None:
    """The skill to activate at once: that of the best hit, and the only one that surely fits."""
    fitting = {hit.skill_id for hit in best if hit.skill_id}
    if len(fitting) != 1 or not best[0].skill_id:
        return None
    brought = context.tools.brought_by(best[0].skill_id)
    return brought if brought is not None and brought.tools else None


def _opened(
    context: ToolContext,
    found: SearchResult,
    best: Sequence[ToolHit],
    brought: SkillTools | None,
) -> tuple[ToolDefinition, ...]:
    """What is unlocked: the best tools, and what leads to other hits."""
    known = "" if brought is None else brought.skill_id
    told = (*best, *found.hits[:1])
    leading = (
        *((ACTIVATE,) if any(hit.skill_id not in {"", known} for hit in told) else ()),
        *((CONNECT,) if any(one.by_person for hit in found.hits for one in hit.offers) else ()),
    )
    tools = [hit.tool for hit in best if hit.tool is not None]
    tools += [] if brought is None else brought.tools
    return tuple({one.name: one for one in (*tools, *context.tools.describe(leading))}.values())


def _shown(hit: ToolHit, context: ToolContext) -> JsonObject:
    shown: JsonObject = {"name": hit.name, "description": hit.description}
    if hit.skill_id and hit.skill_id != hit.name:
        shown["in_skill"] = hit.skill_id
    elif hit.skill_id:
        shown["skill"] = "to activate"
    if hit.text:
        shown["text"] = "as above" if context.holds(hit.text) else hit.text
    elif hit.path:
        shown["read"] = hit.path
    if hit.offers:
        own = [one for one in hit.offers if one.by_person]
        shown["missing"] = " ".join(one.way for one in own or hit.offers)
    return shown


def _origin(found: SearchResult) -> Origin:
    """Servers' texts about their tools are theirs."""
    tools = [hit.tool for hit in found.hits or _closest(found) if hit.tool is not None]
    return described_by(tool.described_by for tool in tools if tool.described_by)


def _summary(found: SearchResult) -> str:
    if len(found.hits) == 1:
        return f"found {found.hits[0].name}"
    return f"found {len(found.hits)} tools"


def _hint(
    found: SearchResult, pattern: str | None, locked: Sequence[str], brought: SkillTools | None
) -> str:
    return " ".join(filter(None, (_way(found.hits, brought), _rest(found, pattern, locked))))


def _way(hits: Sequence[ToolHit], brought: SkillTools | None) -> str:
    """What the best hit needs before it can be used."""
    if not hits:
        return ""
    if brought is not None:
        names = ", ".join(tool.name for tool in brought.tools)
        return f"{brought.skill_id} is active now: call {names}."
    best = hits[0]
    if best.skill_id:
        given = json.dumps({"skill_id": best.skill_id})
        return f"{ACTIVATE} {given} first; then its tools can be called."
    if best.offers:
        return f"{best.name} can't be used yet: tell the person the way that `missing` names."
    return ""


def _rest(found: SearchResult, pattern: str | None, locked: Sequence[str]) -> str:
    if not found.hits:
        named = " Use one of `closest` only if it is what is wanted." if found.closest else ""
        other = " Or try a query in words." if pattern and not found.closest else ""
        return f"Nothing fits, in tools, skills, agents and services.{named}{other}"
    if locked:
        return f"Callable, too: {', '.join(locked)}."
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
