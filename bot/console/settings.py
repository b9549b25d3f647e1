"""`console:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class ConsoleSettings(Section):
    """The one HTTP server."""

    host: str = "127.0.0.1"
    """Address to listen on; other machines reach it only where this is changed."""
    port: int = Field(default=0, ge=0, le=65535)
    """0 switches the server off."""
