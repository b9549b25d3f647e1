"""Programs of the operator's: one that writes down recordings, and ffmpeg."""

import asyncio
import logging
import shutil
import struct
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.plugin.programs import ProgramEnd, ProgramLimits, run_program
from bot.plugin.recordings import TranscriptionError
from bot.plugin.services import redact_secrets
from bot.plugins.transcription.endpoint import ASK
from bot.plugins.transcription.settings import TranscriptionSettings
from bot.plugins.transcription.sound import RefusedForm, format_of

log = logging.getLogger(__name__)

FILE = "{file}"
_OUTPUT_BYTES = 4_000_000
_SOUND_BYTES = 256 * 1024 * 1024
_FFMPEG_BYTES = 2 * 1024**3
_FFMPEG_S = 60.0
_RATE = 16_000
"""Of the sound that speech models take."""
_SAID_CHARS = 500
_HEAD_BYTES = 512


class CommandHears:
    """Implements `Hears`."""

    def __init__(self, settings: TranscriptionSettings, hear_s: float) -> None:
        self._command = settings.command
        self._limits = ProgramLimits(hear_s, settings.memory_mb * 1024**2, _OUTPUT_BYTES)

    @property
    def called(self) -> str:
        return f"transcription.command ({self._command[0]})"

    async def hear(self, data: bytes) -> str:
        async with _folder_with(data) as path:
            reads_file = any(FILE in one for one in self._command)
            argv = [one.replace(FILE, str(path)) for one in self._command]
            request = b"" if reads_file else data
            end = await run_program(argv, request, str(path.parent), self._limits)
        if end.code != 0:
            _note(self._command[0], end)
            if end.code is None:
                raise TranscriptionError("writing it down takes too long; send a shorter one")
            raise RefusedForm(f"the transcriber failed; {ASK}")
        return end.output.decode(errors="replace")


def program_there(program: str) -> bool:
    """Whether a program can be started."""
    return bool(program) and shutil.which(program) is not None


async def sound_of(data: bytes, ffmpeg: str, minutes: float) -> bytes | None:
    """The sound of a recording as WAV; None if ffmpeg finds none.

    The format is stated, so ffmpeg looks for no other one, and only the given file is opened.
    """
    demuxer = format_of(data).demuxer
    if not demuxer:
        return None
    limits = ProgramLimits(_FFMPEG_S, _FFMPEG_BYTES, _SOUND_BYTES)
    async with _folder_with(data) as path:
        argv = [
            ffmpeg, "-nostdin", "-hide_banner", "-loglevel", "error",
            "-protocol_whitelist", "file", "-f", demuxer, "-i", str(path),
            "-vn", "-sn", "-dn", "-t", str(round(minutes * 60)),
            "-ac", "1", "-ar", str(_RATE), "-f", "wav", "-protocol_whitelist", "pipe", "pipe:1",
        ]  # fmt: skip
        end = await run_program(argv, b"", str(path.parent), limits)
    if end.code != 0 or not end.output:
        _note(ffmpeg, end)
        return None
    return _with_sizes(end.output)


def _with_sizes(sound: bytes) -> bytes:
    """The WAV with its sizes: into a pipe, ffmpeg writes that they are unknown."""
    at = sound.find(b"data", 12, _HEAD_BYTES)
    if not sound.startswith(b"RIFF") or at < 0:
        return sound
    whole, data = (struct.pack("<I", len(sound) - begins) for begins in (8, at + 8))
    return sound[:4] + whole + sound[8 : at + 4] + data + sound[at + 8 :]


@asynccontextmanager
async def _folder_with(data: bytes) -> AsyncGenerator[Path]:
    """A private folder with the recording in it, until the block ends."""
    folder = await asyncio.to_thread(tempfile.mkdtemp, prefix="bellhop-")
    try:
        path = Path(folder) / f"recording.{format_of(data).ending}"
        await asyncio.to_thread(path.write_bytes, data)
        yield path
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


def _note(program: str, end: ProgramEnd) -> None:
    said = redact_secrets(" ".join(end.said.split()))[-_SAID_CHARS:]
    log.error("program=<%s>, code=<%s>, said=<%s> | it failed", program, end.code, said)
