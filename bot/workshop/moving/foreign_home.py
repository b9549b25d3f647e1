"""Reads the files of another assistant's home: no link is followed, and each size is limited.

Blocking: runs in a thread. What can't be read is left out with the reason; nothing raises for it.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from bot.errors import BotError
from bot.log import is_secret_name
from bot.storage.confined import open_folder, read_bytes
from bot.workshop.moving.found import FoundHome
from bot.workshop.review.findings import shown
from bot.workshop.review.json_text import BadJson, plain, read_json, read_json5
from bot.yaml_file import parse_yaml

TEXT_BYTES = 1024 * 1024
DATABASE_BYTES = 64 * 1024 * 1024
MOST_NAMES = 1_000


@dataclass(frozen=True)
class ForeignHome:
    """One folder. Paths are relative to it, with `/`."""

    root: Path
    found: FoundHome

    def names(self, path: str) -> list[str]:
        """The names in a folder in order; empty if there is none, or it is a link."""
        try:
            with open_folder(self.root, _parts(path)) as folder:
                names = sorted(os.listdir(folder))  # noqa: PTH208 - of a descriptor
        except FileNotFoundError:
            return []
        except OSError as error:
            self.found.leave(shown(path), f"it can't be read ({_reason(error)})")
            return []
        if len(names) > MOST_NAMES:
            self.found.leave(shown(path), f"it holds more than {MOST_NAMES:,} names")
            return []
        return names

    def is_folder(self, path: str) -> bool:
        *folders, name = _parts(path)
        try:
            with open_folder(self.root, folders) as folder:
                return stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
        except OSError:
            return False

    def data(self, path: str, most: int) -> bytes | None:
        """The bytes of a plain file; None if it is missing, too large or no plain file."""
        *folders, name = _parts(path)
        try:
            with open_folder(self.root, folders) as folder:
                data = read_bytes(folder, name, most + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            self.found.leave(shown(path), f"it can't be read ({_reason(error)})")
            return None
        if len(data) > most:
            self.found.leave(shown(path), f"it is larger than {most // 1024:,} KB")
            return None
        return data

    def text(self, path: str) -> str | None:
        data = self.data(path, TEXT_BYTES)
        if data is None:
            return None
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            self.found.leave(shown(path), "it is no text in UTF-8")
            return None

    def json(self, path: str) -> Any:
        """JSON, or a small file of JSON5; None for what can't be read."""
        text = self.text(path)
        if text is None:
            return None
        try:
            return read_json(text)
        except BadJson as strict:
            try:
                return read_json5(text)
            except BadJson:
                self.found.leave(f"{shown(path)}, line {strict.line}", str(strict))
                return None

    def yaml(self, path: str) -> Any:
        """YAML without aliases; None for what can't be read."""
        text = self.text(path)
        if text is None:
            return None
        try:
            return plain(parse_yaml(text, path).value)
        except (BotError, BadJson) as error:
            self.found.leave(shown(path), shown(str(error), 200))
            return None

    def env(self, path: str = ".env") -> dict[str, str]:
        """The lines `NAME=value` of a file; its secrets are named and their values dropped."""
        values: dict[str, str] = {}
        for line in (self.text(path) or "").splitlines():
            name, equals, value = line.strip().removeprefix("export ").partition("=")
            name = name.strip()
            if not equals or name.startswith("#") or not name.isidentifier():
                continue
            if is_secret_name(name):
                self.found.secrets.append(f"{name} in {path}")
            else:
                values[name] = value.strip().strip("\"'")
        return values

    def database(self, path: str) -> bytes | None:
        """The bytes of a SQLite database that nobody writes to at the moment."""
        data = self.data(path, DATABASE_BYTES)
        if data is not None and self.data(f"{path}-wal", DATABASE_BYTES):
            self.found.leave(
                f"the newest changes of {shown(path)}",
                "the other assistant still runs, or was killed; end it in order, then look again",
            )
        return data

    def name_secrets(self, path: str, value: Any, where: str = "") -> None:
        """Note the names of the secrets in a configuration."""
        for key, item in mapping(value).items():
            inner = f"{where}.{key}" if where else key
            if isinstance(item, dict):
                self.name_secrets(path, item, inner)
            elif item and is_secret_name(key):
                self.found.secrets.append(f"{shown(inner, 80)} in {shown(path)}")


def mapping(value: Any, *path: str) -> dict[str, Any]:
    """The mapping at a path of keys, or an empty one."""
    for key in path:
        value = cast("dict[str, Any]", value).get(key) if isinstance(value, dict) else None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def word(value: Any) -> str:
    """A text or a number as text; empty for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return ""
    return str(value).strip()


def named_lists(value: Any, names: frozenset[str]) -> Iterator[Any]:
    """The items of every list under one of these keys, however deep."""
    if isinstance(value, Mapping):
        for key, item in cast("Mapping[str, Any]", value).items():
            if key in names:
                yield from items(item)
            else:
                yield from named_lists(item, names)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from named_lists(item, names)


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/") if part)


def _reason(error: OSError) -> str:
    return "a link, or no plain file" if error.strerror is None else error.strerror.lower()
