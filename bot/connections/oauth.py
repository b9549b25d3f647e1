"""OAuth 2 with the services: consent addresses, codes and refresh tokens, revocation.

The library builds and parses the messages; the guarded HTTP client sends them. Nothing here is
logged with a token.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol, cast
from urllib.parse import urlencode

from bot.clock import format_utc, parse_utc
from bot.connections.services import Revoking, Service
from bot.domain.clock import Clock
from bot.errors import ToolError, raised_as
from bot.log import register_secret
from bot.web.client import WebClient, WebRequest

_FORM = "application/x-www-form-urlencoded"
_JSON = "application/json"
_MOST = 100_000
_THEIRS = frozenset(
    {"invalid_grant", "invalid_refresh_token", "bad_verification_code", "bad_refresh_token"}
)
"""The grant itself is invalid; every other refusal concerns this installation."""
_GONE = frozenset(
    {"token_expired", "token_revoked", "account_inactive", "invalid_auth", "invalid_code"}
)
"""Slack's error codes for the same."""


class OAuthTrouble(ToolError):
    """The service was unreachable or refused the client: retry, or the operator must act."""


class GrantRefused(ToolError):
    """The service refused this code or refresh token: the person has to connect again."""


@dataclass(frozen=True)
class Tokens:
    """The tokens of a person's consent."""

    access: str = field(repr=False)
    refresh: str = field(default="", repr=False)
    """Empty where the service gives none."""
    expires_at: datetime | None = None
    """None: it doesn't expire."""
    scopes: tuple[str, ...] = ()

    def stale(self, now: datetime, ahead: timedelta = timedelta(0)) -> bool:
        return self.expires_at is not None and self.expires_at <= now + ahead

    def to_text(self) -> str:
        """For the sealed store."""
        expires = None if self.expires_at is None else format_utc(self.expires_at)
        kept = {
            "access": self.access,
            "refresh": self.refresh,
            "expires_at": expires,
            "scopes": list(self.scopes),
        }
        return json.dumps(kept)

    @classmethod
    def from_text(cls, text: str) -> "Tokens":
        """Reads what `to_text` wrote, or a bare token.

        The tokens are kept out of logs from then on.
        """
        if not text.startswith("{"):
            return cls(text).guarded()
        kept = json.loads(text)
        expires = kept["expires_at"]
        made = cls(
            kept["access"],
            kept["refresh"],
            parse_utc(expires) if expires else None,
            tuple(kept["scopes"]),
        )
        return made.guarded()

    def guarded(self) -> "Tokens":
        register_secret(self.access)
        register_secret(self.refresh)
        return self


@dataclass(frozen=True)
class Invitation:
    """The address of a consent page, and its secrets."""

    url: str = field(repr=False)
    state: str = field(repr=False)
    verifier: str = field(repr=False)
    """The secret half of PKCE; empty where the service knows none."""


def invite(service: Service, redirect_uri: str) -> Invitation:
    """Make an address with a state, and with PKCE where the service knows it."""
    from authlib.common import security  # noqa: PLC0415 - few homes connect anything
    from authlib.oauth2 import rfc7636  # noqa: PLC0415
    from authlib.oauth2.rfc6749 import parameters  # noqa: PLC0415

    # The library declares no types.
    generate_token: Callable[[int], str] = cast("Any", security).generate_token
    challenge: Callable[[str], str] = cast("Any", rfc7636).create_s256_code_challenge
    state, verifier = generate_token(43), generate_token(64) if service.pkce else ""
    further = dict(service.authorize_with)
    if service.pkce:
        further |= {"code_challenge": challenge(verifier), "code_challenge_method": "S256"}
    if service.scopes:
        further[service.scope_key] = service.scope_mark.join(service.scopes)
    url: str = cast("Any", parameters).prepare_grant_uri(
        service.authorize_url,
        service.client_id,
        "code",
        redirect_uri=redirect_uri,
        state=state,
        **further,
    )
    return Invitation(url, state, verifier)


class OAuth:
    """Asks the token endpoints."""

    def __init__(self, web: WebClient, clock: Clock) -> None:
        self._web = web
        self._clock = clock

    async def exchange(
        self, service: Service, code: str, verifier: str, redirect_uri: str
    ) -> Tokens:
        """The tokens for a code. Raises GrantRefused, OAuthTrouble."""
        register_secret(code)
        given = {"code": code, "redirect_uri": redirect_uri}
        if verifier:
            given["code_verifier"] = verifier
        return await self._tokens(service, "authorization_code", given)

    async def refresh(self, service: Service, tokens: Tokens) -> Tokens:
        """Fresh tokens; a refresh token that the service does not replace is kept.

        Raises like `exchange`.
        """
        fresh = await self._tokens(service, "refresh_token", {"refresh_token": tokens.refresh})
        return Tokens(
            fresh.access,
            fresh.refresh or tokens.refresh,
            fresh.expires_at,
            fresh.scopes or tokens.scopes,
        )

    async def revoke(self, service: Service, tokens: Tokens) -> bool:
        """Revoke the access; False if only the person can. Raises OAuthTrouble."""
        match service.revoking:
            case Revoking.NEVER:
                return False
            case Revoking.FORM:
                request = self._form(
                    service, service.revoke_url, {"token": tokens.refresh or tokens.access}
                )
            case Revoking.JSON:
                request = self._json(service, "POST", service.revoke_url, {"token": tokens.access})
            case Revoking.GRANT:
                url = service.revoke_url.replace("{client_id}", service.client_id)
                request = self._json(service, "DELETE", url, {"access_token": tokens.access})
            case Revoking.BEARER:
                headers = {"Authorization": f"Bearer {tokens.access}", "Content-Type": _FORM}
                request = WebRequest(
                    "POST", service.revoke_url, headers, b"", max_bytes=_MOST, follow=False
                )
        status, answer = await self._ask(service, request)
        problem = _problem(answer)
        # A token that is not known any more is as good as one that was taken back.
        if (status >= 400 and status not in {400, 401, 404}) or (
            problem and problem not in _GONE | _THEIRS
        ):
            raise OAuthTrouble(f"{service.title} did not revoke the access ({problem or status})")
        return True

    async def _tokens(self, service: Service, grant: str, given: Mapping[str, str]) -> Tokens:
        fields = {"grant_type": grant, **given}
        if service.token_by_json:
            request = self._json(service, "POST", service.token_url, fields)
        else:
            request = self._form(service, service.token_url, fields)
        status, answer = await self._ask(service, request)
        part = answer.get(service.token_in) if service.token_in else answer
        found = cast("dict[str, Any]", part) if isinstance(part, dict) else answer
        problem = _problem(answer)
        if problem in _THEIRS | _GONE:
            raise GrantRefused(f"{service.title} does not take it ({problem})")
        access = found.get("access_token")
        if status >= 400 or problem or not isinstance(access, str) or not access:
            raise OAuthTrouble(f"{service.title} gave no token ({problem or status})")
        return self._read(service, found, access)

    def _read(self, service: Service, found: Mapping[str, Any], access: str) -> Tokens:
        lasts = found.get("expires_in")
        seconds = (
            float(lasts) if isinstance(lasts, int | float | str) and str(lasts).isdigit() else None
        )
        expires = None if seconds is None else self._clock.now() + timedelta(seconds=seconds)
        scopes = str(found.get("scope") or "").replace(",", " ").split()
        refresh = found.get("refresh_token")
        return Tokens(
            access, refresh if isinstance(refresh, str) else "", _utc(expires), tuple(scopes)
        ).guarded()

    def _form(self, service: Service, url: str, fields: Mapping[str, str]) -> WebRequest:
        method = "client_secret_post" if service.client_secret else "none"
        headers = {"Content-Type": _FORM, "Accept": _JSON}
        sent, headers, body = _client(service, method).prepare(
            "POST", url, headers, urlencode(fields)
        )
        return WebRequest("POST", sent, headers, body.encode(), max_bytes=_MOST, follow=False)

    def _json(
        self, service: Service, method: str, url: str, fields: Mapping[str, str]
    ) -> WebRequest:
        headers = {
            **service.headers,
            "Content-Type": _JSON,
            "Accept": service.headers.get("Accept", _JSON),
        }
        sent, headers, _ = _client(service, "client_secret_basic").prepare(method, url, headers, "")
        return WebRequest(
            method, sent, headers, json.dumps(fields).encode(), max_bytes=_MOST, follow=False
        )

    async def _ask(self, service: Service, request: WebRequest) -> tuple[int, dict[str, Any]]:
        with raised_as(OAuthTrouble, ToolError, about=f"{service.title} can't be reached"):
            answer = await self._web.fetch(request)
        try:
            found: object = answer.json() if answer.body else {}
        except ValueError:
            found = {}
        return answer.status, cast("dict[str, Any]", found) if isinstance(found, dict) else {}


class _Client(Protocol):
    """The library's client authentication: returns address, headers and body to send."""

    def prepare(
        self, method: str, uri: str, headers: dict[str, str], body: str
    ) -> tuple[str, dict[str, str], str]: ...


def _client(service: Service, method: str) -> _Client:
    from authlib.oauth2 import auth  # noqa: PLC0415 - few homes connect anything

    return cast(
        "_Client", cast("Any", auth).ClientAuth(service.client_id, service.client_secret, method)
    )


def _problem(answer: Mapping[str, Any]) -> str:
    """The service's own word for what is wrong; nothing else of its answer is repeated."""
    word = answer.get("error") or answer.get("code") or ""
    return (
        word
        if isinstance(word, str) and word.replace("_", "").isalnum() and len(word) <= 60
        else ""
    )


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)
