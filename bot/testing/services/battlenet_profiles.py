"""Battle.net: tokens by client credentials, and profiles of characters of World of Warcraft.

https://community.developer.battle.net/documentation/world-of-warcraft/profile-apis
"""

from base64 import b64encode
from dataclasses import dataclass, field
from urllib.parse import unquote

from aiohttp import web

from bot.testing.services.vendor import Vendor, VendorCall

CLIENT_ID = "client-of-the-tests"


@dataclass
class BattlenetProfiles(Vendor):
    """One character, Jaina on Argent Dawn; `key` is the client's secret. Serves login and API."""

    key: str = "battlenet-secret-of-the-tests"
    tokens: list[str] = field(default_factory=list[str])
    """Those given out; only the last is good."""

    async def answer(self, call: VendorCall) -> web.Response:
        if call.method == "POST" and call.path == "/token":
            return self._token(call)
        if call.headers.get("authorization") != f"Bearer {(self.tokens or [''])[-1]}":
            return web.Response(status=401, text="")
        realm, _, name = unquote(call.path).removeprefix("/profile/wow/character/").partition("/")
        if (realm, name, call.query.get("namespace")) != ("argent-dawn", "jaina", "profile-eu"):
            body = {"code": 404, "type": "BLZWEBAPI00000404", "detail": "Not Found"}
            return web.json_response(body, status=404)
        profile = {
            "id": 1,
            "name": "Jaina",
            "level": 80,
            "character_class": {"name": "Mage", "id": 8},
            "realm": {"name": "Argent Dawn", "slug": "argent-dawn"},
            "guild": {"name": "Kirin Tor"},
            "average_item_level": 639,
            "equipped_item_level": 636,
            "last_login_timestamp": 1764000000000,
        }
        return web.json_response(profile)

    def _token(self, call: VendorCall) -> web.Response:
        wanted = b64encode(f"{CLIENT_ID}:{self.key}".encode()).decode()
        if call.headers.get("authorization") != f"Basic {wanted}":
            return web.json_response(
                {"error": "unauthorized", "error_description": "Bad credentials"}, status=401
            )
        if call.body != b"grant_type=client_credentials":
            return web.json_response({"error": "unsupported_grant_type"}, status=400)
        self.tokens.append(f"EU-token-{len(self.tokens) + 1}-of-the-tests")
        body = {"access_token": self.tokens[-1], "token_type": "bearer", "expires_in": 86399}
        return web.json_response({**body, "sub": CLIENT_ID})
