"""Reads documents of any kind into parts, each in a process with limits; at most one at a time."""

import asyncio
import json
import logging
from collections.abc import Sequence
from pathlib import PurePosixPath

from bot.errors import DocumentError
from bot.knowledge.chunks import Chunk
from bot.lazy_dataclass import dataclass
from bot.web.limited_process import run_limited

log = logging.getLogger(__name__)

MOST_BYTES = 32 * 1024 * 1024
WALL_S = 120.0
"""For the process that reads a document, its start included."""
MOST_PAGES = 2_000
_OUTPUT_BYTES = 32 * 1024 * 1024
_BY_ENDING = {
    "pdf": "pdf",
    "docx": "docx",
    "xlsx": "xlsx",
    "html": "html",
    "htm": "html",
    "md": "markdown",
    "markdown": "markdown",
}
_BY_TYPE = {
    "application/pdf": "pdf",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
}
_LOOKS = {b"%PDF-": "pdf"}


@dataclass(frozen=True)
class RawDocument:
    """A document as it came.

    `media_type` and `charset` are what its server or sender says, or empty.
    """

    name: str
    data: bytes
    media_type: str = ""
    url: str = ""
    charset: str = ""

    @property
    def kind(self) -> str:
        """The reader to use: by the first bytes, then the type, then the ending of the name."""
        for beginning, kind in _LOOKS.items():
            if self.data.startswith(beginning):
                return kind
        ending = PurePosixPath(self.name.casefold()).suffix.removeprefix(".")
        return _BY_TYPE.get(self.media_type) or _BY_ENDING.get(ending, "text")


@dataclass(frozen=True)
class ReadDocument:
    """Its parts; `note` says what of it was left out."""

    parts: Sequence[Chunk]
    note: str = ""


class DocumentReader:
    """Starts the processes."""

    def __init__(self, wall_s: float = WALL_S, pages: int = MOST_PAGES) -> None:
        self._wall_s = wall_s
        self._pages = pages
        self._one_at_a_time = asyncio.Lock()

    async def read(self, raw: RawDocument) -> ReadDocument:
        """Raises DocumentError, which names the document and the remedy."""
        if len(raw.data) > MOST_BYTES:
            size, most = len(raw.data) // 1024**2, MOST_BYTES // 1024**2
            raise DocumentError(
                f"{raw.name} has {size:,} MB and the most is {most} MB; add it in pieces"
            )
        head = {"kind": raw.kind, "url": raw.url, "charset": raw.charset, "pages": self._pages}
        request = json.dumps(head).encode() + b"\n" + raw.data
        async with self._one_at_a_time:
            output = await run_limited(
                "bot.knowledge.document_process", request, self._wall_s, _OUTPUT_BYTES
            )
        if not output:
            log.info(
                "name=<%s>, bytes=<%d> | a document could not be read", raw.name, len(raw.data)
            )
            raise DocumentError(
                f"{raw.name} takes more time or memory than a document may; split it and add the "
                "pieces"
            )
        found = json.loads(output)
        if problem := found.get("problem"):
            raise DocumentError(f"{raw.name} can't be read: {problem}")
        if not found["parts"]:
            raise DocumentError(f"{raw.name} has no text")
        return ReadDocument([Chunk(place, text) for place, text in found["parts"]], found["note"])
