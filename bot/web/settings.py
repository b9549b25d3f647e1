"""`web:` in bellhop.yaml: how far the one HTTP client may reach."""

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
    """For a request in all, redirects and body included."""
    max_bytes: int = Field(default=5_000_000, ge=1_000, le=200_000_000)
    """What is read of an answer at most, after decompression."""

    @field_validator("allow_private")
    @classmethod
    def _readable(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        PrivateAllowed.parse(entries)
        return entries
