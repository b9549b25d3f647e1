"""`services:` in bellhop.yaml: each service's address, and roles for its workspace account."""

from collections.abc import Iterable
from typing import Any

from pydantic import Field, create_model, field_validator

from bot.domain.access import Access
from bot.errors import ToolError
from bot.settings import Section
from bot.web.targets import parse_target


class ServiceSettings(Section):
    """One service. An empty address means the service's own."""

    base_url: str = ""
    """The address of its whole API: your own server, or a proxy."""
    authorize_url: str = ""
    token_url: str = ""
    revoke_url: str = ""
    scopes: tuple[str, ...] = ()
    """The scopes to request, instead of the usual ones."""
    workspace: str = "Partner+"
    """Roles that may use the workspace's account, as in `## Access` of a tool file."""

    @field_validator("base_url", "authorize_url", "token_url", "revoke_url")
    @classmethod
    def _address(cls, url: str) -> str:
        try:
            if url:
                parse_target(url)
        except ToolError as error:
            raise ValueError(str(error)) from None
        return url.rstrip("/")

    @field_validator("workspace")
    @classmethod
    def _roles(cls, text: str) -> str:
        Access.parse(text)
        return text


class ServicesSettings(Section):
    """Services that people connect. Ids and secrets are in .env: `GOOGLE_CLIENT_ID` and so on."""


def services_section(services: Iterable[str]) -> type[ServicesSettings]:
    """The section with an entry for each of these services."""
    fields: dict[str, Any] = {
        one: (ServiceSettings, Field(default_factory=ServiceSettings)) for one in services
    }
    return create_model(
        "ServicesSettings", __base__=ServicesSettings, __doc__=ServicesSettings.__doc__, **fields
    )
