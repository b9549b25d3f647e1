"""What the calls of a run changed for its person, for the words at its end.

A tool that can be taken back says it itself (`ToolResult.undo`). Of others, the arguments say it. A
call that only reads, or whose change is the session's own, is no deed.
"""

import json
from collections.abc import Mapping

from bot.domain.characters import short_line
from bot.domain.deeds import Deed, Done, Noun, ToolDeed
from bot.domain.json_types import JsonObject
from bot.domain.tool_outcomes import ToolResult, Undoable
from bot.domain.tools import ToolCall, ToolDefinition
from bot.tools.policy.verdicts import strictest_risk
from bot.tools.toolset.toolset import Toolset

_NAME_CHARS = 60
_UNDOABLE: Mapping[str, Done] = {
    "added": Done.ADDED,
    "stored": Done.ADDED,
    "created": Done.ADDED,
    "done": Done.COMPLETED,
    "dismissed": Done.DISMISSED,
    "deleted": Done.DELETED,
}
_NOUNS: Mapping[str, Noun] = {noun.value: noun for noun in Noun}
_ACTIONS: Mapping[str, Done] = {
    "create": Done.ADDED,
    "complete": Done.COMPLETED,
    "dismiss": Done.DISMISSED,
    "delete": Done.DELETED,
    "cancel": Done.DELETED,
    "add": Done.ADDED,
    "": Done.ADDED,
}


def deeds_of(
    result: ToolResult,
    definition: ToolDefinition | None,
    arguments: JsonObject,
    said: ToolDeed | None = None,
) -> tuple[Deed, ...]:
    """The deeds of a call that has ended. `said`: what its native tool says of itself."""
    if result.is_error or definition is None:
        return ()
    if result.undo:
        return tuple(_undoable(one) for one in result.undo)
    risky = strictest_risk(definition, arguments) is not None
    if not (risky or result.unit.writes):
        return ()
    if said is None:
        return (Deed(Noun.OUTSIDE, Done.CHANGED),) if risky else ()
    action = str(arguments.get("action") or "")
    done = said.done or _ACTIONS.get(action, Done.CHANGED)
    named = str(arguments.get(said.named_by) or "") or _title_in(result.content)
    return (Deed(said.noun, done, short(named)),)


def _undoable(one: Undoable) -> Deed:
    done = _UNDOABLE.get(one.done, Done.CHANGED)
    return Deed(_NOUNS.get(one.noun, Noun.ENTRY), done, short(one.name))


def _title_in(content: str) -> str:
    """The title of the record that a result shows, where the arguments have only its id."""
    try:
        return str(json.loads(content)["title"])
    except (ValueError, KeyError, TypeError):
        return ""


def may_have_acted(call: ToolCall, toolset: Toolset) -> bool:
    """Whether a call that was cut off may have changed something that nobody took note of."""
    definition = toolset.find(call.name)
    if definition is None or toolset.pure(call):
        return False
    return toolset.once(call) or strictest_risk(definition, call.arguments) is not None


def short(name: str) -> str:
    """A name on one line, cut where it is long."""
    return short_line(name, _NAME_CHARS)
