"""What a recording's first bytes say about its format."""

from dataclasses import dataclass
from typing import Protocol

from bot.plugin.recordings import TranscriptionError


@dataclass(frozen=True)
class SoundFormat:
    """A format of sound or video.

    `ending` and `media_type` are what servers know it by, `demuxer` is ffmpeg's name.
    """

    ending: str
    media_type: str
    demuxer: str


_OGG = SoundFormat("ogg", "audio/ogg", "ogg")
_MP3 = SoundFormat("mp3", "audio/mpeg", "mp3")
_FLAC = SoundFormat("flac", "audio/flac", "flac")
_WEBM = SoundFormat("webm", "audio/webm", "matroska")
_WAV = SoundFormat("wav", "audio/wav", "wav")
_AVI = SoundFormat("avi", "video/x-msvideo", "avi")
_M4A = SoundFormat("m4a", "audio/mp4", "mov")
_MP4 = SoundFormat("mp4", "video/mp4", "mov")
_AAC = SoundFormat("aac", "audio/aac", "aac")
_AMR = SoundFormat("amr", "audio/amr", "amr")
_UNKNOWN = SoundFormat("bin", "application/octet-stream", "")
_BEGINNINGS = (
    (b"OggS", _OGG),
    (b"ID3", _MP3),
    (b"fLaC", _FLAC),
    (b"\x1aE\xdf\xa3", _WEBM),
    (b"#!AMR", _AMR),
    (b"\xff\xf1", _AAC),
    (b"\xff\xf9", _AAC),
    (b"\xff\xfb", _MP3),
    (b"\xff\xf3", _MP3),
    (b"\xff\xf2", _MP3),
)


def format_of(data: bytes) -> SoundFormat:
    """By the content: names and stated types are often wrong."""
    if data[:4] == b"RIFF":
        return _WAV if data[8:12] == b"WAVE" else _AVI
    if data[4:8] == b"ftyp":
        return _M4A if data[8:11] == b"M4A" else _MP4
    return next((one for head, one in _BEGINNINGS if data.startswith(head)), _UNKNOWN)


class RefusedForm(TranscriptionError):
    """Another form of the same sound may be taken."""


class Hears(Protocol):
    """What writes down a recording: a server or a program."""

    @property
    def called(self) -> str:
        """For the operator: the setting and what it holds."""
        ...

    async def hear(self, data: bytes) -> str:
        """What is said in it. Raises TranscriptionError."""
        ...
