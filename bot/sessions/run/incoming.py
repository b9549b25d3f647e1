"""Attached texts that are stored among their person's documents (step `keep:<n>`).

These are texts too long for a request, and transcripts, from which a tool makes meetings.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bot.connectors.meetings.transcripts import looks_like_transcript
from bot.domain.access import Person
from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, Learned
from bot.domain.step_keys import StepKind, step_key
from bot.domain.turns import Recorded, StepFunction, Turn
from bot.errors import UnitRejected
from bot.files.incoming import FOLDER, IncomingFiles
from bot.sessions.opening.attachments import Attachments
from bot.sessions.opening.excerpts import WHOLE_CHARS, excerpt
from bot.sessions.opening.file_blocks import KEPT_BYTES, FetchedFile, is_cut, text_of
from bot.sessions.records.channel_store import Channels

log = logging.getLogger(__name__)

ONLY_BEGINS = "only its beginning is text"
NO_ROOM = f"there is no room for it below {FOLDER}; delete files there and send it again"
TRIES = 3
"""Another turn of the same person may take the path first."""


class KeepsIncoming:
    """Stores cut texts and transcripts from a message's files, each once per turn."""

    def __init__(
        self,
        files: IncomingFiles,
        attachments: Attachments,
        channels: Channels,
        person: Callable[[IncomingMessage], Person],
    ) -> None:
        self._incoming = files
        self._attachments = attachments
        self._channels = channels
        self._person = person
        self._one_at_a_time = asyncio.Lock()
        """Limits memory: a text is whole in memory while it is stored."""

    async def keep(
        self, turn: Turn, message: IncomingMessage, files: Sequence[FetchedFile], first: int = 0
    ) -> list[FetchedFile]:
        """The files, with the path of each stored one; numbered from `first` in the journal."""
        return [
            await self._kept(turn, message, file, step_key(StepKind.KEEP, first + number))
            if file.size <= KEPT_BYTES and (is_cut(file) or _is_transcript(file))
            else file
            for number, file in enumerate(files)
        ]

    async def _kept(
        self, turn: Turn, message: IncomingMessage, file: FetchedFile, key: str
    ) -> FetchedFile:
        async def keep() -> Recorded:
            data = await self._attachments.whole(file)
            text = await asyncio.to_thread(text_of, data, whole=True)
            if text is None or "\0" in text:
                return Recorded({"why": ONLY_BEGINS})
            cut = len(text) > WHOLE_CHARS
            person, origin = self._person(message), Origin(Trust.EXTERNAL, f"file:{file.name}")
            learned = await self._learned(message)
            found = await self._incoming.new(person.id, file.name, text, learned, origin)
            if found is None:
                log.warning(
                    "turn=<%s>, person=<%s> | no room to keep an attached file", turn.ref, person.id
                )
                shown = await asyncio.to_thread(excerpt, name, text, "", NO_ROOM) if cut else ""
                return Recorded({"why": NO_ROOM, "shown": shown})
            path, unit = found
            shown = await asyncio.to_thread(excerpt, name, text, path) if cut else ""
            return Recorded({"path": path, "shown": shown}, unit)

        name = " ".join(file.name.split())

        async with self._one_at_a_time:
            stored: JsonObject = await self._step(turn, key, keep)
        return replace(
            file,
            kept=str(stored.get("path", "")),
            unkept=str(stored.get("why", "")),
            shown=str(stored.get("shown", "")),
        )

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


def _is_transcript(file: FetchedFile) -> bool:
    if not file.data or file.size > len(file.data):
        return False
    text = text_of(file.data, whole=True)
    return text is not None and bool(text.strip()) and looks_like_transcript(file.name, text)
