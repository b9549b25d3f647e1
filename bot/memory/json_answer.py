"""Reads a model's answer that should be one JSON object of a known form."""

import json
import re
from typing import TypeVar

from pydantic import BaseModel, ValidationError

FormT = TypeVar("FormT", bound=BaseModel)
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def read_answer(text: str, form: type[FormT]) -> FormT | str:
    """The object in the text, whatever stands around it; or in words what is wrong with it."""
    found = _OBJECT.search(text)
    if found is None:
        return "the answer holds no JSON object"
    try:
        return form.model_validate(json.loads(found[0]))
    except json.JSONDecodeError as error:
        return f"the answer is no JSON: {error.msg} at character {error.pos}"
    except RecursionError:
        return "the answer is nested too deeply"
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
