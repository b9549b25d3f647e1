"""A foreign skill's `allowed-tools`, `hosts` and `paths` in Bellhop's names.

They are adopted because they only restrict.
"""

import re
from dataclasses import dataclass
from typing import Any, cast

from bot.plugin.imports import MOST_LIMITS, Confinement, Finding, Severity, shown
from bot.plugins.importing.front_matter import ForeignFrontMatter

KEYS = {"allowed-tools": "tools", "hosts": "hosts", "paths": "paths"}
_HERE = {
    "read": "read_file",
    "write": "write_file",
    "edit": "edit_file",
    "multiedit": "edit_file",
    "ls": "list_directory",
    "glob": "list_directory",
    "bash": "pm_shell",
    "shell": "pm_shell",
    "webfetch": "web_fetch",
    "websearch": "web_search",
    "todowrite": "manage_todos",
    "todoread": "manage_todos",
    "task": "call_agent",
}
"""Bellhop's names of other programs' tools."""
_OURS = re.compile(r"[a-z][a-z0-9_*-]*|mcp__[\w*-]+")


@dataclass(frozen=True)
class ForeignLimits:
    """The parsed limits, and notes for a reviewer."""

    confinement: Confinement | None
    findings: tuple[Finding, ...]


def read_limits(path: str, front: ForeignFrontMatter) -> ForeignLimits:
    """Never raises: what can't be read is left out of its list, and so allows nothing."""
    findings: list[Finding] = []
    lists: dict[str, list[str] | None] = {}
    for key, name in KEYS.items():
        if front.values.get(key) is None:
            continue
        given = _items(front.values[key], spaced=name == "tools")
        kept = [here for item in given if (here := _here(name, item))][:MOST_LIMITS]
        lists[name] = list(dict.fromkeys(kept))
        if left := [item for item in given if not _here(name, item)]:
            text = f"{key}: {shown(', '.join(left), 200)} means nothing here and allows nothing"
            findings.append(Finding(Severity.INFO, "limits", path, front.line(key), text))
    confinement = Confinement.parse("", lists)
    if confinement is not None:
        line = front.line(next(key for key in KEYS if front.values.get(key) is not None))
        text = f"its turns are held to what it states: {shown(confinement.describe(), 400)}"
        findings.append(Finding(Severity.INFO, "limits", path, line, text))
    return ForeignLimits(confinement, tuple(findings))


def _items(value: Any, *, spaced: bool) -> list[str]:
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    texts = [
        str(item)
        for item in items
        if isinstance(item, str | int | float) and not isinstance(item, bool)
    ]
    if spaced:  # `Bash(git:*) Read`: what stands in brackets is another program's
        texts = [
            part
            for text in texts
            for part in re.sub(r"\([^()]*\)", " ", text).replace(",", " ").split()
        ]
    else:
        texts = [part for text in texts for part in text.split(",")]
    return [text.strip() for text in texts if text.strip()]


def _here(name: str, item: str) -> str:
    """An entry in Bellhop's form; empty if it is invalid."""
    if name == "tools":
        item = _HERE.get(item.casefold(), item)
        if not _OURS.fullmatch(item):
            return ""
    try:
        limits = Confinement.parse("", {name: [item]})
    except ValueError:
        return ""
    values: tuple[str, ...] = getattr(limits, name)
    return values[0]
