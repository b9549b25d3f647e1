"""Whether a call to Discord fits what Discord publishes about its API (wire/discord_api.json)."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from jsonschema import Draft202012Validator

_FILE = Path(__file__).parent / "wire" / "discord_api.json"


def misfit(method: str, route: str, body: dict[str, Any]) -> str:
    """What of a body contradicts the description of its route; empty if nothing does."""
    check = _checks().get((method, _bare(route)))
    if check is None:
        return ""
    given = body.get("list", body)
    errors = cast("Any", check).iter_errors(given)
    return next((f"{method} {route}: {one.json_path}: {one.message[:300]}" for one in errors), "")


@cache
def _checks() -> dict[tuple[str, str], Draft202012Validator]:
    described = _closed(json.loads(_FILE.read_text()))
    found: dict[tuple[str, str], Draft202012Validator] = {}
    for named in described["paths"]:
        method, _, path = named.partition(" ")
        pointer = quote(named.replace("~", "~0").replace("/", "~1"), safe="~")
        schema = {"$ref": f"#/paths/{pointer}", "components": described["components"]}
        found[method, _bare(path)] = Draft202012Validator(schema | {"paths": described["paths"]})
    return found


def _bare(path: str) -> str:
    return re.sub(r"\{\w+\}", "{}", path.replace("@original", "{}"))


def _closed(schema: Any) -> Any:
    """The description without room for fields that it does not name."""
    if isinstance(schema, list):
        return [_closed(one) for one in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    inner = {name: _closed(one) for name, one in cast("dict[str, Any]", schema).items()}
    if inner.get("type") == "object" and "properties" in inner:
        inner.setdefault("additionalProperties", False)
    return inner
