"""Writes down voice messages, sound files and the sound of videos."""

import asyncio
import io
import logging
import wave
from collections.abc import Sequence
from contextlib import suppress
from weakref import WeakValueDictionary

from bot.plugin.plugin import Check, Given, Parts, Plugin, Secret, Setup
from bot.plugin.programs import run_limited
from bot.plugin.recordings import Recording, TranscriptionError, WrittenSpeech, shown_length
from bot.plugin.services import redact
from bot.plugins.transcription.command import CommandHears, program_there, sound_of
from bot.plugins.transcription.endpoint import EndpointHears
from bot.plugins.transcription.settings import TRANSCRIPTION_KEY, TranscriptionSettings
from bot.plugins.transcription.sound import Hears, RefusedForm

log = logging.getLogger(__name__)

FFMPEG = "ffmpeg"
"""Takes the sound out of what the transcriber refuses, where it is on PATH."""
HEAR_S = 300.0
AT_ONCE = 2
"""Over all people: a recording is whole in memory meanwhile."""
_MOST_MB = 25
_MOST_MINUTES = 30
_LENGTH_S = 15.0


class QueuedTranscriber:
    """Implements `Transcriber`: one recording after the other of each person."""

    def __init__(self, hears: Hears, ffmpeg: str) -> None:
        self._hears = hears
        self._ffmpeg = ffmpeg
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._people: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def called(self) -> str:
        return self._hears.called

    async def transcribe(self, person: str, recording: Recording) -> WrittenSpeech:
        """What is said in it. Raises TranscriptionError."""
        if recording.size > _MOST_MB * 1024 * 1024:
            raise TranscriptionError(
                f"it has {recording.size / 1024**2:.0f} MB and up to {_MOST_MB} MB are written "
                "down; send a shorter one"
            )
        self._require_short(recording.seconds)
        turn = self._people.setdefault(person, asyncio.Lock())
        async with turn, self._at_once:
            data = await recording.read()
            seconds = recording.seconds or await _length_of(data)
            self._require_short(seconds)
            return WrittenSpeech((await self._heard(data)).strip(), seconds)

    async def _heard(self, data: bytes) -> str:
        """As it is, else its sound alone, where ffmpeg is there."""
        try:
            return await self._hears.hear(data)
        except RefusedForm as error:
            if not program_there(self._ffmpeg):
                log.warning("program=<%s> | no program takes out the sound", self._ffmpeg)
                raise
            sound = await sound_of(data, self._ffmpeg, _MOST_MINUTES)
            if sound is None:
                raise TranscriptionError("no sound was found in it") from error
            return await self._hears.hear(sound)

    def _require_short(self, seconds: float) -> None:
        if seconds > _MOST_MINUTES * 60:
            raise TranscriptionError(
                f"it is {shown_length(seconds)} long and up to {_MOST_MINUTES} minutes "
                "are written down; send a shorter one"
            )


def build_transcriber(
    setup: Setup[TranscriptionSettings], ffmpeg: str = FFMPEG, hear_s: float = HEAR_S
) -> QueuedTranscriber | None:
    """The transcriber of these settings; None where none is set.

    `hear_s` is the longest time for one recording: its person waits meanwhile.
    """
    if setup.settings.url:
        return QueuedTranscriber(EndpointHears(setup, hear_s), ffmpeg)
    if setup.settings.command:
        return QueuedTranscriber(CommandHears(setup.settings, hear_s), ffmpeg)
    return None


async def _length_of(data: bytes) -> float:
    output = await run_limited("bot.plugins.transcription.length_process", data, _LENGTH_S, 100)
    with suppress(ValueError):
        return float(output)
    return 0.0


_RATE = 16_000


class Transcription(Plugin[TranscriptionSettings]):
    name = "transcription"
    title = "writing down what is said in recordings"
    settings = TranscriptionSettings
    secrets = (Secret(TRANSCRIPTION_KEY),)
    secrets_note = (
        "The server that writes down voice messages (transcription.url), if it wants a key"
    )

    def build(self, given: Given[TranscriptionSettings]) -> Parts:
        return Parts(transcriber=build_transcriber(given))

    def problems(self, setup: Setup[TranscriptionSettings]) -> Sequence[str]:
        wanted = setup.settings
        if not wanted.url and not wanted.command and setup.secret(TRANSCRIPTION_KEY):
            text = f"{TRANSCRIPTION_KEY} is set, but nothing writes down voice messages: set "
            return [f"{text}transcription.url"]
        if wanted.command and not program_there(wanted.command[0]):
            text = f"transcription.command: there is no program {wanted.command[0]}; install it, or"
            return [f"{text} write its whole path"]
        return ()

    def state(self, setup: Setup[TranscriptionSettings]) -> str:
        """Who writes down, and what it lacks."""
        where = redact(setup.settings.url or " ".join(setup.settings.command))
        if not where or program_there(FFMPEG):
            return where
        lack = f"without {FFMPEG}, kinds of sound and video that it refuses can't be listened to"
        return f"{where}; {lack}"

    async def examine(self, setup: Setup[TranscriptionSettings]) -> Sequence[Check]:
        """Has a second of silence written down."""
        transcriber, silence = build_transcriber(setup), _silence()
        if transcriber is None:
            return ()

        async def read() -> bytes:
            return silence

        recording = Recording("silence.wav", "audio/wav", len(silence), 1.0, read)
        try:
            await transcriber.transcribe("doctor", recording)
        except TranscriptionError as error:
            text = f"{transcriber.called}: {error}; the lines above say what it answered"
            return [Check(f"live {self.name}", "error", redact(text))]
        return [Check(f"live {self.name}", "ok", redact(f"{transcriber.called} answers"))]


def _silence() -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(bytes(2 * _RATE))
    return made.getvalue()
