"""`web:` in bellhop.yaml: what the HTTP client may reach."""

from pydantic import field_validator

from bot.settings import Section
from bot.web.addresses import PrivateAllowed


class WebSettings(Section):
    """What requests of tools may reach."""

    allow_private: tuple[str, ...] = ()
    """Networks (CIDR), addresses and host names off the public internet that may be contacted.

    For example an intranet, or the range that a fake-IP DNS answers with.
    """

    @field_validator("allow_private")
    @classmethod
    def _readable(cls, entries: tuple[str, ...]) -> tuple[str, ...]:
        PrivateAllowed.parse(entries)
        return entries
