"""Log lines, and the one place that keeps secrets out of all text written for people."""

import json
import logging
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Literal, TextIO
from urllib.parse import quote

from bot.errors import StorageError

REDACTED = "[redacted]"
FILE_BYTES = 10 * 1024 * 1024
"""Of a log file in the home folder; one more of that size is kept."""
SHORTEST_SECRET = 6
"""Shorter values are not registered: they would blot out ordinary words."""

_NAMES = (
    r"(?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|private[_-]?key|authorization|cookie"
    r"|credential)"
)
_SECRET_KEY = re.compile(rf"{_NAMES}(?:_key|s)?(?<!tokens)$|^(?:pin|pwd)$", re.IGNORECASE)
"""`max_tokens`, `input_tokens` are amounts, not secrets."""
_NAME = re.compile(rf"{_NAMES}(?:_key|s)?", re.IGNORECASE)

_KEY_VALUE = re.compile(
    rf"({_NAMES}(?:_key)?)(\\*[\"']?\s{{0,4}}[:=]\s{{0,4}})(?!\\*[\"']?\[redacted\])"
    r"(?:(\\*[\"'])(?:.{0,4000}?)\3|\\*[\"']?(?:(?:bearer|basic|bot)"
    r"\s{1,4})?[^\s\"'\\,;&}\])]{1,4000})",
    re.IGNORECASE | re.DOTALL,
)
_NAME_PARTS = ("pass", "secret", "token", "key", "author", "cook", "cred")
"""Each of `_NAMES` has one of these, once its case is folded.

None has an i: `re.IGNORECASE` also takes the dotless one for it, and folding does not.
"""
_BEARER = re.compile(r"\b(bearer)\s{1,4}[\w.~+/=-]{8,}", re.IGNORECASE)
_URL_PASSWORD = re.compile(r"(://[^\s/:@]{0,80}:)[^\s/@]{1,400}(?=@)")
_TOKENS = re.compile(
    r"sk-ant-[\w-]{4,}|(?<![\w-])sk-[\w-]{20,}"  # model providers
    r"|xox[a-z]-[\w-]{4,}|xapp-[\w-]{4,}"  # Slack
    r"|(?<![\w-])[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,45}(?![\w-])"  # Discord
    r"|gh[opsur]_\w{20,}|github_pat_\w{20,}"
    r"|(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}"  # JSON web tokens
    r"|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----.{0,8000}?-----END [A-Z ]{0,30}PRIVATE KEY-----",
    re.DOTALL,
)
_TOKEN_STARTS = (
    *("sk-", "xox", "xapp-", "gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_", "eyJ"),
    "-----BEGIN ",
)
_DISCORD_END = re.compile(r"\.[\w-]{6,7}\.[\w-]{27}")
_NOISY = (
    *("httpx", "httpx2", "httpcore", "anthropic", "mcp", "watchfiles"),
    *("discord", "slack_bolt", "slack_sdk"),
)
"""Loggers whose INFO lines don't help an operator; level DEBUG shows them."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class _Secrets:
    """The values that must never be written, in every spelling in which they could turn up."""

    def __init__(self) -> None:
        self._spellings: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, value: str) -> None:
        value = value.strip()
        if len(value) < SHORTEST_SECRET or _NAME.fullmatch(value):
            return  # without their names, values such as `client_secret=…` would be shown
        spellings = {
            value,
            json.dumps(value)[1:-1],
            json.dumps(value, ensure_ascii=False)[1:-1],
            repr(value)[1:-1],
        }
        spellings |= {quote(value, safe=""), quote(value)}
        if not spellings <= self._spellings:
            self._spellings |= spellings
            longest_first = sorted(self._spellings, key=len, reverse=True)
            self._pattern = re.compile("|".join(re.escape(spelling) for spelling in longest_first))

    def blot(self, text: str) -> str:
        return text if self._pattern is None else self._pattern.sub(REDACTED, text)


_secrets = _Secrets()


def register_secret(value: str) -> None:
    """Never write this value in any text; settings register every secret they read.

    Values under 6 characters are left alone, and a password that is only a word such as "secret".
    """
    _secrets.add(value)


def holds_secret(text: str) -> bool:
    """Whether a registered secret stands in the text."""
    return _secrets.blot(text) != text


def is_secret_name(name: str) -> bool:
    """Whether a setting or field has a secret by its name: `api_key` does, `max_tokens` not."""
    return _SECRET_KEY.search(name) is not None


def redact(text: str) -> str:
    """Replace registered secrets, known token shapes and `password=value` by `[redacted]`."""
    text = _without_tokens(_secrets.blot(text))
    folded = text.casefold()
    if any(part in folded for part in _NAME_PARTS):
        text = _KEY_VALUE.sub(_keep_key, text)
    return _shapes(text)


def redact_secrets(text: str) -> str:
    """Replace registered secrets and well-known token shapes alone.

    For texts that somebody goes on working with: there `token: next-page-7` is a value that is
    needed.
    """
    return _shapes(_without_tokens(_secrets.blot(text)))


# Each pattern is only tried on a text that holds what its matches must hold. To try all of them at
# each character takes 10 ms for a tool's result of 16,000 characters.


def _without_tokens(text: str) -> str:
    if any(start in text for start in _TOKEN_STARTS) or _DISCORD_END.search(text):
        return _TOKENS.sub(REDACTED, text)
    return text


def _shapes(text: str) -> str:
    if "bearer" in text.casefold():
        text = _BEARER.sub(rf"\1 {REDACTED}", text)
    return _URL_PASSWORD.sub(rf"\1{REDACTED}", text) if "://" in text else text


def redact_json(value: Any, limit: int | None = None) -> Any:
    """A copy of a JSON value without secrets; longer texts are cut to `limit` characters."""
    clean = _redact_value(value)
    if limit is None:
        return clean
    text = clean if isinstance(clean, str) else json.dumps(clean, ensure_ascii=False, default=str)
    return clean if len(text) <= limit else text[: max(limit - 1, 0)] + "…"


def set_up_logging(
    level: str = "INFO",
    format: Literal["text", "json"] = "text",  # noqa: A002 - its name in bellhop.yaml
    stream: TextIO | None = None,
    file: Path | None = None,
) -> None:
    """Write every log line once, redacted, to `stream` (standard error when None).

    May be called again.

    `file` gets the same lines; at FILE_BYTES it becomes `<name>.1`. Raises OSError or StorageError
    when it can't be written.
    """
    handlers: list[logging.Handler] = [_BellhopHandler(stream or sys.stderr)]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        handlers.append(_BellhopFile(file))
    root = logging.getLogger()
    close_log_file()
    for old in [known for known in root.handlers if isinstance(known, _BellhopHandler)]:
        root.removeHandler(old)
    for handler in handlers:
        handler.setFormatter(_JsonLine() if format == "json" else _TextLine())
        root.addHandler(handler)
    root.setLevel(level.upper())
    for noisy in _NOISY:
        logging.getLogger(noisy).setLevel(
            logging.NOTSET if root.level <= logging.DEBUG else logging.WARNING
        )


def close_log_file() -> None:
    """End what `set_up_logging` began with `file`; the stream still gets every line."""
    root = logging.getLogger()
    for handler in [known for known in root.handlers if isinstance(known, _BellhopFile)]:
        root.removeHandler(handler)
        with suppress(OSError):  # as `_Quiet`: a full disk has no room for the last lines
            handler.close()


def open_log(path: Path) -> TextIO:
    """A file for log lines, to append to.

    Raises OSError, and StorageError for a pipe: its writer waits for a reader.
    """
    if path.is_fifo():
        raise StorageError(f"{path} is a pipe, where the log goes; move it away")
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    # Names of files may hold bytes that are no UTF-8.
    return os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace", buffering=1)


class _Quiet(logging.Handler):
    """A line for which a full disk has no room is lost; a traceback would fill the screen."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - named by logging
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


class _BellhopHandler(_Quiet, logging.StreamHandler[TextIO]):
    """Marks our own handler, so that setting up twice does not write twice."""


class _BellhopFile(_Quiet, RotatingFileHandler):
    """The same, for a file in the home folder."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, maxBytes=FILE_BYTES, backupCount=1)

    def _open(self) -> Any:
        return open_log(Path(self.baseFilename))


class _TextLine(logging.Formatter):
    """`2026-11-21T09:00:00.000Z INFO    bot.turns.engine: session=<…> | started`, one line.

    A traceback follows on lines of its own.
    """

    def format(self, record: logging.LogRecord) -> str:
        line = (
            f"{_moment(record)} {record.levelname:7} {record.name}: {_one_line(_message(record))}"
        )
        trouble = _trouble(record)
        return f"{line}\n{trouble}" if trouble else line


class _JsonLine(logging.Formatter):
    """One JSON object a line: at, level, logger, message and, with an exception, exception."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "at": _moment(record),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
        }
        trouble = _trouble(record)
        if trouble:
            fields["exception"] = trouble
        return json.dumps(fields, ensure_ascii=False)


def _moment(record: logging.LogRecord) -> str:
    return (
        datetime.fromtimestamp(record.created, UTC)
        .isoformat(timespec="milliseconds")
        .replace("+00:00", "Z")
    )


def _message(record: logging.LogRecord) -> str:
    try:
        return redact(record.getMessage())
    except (TypeError, ValueError, KeyError):  # the standard handler would print the raw arguments
        return redact(f"{record.msg!s} (log call with arguments that do not fit)")


def _trouble(record: logging.LogRecord) -> str:
    parts: list[str] = []
    if record.exc_info and record.exc_info[0] is not None:
        parts.append(logging.Formatter().formatException(record.exc_info))
    if record.stack_info:
        parts.append(record.stack_info)
    return redact("\n".join(parts))


def _one_line(text: str) -> str:
    return _CONTROL.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def _keep_key(match: re.Match[str]) -> str:
    mark = match[3] or ""
    return f"{match[1]}{match[2]}{mark}{REDACTED}{mark}"


def _redact_value(value: Any) -> Any:
    match value:
        case str():
            return redact(value)
        case Mapping():
            return {
                redact(key): REDACTED
                if _SECRET_KEY.search(key) and item is not None and not isinstance(item, bool)
                else _redact_value(item)
                for key, item in ((str(name), item) for name, item in value.items())  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            }
        case list() | tuple():
            return [_redact_value(item) for item in value]  # pyright: ignore[reportUnknownVariableType]
        case _:
            return value
