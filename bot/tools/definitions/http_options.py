"""The lines below `http:`: headers, how the program proves itself, and what counts as success."""

import re
from dataclasses import dataclass, replace

from bot.domain.tools import RequestLogin, server_of
from bot.web.response import WebError
from bot.web.targets import parse_target

_LENT = r"\{secret:([A-Za-z_][A-Za-z0-9_-]*)\}"
_BASIC = re.compile(rf"{_LENT}\s+{_LENT}")
_TOKEN = re.compile(rf"(\S+)\s+{_LENT}\s+{_LENT}")
_SUCCESS = re.compile(r"([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)\s*=\s*(\S.*)")
_AUTHORIZATION = "authorization"


@dataclass(frozen=True)
class RequestOptions:
    """What the lines say; `header_lines` are the offsets of the headers."""

    headers: tuple[tuple[str, str], ...] = ()
    header_lines: tuple[int, ...] = ()
    login: RequestLogin | None = None
    success: tuple[str, str] | None = None


def read_options(found: RequestOptions, offset: int, key: str, text: str) -> RequestOptions:
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
    try:
        parse_target(shown)
    except WebError as error:
        raise ValueError(str(error)) from None
    return RequestLogin(match[2], match[3], url)
