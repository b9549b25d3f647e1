"""The grammar of `## Implementation` (requirements, ruling 25)."""

import re
from pathlib import Path

from bot.domain.tools import (
    HttpImplementation,
    Implementation,
    McpImplementation,
    NativeImplementation,
    ShellImplementation,
)

_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})
_LINE = re.compile(r"([a-zA-Z]+)\s*:\s*(\S.*)")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MCP_TOOL = re.compile(r"\S{1,128}")
_SCRIPT = re.compile(r"[a-zA-Z0-9_-][a-zA-Z0-9._-]*")
_GRAMMAR = "write `native: name`, `shell: file.sh`, `http: METHOD url` or `mcp: server.tool`"


def parse_implementation(text: str, directory: Path) -> Implementation:
    """Read the one line of the section. Raises ValueError, in words for the author of the file.

    A script must lie beside its tool file: a name with a folder in it is refused.
    """
    match = _LINE.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:60]!r} is unknown; {_GRAMMAR}")
    kind, value = match[1].casefold(), match[2].strip()
    if kind in {"native", "internal"}:
        return NativeImplementation(_checked(value, "the handler's name"))
    if kind in {"shell", "script"}:
        if not _SCRIPT.fullmatch(value):
            raise ValueError(f"{value[:60]!r} must be the name of a script beside this file, without a folder")
        return ShellImplementation(directory / value)
    if kind == "http":
        return _http(value)
    if kind == "mcp":
        server, _, tool = value.partition(".")
        if not _MCP_TOOL.fullmatch(tool):
            raise ValueError(f"{value[:60]!r} must name a server and one of its tools: `mcp: server.tool`")
        return McpImplementation(_checked(server, "the server's name"), tool)
    raise ValueError(f"{kind!r} is unknown; {_GRAMMAR}")


def _checked(name: str, what: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name[:60]!r} can't be {what}; use 1 to 64 letters, digits, _ and -")
    return name


def _http(value: str) -> HttpImplementation:
    method, _, url = value.partition(" ")
    url = url.strip()
    if method.upper() not in _METHODS:
        raise ValueError(f"{method[:20]!r} is no HTTP method; use one of {', '.join(sorted(_METHODS))}")
    if not re.fullmatch(r"https?://[^\s/]+\S*", url):
        raise ValueError(f"{url[:60]!r} must be an http:// or https:// address")
    return HttpImplementation(method.upper(), url)
