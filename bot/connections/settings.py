"""`services:` in bellhop.yaml: each service's address, and roles for its workspace account."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, Field, create_model, field_validator

from bot.domain.access import Access
from bot.errors import ToolError, raised_as
from bot.settings import Section
from bot.web.targets import parse_target

OAuthUrl: TypeAlias = Literal["authorize_url", "token_url", "revoke_url"]


def _address(url: str) -> str:
    with raised_as(ValueError, ToolError):
        if url:
            parse_target(url)
    return url.rstrip("/")


def _addresses(oauth: dict[OAuthUrl, str]) -> dict[OAuthUrl, str]:
    return {name: _address(url) for name, url in oauth.items()}


class ServiceSettings(Section):
    """One service. An empty address means the service's own."""

    base_url: Annotated[str, AfterValidator(_address)] = ""
    """The address of its API, all parts of it: a server of your own, or a proxy.

    One on your network also needs `web.allow_private`.
    """
    oauth: Annotated[dict[OAuthUrl, str], AfterValidator(_addresses)] = Field(
        default_factory=dict[OAuthUrl, str]
    )
    """Addresses in place of the usual ones, for a server or tenant of your own: `authorize_url`
    (where people say yes), `token_url` and `revoke_url`.
    """
    scopes: tuple[str, ...] = ()
    """What people are asked to allow instead of the usual scopes; a tool whose scope is missing
    gets a refusal.
    """
    workspace: str = "Partner+"
    """Roles whose requests may use the workspace's own account, for people without one
    (docs/connecting.md).
    """

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
