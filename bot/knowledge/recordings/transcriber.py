"""Writes down recordings within limits: size, minutes, time, one at a time of each person."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

from bot.domain.clock import Clock
from bot.errors import TranscriptionError
from bot.knowledge.recordings.command import CommandHears, program_there, sound_of
from bot.knowledge.recordings.endpoint import EndpointHears
from bot.knowledge.recordings.recording import Hears, Recording, shown_length
from bot.knowledge.settings import TranscriptionSettings
from bot.web.limited_process import run_limited

log = logging.getLogger(__name__)

FFMPEG = "ffmpeg"
"""Takes the sound out of what the transcriber refuses, where it is on PATH."""
HEAR_S = 300.0
AT_ONCE = 2
"""Over all people: a recording is whole in memory meanwhile."""
MOST_CHARS = 1_000_000
_MOST_MB = 25
_MOST_MINUTES = 30
_LENGTH_S = 15.0


@dataclass(frozen=True)
class WrittenSpeech:
    """What is said in a recording, and its length in seconds (0: unknown)."""

    text: str
    seconds: float


class Transcriber:
    """Writes recordings down, one after the other of each person."""

    def __init__(self, hears: Hears, ffmpeg: str) -> None:
        self._hears = hears
        self._ffmpeg = ffmpeg
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._people: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def called(self) -> str:
        return self._hears.called

    async def transcribe(
        self, person: str, about: Recording, size: int, read: Callable[[], Awaitable[bytes]]
    ) -> WrittenSpeech:
        """What is said in a recording, of which `about` lacks the bytes. `read` gets them.

        Raises TranscriptionError.
        """
        if size > _MOST_MB * 1024 * 1024:
            raise TranscriptionError(
                f"it has {size / 1024**2:.0f} MB and up to {_MOST_MB} MB are written down; send "
                "a shorter one"
            )
        self._require_short(about.seconds)
        turn = self._people.setdefault(person, asyncio.Lock())
        async with turn, self._at_once:
            data = await read()
            recording = replace(about, data=data, seconds=about.seconds or await _length_of(data))
            self._require_short(recording.seconds)
            text = await self._heard(recording)
        return WrittenSpeech(text[:MOST_CHARS].replace("\0", "").strip(), recording.seconds)

    async def _heard(self, recording: Recording) -> str:
        """As it is, else its sound alone, where ffmpeg is there."""
        try:
            return await self._hears.hear(recording)
        except TranscriptionError as error:
            if not error.form:
                raise
            if not program_there(self._ffmpeg):
                log.warning("program=<%s> | no program takes out the sound", self._ffmpeg)
                raise
            sound = await sound_of(recording, self._ffmpeg, _MOST_MINUTES)
            if sound is None:
                raise TranscriptionError("no sound was found in it") from error
            return await self._hears.hear(recording.with_sound(sound))

    def _require_short(self, seconds: float) -> None:
        if seconds > _MOST_MINUTES * 60:
            raise TranscriptionError(
                f"it is {shown_length(seconds)} long and up to {_MOST_MINUTES} minutes "
                "are written down; send a shorter one"
            )


def build_transcriber(
    settings: TranscriptionSettings,
    secret: Callable[[str], str | None],
    clock: Clock,
    ffmpeg: str = FFMPEG,
    hear_s: float = HEAR_S,
) -> Transcriber | None:
    """The transcriber of these settings; None where none is set.

    `hear_s` is the longest time for one recording: its person waits meanwhile.
    """
    if settings.url:
        return Transcriber(EndpointHears(settings, secret, clock, hear_s), ffmpeg)
    return Transcriber(CommandHears(settings, hear_s), ffmpeg) if settings.command else None


async def _length_of(data: bytes) -> float:
    output = await run_limited("bot.knowledge.recordings.length_process", data, _LENGTH_S, 100)
    with suppress(ValueError):
        return float(output)
    return 0.0
