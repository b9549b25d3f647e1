"""An ant's work at the end of a try, as its final text carries it to the swarm.

It is only a claim: an ant that writes such a text by itself gains nothing, because commands check
every criterion that they can.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.plugins.swarm.arguments import CheckArguments, ExecuteArguments


@dataclass(frozen=True)
class HandIn:
    """The result, and by the number of its criterion how the ant checked it."""

    result: str
    checks: Mapping[int, CheckArguments]
    found_faults: bool = False
    """A soldier's verdict of `fail` on the work that it tested."""


@dataclass(frozen=True)
class HelpWanted:
    problem: str


class _Text(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    hand_in: ExecuteArguments | None = None
    help_wanted: str | None = None


def hand_in_text(given: ExecuteArguments) -> str:
    """The final text of an ant that hands its work in."""
    return json.dumps({"hand_in": given.model_dump()}, ensure_ascii=False)


def help_text(problem: str) -> str:
    """The final text of an ant that asks for help."""
    return json.dumps({"help_wanted": problem}, ensure_ascii=False)


def read_hand_in(text: str) -> HandIn | HelpWanted | None:
    """The work in a final text; None for any other text."""
    try:
        found: Any = json.loads(text)
        read = _Text.model_validate(cast("dict[str, Any]", found))
    except (ValueError, RecursionError, ValidationError):
        return None
    if read.hand_in is not None:
        return HandIn(
            read.hand_in.result,
            {check.criterion: check for check in read.hand_in.checks},
            read.hand_in.verdict == "fail",
        )
    return None if read.help_wanted is None else HelpWanted(read.help_wanted)
