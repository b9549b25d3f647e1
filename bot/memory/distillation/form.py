"""The memorymaster's answer: entries, each with its tier and the summaries behind it."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bot.domain.json_types import JsonObject
from bot.domain.memory import Tier
from bot.memory.distillation.routing import Proposed
from bot.memory.json_answer import read_answer

MOST = 60
"""The most entries of one answer; later ones are ignored."""


class EntryForm(BaseModel):
    """One entry."""

    model_config = ConfigDict(extra="ignore")

    Tier: Literal["user", "agent", "shared"]
    Text: str = Field(min_length=1)
    Significance: int = Field(ge=1, le=5)
    Sources: list[str] = []
    Replaces: list[str] = []

    @field_validator("Sources", "Replaces", mode="before")
    @classmethod
    def _absent_list(cls, value: Any) -> Any:
        return [] if value is None else value


class DistilledForm(BaseModel):
    """The whole answer."""

    model_config = ConfigDict(extra="ignore")

    Entries: list[EntryForm]


def answer_schema() -> JsonObject:
    """The JSON Schema that a provider can enforce on the answer."""
    entry: JsonObject = {
        "type": "object",
        "properties": {
            "Tier": {"type": "string", "enum": ["user", "agent", "shared"]},
            "Text": {"type": "string"},
            "Significance": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
            "Sources": {"type": "array", "items": {"type": "string"}},
            "Replaces": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["Tier", "Text", "Significance", "Sources", "Replaces"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"Entries": {"type": "array", "items": entry}},
        "required": ["Entries"],
        "additionalProperties": False,
    }


def read_entries(text: str) -> list[Proposed] | str:
    """A model's answer as entries, or its mistake in words."""
    form = read_answer(text, DistilledForm)
    if isinstance(form, str):
        return form
    return [
        Proposed(
            Tier(entry.Tier),
            entry.Text,
            entry.Significance,
            tuple(entry.Sources),
            tuple(entry.Replaces),
        )
        for entry in form.Entries[:MOST]
    ]
