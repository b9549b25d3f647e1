"""The grammar of `## Implementation`: one line names the runner, further lines its options.

See docs/rules.md#tool-files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from bot.domain.json_types import JsonObject
from bot.domain.tools import (
    HttpImplementation,
    Implementation,
    McpImplementation,
    NativeImplementation,
    RequestLogin,
    ShellImplementation,
    server_of,
)
from bot.errors import raised_as
from bot.tools.definitions.http_template import check_http
from bot.tools.definitions.read_paths import declared
from bot.web.response import WebError
from bot.web.targets import parse_target

_LENT = r"\{secret:([A-Za-z_][A-Za-z0-9_-]*)\}"
_BASIC = re.compile(rf"{_LENT}\s+{_LENT}")
_TOKEN = re.compile(rf"(\S+)\s+{_LENT}\s+{_LENT}")
_SUCCESS = re.compile(r"([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)\s*=\s*(\S.*)")
_AUTHORIZATION = "authorization"


@dataclass(frozen=True)
class _RequestOptions:
    """What the lines below `http:` say; `header_lines` are the offsets of the headers."""

    headers: tuple[tuple[str, str], ...] = ()
    header_lines: tuple[int, ...] = ()
    login: RequestLogin | None = None
    success: tuple[str, str] | None = None


def _read_options(found: _RequestOptions, offset: int, key: str, text: str) -> _RequestOptions:
    """What is known with one line more. Raises ValueError, in words for the author of the file."""
    match key:
        case "header":
            name, colon, content = text.partition(":")
            if not colon or not content.strip():
                raise ValueError(f"{text[:60]!r} must read `header: Name: value`")
            header = (name.strip(), content.strip())
            found = replace(
                found,
                headers=(*found.headers, header),
                header_lines=(*found.header_lines, offset),
            )
        case "basic" | "token":
            if found.login is not None:
                raise ValueError("one line says how the request logs in: `basic:` or `token:`")
            found = replace(found, login=_basic(text) if key == "basic" else _token(text))
        case "success":
            match = _SUCCESS.fullmatch(text)
            if match is None or found.success is not None:
                raise ValueError("must stand here once and read `success: path.in.answer = value`")
            found = replace(found, success=(match[1], match[2].strip()))
        case _:
            raise ValueError(f"{key}: does not belong here")
    if found.login and any(name.casefold() == _AUTHORIZATION for name, _ in found.headers):
        raise ValueError("a `basic:` or `token:` line sets Authorization; remove that header")
    return found


def _basic(text: str) -> RequestLogin:
    match = _BASIC.fullmatch(text)
    if match is None:
        raise ValueError("must read `basic: {secret:NAME} {secret:PASSWORD}`")
    return RequestLogin(match[1], match[2])


def _token(text: str) -> RequestLogin:
    match = _TOKEN.fullmatch(text)
    if match is None:
        raise ValueError("must read `token: https://… {secret:CLIENT_ID} {secret:CLIENT_SECRET}`")
    url = match[1]
    server = server_of(url)
    shown = url.replace(f"{{server:{server}}}", "https://x", 1) if server else url
    if "{" in shown or "#" in shown or not shown.startswith("http"):
        raise ValueError(f"{url[:60]!r} must be an http(s) address without arguments")
    with raised_as(ValueError, WebError):
        parse_target(shown)
    return RequestLogin(match[2], match[3], url)


METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"})
_NATIVE = frozenset({"native", "internal"})
_LINE = re.compile(r"([a-zA-Z]+)\s*:\s*(\S.*)")
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_MCP_TOOL = re.compile(r"\S{1,128}")
_SCRIPT = re.compile(r"[a-zA-Z0-9_-][a-zA-Z0-9._-]*")
_GRAMMAR = "write `native: name`, `shell: file.sh`, `http: METHOD url` or `mcp: server.tool`"
_Lines: TypeAlias = tuple[tuple[int, str], ...]
"""Lines that aren't blank, each behind its offset."""
_URL = re.compile(
    r"(?:https?://[^\s/{}?#]+|\{server:[A-Za-z_][A-Za-z0-9_-]*\})(?:[/?#]\S*)?"
    r"|\{[A-Za-z_][A-Za-z0-9_-]*\}"
)


class ImplementationError(ValueError):
    """A line of the section is wrong; `offset` is its number in the text, from 0."""

    def __init__(self, message: str, offset: int = 0) -> None:
        super().__init__(message)
        self.offset = offset


def parse_implementation(text: str, directory: str, parameters: JsonObject) -> Implementation:
    """Read the section. Raises ImplementationError, in words for the author of the file.

    A script must lie beside its tool file: a name with a folder in it is refused. `parameters`: the
    tool's schema, by which the placeholders of a request are checked.
    """
    offset, kind, value, more = _cut(text)
    try:
        if kind in {"shell", "script"}:
            return _script(directory, *_shell(value, more))
        if kind == "http":
            return _http(value, text.split("\n"), offset + 1, parameters)
        found = _one_line(kind, value)
    except ImplementationError:
        raise
    except ValueError as error:
        raise ImplementationError(str(error), offset) from None
    for extra, line in more:
        raise ImplementationError(
            f"{line[:60]!r} does not belong here: `{kind}:` takes no further lines", extra
        )
    return found


def native_of(text: str) -> str | None:
    """The tool that the section's `native:` line names; None for other kinds."""
    try:
        _, kind, value, _ = _cut(text)
    except ImplementationError:
        return None
    return value if kind in _NATIVE else None


def is_reading(implementation: Implementation) -> bool:
    """Whether a call of this kind only reads, so that it may simply be repeated after a crash."""
    return isinstance(implementation, HttpImplementation) and implementation.method in {
        "GET",
        "HEAD",
    }


def _cut(text: str) -> tuple[int, str, str, _Lines]:
    """The first line's offset, its kind and value, and the lines below it."""
    lines = [(offset, line) for offset, line in enumerate(text.split("\n")) if line.strip()]
    (offset, head), *more = lines or [(0, "")]
    match = _LINE.fullmatch(_plain(head))
    if match is None:
        raise ImplementationError(f"{head[:60]!r} is unknown; {_GRAMMAR}", offset)
    return offset, match[1].casefold(), match[2].strip(), tuple(more)


def _plain(line: str) -> str:
    """A line without the decoration that markdown authors put around it."""
    return line.strip().strip("`").strip()


def _options(lines: _Lines, known: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
    for offset, line in lines:
        match = _LINE.fullmatch(_plain(line))
        if match is None or match[1].casefold() not in known:
            *others, last = (f"`{name}:`" for name in known)
            wanted = f"{', '.join(others)} and {last}"
            raise ImplementationError(
                f"{line.strip()[:60]!r} is unknown; {wanted} may stand here", offset
            )
        yield offset, match[1].casefold(), match[2].strip()


def _one_line(kind: str, value: str) -> Implementation:
    if kind in _NATIVE:
        return NativeImplementation(_checked(value, "the handler's name"))
    if kind == "mcp":
        server, _, tool = value.partition(".")
        if not _MCP_TOOL.fullmatch(tool):
            raise ValueError(
                f"{value[:60]!r} must name a server and one of its tools: `mcp: server.tool`"
            )
        return McpImplementation(_checked(server, "the server's name"), tool)
    raise ValueError(f"{kind!r} is unknown; {_GRAMMAR}")


def _checked(name: str, what: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name[:60]!r} can't be {what}; use 1 to 64 letters, digits, _ and -")
    return name


# --- scripts ---


def _shell(value: str, more: _Lines) -> tuple[str, bool, tuple[Path, ...]]:
    """The script's name, whether it has the network, and the paths that it reads."""
    if not _SCRIPT.fullmatch(value):
        raise ValueError(
            f"{value[:60]!r} must be the name of a script beside this file, without a folder"
        )
    network: bool | None = None
    reads: list[Path] = []
    for offset, key, text in _options(more, ("network", "read")):
        if key == "read":
            try:
                reads += declared([_plain(text)])
            except ValueError as error:
                raise ImplementationError(str(error), offset) from None
            continue
        if text.casefold() not in {"yes", "no"} or network is not None:
            raise ImplementationError("network: must stand here once, with yes or no", offset)
        network = text.casefold() == "yes"
    return value, bool(network), tuple(dict.fromkeys(reads))


@lru_cache(maxsize=64)
def _script(
    directory: str, name: str, network: bool, reads: tuple[Path, ...]
) -> ShellImplementation:
    """One value for all tools that the same script serves: there may be thousands."""
    return ShellImplementation(Path(directory, name), network, reads)


# --- requests ---


def _http(value: str, lines: list[str], start: int, parameters: JsonObject) -> HttpImplementation:
    method, _, url = value.partition(" ")
    url = url.strip()
    if method.upper() not in METHODS:
        raise ValueError(
            f"{method[:20]!r} is no HTTP method; use one of {', '.join(sorted(METHODS))}"
        )
    if not _URL.fullmatch(url):
        raise ValueError(
            f"{url[:60]!r} must be an http(s) address with a fixed host, one of the settings "
            f"({{server:name}}/path), or one argument as a whole: {{url}}"
        )
    options, body, body_line = _parts(lines, start)
    found = HttpImplementation(
        method.upper(), url, options.headers, body, options.login, options.success
    )
    for part, index, text in check_http(found, parameters):
        offset = {"url": start - 1, "body": body_line + index}.get(part)
        raise ImplementationError(text, options.header_lines[index] if offset is None else offset)
    return found


def _parts(lines: list[str], start: int) -> tuple[_RequestOptions, str, int]:
    """The option lines, then the body up to the section's end, with its first line."""
    options: list[tuple[int, str, str]] = []
    body, body_line = "", start
    for offset in range(start, len(lines)):
        line = lines[offset]
        if not line.strip():
            continue
        if line.strip().casefold().startswith("body:"):
            rest = [line.strip()[len("body:") :], *lines[offset + 1 :]]
            body, body_line = "\n".join(rest).rstrip() or " ", offset
            break
        known = ("header", "basic", "token", "success", "body")
        options += _options(((offset, line),), known)
    return _read(options), body, body_line


def _read(options: list[tuple[int, str, str]]) -> _RequestOptions:
    found = _RequestOptions()
    for offset, key, text in options:
        try:
            found = _read_options(found, offset, key, text)
        except ValueError as error:
            raise ImplementationError(str(error), offset) from None
    return found
