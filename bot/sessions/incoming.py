"""Attached texts that a request can't hold whole are kept among their person's documents (step `keep:<n>`)."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bot.domain.json_types import JsonObject
from bot.domain.messages import IncomingMessage
from bot.domain.origins import Origin, Trust
from bot.domain.privacy import IN_DM, Learned
from bot.domain.turns import Recorded, StepFunction, Turn
from bot.errors import UnitRejected
from bot.files.incoming import IncomingFiles
from bot.sessions.house import House
from bot.sessions.opening import FetchedFile, is_cut, text_of

log = logging.getLogger(__name__)

KEPT_BYTES = 8 * 1024 * 1024
"""A larger file is not kept."""
TRIES = 3
"""A tool of another turn of the same person may take the path first."""


class KeepsIncoming:
    """Keeps the texts of a message's files that are cut for the model, each once per turn."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._incoming = IncomingFiles(house.files, house.clock)
        self._one_at_a_time = asyncio.Lock()
        """A text that is being kept is whole in memory."""

    async def keep(
        self, turn: Turn, message: IncomingMessage, files: Sequence[FetchedFile], first: int = 0
    ) -> list[FetchedFile]:
        """The files, with the path of each that is kept; numbered from `first` in the journal."""
        return [
            replace(file, kept=await self._kept(turn, message, file, f"keep:{first + number}"))
            if is_cut(file) and file.size <= KEPT_BYTES
            else file
            for number, file in enumerate(files)
        ]

    async def _kept(self, turn: Turn, message: IncomingMessage, file: FetchedFile, key: str) -> str:
        async def keep() -> Recorded:
            data = await self._house.attachments.whole(file)
            text = await asyncio.to_thread(text_of, data, whole=True)
            if text is None or "\0" in text:
                return Recorded({})  # only its beginning is text
            person, origin = self._house.person(message), Origin(Trust.EXTERNAL, f"file:{file.name}")
            learned = await self._learned(message)
            found = await self._incoming.new(person.id, file.name, text, learned, origin)
            if found is None:
                log.warning("turn=<%s>, person=<%s> | no room to keep an attached file", turn.ref, person.id)
                return Recorded({})
            path, unit = found
            return Recorded({"path": path}, unit)

        async with self._one_at_a_time:
            stored: JsonObject = await self._step(turn, key, keep)
        return str(stored.get("path", ""))

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
        return Learned.at(await self._house.channels.locate(message.conversation))
