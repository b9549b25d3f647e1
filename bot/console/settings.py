"""`console:` in bellhop.yaml."""

import re

from pydantic import Field, field_validator

from bot.settings import Section

_PLAIN = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?")


class ConsoleSettings(Section):
    """The HTTP server: webhooks, mail, Slack's events, health, and pages that connect services."""

    host: str = "127.0.0.1"
    """Address to listen on; other machines reach it only where this is changed."""
    port: int = Field(default=0, ge=0, le=65535)
    """0 switches the server off."""
    public_url: str = ""
    """Where browsers reach the port, such as https://bellhop.example.com; empty: nowhere."""

    @field_validator("public_url")
    @classmethod
    def _plain(cls, url: str) -> str:
        if url and not _PLAIN.fullmatch(url):
            raise ValueError(
                "write scheme and host, with a path if need be, such as https://bellhop.example.com"
            )
        return url.rstrip("/")
