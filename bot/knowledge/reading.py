"""Reads documents of any kind, each in a process with limits; at most one at a time.

Those of the web are read for `web_fetch` like those that people send.
"""

import asyncio
import json
import logging
from base64 import b64decode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.errors import DocumentError
from bot.knowledge.chunks import Chunk
from bot.knowledge.file_readers import NO_READERS, FileReader, FileReaders
from bot.web.limited_process import run_limited

log = logging.getLogger(__name__)

MOST_BYTES = 32 * 1024 * 1024
CPU_S = 10
"""Processor time of a document that is read while somebody waits."""
COLLECTION_CPU_S = 60
"""One for a collection is read to its end, if it is a manual of 2,000 pages."""
TEXT_BYTES = 256 * 1024 * 1024
"""The memory of the process that reads a plain text."""
WALL_S = 120.0
"""For the process that reads a document, its start included."""
MOST_PAGES = 2_000
_OUTPUT_BYTES = 48 * 1024 * 1024


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
    member: str = ""
    """The file of an archive that is meant, as the archive lists it."""


@dataclass(frozen=True)
class ReadDocument:
    """Its parts; `note` says what of it was left out."""

    parts: Sequence[Chunk]
    note: str = ""


@dataclass(frozen=True)
class DocumentPicture:
    """A picture of a document, or a picture that is one, as a model takes it."""

    media_type: str
    data: bytes
    what: str = ""
    """Which one it is: `page 3`."""


@dataclass(frozen=True)
class WholeDocument:
    """A document for a reader: its text in Markdown below a heading for each page or sheet."""

    text: str
    note: str = ""
    pictures: Sequence[DocumentPicture] = ()


class DocumentReader:
    """Starts the processes."""

    def __init__(
        self,
        wall_s: float = WALL_S,
        pages: int = MOST_PAGES,
        readers: FileReaders = NO_READERS,
    ) -> None:
        """`readers`: of all files but texts."""
        self.readers = readers
        self._wall_s = wall_s
        self._pages = pages
        self._one_at_a_time = asyncio.Lock()

    def reader_of(self, raw: RawDocument) -> FileReader | None:
        """What reads it; None for texts, and for what nobody can read."""
        return self.readers.of(raw.data, raw.name, raw.media_type)

    async def read(self, raw: RawDocument) -> ReadDocument:
        """In parts that can be cited. Raises DocumentError: the document and the remedy."""
        found = await self._found(raw, whole=False)
        if not found["parts"]:
            raise DocumentError(f"{raw.name} has no text")
        return ReadDocument([Chunk(place, text) for place, text in found["parts"]], found["note"])

    async def whole(self, raw: RawDocument) -> WholeDocument:
        """For a reader: also pictures, scanned pages, and the list of an archive.

        Raises DocumentError.
        """
        found = await self._found(raw, whole=True)
        sections = [
            f"## {place}\n\n{text.strip()}" if place else text.strip("\n")
            for place, text in found["parts"]
            if text.strip()
        ]
        pictures = [
            DocumentPicture(one["type"], b64decode(one["data"]), one["what"])
            for one in found["pictures"]
        ]
        return WholeDocument("\n\n".join(sections), found["note"], pictures)

    async def _found(self, raw: RawDocument, *, whole: bool) -> dict[str, Any]:
        if len(raw.data) > MOST_BYTES:
            size, most = len(raw.data) // 1024**2, MOST_BYTES // 1024**2
            raise DocumentError(
                f"{raw.name} has {size:,} MB and the most is {most} MB; add it in pieces"
            )
        reader = self.reader_of(raw)
        head = {
            "media_type": raw.media_type,
            "url": raw.url,
            "charset": raw.charset,
            "pages": self._pages,
            "whole": whole,
            "name": raw.name,
            "member": raw.member,
            "cpu_s": CPU_S if whole else COLLECTION_CPU_S,
            "memory_bytes": reader.memory_bytes if reader is not None else TEXT_BYTES,
            "readers": self.readers.to_json(),
        }
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
        found: dict[str, Any] = json.loads(output)
        if problem := found.get("problem"):
            what = f"{raw.member} of {raw.name}" if raw.member else raw.name
            raise DocumentError(f"{what} can't be read: {problem}")
        return found
