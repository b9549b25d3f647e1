"""The services that people can connect; settings may change each address."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.connections.settings import ServiceSettings
from bot.domain.access import Access
from bot.domain.languages import Language, Phrase
from bot.domain.origins import Origin, Trust
from bot.settings import Section


class Revoking(StrEnum):
    """How a service revokes a token."""

    FORM = "form"
    """The token is posted as a form (RFC 7009)."""
    JSON = "json"
    """The token is posted as JSON by the client (Notion)."""
    GRANT = "grant"
    """The client deletes its grant, with the token as JSON (GitHub)."""
    BEARER = "bearer"
    """The token revokes itself (Slack)."""
    NEVER = "never"
    """Only the person can, on a page of the service (Microsoft)."""


@dataclass(frozen=True)
class Service:
    """One service: its addresses, scopes and client."""

    id: str
    """In tool files, `## Requires` names it."""
    title: str
    what: str | Phrase
    """The benefit of connecting, in a few words for people and the model, who read English."""
    base_url: str
    authorize_url: str
    token_url: str
    scopes: tuple[str, ...]
    scope_uses: Mapping[str, str] = field(default_factory=dict[str, str])
    """What each scope is for, where the service tells which ones a person allowed: `doctor` names
    those that are missing."""
    apis: Mapping[str, str] = field(default_factory=dict[str, str])
    """Parts of the API that have a host of their own, by name."""
    revoke_url: str = ""
    revoking: Revoking = Revoking.FORM
    manage_url: str = ""
    """The page where a person sees and ends their consent."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with every call."""
    authorize_with: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further parameters of the consent page's address."""
    scope_key: str = "scope"
    scope_mark: str = " "
    """The separator of scopes."""
    pkce: bool = True
    token_by_json: bool = False
    """Whether the token endpoint takes JSON with HTTP Basic instead of a form (Notion)."""
    token_in: str = ""
    """The part of the token answer that holds the person's token; empty: the answer itself."""
    status_in_body: bool = False
    """Whether failures are answers 200 with `ok: false` (Slack)."""
    tools: frozenset[str] = frozenset()
    """The tools that exist for who connected it."""
    meanings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Explanations for the model of the service's error codes, where the code is unclear."""
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    workspace_token: str = field(default="", repr=False)
    """Of the workspace's account, where .env holds one."""
    workspace: Access = field(default_factory=Access)
    """Who may use the workspace's account."""

    def gives(self, language: Language = Language.EN) -> str:
        """`what` in a language; a `str` is the same in each."""
        return self.what if isinstance(self.what, str) else self.what.said(language)

    @property
    def offered(self) -> bool:
        """Whether the operator registered Bellhop there, so that people can connect."""
        return bool(self.client_id)

    @property
    def origin(self) -> Origin:
        """The origin of all its answers."""
        return Origin(Trust.EXTERNAL, self.id)


def services(
    settings: Section, secret: Callable[[str], str | None], known: Iterable[Service]
) -> Mapping[str, Service]:
    """The known services by id, as this installation sees them.

    `settings` is the section `services`, `secret` reads the environment and .env.
    """
    unset = ServiceSettings()
    return {one.id: _here(one, getattr(settings, one.id, unset), secret) for one in known}


def _here(service: Service, own: ServiceSettings, secret: Callable[[str], str | None]) -> Service:
    prefix = service.id.upper()
    return replace(
        service,
        base_url=own.base_url or service.base_url,
        apis=dict.fromkeys(service.apis, own.base_url) if own.base_url else service.apis,
        authorize_url=own.oauth.get("authorize_url") or service.authorize_url,
        token_url=own.oauth.get("token_url") or service.token_url,
        revoke_url=own.oauth.get("revoke_url") or service.revoke_url,
        scopes=own.scopes or service.scopes,
        client_id=secret(f"{prefix}_CLIENT_ID") or "",
        client_secret=secret(f"{prefix}_CLIENT_SECRET") or "",
        workspace_token=secret(f"{prefix}_WORKSPACE_TOKEN") or "",
        workspace=Access.parse(own.workspace),
    )
