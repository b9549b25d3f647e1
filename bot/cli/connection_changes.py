"""What `bellhop connect` does to a home, here or inside the Bellhop that runs on it."""

from urllib.parse import parse_qs, urlsplit

from bot.app import App
from bot.domain.json_types import JsonObject
from bot.errors import SettingsError


async def begin_connection(app: App, params: JsonObject) -> JsonObject:
    """The `url` of a link for `owner` (a person id, or WORKSPACE) to connect `service`.

    Raises SettingsError.
    """
    services, name = app.house.accounts.connections.services, str(params["service"])
    service = services.get(name.casefold())
    if service is None:
        raise SettingsError(f"{name!r} is no service; known are {', '.join(services)}")
    if not service.offered:
        prefix = service.id.upper()
        raise SettingsError(
            f"{prefix}_CLIENT_ID and {prefix}_CLIENT_SECRET are not set; put them into .env"
        )
    return {
        "url": await app.house.accounts.connecting.begin(
            str(params["owner"]), service, str(params["shown"])
        )
    }


async def finish_connection(app: App, params: JsonObject) -> JsonObject:
    """Use the `address` from `owner`'s browser: a sentence, and whether it is now connected."""
    given = parse_qs(urlsplit(str(params["address"]).strip()).query)
    state, code = (given.get(name, [""])[0] for name in ("state", "code"))
    outcome = await app.house.accounts.connecting.finish(state, code, str(params["owner"]))
    return {"text": outcome.text, "connected": outcome.service is not None}
