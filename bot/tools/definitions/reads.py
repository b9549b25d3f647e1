"""`## Reads`: the calls of a writing tool that only read, and so carry no risk."""

from typing import cast

from bot.domain.json_types import JsonObject
from bot.domain.reads import Reads


def parse_reads(text: str, parameters: JsonObject | None, risky: bool) -> Reads:
    """Read `action: list, read`. Raises ValueError, in words for the author of the file.

    The argument has to be required and an enum: a call without it, or with another value, must not
    pass as reading. Without known parameters nobody can call the tool, and this is not checked.
    """
    argument, _, rest = text.partition(":")
    name, values = argument.strip(), [value.strip() for value in rest.split(",") if value.strip()]
    if not name or not values:
        raise ValueError(
            "write the argument and its values that only read, such as `action: list, read`"
        )
    if not risky:
        raise ValueError(
            "it says which calls have no risk, but the tool has none; remove it or add ## Risk"
        )
    if parameters is None:
        return Reads(name, frozenset(values))
    known = cast("JsonObject", parameters.get("properties") or {}).get(name)
    allowed = cast("JsonObject", known).get("enum") if isinstance(known, dict) else None
    if not isinstance(allowed, list) or name not in (parameters.get("required") or []):
        raise ValueError(f"{name!r} must be a required argument with an enum in ## Parameters")
    if unknown := [value for value in values if value not in allowed]:
        raise ValueError(f"{name} has no value {unknown[0]!r}; use those of its enum")
    return Reads(name, frozenset(values))
