"""Templates of requests: `{name}` stands for an argument, `{secret:NAME}` for a secret.

Checked once, filled per call.

A value can't break out of its place: in an address it is percent-encoded, in JSON it is a JSON
value, in a header one line.
"""

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import quote, urlencode

from bot.domain.json_types import JsonObject
from bot.domain.tools import HttpImplementation, server_of
from bot.errors import ToolError
from bot.tools.definitions.adf import adf_of
from bot.web.response import WebError
from bot.web.targets import parse_target

_PLACE = re.compile(r"\{(secret:)?([A-Za-z_][A-Za-z0-9_-]*)\}")
_ANY_PLACE = re.compile(r"\{(secret:|adf:)?([A-Za-z_][A-Za-z0-9_-]*)\}")
_ADF = re.compile(r"\{adf:([A-Za-z_][A-Za-z0-9_-]*)\}")
_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_OWN_HEADERS = frozenset(
    (
        *("host", "content-length", "transfer-encoding", "connection", "accept-encoding", "te"),
        *("trailer", "upgrade", "proxy-authorization", "proxy-connection", "keep-alive", "expect"),
    )
)
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
STAND_IN = "https://server.invalid"
"""In place of an address of the settings, where these aren't known."""
_IN_QUERY = frozenset({"GET", "HEAD", "DELETE"})
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

Problem = tuple[str, int, str]
"""Place (`url`, `header` or `body`), its header or line, and the problem with remedy."""
Secret = Callable[[str], str]


@dataclass(frozen=True)
class FilledRequest:
    """The request to send."""

    url: str
    headers: dict[str, str]
    body: bytes | None


def secrets_of(implementation: HttpImplementation) -> tuple[str, ...]:
    """Names of the secrets that the request sends."""
    texts = (
        implementation.url,
        *(value for _, value in implementation.headers),
        implementation.body,
    )
    names = [name for text in texts for secret, name in _places(text) if secret]
    if (login := implementation.login) is not None:
        names += [login.name, login.password]
    return tuple(dict.fromkeys(names))


def servers_of(implementation: HttpImplementation) -> tuple[str, ...]:
    """Names in tools.http.servers whose addresses the request needs."""
    token = server_of(implementation.login.token_url) if implementation.login else ""
    return tuple(dict.fromkeys(name for name in (implementation.server, token) if name))


def base_problem(base: str, parameters: JsonObject) -> str | None:
    """What is wrong with an address of the settings for a tool with these parameters."""
    properties = cast("JsonObject", parameters.get("properties") or {})
    required = cast("list[str]", parameters.get("required") or [])
    for _, name in _places(base):
        schema = properties.get(name)
        choices = cast("JsonObject", schema).get("enum") if isinstance(schema, dict) else None
        if not choices or name not in required:
            return f"{{{name}}} in it must be a required argument of the tool, with an enum"
        if not all(_LABEL.fullmatch(str(choice)) for choice in cast("list[Any]", choices)):
            return f"the values of {name} must be letters, digits and hyphens"
    return None


def check_http(implementation: HttpImplementation, parameters: JsonObject) -> Iterator[Problem]:
    """All problems of a template, checked against the schema of the tool's arguments."""
    properties = cast("JsonObject", parameters.get("properties") or {})
    yield from _check_url(
        implementation, properties, cast("list[str]", parameters.get("required") or [])
    )
    elsewhere = (implementation.url, *(value for _, value in implementation.headers))
    if any("{adf:" in text for text in elsewhere):
        yield "url", 0, "{adf:name} can only stand in the body"
    for index, (name, value) in enumerate(implementation.headers):
        if not _TOKEN.fullmatch(name):
            yield "header", index, f"{name[:40]!r} is no header's name"
        elif name.casefold() in _OWN_HEADERS:
            yield "header", index, f"{name} is set by Bellhop itself; remove the line"
        for text in _undeclared(value, properties):
            yield "header", index, text
    yield from _check_body(implementation, properties)
    if implementation.free and (names := secrets_of(implementation)):
        yield (
            "url",
            0,
            (
                f"a tool whose whole address is an argument can't send a secret ({names[0]}); fix "
                "the host"
            ),
        )


def _check_url(
    implementation: HttpImplementation, properties: JsonObject, required: list[str]
) -> Iterator[Problem]:
    url = implementation.url
    path = url.partition("?")[0]
    for text in _undeclared(url, properties):
        yield "url", 0, text
    for secret, name in _places(path):
        if secret:
            yield (
                "url",
                0,
                f"a secret can't stand in the path; send {name} in a header or in the query",
            )
        elif name not in required:
            yield (
                "url",
                0,
                f"the address needs {{{name}}}, so {name!r} must be in `required` of ## Parameters",
            )
    if "#" in url:
        yield "url", 0, "the part behind # is never sent; remove it"
    if not implementation.free:
        try:
            parse_target(_PLACE.sub("x", _based(url, STAND_IN)))
        except WebError as error:
            yield "url", 0, str(error)


def _check_body(implementation: HttpImplementation, properties: JsonObject) -> Iterator[Problem]:
    if not implementation.body:
        return
    if implementation.method in {"GET", "HEAD"}:
        yield "body", 0, f"a {implementation.method} request has no body; remove it, or use POST"
    try:
        body = json.loads(implementation.body)
    except json.JSONDecodeError as error:
        yield (
            "body",
            error.lineno - 1,
            f"the body is not valid JSON: {error.msg} (column {error.colno})",
        )
        return
    except RecursionError:
        yield "body", 0, "the body is nested too deeply"
        return
    for index, line in enumerate(implementation.body.split("\n")):
        for text in _undeclared(line, properties):
            yield "body", index, text
    if any("{adf:" in text and not _ADF.fullmatch(text) for text in _texts(body)):
        yield "body", 0, 'write {adf:name} as a whole text: "body": "{adf:comment}"'
    used = _used(implementation, with_body=True)
    if left := [name for name in properties if name not in used]:
        yield (
            "body",
            0,
            (
                f"the argument {left[0]!r} stands nowhere; add {{{left[0]}}}, or remove it from ## "
                "Parameters"
            ),
        )


def _undeclared(text: str, properties: JsonObject) -> Iterator[str]:
    for secret, name in _places(text):
        if not secret and name not in properties:
            yield f"{{{name}}} is no argument; add {name!r} to ## Parameters, or correct it"


def _places(text: str) -> Iterator[tuple[bool, str]]:
    for match in _ANY_PLACE.finditer(text):
        yield match[1] == "secret:", match[2]


def _texts(node: Any) -> Iterator[str]:
    match node:
        case dict():
            for item in cast("JsonObject", node).values():
                yield from _texts(item)
        case list():
            for item in cast("list[Any]", node):
                yield from _texts(item)
        case str():
            yield node
        case _:
            return


def _used(implementation: HttpImplementation, *, with_body: bool) -> set[str]:
    texts = [implementation.url, *(value for _, value in implementation.headers)]
    texts += [implementation.body] if with_body else []
    return {name for text in texts for secret, name in _places(text) if not secret}


# --- filling ---


def fill(
    implementation: HttpImplementation,
    parameters: JsonObject,
    arguments: JsonObject,
    secret: Secret,
    base: str = STAND_IN,
) -> FilledRequest:
    """The request of one call. Raises ToolError for a value that can't stand where it belongs.

    `base`: the address of the settings that the URL begins with, if any.
    """
    given = {name: value for name, value in arguments.items() if value is not None}
    used = _used(implementation, with_body=True) | {name for _, name in _places(base)}
    properties = cast("JsonObject", parameters.get("properties") or {})
    extra = bool(parameters.get("additionalProperties"))
    left = {
        name: value
        for name, value in given.items()
        if name not in used and (extra or name in properties)
    }
    headers = {
        name: _header(value, given, secret)
        for name, value in implementation.headers
        if _complete(value, given)
    }
    if (login := implementation.login) is not None and not login.token_url:
        headers["Authorization"] = basic(secret(login.name), secret(login.password))
    body: bytes | None = None
    url = _based(_address(implementation.url, given, secret), _labelled(base, given))
    if implementation.body:
        filled = _json(json.loads(implementation.body), given, secret)
        body = json.dumps(filled, ensure_ascii=False).encode("utf-8", "replace")
    elif implementation.method in _IN_QUERY:
        url = _with_query(url, left)
    elif left or properties.keys() - used:
        body = json.dumps(left, ensure_ascii=False).encode("utf-8", "replace")
    if body is not None and "content-type" not in {name.casefold() for name in headers}:
        headers["Content-Type"] = "application/json"
    return FilledRequest(url, headers, body)


def basic(name: str, password: str) -> str:
    """The value of an Authorization header."""
    return f"Basic {b64encode(f'{name}:{password}'.encode()).decode('ascii')}"


def _based(url: str, base: str) -> str:
    server = server_of(url)
    return url.replace(f"{{server:{server}}}", base.rstrip("/"), 1) if server else url


def _labelled(base: str, given: JsonObject) -> str:
    def label(name: str) -> str:
        value = given.get(name)
        if not isinstance(value, str) or not _LABEL.fullmatch(value):
            raise ToolError(f"{name} can't stand in a host; give one of its listed values")
        return value

    return _PLACE.sub(lambda match: label(match[2]), base)


def _address(template: str, given: JsonObject, secret: Secret) -> str:
    if (whole := _PLACE.fullmatch(template)) is not None:
        value = given.get(whole[2])
        if not isinstance(value, str) or not value:
            raise ToolError(f"{whole[2]} must be an address such as https://example.org/page")
        return value
    path, _, query = template.partition("?")
    path = _PLACE.sub(lambda match: _segment(match[2], given.get(match[2])), path)
    pairs = [
        _filled_pair(pair, given, secret)
        for pair in query.split("&")
        if pair and _complete(pair, given)
    ]
    return path + ("?" + "&".join(pairs) if pairs else "")


def _segment(name: str, value: Any) -> str:
    text = _text(value) if value is not None else ""
    steps = re.split(r"[/\\]", text)
    if not text or _CONTROL.search(text) or any(step.strip() in {".", ".."} for step in steps):
        raise ToolError(
            f"{name} can't stand in the address: it is empty, or holds `..` or a control character"
        )
    return _encoded(text)


def _filled_pair(pair: str, given: JsonObject, secret: Secret) -> str:
    return _PLACE.sub(
        lambda match: _encoded(secret(match[2]) if match[1] else _text(given[match[2]])), pair
    )


def _encoded(text: str) -> str:
    return quote(text.encode("utf-8", "replace"), safe="")


def _with_query(url: str, left: JsonObject) -> str:
    pairs = [(name, item) for name, value in left.items() for item in _several(value)]
    if not pairs:
        return url
    query = urlencode(
        [(name, text.encode("utf-8", "replace")) for name, text in pairs], quote_via=quote
    )
    bare = url.partition("#")[0]
    return f"{bare}{'&' if '?' in bare else '?'}{query}"


def _header(template: str, given: JsonObject, secret: Secret) -> str:
    text = _PLACE.sub(
        lambda match: secret(match[2]) if match[1] else _text(given[match[2]]), template
    )
    if _CONTROL.search(text) or not text.isascii():
        raise ToolError(
            "an argument holds characters that can't stand in a header; use plain ASCII "
            "without line breaks"
        )
    return text


def _json(node: Any, given: JsonObject, secret: Secret) -> Any:
    match node:
        case dict():
            items = cast("JsonObject", node).items()
            return {
                key: _json(item, given, secret) for key, item in items if not _absent(item, given)
            }
        case list():
            items = cast("list[Any]", node)
            return [_json(item, given, secret) for item in items if not _absent(item, given)]
        case str():
            if (document := _ADF.fullmatch(node)) is not None:
                return adf_of(_text(given.get(document[1])))
            whole = _PLACE.fullmatch(node)
            if whole is not None and not whole[1]:
                return given[whole[2]]
            return _PLACE.sub(
                lambda match: secret(match[2]) if match[1] else _text(given.get(match[2])), node
            )
        case _:
            return node


def _absent(item: Any, given: JsonObject) -> bool:
    """Whether it is only an argument that was not given: then it is left out."""
    whole = _ANY_PLACE.fullmatch(item) if isinstance(item, str) else None
    return whole is not None and whole[1] != "secret:" and whole[2] not in given


def converts(implementation: HttpImplementation) -> bool:
    """Whether filling it converts a text, which takes too long for the event loop."""
    return "{adf:" in implementation.body


def _complete(template: str, given: JsonObject) -> bool:
    return all(secret or name in given for secret, name in _places(template))


def _text(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case list() if all(
            isinstance(item, str | int | float) for item in cast("list[Any]", value)
        ):
            return ",".join(_text(item) for item in cast("list[Any]", value))
        case _:
            return json.dumps(value, ensure_ascii=False)


def _several(value: Any) -> list[str]:
    return (
        [_text(item) for item in cast("list[Any]", value)]
        if isinstance(value, list)
        else [_text(value)]
    )
