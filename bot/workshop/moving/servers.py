"""MCP servers of other assistants as lines for bellhop.yaml, with names in place of secrets."""

import re
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import TypeAdapter, ValidationError

from bot.domain.json_types import JsonObject
from bot.log import is_secret_name, redact
from bot.tools.mcp.settings import McpServerSettings, ServerName
from bot.workshop.importing.findings import shown
from bot.workshop.moving.foreign_home import items, mapping, word
from bot.workshop.moving.found import FoundHome, FoundServer

_NAME: TypeAdapter[str] = TypeAdapter(ServerName)
_NO_LETTER = re.compile(r"[^A-Z0-9]+")


class Unusable(ValueError):
    """Why a server can't stand in bellhop.yaml."""


def take_servers(found: FoundHome, servers: Any, where: str) -> None:
    """Add the servers of a mapping by name, in the form that all three assistants share."""
    for name, given in mapping(servers).items():
        what = f"the MCP server {shown(name, 40)} in {where}"
        try:
            taken = _settings(name, mapping(given))
            _NAME.validate_python(name)
            McpServerSettings.model_validate(taken)
        except ValidationError as error:
            found.leave(what, shown(error.errors()[0]["msg"].removeprefix("Value error, "), 200))
            continue
        except Unusable as error:
            found.leave(what, str(error))
            continue
        found.servers.append(FoundServer(name, taken))
        for kind in ("env", "headers"):
            found.secrets += [f"{one[2:-1]} for {what}" for one in mapping(taken, kind).values()]
        if "?" in word(mapping(given).get("url")):
            found.secrets.append(f"what follows “?” in the address of {what}")


def _settings(name: str, given: dict[str, Any]) -> JsonObject:
    if given.get("enabled") is False or given.get("disabled") is True:
        raise Unusable("it is switched off there")
    if word(given.get("command")):
        taken: JsonObject = {"command": _safe(word(given["command"]))}
        if args := _arguments(given.get("args")):
            taken["args"] = args
        if env := mapping(given, "env"):
            taken["env"] = _named(name, env)
    elif word(given.get("url")):
        if word(given.get("type", given.get("transport"))).casefold() == "sse":
            raise Unusable("it speaks SSE; ask its maker for the address of streamable HTTP")
        taken = {"url": _address(word(given["url"]))}
        if headers := mapping(given, "headers"):
            taken["headers"] = _named(name, headers)
    else:
        raise Unusable("it names neither a program nor an address")
    return {**taken, "roles": "MasterAdmin"}


def _arguments(given: Any) -> list[str]:
    """Raises Unusable for a key among them: only `env` can name one in place of its value."""
    args = [word(one) for one in items(given)]
    for before, one in zip(("", *args), args, strict=False):
        flag, equals, _ = one.partition("=")
        if (before.startswith("-") and is_secret_name(before)) or (equals and is_secret_name(flag)):
            raise Unusable("an argument looks like a secret; write the server with it in env")
        _safe(one)
    return args


def _safe(text: str) -> str:
    if redact(text) != text:
        raise Unusable("an argument looks like a secret; write the server with it in env")
    return text


def _address(url: str) -> str:
    """The address without what may hold a key."""
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        raise Unusable("its address can't be read") from None
    return _safe(urlunsplit((parts.scheme, host, parts.path, "", "")))


def _named(server: str, values: dict[str, Any]) -> dict[str, str]:
    """A variable in place of each value: which of them is a secret, only its maker knows."""
    return {key: f"${{{_NO_LETTER.sub('_', f'MCP_{server}_{key}'.upper())}}}" for key in values}
