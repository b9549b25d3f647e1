"""Reads JSON bodies whose fields may be missing or null."""

from typing import Any, cast

from bot.plugin.models import JsonObject


def objects(body: JsonObject, name: str) -> list[JsonObject]:
    """Return a list of objects; empty when the field is missing or null."""
    return cast("list[JsonObject]", body.get(name) or [])


def texts(body: JsonObject, name: str) -> list[str]:
    """Return a list of texts (ids too); empty when the field is missing or null."""
    return [str(item) for item in cast("list[Any]", body.get(name) or [])]
