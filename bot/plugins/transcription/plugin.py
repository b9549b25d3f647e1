"""Writes down voice messages, sound files and the sound of videos."""

import io
import wave
from collections.abc import Sequence

from bot.plugin.plugin import Check, Given, Parts, Plugin, Secret, Setup
from bot.plugin.recordings import Recording, TranscriptionError
from bot.plugin.services import redact
from bot.plugins.transcription.command import program_there
from bot.plugins.transcription.settings import TRANSCRIPTION_KEY, TranscriptionSettings
from bot.plugins.transcription.transcriber import FFMPEG, build_transcriber

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
