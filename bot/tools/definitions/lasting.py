"""`## Lasting`: what calls of a tool make that outlasts their conversation."""

from typing import cast

from bot.domain.json_types import JsonObject
from bot.domain.lasting import Lasting, LastingRule

_KINDS = ", ".join(Lasting)


def parse_lasting(text: str, parameters: JsonObject | None) -> tuple[LastingRule, ...]:
    """Read lines such as `replaces` and `acts-later: action: create, resume`.

    Raises ValueError, in words for the author of the file. Without known parameters nobody can call
    the tool, and arguments are not checked.
    """
    rules = tuple(_rule(line, parameters) for line in text.splitlines() if line.strip())
    if not rules:
        raise ValueError(f"write a kind, one of {_KINDS}")
    return rules


def _rule(line: str, parameters: JsonObject | None) -> LastingRule:
    kind, *rest = [part.strip() for part in line.strip().lstrip("-*").split(":", 2)]
    if kind not in set(Lasting):
        raise ValueError(f"{kind!r} is none of {_KINDS}")
    if not rest:
        return LastingRule(Lasting(kind))
    values = [value.strip() for value in rest[-1].split(",") if value.strip()]
    if len(rest) != 2 or not rest[0] or not values:
        raise ValueError(
            f"write the argument and its values behind the kind: `{kind}: action: create`"
        )
    _check_values(rest[0], values, parameters)
    return LastingRule(Lasting(kind), rest[0], frozenset(values))


def _check_values(argument: str, values: list[str], parameters: JsonObject | None) -> None:
    """A misspelt argument or value must not free the calls that are meant."""
    if parameters is None:
        return
    known = cast("JsonObject", parameters.get("properties") or {}).get(argument)
    allowed = cast("JsonObject", known).get("enum") if isinstance(known, dict) else None
    allowed = cast("list[object]", allowed) if isinstance(allowed, list) else []
    if not allowed:
        raise ValueError(f"{argument!r} must be an argument with an enum in ## Parameters")
    if unknown := [value for value in values if value not in allowed]:
        raise ValueError(f"{argument} has no value {unknown[0]!r}; use those of its enum")
