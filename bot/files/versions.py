"""Files with a history: replaced or deleted texts can be read, compared and restored."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff

from bot.clock import parse_utc
from bot.domain.database import Row, Unit
from bot.domain.files import FileEntry, FileText
from bot.domain.privacy import Learned
from bot.domain.tool_context import ToolContext
from bot.errors import ToolError
from bot.files import store
from bot.files.database_files import DatabaseFiles
from bot.files.store import FileRows

KEPT = 20
"""Earlier texts of each path."""
LINES = 4_000
"""The most lines of each text; comparing longer ones could take seconds."""
_DIFF_CHARS = 12_000
"""Of the result."""


@dataclass(frozen=True)
class EarlierText:
    """One line of the history of a file; `size` in bytes."""

    number: int
    written: datetime
    size: int


@dataclass(frozen=True)
class VersionHistory:
    """The earlier texts that are shown here, the latest first; `hidden` of them are not."""

    texts: Sequence[EarlierText]
    hidden: int


class VersionedFiles:
    """A `FileSource` over a namespace in the database that keeps replaced and deleted texts."""

    writable = True
    verbatim = True

    def __init__(self, files: DatabaseFiles, rows: FileRows) -> None:
        self.prefix = files.prefix
        self._files = files
        self._rows = rows

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        return await self._files.read(context, path)

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        kept = Unit() if version is None else self._keep(context, path, version)
        return kept + await self._files.write(context, path, text, version)

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        return self._keep(context, path, version) + await self._files.delete(context, path, version)

    async def take_back(self, context: ToolContext, path: str, text: str | None) -> Unit:
        return await self._files.take_back(context, path, text)

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        return await self._files.list(context, path)

    # --- what was there before ---

    async def history(self, context: ToolContext, path: str) -> VersionHistory:
        """Also of a file that was deleted."""
        rows = await self._rows.versions(self._files.owner(context), path)
        seen = [row for row in rows if self._files.sees(context, row)]
        texts = [
            EarlierText(row["number"], parse_utc(row["updated_at"]), row["size"]) for row in seen
        ]
        return VersionHistory(texts, len(rows) - len(seen))

    async def earlier(self, context: ToolContext, path: str, number: int) -> FileText:
        """One earlier text. Raises ToolError when there is none, or when it is not shown here."""
        row = await self._rows.version(self._files.owner(context), path, number)
        if row is None:
            raise ToolError(f"{path} has no version {number}; action list shows which there are")
        return self._text(context, path, row)

    async def as_seen(self, context: ToolContext, path: str, version: str) -> FileText | None:
        """The earlier text that had this version, if it is still kept and shown here."""
        row = await self._rows.text_of(self._files.owner(context), path, version)
        return (
            self._text(context, path, row)
            if row is not None and self._files.sees(context, row)
            else None
        )

    async def restore(self, context: ToolContext, path: str, number: int) -> Unit:
        """Restore an earlier text; it stays as private and as little trusted as it was."""
        text = await self.earlier(context, path, number)
        present = await self._files.read(context, path)
        if present is not None and present.text == text.text:
            raise ToolError(f"{path} already has the text of version {number}; nothing was changed")
        worst = max(context.origin, text.origin, key=lambda origin: origin.trust)
        return await self.write(
            replace(context, origin=worst, confirmed=False),
            path,
            text.text,
            present.version if present else None,
        )

    def _keep(self, context: ToolContext, path: str, version: str) -> Unit:
        return store.keep_version(self._files.owner(context), path, version, KEPT, context.now)

    def _text(self, context: ToolContext, path: str, row: Row) -> FileText:
        if not self._files.sees(context, row):
            raise ToolError(
                f"that version of {path} is private and not shown here; the person can ask for it "
                "in a DM"
            )
        return FileText(
            path=path,
            text=row["text"],
            version=row["version"],
            origin=self._files.origin(context, row),
            private=Learned.of(row).private,
            updated=parse_utc(row["updated_at"]),
        )


async def differences(before: str, after: str, names: tuple[str, str]) -> str:
    """A unified diff, cut where it is long. `names`: what the two texts are called."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > LINES:
        return f"[one of the texts has more than {LINES} lines; read both instead]"
    lines = await asyncio.to_thread(lambda: list(unified_diff(old, new, *names, lineterm="", n=2)))
    text = "\n".join(lines) or "[both are the same text]"
    return (
        text if len(text) <= _DIFF_CHARS else f"{text[:_DIFF_CHARS]}\n[more changed than fits here]"
    )
