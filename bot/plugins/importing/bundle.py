"""The files of one source in memory; limits are enforced while reading."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.plugin.imports import Finding, ImportRefused, Severity, shown

MOST_FILES = 256
FILE_BYTES = 1024 * 1024
ALL_BYTES = 8 * 1024 * 1024
"""The limits of a bundle of the largest public library of skills."""
MOST_LEVELS = 16
PATH_CHARS = 240

_DRIVE = re.compile(r"[A-Za-z]:")
_LEFT_OUT = frozenset(
    {".git", ".svn", ".hg", "__MACOSX", "__pycache__", ".DS_Store", "node_modules"}
)
"""Files that are never part of a skill and are skipped silently."""


@dataclass(frozen=True)
class Bundle:
    """The files of a source. `source` is as the operator wrote it, without a pinned commit."""

    source: str
    kind: str
    """`folder`, `file`, `zip`, `git` or `attachment`."""
    files: Mapping[str, bytes]
    executable: frozenset[str] = frozenset()
    findings: tuple[Finding, ...] = ()
    commit: str | None = None


@dataclass
class BundleBuilder:
    """Takes files one by one. Every method raises ImportRefused as soon as a limit is passed."""

    where: str
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    executable: set[str] = field(default_factory=set[str])
    findings: list[Finding] = field(default_factory=list[Finding])
    _names: set[str] = field(default_factory=set[str])
    _bytes: int = 0

    @property
    def room(self) -> int:
        """How many bytes the next file may have."""
        return min(FILE_BYTES, ALL_BYTES - self._bytes)

    def wanted(self, path: str) -> bool:
        """Check a name, and whether its file belongs to a skill; hidden files are reported."""
        parts = self._parts(path)
        if _LEFT_OUT.intersection(parts):
            return False
        if any(part.startswith(".") for part in parts):
            self.note(Severity.WARN, "hidden-file", path, "a hidden file; it was left out")
            return False
        return True

    def announce(self, path: str, size: int) -> None:
        """Refuse a file by the size that its container claims, before it is read."""
        if len(self.files) >= MOST_FILES:
            raise ImportRefused(
                f"{self.where}: has more than {MOST_FILES} files; import the folder of one skill"
            )
        if size > FILE_BYTES:
            text = f"is larger than {FILE_BYTES // 1024:,} KB; leave it out of the skill"
            raise ImportRefused(f"{self.where}, {shown(path)}, line 1: {text}")
        if size > self.room:
            text = (
                f"with it the source is larger than {ALL_BYTES // 1024 // 1024} MB; import fewer "
                "skills at once"
            )
            raise ImportRefused(f"{self.where}, {shown(path)}, line 1: {text}")

    def announce_all(self, sizes: Sequence[tuple[str, int]]) -> None:
        """Refuse a whole listing by its sizes, before anything of it is read."""
        if len(sizes) > MOST_FILES:
            text = (
                f"has {len(sizes):,} files, {MOST_FILES} are the most; name one skill with "
                "URL#<commit>:path/to/skill"
            )
            raise ImportRefused(f"{self.where}: {text}")
        if sum(size for _, size in sizes) > ALL_BYTES:
            text = (
                f"has more than {ALL_BYTES // 1024 // 1024} MB; name one skill with "
                "URL#<commit>:path/to/skill"
            )
            raise ImportRefused(f"{self.where}: {text}")
        for path, size in sizes:
            self.announce(path, size)

    def add(self, path: str, data: bytes, *, executable: bool = False) -> None:
        self.announce(path, len(data))
        name = unicodedata.normalize("NFC", path)
        if name.casefold() in self._names:
            raise ImportRefused(
                f"{self.where}, {shown(path)}, line 1: two files have this name; keep one of them"
            )
        self._names.add(name.casefold())
        self._bytes += len(data)
        self.files[name] = data
        if executable:
            self.executable.add(name)

    def note(self, severity: Severity, rule: str, path: str, text: str) -> None:
        self.findings.append(Finding(severity, rule, shown(path), 1, text))

    def build(self, source: str, kind: str, commit: str | None = None) -> Bundle:
        return Bundle(
            source, kind, self.files, frozenset(self.executable), tuple(self.findings), commit
        )

    def _parts(self, path: str) -> tuple[str, ...]:
        parts = tuple(path.split("/"))
        bad = (
            path.startswith("/")
            or "\\" in path
            or _DRIVE.match(path)
            or any(part in {"", ".", ".."} or not part.isprintable() for part in parts)
        )
        if bad:
            text = "is no path below the skill; absolute names, `..` and backslashes are refused"
            raise ImportRefused(f"{self.where}: {shown(path)!r} {text}")
        if len(parts) > MOST_LEVELS or len(path) > PATH_CHARS:
            raise ImportRefused(
                f"{self.where}: {shown(path)!r} is nested too deeply or too long a name; shorten it"
            )
        return parts
