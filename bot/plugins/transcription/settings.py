"""`transcription:` in bellhop.yaml: who writes down what is said in recordings."""

from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from bot.plugin.plugin import Section
from bot.plugin.services import checked_base_url

TRANSCRIPTION_KEY = "TRANSCRIPTION_API_KEY"
"""The secret that the server wants, if it wants one."""


class TranscriptionSettings(Section):
    """A server that takes `POST /v1/audio/transcriptions`, or a program; neither: no transcriber.

    Such servers: whisper.cpp, faster-whisper-server, LocalAI, OpenAI.
    """

    url: str = ""
    """A server with `POST /v1/audio/transcriptions`, such as `http://127.0.0.1:8080`.

    It writes down voice messages, sound files and the sound of videos. People's recordings are sent
    there.
    """
    model: str = "whisper-1"
    """The server's model."""
    language: str = Field(default="", pattern=r"^([a-z]{2,3})?$")
    """The language that people speak, as ISO 639-1 (`de`); empty: the server finds out."""
    command: tuple[str, ...] = ()
    """A program instead: `[whisper-cli, -nt, -f, "{file}"]`.

    `{file}` is the recording; without it the program reads standard input. It prints the text.
    """
    memory_mb: int = Field(default=8_192, ge=0, le=1_000_000)
    """The memory of the program; 0: no limit, which programs on a graphics card need."""

    @field_validator("url")
    @classmethod
    def _address(cls, url: str) -> str:
        if url and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).hostname):
            raise ValueError("write it like http://127.0.0.1:8080")
        return checked_base_url(url) if url else ""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.url and self.command:
            raise ValueError("set url or command, not both")
        return self
