"""A model's answer that should be one JSON object of a known form: its schema, and its reading."""

import json
from typing import Any, Literal, TypeVar, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.domain.json_types import JsonObject

FormT = TypeVar("FormT", bound=BaseModel)
MOST_PROBLEMS = 5
"""Reported together, so that one more try can fix them all."""


def answer_schema(form: type[BaseModel]) -> JsonObject:
    """The JSON Schema that a provider can enforce: all fields of a form required, no others."""
    fields = form.model_fields
    return {
        "type": "object",
        "properties": {name: _schema(one.annotation, one.metadata) for name, one in fields.items()},
        "required": list(fields),
        "additionalProperties": False,
    }


def _schema(kind: Any, limits: list[Any]) -> JsonObject:
    """Of a text, one of some words, a number between limits, a form, or a list."""
    if get_origin(kind) is list:
        return {"type": "array", "items": _schema(get_args(kind)[0], [])}
    if get_origin(kind) is Literal:
        return {"type": "string", "enum": list(get_args(kind))}
    if kind is int:  # providers know no limits, but lists of values
        low, high = (getattr(limit, side) for limit, side in zip(limits, ("ge", "le"), strict=True))
        return {"type": "integer", "enum": list(range(low, high + 1))}
    return answer_schema(kind) if issubclass(kind, BaseModel) else {"type": "string"}


def read_answer(text: str, form: type[FormT]) -> FormT | str:
    """The first object in the text, whatever surrounds it; or its mistakes in words.

    The words quote nothing of the answer: they go into the next request, and the answer may repeat
    text from outside.
    """
    start = text.find("{")
    if start < 0:
        return "the answer holds no JSON object"
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
        return form.model_validate(found)
    except json.JSONDecodeError as error:
        return (
            f'the answer is no JSON ({error.msg}): write \\" and \\n inside texts, and close every '
            f"bracket"
        )
    except RecursionError:
        return "the answer is nested too deeply"
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        return "; ".join(_in_words(one) for one in problems[:MOST_PROBLEMS])


def _in_words(problem: ErrorDetails) -> str:
    where = ".".join(str(part) for part in problem["loc"])
    what = "Input should be an object" if problem["type"] == "model_type" else problem["msg"]
    return f"{where}: {what}"
