"""A strict loopback service: OAuth 2 with PKCE, one-time codes, rotating tokens, an API.

It behaves as its `Service` describes: form or JSON at the token endpoint, failures as statuses or
in the body.
"""

import base64
import hashlib
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, get_args
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from bot.assembly.own_plugins import OWN_SERVICES
from bot.connections.services import Service
from bot.connections.settings import OAuthUrl
from bot.domain.clock import Clock
from bot.domain.json_types import JsonObject
from bot.testing.web_site import Asked, WebSite, answer, redirect, web_site

CLIENT_ID, CLIENT_SECRET = "bellhop-client", "bellhop-client-secret"
CODE_S = 60
TOKEN_S = 3600


@dataclass
class Grant:
    """The grant of one person."""

    person: str
    scopes: tuple[str, ...]
    redirect_uri: str
    challenge: str
    made: float
    used: bool = False
    tokens: set[str] = field(default_factory=set[str])


Resource = Callable[[Asked, str], bytes]
"""Answers an API call, given whose token it carries."""
WholeApi = Callable[[Asked, Grant], bytes | None]
"""Answers all calls of an API with ids in its paths, by the token's grant; None: no such path."""


@dataclass
class OAuthProvider:
    """An OAuth provider: `person` uses the browser; `resources` is API data by method and path."""

    service: Service
    clock: Clock
    rotates: bool = True
    """Whether a refresh token works only once."""
    person: str = "ann@example.com"
    resources: dict[tuple[str, str], Resource] = field(
        default_factory=dict[tuple[str, str], Resource]
    )
    api: WholeApi | None = None
    """Answers the paths that `resources` doesn't have."""
    redirect_uris: set[str] = field(default_factory=set[str])
    """Allowed redirect addresses; empty: any."""
    broken: bool = False
    """The token endpoint answers 503."""
    url: str = ""
    site: WebSite | None = None
    grants: dict[str, Grant] = field(default_factory=dict[str, Grant])
    """Grants by authorization code."""
    live: dict[str, tuple[Grant, float]] = field(default_factory=dict[str, tuple[Grant, float]])
    """Access tokens, each with its grant and the time at which it expires."""
    refreshing: dict[str, Grant] = field(default_factory=dict[str, Grant])
    problems: list[str] = field(default_factory=list[str])
    """The refusals, with their reasons."""
    revoked: int = 0
    _count: int = 0

    def addresses(self) -> JsonObject:
        """Return this service's settings for `services:` in bellhop.yaml."""
        oauth = {name: f"{self.url}/{name.removesuffix('_url')}" for name in get_args(OAuthUrl)}
        return {"base_url": f"{self.url}/api", "oauth": oauth}

    def secrets(self) -> str:
        """Return the lines for .env."""
        prefix = self.service.id.upper()
        return f"{prefix}_CLIENT_ID={CLIENT_ID}\n{prefix}_CLIENT_SECRET={CLIENT_SECRET}\n"

    def holds(self, path: str, value: object, method: str = "GET") -> None:
        """Answer this path of the API with a JSON value, given a valid token."""
        self.resources[method, path] = lambda _asked, _person: _json(value)

    def token_of(self, person: str) -> str:
        """Return a token as if this person had consented to everything."""
        grant = Grant(person, self.service.scopes, "", "", self.clock.monotonic(), used=True)
        token = self._new("access")
        self.live[token] = (grant, self.clock.monotonic() + 365 * 86_400)
        return token

    def expire(self) -> None:
        """Expire every access token, but no refresh token."""
        self.live.clear()

    def forget(self) -> None:
        """Revoke all access, as the person can on the provider's own page."""
        self.live.clear()
        self.refreshing.clear()

    def count(self, path: str) -> int:
        """Return the number of requests to a path."""
        asked = self.site.asked if self.site is not None else []
        return sum(urlsplit(one.path).path == path for one in asked)

    def answers(self, asked: Asked) -> bytes:
        parts = urlsplit(asked.path)
        match parts.path:
            case "/authorize":
                return self._authorize(dict(parse_qsl(parts.query)))
            case "/token":
                return self._token(asked)
            case "/revoke":
                return self._revoke(asked)
            case path if path.startswith("/api/"):
                return self._api(asked, path.removeprefix("/api"))
            case _:
                return answer(status="404 Not Found")

    def _authorize(self, given: Mapping[str, str]) -> bytes:
        """Consent for the person at once; a real page would ask."""
        scopes = tuple(
            filter(None, given.get(self.service.scope_key, "").split(self.service.scope_mark))
        )
        back = given.get("redirect_uri", "")
        wrong = [
            name
            for name, right in {
                "client_id": given.get("client_id") == CLIENT_ID,
                "response_type": given.get("response_type") == "code",
                "redirect_uri": bool(back)
                and (not self.redirect_uris or back in self.redirect_uris),
                "state": len(given.get("state", "")) >= 32,
                "code_challenge": not self.service.pkce
                or len(given.get("code_challenge", "")) == 43,
                "code_challenge_method": not self.service.pkce
                or given.get("code_challenge_method") == "S256",
                "scope": set(scopes) <= set(self.service.scopes),
            }.items()
            if not right
        ]
        if wrong:
            return self._refuse(f"authorize: {', '.join(wrong)}", "invalid_request")
        code = self._new("code")
        challenge = given.get("code_challenge", "")
        self.grants[code] = Grant(self.person, scopes, back, challenge, self.clock.monotonic())
        query = urlencode({"code": code, "state": given["state"]})
        return redirect(f"{back}{'&' if '?' in back else '?'}{query}")

    def _token(self, asked: Asked) -> bytes:
        if self.broken:
            return answer(status="503 Service Unavailable")
        given = self._client(asked)
        if given is None:
            return self._refuse("token: wrong client", "invalid_client", "401 Unauthorized")
        if given.get("grant_type") == "refresh_token":
            return self._refreshed(given.get("refresh_token", ""))
        grant = self.grants.get(given.get("code", ""))
        if grant is None:
            return self._refuse("token: unknown code", "invalid_grant")
        if grant.used:
            # A code that is used twice was stolen, so its tokens are revoked (RFC 6749, 4.1.2).
            for token in grant.tokens:
                self.live.pop(token, None)
                self.refreshing.pop(token, None)
            return self._refuse("token: the code was used before", "invalid_grant")
        proofs = {
            "the code is too old": self.clock.monotonic() - grant.made <= CODE_S,
            "another redirect_uri": given.get("redirect_uri") == grant.redirect_uri,
            "wrong code_verifier": not self.service.pkce
            or _s256(given.get("code_verifier", "")) == grant.challenge,
        }
        if wrong := [name for name, right in proofs.items() if not right]:
            return self._refuse(f"token: {', '.join(wrong)}", "invalid_grant")
        grant.used = True
        return self._issue(grant)

    def _refreshed(self, token: str) -> bytes:
        grant = self.refreshing.get(token)
        if grant is None:
            return self._refuse("token: unknown refresh token", "invalid_grant")
        if self.rotates:
            del self.refreshing[token]
        return self._issue(grant)

    def _issue(self, grant: Grant) -> bytes:
        access, refresh = self._new("access"), self._new("refresh")
        grant.tokens |= {access, refresh}
        self.live[access] = (grant, self.clock.monotonic() + TOKEN_S)
        self.refreshing[refresh] = grant
        token: dict[str, Any] = {
            "access_token": access,
            "refresh_token": refresh,
            "expires_in": TOKEN_S,
            "token_type": "Bearer",
            "scope": self.service.scope_mark.join(grant.scopes),
        }
        return _json({"ok": True, self.service.token_in: token} if self.service.token_in else token)

    def _revoke(self, asked: Asked) -> bytes:
        bearer = asked.headers.get("authorization", "").removeprefix("Bearer ")
        given = {} if bearer in self.live else (self._client(asked) or {})
        token = given.get("token") or given.get("access_token") or bearer
        found = self.refreshing.get(token) or (self.live[token][0] if token in self.live else None)
        if found is None:
            return self._refuse("revoke: unknown token", "invalid_token")
        self.revoked += 1
        self.live = {name: kept for name, kept in self.live.items() if kept[0] is not found}
        self.refreshing = {
            name: kept for name, kept in self.refreshing.items() if kept is not found
        }
        return _json({"ok": True})

    def _api(self, asked: Asked, path: str) -> bytes:
        token = asked.headers.get("authorization", "").removeprefix("Bearer ")
        grant, until = self.live.get(token, (None, 0.0))
        if grant is None or until <= self.clock.monotonic():
            return self._refuse(
                f"api: a token that is not good for {path}", "invalid_auth", "401 Unauthorized"
            )
        if resource := self.resources.get((asked.method, path)):
            return resource(asked, grant.person)
        answered = self.api(asked, grant) if self.api is not None else None
        return answered or self._refuse(path, "not_found", "404 Not Found")

    def _client(self, asked: Asked) -> dict[str, str] | None:
        """Return what the client sent; None if its credentials are wrong."""
        basic = "Basic " + base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        proven = asked.headers.get("authorization") == basic
        if asked.headers.get("content-type", "").startswith("application/json"):
            given = {name: str(value) for name, value in json.loads(asked.body).items()}
        else:
            given = {name: values[0] for name, values in parse_qs(asked.body.decode()).items()}
            proven = proven or (given.get("client_id"), given.get("client_secret")) == (
                CLIENT_ID,
                CLIENT_SECRET,
            )
        return given if proven else None

    def _refuse(self, why: str, word: str, status: str = "400 Bad Request") -> bytes:
        self.problems.append(why)
        if self.service.status_in_body:
            return _json({"ok": False, "error": word})
        return _json({"error": word}, status)

    def _new(self, kind: str) -> str:
        self._count += 1
        digest = hashlib.sha256(f"{self.url} {kind} {self._count}".encode()).hexdigest()
        return f"{self.service.id}-{kind}-{digest[:24]}"


@asynccontextmanager
async def oauth_provider(
    service: str, clock: Clock, **settings: Any
) -> AsyncGenerator[OAuthProvider]:
    """Serve as one of the known services on a free loopback port."""
    known = next(one for one in OWN_SERVICES if one.id == service)
    provider = OAuthProvider(known, clock, **settings)
    async with web_site(provider.answers) as site:
        provider.site, provider.url = site, site.url
        yield provider


def _json(value: object, status: str = "200 OK") -> bytes:
    return answer(json.dumps(value), status, "application/json")


def _s256(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
