"""The limits that a skill, manifest or tool file sets for itself while it is active."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from bot.domain.json_types import JsonObject

MOST = 200
"""The most entries of one list."""
_TOOL = re.compile(r"[A-Za-z0-9_*-]{1,80}")
_HOST = re.compile(
    r"(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
)
_ADDRESS = re.compile(r"[0-9a-f:.]{3,45}")


@dataclass(frozen=True)
class Confinement:
    """Limits on tools, hosts and paths. None: no limit. An empty list allows nothing of its kind.

    Confinements are never merged. A call must be within each active one, so activating another
    never widens the limits.
    """

    holder: str
    """Who set these limits, for the refusal: `the skill triage`."""
    tools: tuple[str, ...] | None = None
    """Names; `*` stands for any characters."""
    hosts: tuple[str, ...] | None = None
    """In lower case: exact, or `*.example.org` for every host below it (and not itself)."""
    paths: tuple[str, ...] | None = None
    """Files, and folders with everything below them."""
    own: str = ""
    """The skill's virtual folder, whose files it can always read."""

    @classmethod
    def parse(
        cls, holder: str, lists: Mapping[str, Iterable[str] | None], own: str = ""
    ) -> Self | None:
        """Parse the `tools`, `hosts` and `paths` of a file; None when nothing is limited.

        Raises ValueError with the remedy.
        """
        tools, hosts, paths = (lists.get(name) for name in ("tools", "hosts", "paths"))
        if tools is None and hosts is None and paths is None:
            return None
        return cls(
            holder,
            None if tools is None else _each(tools, _tool),
            None if hosts is None else _each(hosts, _host),
            None if paths is None else _each(paths, _path),
            own,
        )

    def to_json(self) -> JsonObject:
        lists = {"tools": self.tools, "hosts": self.hosts, "paths": self.paths}
        kept = {name: list(values) for name, values in lists.items() if values is not None}
        return {"holder": self.holder, "own": self.own, **kept}

    @classmethod
    def from_json(cls, data: JsonObject) -> Self:
        lists = [
            tuple(data[name]) if name in data else None for name in ("tools", "hosts", "paths")
        ]
        return cls(data["holder"], *lists, own=data["own"])

    def describe(self) -> str:
        """`tools read_file, send; hosts *.example.org; paths /documents`."""
        lists = (("tools", self.tools), ("hosts", self.hosts), ("paths", self.paths))
        return "; ".join(
            f"{name} {', '.join(values) or 'none'}" for name, values in lists if values is not None
        )

    def allows_tool(self, *names: str) -> bool:
        """Whether one of a tool's names is on the list."""
        return self.tools is None or any(
            name_matches(pattern, name) for pattern in self.tools for name in names
        )

    def allows_host(self, host: str) -> bool:
        """Whether a host, in lower case and without brackets, may be reached."""
        return self.hosts is None or any(host_matches(pattern, host) for pattern in self.hosts)

    def allows_path(self, path: str) -> bool:
        """Whether a normalised path is on the list or below something on it."""
        return self.paths is None or any(path_within(path, root) for root in self.paths)


def name_matches(pattern: str, name: str) -> bool:
    """Whether a pattern matches the whole name. Only `*` is special."""
    return (
        re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), name, re.IGNORECASE)
        is not None
    )


def host_matches(pattern: str, host: str) -> bool:
    return host.endswith(pattern[1:]) if pattern.startswith("*.") else host == pattern


def path_within(path: str, root: str) -> bool:
    return path == root or path.startswith(root if root.endswith("/") else f"{root}/")


def _each(values: Iterable[str], read: Callable[[str], str]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(read(value.strip()) for value in values))
    if len(found) > MOST:
        raise ValueError(f"has {len(found)} entries, the limit is {MOST}; say it with fewer")
    return found


def _tool(text: str) -> str:
    if not _TOOL.fullmatch(text):
        raise ValueError(
            f"{text[:80]!r} is no tool; write names such as read_file, with * for any characters"
        )
    return text


def _host(text: str) -> str:
    host = text.lower().removesuffix(".")
    if len(host) > 253 or not (_HOST.fullmatch(host) or (":" in host and _ADDRESS.fullmatch(host))):
        raise ValueError(
            f"{text[:80]!r} is no host; write it like api.example.org or *.example.org, without "
            "scheme"
        )
    return host


def _path(text: str) -> str:
    path = text if text == "/" else text.rstrip("/")
    steps = path.split("/")
    if (
        not path
        or not path.isprintable()
        or "\\" in path
        or "%" in path
        or ".." in steps
        or "." in steps[:-1]
    ):
        raise ValueError(
            f"{text[:80]!r} is no path; write a folder or file such as /documents/reports, without "
            ".."
        )
    return unicodedata.normalize("NFC", re.sub("/+", "/", path))
