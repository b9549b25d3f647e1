"""`/attached`: the files of the person's messages, and what is in their archives."""

import hashlib
from base64 import b64encode

from bot.domain.database import Unit
from bot.domain.files import AttachedFile, AttachedFiles, FileEntry, FileText
from bot.domain.json_types import JsonObject
from bot.domain.origins import Origin, Trust
from bot.domain.tool_context import ToolContext
from bot.errors import DocumentError, ToolError, raised_as
from bot.knowledge.file_text import safe_name
from bot.knowledge.kinds import FileKind, kind_of
from bot.knowledge.reading import DocumentReader, RawDocument, WholeDocument

ATTACHED = "/attached"
MOST_PICTURES = 4


class AttachedSource:
    """Implements `FileSource`: `/attached/x.zip/a.txt` opens a file of an archive.

    The files are those of `AttachedFiles`, so nobody gets another person's. Read again each time.
    """

    prefix = ATTACHED
    writable = False

    def __init__(self, attached: AttachedFiles, reader: DocumentReader) -> None:
        self._attached = attached
        self._reader = reader

    async def read(self, context: ToolContext, path: str) -> FileText | None:
        first, _, member = path.removeprefix(ATTACHED).strip("/").partition("/")
        file = await self._file(context, first) if first else None
        if file is None:
            return None
        raw = RawDocument(first, file.data, file.media_type, member=member)
        if self._reader.reader_of(raw) is None and kind_of(file.data) is FileKind.RECORDING:
            raise ToolError(f"{first} is a recording, and no text")
        with raised_as(ToolError, DocumentError):
            found = await self._reader.whole(raw)
        return FileText(
            path,
            _text(found),
            hashlib.sha256(file.data).hexdigest()[:32],
            Origin(Trust.EXTERNAL, f"file:{first}"),
            context.private,
            blocks=tuple(
                _block(one.media_type, one.data) for one in found.pictures[:MOST_PICTURES]
            ),
        )

    async def write(self, context: ToolContext, path: str, text: str, version: str | None) -> Unit:
        raise ToolError(f"{ATTACHED} is read-only; nothing was changed")

    async def delete(self, context: ToolContext, path: str, version: str) -> Unit:
        raise ToolError(f"{ATTACHED} is read-only; nothing was changed")

    async def list(self, context: ToolContext, path: str) -> tuple[FileEntry, ...] | None:
        if path != ATTACHED:
            return None
        names = dict.fromkeys(map(safe_step, await self._attached.names(context)))
        return tuple(
            FileEntry(f"{path}/{name}", origin=Origin(Trust.EXTERNAL, f"file:{name}"))
            for name in names
            if name
        )

    async def _file(self, context: ToolContext, step: str) -> AttachedFile | None:
        for name in await self._attached.names(context):
            if safe_step(name) == step:
                return await self._attached.of(context, name)
        return None


def safe_step(name: str) -> str:
    """The name of an attached file as a step of a path."""
    return safe_name(name).replace("/", "-")


def _text(found: WholeDocument) -> str:
    """The text, with what was left out."""
    note = f"[{found.note}]" if found.note else ""
    pictures = "[a picture, shown to you alone]" if found.pictures else ""
    return "\n".join(part for part in (note, pictures, found.text) if part)


def _block(media_type: str, data: bytes) -> JsonObject:
    source = {"type": "base64", "media_type": media_type, "data": b64encode(data).decode()}
    return {"type": "image", "source": source}
