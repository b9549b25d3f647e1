"""Downloads from pages: readable files become the person's documents, others are only named."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from playwright.async_api import Download

from bot.plugin.files import (
    DocumentError,
    DocumentReader,
    IncomingFiles,
    RawDocument,
)
from bot.plugin.readers import FileReaders, Holds
from bot.plugin.tables import Unit
from bot.plugin.tools import Origin, ToolContext, Trust
from bot.plugins.browser.chromium import BROWSER_ERRORS

_MOST = 3
_WAIT_S = 20.0
_NAME = re.compile(r"[^\w .()-]+")


_MOST_BYTES = 5_000_000
"""Of one download: it is kept in the database with the person's other files."""


class PageDownloads:
    """Keeps at most three files of a call, of 5 MB each.

    A text is kept as it is. Of a PDF, an office file or a book the text is kept, as markdown.
    """

    def __init__(self, files: IncomingFiles, readers: FileReaders) -> None:
        self._files = files
        self._reader = DocumentReader(readers=readers)

    async def keep(
        self, context: ToolContext, downloads: Sequence[Download]
    ) -> tuple[list[str], Unit]:
        """A line about each download, and the unit that stores what is kept."""
        lines: list[str] = []
        unit = Unit()
        for download in downloads[:_MOST]:
            line, stored = await self._one(context, download)
            lines.append(line)
            unit += stored
        if len(downloads) > _MOST:
            lines.append(f"{len(downloads) - _MOST} more downloads were not kept")
        for download in downloads[_MOST:]:
            await _drop(download)
        return lines, unit

    async def _one(self, context: ToolContext, download: Download) -> tuple[str, Unit]:
        name = _NAME.sub("_", download.suggested_filename)[:80] or "file"
        try:
            async with asyncio.timeout(_WAIT_S):
                data = await asyncio.to_thread(_read, await download.path(), _MOST_BYTES)
        except BROWSER_ERRORS:
            return f"the download {name} broke off", Unit()
        finally:
            await _drop(download)
        if len(data) > _MOST_BYTES:
            return (
                f"the download {name} has more than {_MOST_BYTES:,} bytes, so it was not kept",
                Unit(),
            )
        raw = RawDocument(name, data)
        reader = self._reader.reader_of(raw)
        is_read = reader is not None and reader.holds is Holds.WORDS
        try:
            text = await self._words(raw) if is_read else _text(data)
        except DocumentError as error:
            return f"the download was not kept: {error}", Unit()
        if text is None:
            return (
                f"the download {name} ({len(data):,} bytes) is no text, so it was not kept",
                Unit(),
            )
        if is_read:
            name = f"{name}.md"
        origin = Origin(Trust.EXTERNAL, "tool:browser_navigate")
        kept = await self._files.new(context.person.id, name, text, context.learned, origin)
        if kept is None:
            return (
                f"there is no room for the download {name}; delete files in "
                "/documents/incoming first",
                Unit(),
            )
        return f"the download was kept as {kept[0]}", kept[1]

    async def _words(self, raw: RawDocument) -> str:
        """Its text, read in a process with limits. Raises DocumentError."""
        read = await self._reader.whole(raw)
        if not read.text:
            raise DocumentError(f"{raw.name} has no text")
        note = f"\n\n[{read.note}]" if read.note else ""
        return f"# {raw.name}\n\n{read.text}{note}\n"


def _read(path: Path, most: int) -> bytes:
    with path.open("rb") as file:
        return file.read(most + 1)


def _text(data: bytes) -> str | None:
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


async def _drop(download: Download) -> None:
    try:
        async with asyncio.timeout(_WAIT_S):
            await download.delete()
    except BROWSER_ERRORS:
        return
