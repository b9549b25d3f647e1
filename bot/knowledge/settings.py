"""`transcription:` in bellhop.yaml: who writes down what is said in recordings."""

from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from bot.settings import Section

TRANSCRIPTION_KEY = "TRANSCRIPTION_API_KEY"
"""The secret that the server wants, if it wants one."""


class TranscriptionSettings(Section):
    """A server that takes `POST /v1/audio/transcriptions`, or a program; neither: no transcriber.

    Such servers: whisper.cpp, faster-whisper-server, LocalAI, OpenAI.
    """

    url: str = ""
    """Such as `http://127.0.0.1:8080`. Recordings of people are sent there."""
    model: str = "whisper-1"
    language: str = Field(default="", pattern=r"^([a-z]{2,3})?$")
    """Of what people say, as ISO 639-1; empty: the server finds out."""
    command: tuple[str, ...] = ()
    """A program and its arguments. `{file}` becomes the path; else it reads standard input."""
    timeout_s: float = Field(default=120.0, gt=0, le=1_800)
    """For one recording: its person waits meanwhile."""
    max_mb: int = Field(default=25, ge=1, le=200)
    max_minutes: float = Field(default=30.0, gt=0, le=600)
    memory_mb: int = Field(default=8_192, ge=0, le=1_000_000)
    """Of the program; 0: no limit."""
    ffmpeg: str = "ffmpeg"
    """Takes the sound out of what the transcriber refuses; empty: nothing does."""

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        if url and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname):
            raise ValueError("write it like http://127.0.0.1:8080")
        return url

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.url and self.command:
            raise ValueError("set url or command, not both")
        return self
