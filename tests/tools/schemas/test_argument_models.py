"""Argument models become the clean schemas that tool files carry."""

from enum import StrEnum
from typing import Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field

from bot.tools.schemas.argument_models import args_schema


class Colour(StrEnum):
    """A docstring that is for programmers."""

    RED = "red"
    BLUE = "blue"


class Item(BaseModel):
    """For programmers too."""

    title: str = Field(description="What it says")


class Everything(BaseModel):
    """Not for the model."""

    model_config = ConfigDict(extra="forbid")

    action: Literal["add", "list"]
    title: str | None = Field(default=None, description="A title")
    colour: Colour = Field(default=Colour.RED, description="Which one")
    items: list[Item] = Field(default_factory=list[Item])
    either: int | str | None = None
    limit: int = Field(default=5, ge=1, le=50)


class Nothing(BaseModel):
    pass


class Tree(BaseModel):
    children: "list[Tree]"


def test_a_model_becomes_a_schema_without_titles_refs_nulls_and_docstrings():
    assert args_schema(Everything) == {
        "type": "object",
        "properties": {
            "action": {"type": "string", "enum": ["add", "list"]},
            "title": {"type": "string", "description": "A title"},
            "colour": {
                "type": "string",
                "enum": ["red", "blue"],
                "default": "red",
                "description": "Which one",
            },
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"title": {"type": "string", "description": "What it says"}},
                    "required": ["title"],
                },
            },
            "either": {"anyOf": [{"type": "integer"}, {"type": "string"}]},
            "limit": {"type": "integer", "default": 5, "minimum": 1, "maximum": 50},
        },
        "required": ["action"],
    }


def test_a_model_without_fields_is_an_empty_object():
    assert args_schema(Nothing) == {"type": "object", "properties": {}}


def test_a_model_that_contains_itself_is_refused():
    with pytest.raises(ValueError, match="Tree contains itself"):
        args_schema(Tree)
