"""`bellhop slack-manifest`: the manifest of the Slack app."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from bot.cli.options import NO_HOME, Home
from bot.errors import StorageError

if TYPE_CHECKING:
    from bot.domain.json_types import JsonObject
    from bot.settings import Settings


def slack_manifest(
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the manifest to this file.")
    ] = None,
    url: Annotated[
        str | None,
        typer.Option("--url", metavar="URL", help="Public https address, for slack.mode http."),
    ] = None,
    home: Home = NO_HOME,
) -> None:
    """Print the Slack app manifest for these settings, with exactly the needed scopes."""
    from bot.app import load_settings  # noqa: PLC0415 - imports the house
    from bot.chat.slack_chat.platform import SLACK  # noqa: PLC0415

    settings = load_settings(home)
    try:
        made = SLACK.manifest(settings.get(SLACK.settings), url or "")
        made = _with_accounts(settings, _with_links(settings, made))
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    text = json.dumps(made, indent=2, ensure_ascii=False)
    if out is None:
        typer.echo(text)
        return
    try:
        out.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise StorageError(
            f"cannot write {out}: {error.strerror}; choose another file with --out"
        ) from error
    typer.echo(
        f"Wrote {out}. Paste it at https://api.slack.com/apps > Create New App > From a manifest."
    )


def _with_links(settings: "Settings", made: "JsonObject") -> "JsonObject":
    """The manifest with the domain whose links have previews, where they are on.

    Raises ValueError if they are on, and links lead nowhere.
    """
    from bot.chat.slack_chat.manifest import with_links  # noqa: PLC0415 - with the house
    from bot.chat.slack_chat.platform import SLACK  # noqa: PLC0415
    from bot.endpoints.settings import ConsoleSettings  # noqa: PLC0415

    if not settings.get(SLACK.settings).previews:
        return made
    host = urlsplit(settings.get(ConsoleSettings).public_url).hostname
    if not host:
        raise ValueError("slack.previews is on: set console.public_url, where the links lead")
    return with_links(made, host)


def _with_accounts(settings: "Settings", made: "JsonObject") -> "JsonObject":
    """The manifest with what people's own accounts need, where they can be connected.

    A pasted manifest replaces the whole app, so it would take away what was added by hand.
    """
    from bot.assembly.plugins import known_services, plugins_of  # noqa: PLC0415 - with the house
    from bot.chat.slack_chat.manifest import with_accounts  # noqa: PLC0415
    from bot.connections.connecting import redirect_uri  # noqa: PLC0415
    from bot.connections.services import services  # noqa: PLC0415
    from bot.endpoints.settings import ConsoleSettings  # noqa: PLC0415

    known = known_services(plugins_of(settings))
    account = services(settings.section("services"), settings.secret, known).get("slack")
    if account is None or not account.offered:
        return made
    console = settings.get(ConsoleSettings)
    return with_accounts(made, account.scopes, redirect_uri(console.public_url, console.port))
