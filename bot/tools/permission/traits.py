"""What the gate reads of a tool, worked out once for each definition."""

from dataclasses import dataclass

from bot.domain.targets import has_marks
from bot.domain.tools import HttpImplementation, ToolDefinition
from bot.tools.policy.verdicts import WRITING_FILE_TOOLS
from bot.tools.schemas.arguments import ArgumentCheck

SEND = "send"
HANDING_OVER = frozenset({SEND, "make_file"})
"""Their argument `file` is the path of a file that is posted, so it takes what reading it takes."""
_RISKY_BY_ARGUMENTS = WRITING_FILE_TOOLS | {SEND}
"""Tools without a risk of their own whose calls may have one."""


@dataclass(frozen=True)
class ToolTraits:
    """All of a definition that no call, person or place changes."""

    definition: ToolDefinition
    arguments: ArgumentCheck
    riskless: bool
    """Whether no call has a risk, whatever its arguments are and wherever they come from.

    Then nobody needs to ask where they come from.
    """

    @classmethod
    def of(cls, definition: ToolDefinition) -> "ToolTraits":
        return cls(definition, ArgumentCheck(definition.parameters), _is_riskless(definition))


def _is_riskless(definition: ToolDefinition) -> bool:
    implementation = definition.implementation
    return (
        definition.risk is None
        and not definition.may_write
        and not definition.lasting
        and definition.name not in _RISKY_BY_ARGUMENTS
        and not (isinstance(implementation, HttpImplementation) and implementation.free)
        and not has_marks(definition.parameters)
    )
