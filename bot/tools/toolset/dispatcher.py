"""call_tool: calls found tools for providers without tool references (unlock mode `dispatch`)."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, WithJsonSchema

from bot.domain.models import Unlock
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.llm.unlocking import CALL_TOOL
from bot.tools.schemas.argument_models import args_schema


class CallToolArguments(BaseModel):
    """The call of another tool."""

    model_config = ConfigDict(extra="forbid")

    name: str
    arguments: Annotated[dict[str, Any], WithJsonSchema({"type": "object"})]


DISPATCHER = ToolDefinition(
    CALL_TOOL,
    "Call a tool that is not declared itself, as its definition asks.",
    args_schema(CallToolArguments),
    "shared",
    NativeImplementation(CALL_TOOL),
)
"""Declared in every request of the mode.

Its calls are unwrapped before the gate, so that the meant tool is judged, journalled and shown
under its own name. Only a call that names none reaches this definition.
"""


def declared_early(unlock: Unlock) -> tuple[str, ...]:
    """Offered tools that the mode declares from the first request on.

    By reference, nothing can declare request_more_turns beside the results of a round.
    """
    match unlock:
        case Unlock.REFERENCE:
            return ("request_more_turns",)
        case Unlock.DISPATCH:
            return (CALL_TOOL,)
        case Unlock.INLINE | Unlock.APPEND:
            return ()


def dispatcher_tools(unlock: Unlock) -> tuple[ToolDefinition, ...]:
    """The additional tools of a toolset in this mode."""
    return (DISPATCHER,) if unlock is Unlock.DISPATCH else ()
