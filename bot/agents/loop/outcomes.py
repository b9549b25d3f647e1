"""How a run can end: with an answer, stopped by its person, or without an answer and why.

Tool outcomes are kept as JSON, in the journal's form.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TypeAlias, assert_never

from bot.domain.confinement import Confinement
from bot.domain.deeds import Deed, Done, Noun
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin
from bot.domain.tool_outcomes import (
    AskPerson,
    BudgetExtended,
    Confined,
    Deferred,
    Effect,
    FactForgotten,
    FactSaved,
    Finish,
    ForAsker,
    NeedsApproval,
    Rescheduled,
    RunNote,
    SkillActivated,
    ToolOutcome,
    ToolResult,
    Unlocked,
)
from bot.memory.facts_store import fact_from_json, fact_to_json


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


def outcome_to_json(outcome: ToolOutcome) -> JsonObject:
    """Everything but the unit, which is committed with the step and never needed again.

    Only settled outcomes are remembered: a gate's NeedsApproval or Deferred becomes a ToolResult
    first.
    """
    match outcome:
        case ToolResult():
            return {
                "kind": "result",
                "content": outcome.content,
                "is_error": outcome.is_error,
                "origin": outcome.origin.to_json(),
                "private": outcome.private,
                "blocks": list(outcome.blocks),
                "effects": [_effect_to_json(effect) for effect in outcome.effects],
                "deeds": [[one.noun, one.done, one.name] for one in outcome.deeds],
                "summary": outcome.summary,
            }
        case Finish():
            return {"kind": "finish", **asdict(outcome)}
        case AskPerson():
            return {"kind": "ask", **asdict(outcome), "options": list(outcome.options)}
        case NeedsApproval() | Deferred():
            raise TypeError(f"{type(outcome).__name__} is not a settled outcome")
        case _:
            assert_never(outcome)


def outcome_from_json(data: JsonObject) -> ToolResult | Finish | AskPerson:
    match data["kind"]:
        case "finish":
            for_asker = data.get("for_asker", False)
            return Finish(data["answer"], data["status"], data["follow_up"], for_asker)
        case "ask":
            return AskPerson(
                data["question"], tuple(data["options"]), bool(data.get("files", False))
            )
        case _:
            return ToolResult(
                content=data["content"],
                is_error=data["is_error"],
                origin=Origin.from_json(data["origin"]),
                private=data["private"],
                blocks=tuple(data["blocks"]),
                effects=tuple(_effect_from_json(item) for item in data["effects"]),
                deeds=tuple(
                    Deed(Noun(noun), Done(done), name) for noun, done, name in data.get("deeds", ())
                ),
                summary=data["summary"],
            )


def _effect_to_json(effect: Effect) -> JsonObject:  # noqa: PLR0911 - one line per effect
    match effect:
        case Unlocked(declarations, hint, called):
            return {
                "effect": "unlocked",
                "declarations": list(declarations),
                "hint": hint,
                "called": called,
            }
        case FactSaved(fact):
            return {"effect": "fact", "fact": fact_to_json(fact)}
        case FactForgotten(key):
            return {"effect": "fact forgotten", "key": key}
        case BudgetExtended(calls):
            return {"effect": "budget", "calls": calls}
        case Confined(limits, lifted):
            return {"effect": "confined", "limits": limits.to_json(), "lifted": lifted}
        case SkillActivated(skill_id, active, tools):
            return {"effect": "skill", "skill_id": skill_id, "active": active, "tools": list(tools)}
        case Rescheduled():
            return {"effect": "rescheduled"}
        case ForAsker():
            return {"effect": "for asker"}
        case RunNote(subject, note):
            return {"effect": "noted", "subject": subject, "note": note}
        case _:
            assert_never(effect)


def _effect_from_json(data: JsonObject) -> Effect:  # noqa: PLR0911 - one line per effect
    match data["effect"]:
        case "unlocked":
            return Unlocked(
                tuple(data["declarations"]), data.get("hint"), data.get("called", False)
            )
        case "fact":
            return FactSaved(fact_from_json(data["fact"]))
        case "fact forgotten":
            return FactForgotten(data["key"])
        case "budget":
            return BudgetExtended(data["calls"])
        case "rescheduled":
            return Rescheduled()
        case "for asker":
            return ForAsker()
        case "noted":
            return RunNote(data["subject"], data["note"])
        case "confined":
            return Confined(Confinement.from_json(data["limits"]), data.get("lifted", False))
        case _:
            return SkillActivated(data["skill_id"], data["active"], tuple(data["tools"]))
