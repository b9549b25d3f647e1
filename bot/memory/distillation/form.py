"""The answer of the memorymaster: entries, each with the tier it is meant for and the summaries behind it."""

import json
import re
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.domain.json_types import JsonObject
from bot.domain.memory import Tier
from bot.memory.distillation.routing import Proposed

MOST = 60
"""Entries of one answer; the first count."""
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class EntryForm(BaseModel):
    """One entry."""

    model_config = ConfigDict(extra="ignore")

    Tier: Literal["user", "agent", "shared"]
    Text: str = Field(min_length=1)
    Significance: int = Field(ge=1, le=5)
    Sources: list[str] = []


class DistilledForm(BaseModel):
    """The whole answer."""

    model_config = ConfigDict(extra="ignore")

    Entries: list[EntryForm]


def answer_schema() -> JsonObject:
    """The JSON Schema that a provider can hold the answer to."""
    entry: JsonObject = {
        "type": "object",
        "properties": {
            "Tier": {"type": "string", "enum": ["user", "agent", "shared"]},
            "Text": {"type": "string"},
            "Significance": {"type": "integer", "enum": [1, 2, 3, 4, 5]},
            "Sources": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["Tier", "Text", "Significance", "Sources"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"Entries": {"type": "array", "items": entry}},
        "required": ["Entries"],
        "additionalProperties": False,
    }


def read_entries(text: str) -> list[Proposed] | str:
    """A model's answer as entries, or in words what is wrong with it."""
    found = _OBJECT.search(text)
    if found is None:
        return "the answer holds no JSON object"
    try:
        form = DistilledForm.model_validate(json.loads(found[0]))
    except json.JSONDecodeError as error:
        return f"the answer is no JSON: {error.msg} at character {error.pos}"
    except RecursionError:
        return "the answer is nested too deeply"
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return [
        Proposed(Tier(entry.Tier), entry.Text, entry.Significance, tuple(entry.Sources))
        for entry in form.Entries[:MOST]
    ]
