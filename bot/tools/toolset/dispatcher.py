"""call_tool: calls found tools for providers without tool references (unlock mode `dispatch`)."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.domain.models import Unlock
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.llm.unlocking import CALL_TOOL
from bot.tools.schemas.argument_models import args_schema


class CallToolArguments(BaseModel):
    """The call of another tool."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="As tool_search or get_capabilities gave it.")
    arguments: Annotated[dict[str, Any], WithJsonSchema({"type": "object"})] = Field(
        description="What its definition asks for."
    )


DISPATCHER = ToolDefinition(
    CALL_TOOL,
    (
        "Call a tool that tool_search or get_capabilities unlocked and that is not declared to you "
        "itself."
    ),
    {**args_schema(CallToolArguments), "additionalProperties": False},
    "shared",
    NativeImplementation(CALL_TOOL),
)
"""Declared in every request of the mode.

Its calls are unwrapped before the gate, so that the meant tool is judged, journalled and shown
under its own name. Only a call that names none reaches this definition.
"""


def declares_offered(unlock: Unlock) -> bool:
    """Whether request_more_turns is declared at once, as it can't be declared when offered."""
    return unlock in {Unlock.REFERENCE, Unlock.DISPATCH}


def dispatcher_tools(unlock: Unlock) -> tuple[ToolDefinition, ...]:
    """The additional tools of a toolset in this mode."""
    return (DISPATCHER,) if unlock is Unlock.DISPATCH else ()
