"""The services that people can connect; settings may change each address."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.connections.settings import ServiceSettings, ServicesSettings
from bot.domain.access import Access
from bot.domain.origins import Origin, Trust


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
    what: str
    """The benefit of connecting, in a few words for people and the model."""
    base_url: str
    authorize_url: str
    token_url: str
    scopes: tuple[str, ...]
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
    meanings: Mapping[str, str] = field(default_factory=dict[str, str])
    """Explanations for the model of the service's error codes, where the code is unclear."""
    client_id: str = ""
    client_secret: str = field(default="", repr=False)
    workspace_token: str = field(default="", repr=False)
    """Of the workspace's account, where .env holds one."""
    workspace: Access = field(default_factory=Access)
    """Who may use the workspace's account."""

    @property
    def offered(self) -> bool:
        """Whether the operator registered Bellhop there, so that people can connect."""
        return bool(self.client_id)

    @property
    def origin(self) -> Origin:
        """The origin of all its answers."""
        return Origin(Trust.EXTERNAL, self.id)


_GOOGLE = Service(
    id="google",
    title="Google",
    what="Gmail and Google Calendar",
    base_url="https://www.googleapis.com",
    apis={"gmail": "https://gmail.googleapis.com"},
    authorize_url="https://accounts.google.com/o/oauth2/v2/auth",
    token_url="https://oauth2.googleapis.com/token",
    revoke_url="https://oauth2.googleapis.com/revoke",
    manage_url="https://myaccount.google.com/connections",
    scopes=(
        "https://www.googleapis.com/auth/gmail.readonly",
        "https://www.googleapis.com/auth/calendar.events",
    ),
    # Without `consent` Google gives a refresh token the first time only.
    authorize_with={"access_type": "offline", "prompt": "consent"},
)
# Notion documents no PKCE for public connections; the client's secret and the state protect the
# exchange.
_NOTION = Service(
    id="notion",
    title="Notion",
    what="Notion pages",
    base_url="https://api.notion.com/v1",
    authorize_url="https://api.notion.com/v1/oauth/authorize",
    token_url="https://api.notion.com/v1/oauth/token",
    revoke_url="https://api.notion.com/v1/oauth/revoke",
    revoking=Revoking.JSON,
    manage_url="https://www.notion.so/profile/connections",
    scopes=(),
    headers={"Notion-Version": "2022-06-28"},
    authorize_with={"owner": "user"},
    pkce=False,
    token_by_json=True,
    meanings={
        "object_not_found": "The person has to share the page with the connection at Notion.",
        "restricted_resource": (
            "The connection lacks this capability at Notion; the operator sets it."
        ),
        "validation_error": "Is it the id of a page or a database?",
    },
)
_GITHUB = Service(
    id="github",
    title="GitHub",
    what="GitHub repositories and issues",
    base_url="https://api.github.com",
    authorize_url="https://github.com/login/oauth/authorize",
    token_url="https://github.com/login/oauth/access_token",
    revoke_url="https://api.github.com/applications/{client_id}/grant",
    revoking=Revoking.GRANT,
    manage_url="https://github.com/settings/applications",
    scopes=("repo",),
    headers={"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
)
# An app at Slack that switches PKCE on becomes a public client for good, and gets no bot scopes: so
# Slack goes without.
_SLACK = Service(
    id="slack",
    title="Slack",
    what="Slack messages as yourself: search and post",
    base_url="https://slack.com/api",
    authorize_url="https://slack.com/oauth/v2/authorize",
    token_url="https://slack.com/api/oauth.v2.access",
    revoke_url="https://slack.com/api/auth.revoke",
    revoking=Revoking.BEARER,
    manage_url="https://slack.com/apps/manage",
    scopes=("search:read", "chat:write"),
    scope_key="user_scope",
    scope_mark=",",
    pkce=False,
    token_in="authed_user",
    status_in_body=True,
    meanings={
        "channel_not_found": (
            "There is no such channel, or this account can't see it. Find its id with slack_search."
        ),
        "not_in_channel": "The person has to join the channel first.",
        "is_archived": "The channel is archived; choose another one.",
        "missing_scope": (
            "The connection does not cover this. The person can connect again with `/connect "
            "slack`."
        ),
        "restricted_action": "The workspace doesn't let this person do it; tell them.",
        "internal_error": "Whether the call took effect is unknown: check first, don't repeat it.",
        "fatal_error": "Whether the call took effect is unknown: check first, don't repeat it.",
    },
)
_OUTLOOK = Service(
    id="outlook",
    title="Outlook",
    what="Outlook mail and calendar",
    base_url="https://graph.microsoft.com/v1.0",
    authorize_url="https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
    token_url="https://login.microsoftonline.com/common/oauth2/v2.0/token",
    revoking=Revoking.NEVER,
    manage_url="https://myapplications.microsoft.com",
    scopes=("offline_access", "Mail.Read", "Calendars.ReadWrite"),
)

KNOWN = (_GOOGLE, _NOTION, _GITHUB, _SLACK, _OUTLOOK)
"""Every service that people can connect, in the order in which they are listed."""


def services(
    settings: ServicesSettings,
    secret: Callable[[str], str | None],
    more: Iterable[Service] = (),
) -> Mapping[str, Service]:
    """All services by id, as this installation sees them.

    `secret` reads the environment and .env. `more`: those of plug-ins, which have no settings here.
    """
    ours = {one.id: _here(one, getattr(settings, one.id), secret) for one in KNOWN}
    return ours | {one.id: _here(one, ServiceSettings(), secret) for one in more}


def _here(service: Service, own: ServiceSettings, secret: Callable[[str], str | None]) -> Service:
    prefix = service.id.upper()
    return replace(
        service,
        base_url=own.base_url or service.base_url,
        apis=dict.fromkeys(service.apis, own.base_url) if own.base_url else service.apis,
        authorize_url=own.authorize_url or service.authorize_url,
        token_url=own.token_url or service.token_url,
        revoke_url=own.revoke_url or service.revoke_url,
        scopes=own.scopes or service.scopes,
        client_id=secret(f"{prefix}_CLIENT_ID") or "",
        client_secret=secret(f"{prefix}_CLIENT_SECRET") or "",
        workspace_token=secret(f"{prefix}_WORKSPACE_TOKEN") or "",
        workspace=Access.parse(own.workspace),
    )
