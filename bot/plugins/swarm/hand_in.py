"""An ant's work at the end of a try, as its final text carries it to the swarm.

It is only a claim: an ant that writes such a text by itself gains nothing, because commands check
every criterion that they can.
"""

import json
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.plugins.swarm.arguments import ExecuteArguments, HelpArguments


class _Text(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    hand_in: ExecuteArguments | None = None
    help_wanted: str | None = None


def final_text(given: ExecuteArguments | HelpArguments) -> str:
    """The final text of an ant that hands its work in, or asks for help."""
    said = (
        {"hand_in": given.model_dump()}
        if isinstance(given, ExecuteArguments)
        else {"help_wanted": given.problem}
    )
    return json.dumps(said, ensure_ascii=False)


def read_final(text: str) -> ExecuteArguments | HelpArguments | None:
    """What a final text hands in or asks for; None for any other text."""
    try:
        found: Any = json.loads(text)
        read = _Text.model_validate(cast("dict[str, Any]", found))
        if read.hand_in is not None or read.help_wanted is None:
            return read.hand_in
        return HelpArguments(problem=read.help_wanted)
    except (ValueError, RecursionError, ValidationError):
        return None
