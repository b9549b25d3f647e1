"""Blocks of an opening message: attached files, and the few memories that match the first one.

Pictures are shown as pictures, every other file as quoted text. Of a long text a request shows its
beginning, its outline and its end.
"""

import base64
import codecs
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.agents.prompt.notes import quote
from bot.domain.characters import one_entry
from bot.domain.memory import RecallQuery
from bot.domain.origins import RECALLED, Origin, Trust, escape
from bot.domain.recordings import shown_length
from bot.domain.sessions import StoredBlock, text_block
from bot.domain.tool_context import ToolContext
from bot.errors import StorageError
from bot.knowledge.file_readers import FileReader
from bot.knowledge.kinds import TEXTS, FileKind, kind_of
from bot.memory.finding import Memories, Remembered
from bot.memory.words import stems

log = logging.getLogger(__name__)


WHOLE_CHARS = 16_000
"""A text up to this length is shown whole; of a longer one a request holds less."""
HEAD_CHARS = 6_000
END_CHARS = 3_000
"""Totals, signatures and new log lines stand at the end."""
OUTLINE_HEADINGS = 60
OUTLINE_LINES = 24
_LINE_CHARS = 100
_LINE_BREAK_WITHIN = 1_000
"""The beginning ends with a whole line if one ends in its last characters."""
_HEADING = re.compile(r"#{1,4} \S")


def excerpt(name: str, text: str, path: str = "", why: str = "") -> str:
    """A long text in part, with the way to the rest.

    `path` has the whole text. `why` says why nothing has it.
    """
    head, end = _head(text), _end(text)
    first, last = head.count("\n") + 1, text.count("\n", 0, len(text) - len(end)) + 1
    missing = len(text) - len(head) - len(end)
    between = _outline(text, first, last)
    parts = [
        f"{name} ({len(text):,} characters, {_lines_of(text):,} lines). Its beginning:",
        head.rstrip("\n"),
        f"[cut: {missing:,} characters in lines {first}-{last} are not shown here]",
    ]
    parts += [f"Lines among them, by number:\n{between}"] if between else []
    parts += [f"Its end, from line {last}:", end.rstrip("\n")]
    parts.append(_rest(head, first, path, why))
    return "\n".join(part for part in parts if part)


def _rest(head: str, first: int, path: str, why: str) -> str:
    if not path:
        return f"[its rest was not kept: {why}]" if why else ""
    skip = len(head) - head.rfind("\n") - 1
    where = f"offset {first}" + (f", skip {skip}" if skip else "")
    return (
        f'[cut: the whole is {path}. To find something in it call search with in "{path}", which '
        f"gives its lines; read_file with {where} goes on in it]"
    )


def _head(text: str) -> str:
    ends = text.rfind("\n", HEAD_CHARS - _LINE_BREAK_WITHIN, HEAD_CHARS)
    return text[: ends + 1] if ends >= 0 else text[:HEAD_CHARS]


def _end(text: str) -> str:
    begins = text.find("\n", len(text) - END_CHARS, len(text) - END_CHARS + _LINE_BREAK_WITHIN)
    return text[begins + 1 :] if begins >= 0 else text[-END_CHARS:]


def _lines_of(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n"))


def _outline(text: str, first: int, last: int) -> str:
    """Headings between two lines (from 1), or lines at equal distances where there are none."""
    lines = text.split("\n")
    between = range(first + 1, last)
    found = [number for number in between if _HEADING.match(lines[number - 1])]
    most = OUTLINE_HEADINGS
    if not found:
        most = OUTLINE_LINES
        found = [number for number in between if lines[number - 1].strip()]
    step = max(1, -(-len(found) // most))
    return "\n".join(f"{number}: {_short(lines[number - 1])}" for number in found[::step])


def _short(line: str) -> str:
    words = " ".join(line[: 4 * _LINE_CHARS].split())
    return words if len(words) <= _LINE_CHARS else f"{words[: _LINE_CHARS - 1]}…"


KEPT_BYTES = 8 * 1024 * 1024
"""A larger text is not stored whole."""
_NO_TEXT = "its content can't be shown as text, and nothing here reads it; they can send a text"


@dataclass(frozen=True)
class ShownPicture:
    """A picture of a file as a model takes it; `data` is None when it is no longer kept."""

    media_type: str
    data: bytes | None
    what: str = ""


@dataclass(frozen=True)
class FetchedFile:
    """A fetched attachment (the first of `size` bytes if large), or the reason for none."""

    name: str
    mime: str
    data: bytes | None
    problem: str = ""
    size: int = 0
    blob: str = ""
    kept: str = ""
    """The document with the whole text of a cut file or of a transcript."""
    shown: str = ""
    """The text that is shown, once the whole file was read."""
    pictures: tuple[ShownPicture, ...] = ()
    unkept: str = ""
    """The reason why such a document is missing."""
    spoken: bool = False
    """A voice message of its sender."""
    seconds: float = 0.0
    """The length of a recording; 0 if it is unknown."""
    heard: str = ""
    """What is said in a recording."""

    reader: FileReader | None = None
    """What reads it, unless it is a text that is shown as it is."""

    @property
    def kind(self) -> str:
        named = self.reader.kind if self.reader is not None else ""
        return named or kind_of(self.data or b"", self.name, self.mime)

    @property
    def is_plain(self) -> bool:
        """Whether it is shown as it is: a text in an encoding that needs no guess."""
        whole = self.size <= len(self.data or b"")
        return self.kind in TEXTS and text_of(self.data or b"", whole=whole) is not None


def file_blocks(files: Sequence[FetchedFile], private: bool, sender: str) -> list[StoredBlock]:
    """Pictures as pictures, text as quoted text, other files by name. Files count as external.

    A voice message is what its `sender` (a person's id) says. Nobody typed it, so it vouches for
    no target.
    """
    return [block for file in files for block in _file_blocks(file, private, sender)]


def _file_blocks(file: FetchedFile, private: bool, sender: str) -> list[StoredBlock]:
    file = replace(file, name=" ".join(file.name.split()))
    if file.heard and file.spoken:
        length = f", {shown_length(file.seconds)}" if file.seconds else ""
        said = f"[voice message{length}, written down by a machine]\n{escape(file.heard)}"
        origin = Origin(Trust.PERSON, f"person:{sender}")
        return [StoredBlock(text_block(said), origin, private, spoken=True)]
    origin = Origin(Trust.EXTERNAL, f"file:{file.name}")
    told = _told(file)
    blocks = [quote("file", told, origin, private=private)] if told else []
    for picture in file.pictures:
        which = f"{file.name} ({picture.what})" if picture.what else file.name
        if picture.data is None:
            gone = f"The picture of {which} is no longer kept; send it again."
            blocks.append(quote("file", gone, origin, private=private))
            continue
        blocks.append(quote("file", f"The next image is {which}.", origin, private=private))
        source = {
            "type": "base64",
            "media_type": picture.media_type,
            "data": base64.b64encode(picture.data).decode(),
        }
        blocks.append(StoredBlock({"type": "image", "source": source}, origin, private))
    return blocks


def _told(file: FetchedFile) -> str:
    if file.data is None:
        return f"{file.name} could not be read: {file.problem}\n[it was not kept]"
    if file.problem:
        return file.problem
    if file.heard:
        return f"{recording_name(file)}, written down by a machine:\n{file.heard}"
    if file.shown or file.pictures:
        return file.shown
    if not file.data:
        return f"{file.name} is empty."
    if not file.is_plain:
        why = _NO_TEXT if file.kind == FileKind.BINARY else "it is too large to be read here"
        size = max(file.size, len(file.data))
        return f"{file.name} ({file.mime}, {size:,} bytes): {why}."
    text = text_of(file.data, whole=file.size <= len(file.data)) or ""
    if not text.strip():
        return f"{file.name} is empty."
    shown = text if not is_cut(file) else text[:WHOLE_CHARS]
    return f"{file.name}:\n{shown}{_goes_on(file)}"


def recording_name(file: FetchedFile) -> str:
    """The name of a recording, with its length if it is known."""
    length = shown_length(file.seconds)
    return f"{file.name} ({length})" if length else file.name


def _goes_on(file: FetchedFile) -> str:
    """What became of the whole file, where only its beginning was read."""
    if not is_cut(file):
        return f"\n[a transcript, kept as {file.kept}]" if file.kept else ""
    why = f"the most is {KEPT_BYTES // 1024**2} MB" if file.size > KEPT_BYTES else file.unkept
    return f"\n[cut: the file has {file.size} bytes]\n[its rest was not kept: {why}]"


def is_cut(file: FetchedFile) -> bool:
    """Whether a request holds only a part of a file's text."""
    if file.data is None or not file.is_plain:
        return False
    whole = file.size <= len(file.data)
    text = text_of(file.data, whole=whole)
    return text is not None and (not whole or len(text) > WHOLE_CHARS)


def text_of(data: bytes, *, whole: bool) -> str | None:
    """The text of a file's first bytes; None if they are not text.

    The last character may be cut off.
    """
    wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in data and not wide:
        return None
    try:
        text = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")().decode(
            data, final=whole
        )
        return None if "\0" in text else text
    except UnicodeDecodeError:
        return None


CHARS = 1_200
"""Characters of the block, with its fence."""
RECALLED_KIND = "things remembered that may fit what they ask now; remember finds more"
MOST = 5
EMBEDDER_S = 0.3
"""The time limit for embeddings: somebody waits for the first answer. Then words decide."""
_TEXT_CHARS = 300
_FITS = 0.3
"""The least share of an entry's telling words that must match: about a third."""
_NEXT_TO_BEST = 0.5


@dataclass(frozen=True)
class OpeningRecall:
    """Searches once, for the first message of a session.

    Leaves out texts that the model already sees.
    """

    memories: Memories

    async def block(
        self, context: ToolContext, text: str, known: Sequence[str]
    ) -> StoredBlock | None:
        """The quoted block, or None where nothing fits.

        `known`: texts that are already in the request.

        Text from outside is never added unasked: every later write of the session would then wait
        for a yes.
        """
        if not context.tools.describe(("remember",)):
            return None
        try:
            found = await self.memories.find(context, RecallQuery(text), EMBEDDER_S)
        except StorageError:
            log.exception("session=<%s> | opened without memories", context.session_id)
            return None
        asked = stems(text)
        fitting = [
            thing for thing in found.things if _fits(thing, known) and stems(thing.text) - asked
        ]
        if not fitting:
            return None
        best = fitting[0].score
        return _quoted([thing for thing in fitting[:MOST] if thing.score >= best * _NEXT_TO_BEST])


def _fits(thing: Remembered, known: Sequence[str]) -> bool:
    fits = thing.words >= _FITS and not thing.origin.untrusted
    return fits and not any(thing.text in text for text in known)


def _quoted(things: Sequence[Remembered]) -> StoredBlock | None:
    """Whole lines, best first, as many as fit."""
    origin = Origin(max((thing.origin.trust for thing in things), default=Trust.PERSON), RECALLED)
    private = any(thing.learned.private for thing in things)
    block: StoredBlock | None = None
    lines: list[str] = []
    for thing in things:
        lines.append(_line(thing))
        larger = quote(RECALLED_KIND, "\n".join(lines), origin, private=private)
        if len(str(larger.block["text"])) > CHARS:
            break
        block = larger
    return block


def _line(thing: Remembered) -> str:
    told = [str(thing.shown[name]) for name in ("date", "kind", "where") if thing.shown.get(name)]
    if thing.shown.get("superseded"):
        told.append("superseded")
    text = thing.text if len(thing.text) <= _TEXT_CHARS else f"{thing.text[: _TEXT_CHARS - 1]}…"
    return f"- [{', '.join(told)}] {one_entry(text)}" if told else f"- {one_entry(text)}"
