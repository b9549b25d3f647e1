"""Reads a model's answer that should be one JSON object of a known form."""

import json
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

FormT = TypeVar("FormT", bound=BaseModel)
MOST_PROBLEMS = 5
"""Reported together, so that one more try can fix them all."""


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
