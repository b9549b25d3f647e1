"""`web:` in bellhop.yaml: limits of the HTTP client."""

from pydantic import Field, field_validator

from bot.settings import Section
from bot.web.addresses import PrivateAllowed


class WebSettings(Section):
    """Limits of every request that tools make."""

    allow_private: tuple[str, ...] = ()
    """Networks (CIDR), addresses and host names off the public internet that may be contacted.

    For example an intranet, or the range that a fake-IP DNS answers with.
    """
    timeout_s: float = Field(default=30.0, gt=0, le=600)
    """Total seconds of a request, including redirects and body."""
    max_bytes: int = Field(default=5_000_000, ge=1_000, le=200_000_000)
    """The most bytes of an answer, after decompression."""

    @field_validator("allow_private")
    @classmethod
    def _readable(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        PrivateAllowed.parse(entries)
        return entries
