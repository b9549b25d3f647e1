"""Attached files, read for a request and stored among their person's documents (step `keep:<n>`).

Documents and pictures are read in the limited process. Texts too long for a request are stored, and
transcripts, from which a tool makes meetings.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from bot.domain.access import Person, Role
from bot.domain.database import Unit, Write
from bot.domain.files import TakesTranscripts
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, Learned
from bot.domain.recordings import Recording, Transcriber, shown_length
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, StepFunction, Turn
from bot.errors import DocumentError, TranscriptionError, UnitRejected
from bot.files.incoming import FOLDER, IncomingFiles
from bot.knowledge.attached import ATTACHED, safe_step
from bot.knowledge.file_readers import NO_READERS, FileReaders, Holds
from bot.knowledge.kinds import TEXTS, FileKind
from bot.knowledge.reading import MOST_BYTES, DocumentReader, RawDocument, WholeDocument
from bot.sessions.opening.attachment_store import attachment_write
from bot.sessions.opening.attachments import Attachments
from bot.sessions.opening.blocks import (
    KEPT_BYTES,
    WHOLE_CHARS,
    FetchedFile,
    ShownPicture,
    excerpt,
    is_cut,
    recording_name,
    text_of,
)
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.conversation_store import heard_write
from bot.storage.values import PersonValue, person_value, put_person_value

log = logging.getLogger(__name__)

ONLY_BEGINS = "only its beginning is text"
NO_ROOM = f"there is no room for it below {FOLDER}; delete files there and send it again"
HOW_TO_SET = "Tell them: they can set a transcriber; docs/daily-use.md says how."
WHOM_TO_ASK = (
    "Tell them: the operator of this Bellhop can set a transcriber, so that it understands voice "
    "messages."
)
OPENED = "\n[to open one: read_file with path {}/{}/<its name in this list>]"
TRIES = 3
"""Another turn of the same person may take the path first."""
SPOKEN_CHARS = 1_000_000
"""Of one recording; its rest is dropped."""
RECORDED_CHARS = 4_000
"""Of a voice message in the record of its place."""
READING_S = 60.0
"""A person waits for their answer meanwhile."""
MOST_PAGES = 500
MOST_PICTURES = 16
"""Of one file."""
_PICTURE_BYTES = 4_000_000


class KeepsIncoming:
    """Reads documents and pictures of a message, and stores cut texts; each once per turn."""

    def __init__(
        self,
        files: IncomingFiles,
        attachments: Attachments,
        channels: Channels,
        person: Callable[[IncomingMessage], Person],
        readers: FileReaders = NO_READERS,
        takers: Sequence[TakesTranscripts] = (),
        transcriber: Transcriber | None = None,
    ) -> None:
        """`readers`: of all files but texts.

        `takers` have tools for transcripts. Without a `transcriber` people are told how one can be
        set, each once.
        """
        self._incoming = files
        self._attachments = attachments
        self._channels = channels
        self._person = person
        self._reader = DocumentReader(READING_S, MOST_PAGES, readers)
        self._takers = takers
        self._one_at_a_time = asyncio.Lock()
        """Limits memory: a file is whole in memory while it is read."""
        self._transcriber = transcriber

    async def keep(
        self, turn: Turn, message: IncomingMessage, files: Sequence[FetchedFile], first: int = 0
    ) -> list[FetchedFile]:
        """The files as they are shown, and the path of each stored one; numbered from `first`."""
        kept = [self._with_reader(file) for file in files]
        for number, file in enumerate(kept):
            if file.data and file.kind == FileKind.RECORDING:
                kept[number] = await self._heard(turn, message, file, first + number)
            elif self._is_read(file):
                kept[number] = await self._kept(turn, message, file, first + number)
        return kept

    async def _heard(
        self, turn: Turn, message: IncomingMessage, file: FetchedFile, number: int
    ) -> FetchedFile:
        """A recording with what is said in it, or the reason why that is unknown."""

        async def write_down() -> Recorded:
            if self._transcriber is None:
                return await self._without_transcriber(message, file)
            sender = self._person(message).id
            size = max(file.size, len(file.data or b""))
            recording = Recording(
                file.name, file.mime, size, file.seconds, partial(self._attachments.whole, file)
            )
            try:
                found = await self._transcriber.transcribe(sender, recording)
            except TranscriptionError as error:
                log.warning(
                    "turn=<%s>, file=<%s>, problem=<%s> | not listened to",
                    turn.ref, file.name, error,
                )  # fmt: skip
                name = recording_name(file)
                return Recorded({"problem": f"{name} could not be listened to: {error}."})
            known = replace(file, seconds=found.seconds)
            text = found.text[:SPOKEN_CHARS].replace("\0", "").strip()
            if not text:
                return Recorded({"problem": f"Nothing is said in {recording_name(known)}."})
            value: JsonObject = {"heard": text, "seconds": found.seconds}
            recorded = _recorded(message, known, text)
            if len(text) <= WHOLE_CHARS:
                return Recorded(value, recorded)
            note = f"{shown_length(found.seconds) or 'a recording'}, written down by a machine"
            stored = await self._stored(turn, message, file, text, note)
            return Recorded({**value, "heard": stored.value["shown"]}, stored.unit + recorded)

        stored: JsonObject = await self._step(turn, step_key(StepKind.KEEP, number), write_down)
        return replace(
            file,
            problem=str(stored.get("problem", "")),
            heard=str(stored.get("heard", "")),
            seconds=float(stored.get("seconds", file.seconds)),
        )

    async def _without_transcriber(self, message: IncomingMessage, file: FetchedFile) -> Recorded:
        """Each person is told once, ever, how a transcriber can be set."""
        person = self._person(message)
        told = f"{recording_name(file)} is a recording, which nothing here can listen to."
        database = self._attachments.database
        if await person_value(database, person.id, PersonValue.RECORDINGS) is not None:
            return Recorded({"problem": told})
        way = HOW_TO_SET if person.role is Role.MASTER_ADMIN else WHOM_TO_ASK
        unit = Unit.of(put_person_value(person.id, PersonValue.RECORDINGS, "told"))
        return Recorded({"problem": f"{told} {way}"}, unit)

    def _with_reader(self, file: FetchedFile) -> FetchedFile:
        raw = RawDocument(file.name, file.data or b"", file.mime)
        return replace(file, reader=self._reader.reader_of(raw))

    def _is_read(self, file: FetchedFile) -> bool:
        """Whether more than its first bytes is needed, or another form of it."""
        if not file.data:
            return False
        if file.reader is None and file.is_plain:
            return file.size <= KEPT_BYTES and (is_cut(file) or self._is_transcript(file))
        return file.kind != FileKind.BINARY and file.size <= MOST_BYTES

    async def _kept(
        self, turn: Turn, message: IncomingMessage, file: FetchedFile, number: int
    ) -> FetchedFile:
        async def keep() -> Recorded:
            data = await self._attachments.whole(file)
            if file.is_plain and file.reader is None:
                text = await asyncio.to_thread(text_of, data, whole=True)
                if text is None or "\0" in text:
                    return Recorded({"why": ONLY_BEGINS})
                return await self._stored(turn, message, file, text)
            name = " ".join(file.name.split())
            try:
                read = await self._reader.whole(RawDocument(name, data, file.mime))
            except DocumentError as error:
                return Recorded({"problem": _for_chat(str(error))})
            return await self._read(turn, message, file, number, read)

        async with self._one_at_a_time:
            stored: JsonObject = await self._step(turn, step_key(StepKind.KEEP, number), keep)
        pictures = [
            ShownPicture(
                one["type"], await self._attachments.kept(one["blob"], _PICTURE_BYTES), one["what"]
            )
            for one in stored.get("pictures") or ()
        ]
        return replace(
            file,
            kept=str(stored.get("path", "")),
            unkept=str(stored.get("why", "")),
            shown=str(stored.get("shown", "")),
            problem=str(stored.get("problem", "")),
            pictures=tuple(pictures),
        )

    async def _read(
        self,
        turn: Turn,
        message: IncomingMessage,
        file: FetchedFile,
        number: int,
        read: WholeDocument,
    ) -> Recorded:
        """A document that was read: its text, and its pictures as blobs of this turn."""
        name, note = " ".join(file.name.split()), f" ({read.note})" if read.note else ""
        value: JsonObject = {"shown": f"{name}{note}:\n{read.text}" if read.text else ""}
        unit = Unit()
        if file.reader is not None and file.reader.holds is Holds.FILES:
            value["shown"] += OPENED.format(ATTACHED, safe_step(name))
        transcript = file.kind in TEXTS and self._taken(file.name, read.text)
        if len(read.text) > WHOLE_CHARS or transcript:
            stored = await self._stored(turn, message, file, read.text, read.note)
            shown, unit = value["shown"], stored.unit
            value = dict(stored.value)
            if not value["shown"] and "path" in value:  # a transcript that is shown whole
                value["shown"] = f"{shown}\n[a transcript, kept as {value['path']}]"
        elif not read.text and not read.pictures:
            value["shown"] = f"{name}{note} is empty."
        sender = f"{message.conversation.platform}:{message.sender.id}"
        pictures: list[JsonObject] = []
        writes: list[Write] = []
        for at, one in enumerate(read.pictures[:MOST_PICTURES]):
            blob, place = await self._attachments.keep(one.data), -1 - number * MOST_PICTURES - at
            size = len(one.data)
            writes.append(
                attachment_write(turn.id, place, name, one.media_type, size, blob, sender)
            )
            what = one.what or (read.note if not read.text else "")
            pictures.append({"type": one.media_type, "blob": blob, "what": what})
        return Recorded({**value, "pictures": pictures}, unit + Unit(tuple(writes)))

    async def _stored(
        self, turn: Turn, message: IncomingMessage, file: FetchedFile, text: str, note: str = ""
    ) -> Recorded:
        """A text among its person's documents, and the part that is shown of a long one."""
        cut, name = len(text) > WHOLE_CHARS, " ".join(file.name.split())
        if not file.is_plain and file.kind not in TEXTS:
            name = f"{name}.md"
        told = f"{name} ({note})" if note else name
        person, origin = self._person(message), Origin(Trust.EXTERNAL, f"file:{file.name}")
        learned = await self._learned(message)
        found = await self._incoming.new(person.id, name, text, learned, origin)
        if found is None:
            log.warning(
                "turn=<%s>, person=<%s> | no room to keep an attached file", turn.ref, person.id
            )
            shown = await asyncio.to_thread(excerpt, told, text, "", NO_ROOM) if cut else ""
            return Recorded({"why": NO_ROOM, "shown": shown})
        path, unit = found
        shown = await asyncio.to_thread(excerpt, told, text, path) if cut else ""
        return Recorded({"path": path, "shown": shown}, unit)

    def _is_transcript(self, file: FetchedFile) -> bool:
        if not file.data or file.size > len(file.data):
            return False
        text = text_of(file.data, whole=True)
        return text is not None and bool(text.strip()) and self._taken(file.name, text)

    def _taken(self, name: str, text: str) -> bool:
        """Whether a tool takes it as a transcript."""
        return any(one.is_transcript(name, text) for one in self._takers)

    async def _step(self, turn: Turn, key: str, keep: StepFunction) -> Any:
        for _ in range(TRIES - 1):
            try:
                return await turn.step(key, keep)
            except UnitRejected:
                log.info("turn=<%s> | the path was taken meanwhile, trying another", turn.ref)
        return await turn.step(key, keep)

    async def _learned(self, message: IncomingMessage) -> Learned:
        if message.private:
            return IN_DM
        return Learned.at(await self._channels.locate(message.conversation))


def _recorded(message: IncomingMessage, file: FetchedFile, text: str) -> Unit:
    """What its sender said, for the record of the place: those who can hear it can read it."""
    if not file.spoken:
        return Unit()
    length = f", {shown_length(file.seconds)}" if file.seconds else ""
    cut = f"{text[:RECORDED_CHARS]}…" if len(text) > RECORDED_CHARS else text
    line = f"[voice message{length}] {cut}"
    return Unit.of(heard_write(message.key, f"\n{line}" if message.text else line))


def _for_chat(problem: str) -> str:
    """A reader's remedy, which speaks of adding, for somebody who sends."""
    return problem.replace("add it again", "send it again").replace("add the ", "send the ")
