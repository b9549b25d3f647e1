"""WHM API 1 as its reference documents it: failures come with status 200 and `metadata.result` 0.

https://api.docs.cpanel.net/whm/introduction
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import web

from bot.domain.json_types import JsonObject
from bot.testing.services.vendor import Vendor, VendorCall


def _accounts() -> dict[str, JsonObject]:
    return {
        "shop": {
            "user": "shop",
            "domain": "shop.example.org",
            "plan": "Start",
            "diskused": "9000M",
            "disklimit": "10000M",
            "suspended": 0,
        }
    }


@dataclass
class WhmServer(Vendor):
    """One account, `shop`; `key` is the token of `root`."""

    key: str = "WHM-TOKEN-OF-THE-TESTS"
    accounts: dict[str, JsonObject] = field(default_factory=_accounts)

    async def answer(self, call: VendorCall) -> web.Response:
        if call.headers.get("authorization") != f"whm root:{self.key}":
            body = {"cpanelresult": {"error": "Access denied", "data": {"result": "0"}}}
            return web.json_response(body, status=403)
        if call.query.get("api.version") != "1" or not call.path.startswith("/json-api/"):
            return web.json_response({"error": "api.version=1 is missing"}, status=400)
        return self._function(call.path.removeprefix("/json-api/"), call.query)

    def _function(self, name: str, query: Mapping[str, str]) -> web.Response:
        account = self.accounts.get(query.get("user", ""))
        match name:
            case "listaccts":
                wanted = query.get("search", "")
                found = [one for user, one in self.accounts.items() if wanted in user]
                return _done(name, {"acct": found})
            case "accountsummary" if account is not None:
                return _done(name, {"acct": [account]})
            case "suspendacct" | "unsuspendacct" if account is not None:
                account["suspended"] = int(name == "suspendacct")
                account["suspendreason"] = query.get("reason", "")
                return _done(name, {})
            case "accountsummary" | "suspendacct" | "unsuspendacct":
                return _failed(name, "Account does not exist.")
            case _:
                return _failed(name, f"Unknown app (“{name}”) requested for this version (1).")


def _done(command: str, data: JsonObject) -> web.Response:
    meta = {"command": command, "reason": "OK", "result": 1, "version": 1}
    return web.json_response({"data": data, "metadata": meta})


def _failed(command: str, reason: str) -> web.Response:
    meta = {"command": command, "reason": reason, "result": 0, "version": 1}
    return web.json_response({"metadata": meta})
