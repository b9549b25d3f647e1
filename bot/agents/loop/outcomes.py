"""How a run can end: with an answer, stopped by its person, or without an answer and why."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.domain.deeds import Deed


class Trouble(StrEnum):
    """Why a run ended without an answer, in the detail that the person needs."""

    MODEL = "model"
    BUDGET = "budget"
    EMPTY = "empty"
    LOOPING = "looping"
    REFUSED = "refused"
    CUT = "cut"
    TIME = "time"
    """It took longer than a request may."""
    SPENT = "spent"
    """A budget of money or calls is used up; the reason is a sentence for the person."""


@dataclass(frozen=True)
class Answered:
    text: str
    status: str = "resolved"
    follow_up: str = ""


@dataclass(frozen=True)
class Stopped:
    """The person stopped the run."""

    done: tuple[Deed, ...] = ()
    unsure: bool = False
    """Whether a call was cut off that may have changed something."""
    shown: str = ""
    """The part of the answer that the person had seen."""


@dataclass(frozen=True)
class Failed:
    """No answer.

    `reason` is the precise text (for a caller and the log), `kind` the version for the person.
    """

    kind: Trouble
    reason: str
    model_kind: str = ""
    retry_after_s: float | None = None
    errors: int = 0
    """How many times in a row the model gave no answer."""
    done: tuple[Deed, ...] = ()

    @property
    def overflowed(self) -> bool:
        """Whether the model found the conversation too long for its window."""
        return self.kind is Trouble.CUT or self.model_kind == "too_long"


LoopOutcome: TypeAlias = Answered | Stopped | Failed
