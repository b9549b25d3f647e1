"""Findings of `bellhop doctor` on what writes down voice messages; with `--live` it is asked."""

import io
import wave

from bot.clock import SystemClock
from bot.domain.checks import Check
from bot.errors import TranscriptionError
from bot.knowledge.recordings.command import program_there
from bot.knowledge.recordings.recording import Recording
from bot.knowledge.recordings.transcriber import build_transcriber
from bot.knowledge.settings import TRANSCRIPTION_KEY, TranscriptionSettings
from bot.log import redact
from bot.settings import Settings

_CHECK = "transcriber"
_RATE = 16_000


def configured(settings: Settings, ffmpeg: str = "ffmpeg") -> list[Check]:
    """One line where a transcriber is set, with what it lacks."""
    wanted = settings.get(TranscriptionSettings)
    if not wanted.url and not wanted.command:
        if settings.secret(TRANSCRIPTION_KEY):
            text = f"{TRANSCRIPTION_KEY} is set, but nothing writes down voice messages: set "
            return [Check(_CHECK, "warning", f"{text}transcription.url")]
        return []
    if wanted.command and not program_there(wanted.command[0]):
        text = f"transcription.command: there is no program {wanted.command[0]}; install it, or "
        return [Check(_CHECK, "error", f"{text}write its whole path")]
    lack = f"; without {ffmpeg}, kinds of sound and video that it refuses can't be listened to"
    where = redact(wanted.url or " ".join(wanted.command))
    return [Check(_CHECK, "ok", f"{where}{'' if program_there(ffmpeg) else lack}")]


async def asked(settings: Settings) -> list[Check]:
    """Has a second of silence written down."""
    wanted = settings.get(TranscriptionSettings)
    transcriber = build_transcriber(wanted, settings.secret, SystemClock())
    if transcriber is None:
        return []
    silence = _silence()

    async def read() -> bytes:
        return silence

    about = Recording("silence.wav", b"", "audio/wav", 1.0)
    try:
        await transcriber.transcribe("doctor", about, len(silence), read)
    except TranscriptionError as error:
        text = f"{transcriber.called}: {error}; the lines above say what it answered"
        return [Check(f"live {_CHECK}", "error", redact(text))]
    return [Check(f"live {_CHECK}", "ok", redact(f"{transcriber.called} answers"))]


def _silence() -> bytes:
    made = io.BytesIO()
    with wave.open(made, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(_RATE)
        file.writeframes(bytes(2 * _RATE))
    return made.getvalue()
