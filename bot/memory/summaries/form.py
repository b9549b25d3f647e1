"""The form of a summary: fifteen fields that a model fills, and one of state.

memory/<agent>_conversations.jsonl has the fifteen. `Distilled` is the state: the database alone has
it. Without a model a summary is made of typed words, answers and calls, quoted and cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from bot.domain.json_types import JsonObject
from bot.domain.summaries import Depth, Resolution, SummaryFields, ToolUse
from bot.memory.json_answer import read_answer

TEXT_CHARS = 1_200
"""Characters of one field; longer ones are cut at a word."""
_ITEM_CHARS = 300
_ITEMS = 12
"""Items of one list; later ones are left out."""
_MOST_REQUESTS = 5


class ToolForm(BaseModel):
    """One tool of `ToolsUsed`."""

    model_config = ConfigDict(extra="ignore")

    Name: str
    Purpose: str = ""

    @model_validator(mode="before")
    @classmethod
    def _name_alone(cls, value: Any) -> Any:
        return {"Name": value} if isinstance(value, str) else value


class SummaryForm(BaseModel):
    """The fields under their names in the file."""

    model_config = ConfigDict(extra="ignore")

    Intent: str = Field(min_length=1)
    TechnicalDepth: Literal["casual", "moderate", "expert"]
    UserMood: str = ""
    Significance: int = Field(ge=1, le=5)
    RelationshipNotes: str = ""
    ActiveGoals: list[str] = []
    WIH: str = ""
    WIS: str = ""
    WID: str = ""
    ToolsUsed: list[ToolForm] = []
    Outcome: Literal["resolved", "partial", "unresolved"]
    FactsLearned: list[str] = []
    PreferencesNoted: list[str] = []
    ErrorsEncountered: list[str] = []
    FollowUp: str = ""

    @field_validator(
        "UserMood", "RelationshipNotes", "WIH", "WIS", "WID", "FollowUp", mode="before",
    )  # fmt: skip
    @classmethod
    def _absent_text(cls, value: Any) -> Any:
        return "" if value is None else value

    @field_validator(
        "ActiveGoals",
        "ToolsUsed",
        "FactsLearned",
        "PreferencesNoted",
        "ErrorsEncountered",
        mode="before",
    )
    @classmethod
    def _absent_list(cls, value: Any) -> Any:
        return [] if value is None else value


def read_form(text: str, *, goals: bool) -> SummaryFields | str:
    """A model's answer as fields, or its mistake in words.

    `goals`: whether its agent keeps goals.
    """
    form = read_answer(text, SummaryForm)
    return form if isinstance(form, str) else _fields(form, goals=goals)


def _fields(form: SummaryForm, *, goals: bool) -> SummaryFields:
    return SummaryFields(
        intent=clipped(form.Intent, _ITEM_CHARS),
        wih=clipped(form.WIH),
        wis=clipped(form.WIS),
        wid=clipped(form.WID),
        technical_depth=Depth(form.TechnicalDepth),
        user_mood=clipped(form.UserMood, _ITEM_CHARS),
        significance=form.Significance,
        relationship_notes=clipped(form.RelationshipNotes),
        active_goals=_items(form.ActiveGoals) if goals else (),
        tools_used=tuple(
            ToolUse(clipped(tool.Name, 80), clipped(tool.Purpose, _ITEM_CHARS))
            for tool in form.ToolsUsed[: 2 * _ITEMS]
        ),
        outcome=Resolution(form.Outcome),
        facts_learned=_items(form.FactsLearned),
        preferences_noted=_items(form.PreferencesNoted),
        errors_encountered=_items(form.ErrorsEncountered),
        follow_up=clipped(form.FollowUp),
    )


def _items(texts: list[str]) -> tuple[str, ...]:
    kept = [clipped(text, _ITEM_CHARS) for text in texts]
    return tuple(dict.fromkeys(text for text in kept if text))[:_ITEMS]


def clipped(text: str, chars: int = TEXT_CHARS) -> str:
    """The text on one line, cut at a word if it is too long."""
    text = " ".join(text.split())
    if len(text) <= chars:
        return text
    head = text[: chars - 1]
    return f"{head.rsplit(' ', 1)[0] if ' ' in head[chars // 2 :] else head}…"


def to_json(fields: SummaryFields) -> JsonObject:
    """The fields under their names in the file, `Distilled` left out."""
    return {
        "Intent": fields.intent,
        "TechnicalDepth": fields.technical_depth.value,
        "UserMood": fields.user_mood,
        "Significance": fields.significance,
        "RelationshipNotes": fields.relationship_notes,
        "ActiveGoals": list(fields.active_goals),
        "WIH": fields.wih,
        "WIS": fields.wis,
        "WID": fields.wid,
        "ToolsUsed": [{"Name": tool.name, "Purpose": tool.purpose} for tool in fields.tools_used],
        "Outcome": fields.outcome.value,
        "FactsLearned": list(fields.facts_learned),
        "PreferencesNoted": list(fields.preferences_noted),
        "ErrorsEncountered": list(fields.errors_encountered),
        "FollowUp": fields.follow_up,
    }


def from_json(data: JsonObject) -> SummaryFields:
    """The inverse of `to_json`; raises KeyError or ValueError for any other input."""
    return SummaryFields(
        intent=data["Intent"],
        wih=data["WIH"],
        wis=data["WIS"],
        wid=data["WID"],
        technical_depth=Depth(data["TechnicalDepth"]),
        user_mood=data["UserMood"],
        significance=int(data["Significance"]),
        relationship_notes=data["RelationshipNotes"],
        active_goals=tuple(data["ActiveGoals"]),
        tools_used=tuple(ToolUse(tool["Name"], tool["Purpose"]) for tool in data["ToolsUsed"]),
        outcome=Resolution(data["Outcome"]),
        facts_learned=tuple(data["FactsLearned"]),
        preferences_noted=tuple(data["PreferencesNoted"]),
        errors_encountered=tuple(data["ErrorsEncountered"]),
        follow_up=data["FollowUp"],
    )


@dataclass(frozen=True)
class TranscriptReading:
    """The facts that a transcript shows without being understood."""

    requests: Sequence[str]
    """The person's typed words, oldest first."""
    answers: Sequence[str]
    tools: Sequence[str]
    """Names, in the order of their first call."""
    errors: Sequence[str] = ()
    facts: Sequence[str] = ()


def plain_fields(said: TranscriptReading) -> SummaryFields:
    """Draws no conclusions: neither preferences nor moods, and never more than significance 2."""
    requests = [clipped(text, _ITEM_CHARS) for text in said.requests if text.strip()]
    heard = (
        requests
        if len(requests) <= _MOST_REQUESTS
        else [requests[0], "…", *requests[1 - _MOST_REQUESTS :]]
    )
    tools = tuple(dict.fromkeys(said.tools))
    return SummaryFields(
        intent=requests[0] if requests else "nothing was asked",
        wih=clipped(" / ".join(heard)),
        wis=clipped(said.answers[-1]) if said.answers else "",
        wid=clipped(f"called {', '.join(tools)}") if tools else "",
        significance=2 if tools else 1,
        tools_used=tuple(ToolUse(name) for name in tools[: 2 * _ITEMS]),
        outcome=Resolution.PARTIAL if said.answers else Resolution.UNRESOLVED,
        facts_learned=tuple(clipped(fact, _ITEM_CHARS) for fact in said.facts)[:_ITEMS],
        errors_encountered=tuple(clipped(error, _ITEM_CHARS) for error in said.errors)[:_ITEMS],
    )


def with_facts(fields: SummaryFields, facts: Sequence[str]) -> SummaryFields:
    """A model's summary, plus all facts that agents saved, newest first."""
    saved = [clipped(fact, _ITEM_CHARS) for fact in reversed(facts)]
    learned = tuple(dict.fromkeys((*saved, *fields.facts_learned)))[:_ITEMS]
    return replace(fields, facts_learned=learned)
