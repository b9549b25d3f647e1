"""`console:` in bellhop.yaml."""

import re

from pydantic import Field, field_validator

from bot.settings import Section

_PLAIN = re.compile(r"https?://[^\s/?#@]+(?:/[^\s?#]*)?")


class ConsoleSettings(Section):
    """The HTTP server: webhooks, mail, Slack's events, health, and pages for people."""

    host: str = "127.0.0.1"
    """Address of the HTTP server; change it only behind something that guards it."""
    port: int = Field(default=0, ge=0, le=65535)
    """Port of the HTTP server; 0 switches it off. With BELLHOP_METRICS_KEY it has figures for a
    monitor (docs/running.md#metrics).
    """
    public_url: str = ""
    """Where browsers reach that port, such as https://bellhop.example.com.

    Then connecting services (docs/connecting.md) needs no pasting.
    """
    website: bool = False
    """The web console at `/console` of that port (docs/console.md)."""

    @field_validator("public_url")
    @classmethod
    def _plain(cls, url: str) -> str:
        if url and not _PLAIN.fullmatch(url):
            raise ValueError(
                "write scheme and host, with a path if need be, such as https://bellhop.example.com"
            )
        return url.rstrip("/")
