"""Findings of an import, with text shown so that it can't control a terminal or hide.

And the import itself: its options and its report, which the findings are part of.
"""

import unicodedata
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.domain.access import Access, Role
from bot.domain.json_types import JsonObject
from bot.errors import BotError, raised_as

EXCERPT_CHARS = 120


class ImportRefused(BotError):
    """Nothing was imported: one sentence with file, line if known, and remedy."""


class Severity(StrEnum):
    """`block`: approved only by somebody who says that the findings are accepted."""

    INFO = "info"
    WARN = "warn"
    BLOCK = "block"


@dataclass(frozen=True)
class Finding:
    """One thing to know before approving.

    `line` counts from 1; 1 also stands for a file as a whole.
    """

    severity: Severity
    rule: str
    file: str
    line: int
    text: str
    excerpt: str = ""

    def __str__(self) -> str:
        shown = f"  «{self.excerpt}»" if self.excerpt else ""
        return f"{self.severity}: {self.file}, line {self.line}: {self.text} [{self.rule}]{shown}"

    def to_json(self) -> JsonObject:
        return {**vars(self), "severity": str(self.severity)}

    @classmethod
    def from_json(cls, data: JsonObject) -> "Finding":
        """Raises KeyError or ValueError for what `to_json` did not write."""
        return cls(
            Severity(str(data["severity"])),
            str(data["rule"]),
            str(data["file"]),
            int(data["line"]),
            str(data["text"]),
            str(data.get("excerpt", "")),
        )


def shown(text: str, chars: int = EXCERPT_CHARS) -> str:
    """Text on one line for people: invisible characters by number, cut at the end."""
    folded = text.strip()
    pieces = [piece if _visible(piece) else f"\\u{{{ord(piece):x}}}" for piece in folded[:chars]]
    return "".join(pieces) + ("…" if len(folded) > chars else "")


def _visible(char: str) -> bool:
    if char == " " or "!" <= char <= "~":
        return True
    return char.isprintable() and unicodedata.category(char) not in {"Mn", "Me", "Co"}


def blocking(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Those that must be accepted explicitly."""
    return tuple(finding for finding in findings if finding.severity is Severity.BLOCK)


# --- the options and the result of an import ---


MASTER_ADMIN = Access(frozenset({Role.MASTER_ADMIN}))


@dataclass(frozen=True)
class ImportOptions:
    """What the importing person asked for. `roles` None: nobody but MasterAdmin."""

    by: str
    now: datetime
    roles: Access | None = None
    dry_run: bool = False


@dataclass(frozen=True)
class ImportedItem:
    """The result for one skill.

    `status`: staged, unchanged, refused, or would be staged (a dry run).
    """

    name: str
    given_name: str
    status: str
    format: str
    roles: str
    file: str
    files: int
    tools: tuple[str, ...]
    findings: tuple[Finding, ...]
    updates_live: bool = False

    def to_json(self) -> JsonObject:
        return {
            **vars(self),
            "tools": list(self.tools),
            "findings": [finding.to_json() for finding in self.findings],
        }


@dataclass(frozen=True)
class ImportReport:
    """Everything that an import found and did."""

    source: str
    kind: str
    commit: str | None
    items: tuple[ImportedItem, ...]
    findings: tuple[Finding, ...]
    dry_run: bool = False

    def to_json(self) -> JsonObject:
        items = [item.to_json() for item in self.items]
        return {
            **vars(self),
            "items": items,
            "findings": [finding.to_json() for finding in self.findings],
        }


def parse_roles(text: str | None) -> Access | None:
    """The roles of `--roles`.

    Raises ImportRefused: `all` is no role, and Banned never gets anything.
    """
    if text is None:
        return None
    with raised_as(ImportRefused, ValueError, about="--roles"):
        access = Access.parse(text)
    if access.roles and Role.BANNED in access.roles:
        raise ImportRefused("--roles: Banned can't be given anything; name other roles")
    return access
