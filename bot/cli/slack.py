"""`bellhop slack-manifest`: the manifest of the Slack app."""

import json
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import known_services, platforms_of, plugins_of, setup_of
from bot.cli.options import NO_HOME, Home
from bot.connections.connecting import redirect_uri
from bot.connections.services import services
from bot.endpoints.settings import ConsoleSettings
from bot.errors import StorageError, raised_as
from bot.plugin.chat import AppAccount
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
    """Print the Slack app manifest for these settings.

    It has exactly the needed scopes.
    """
    settings = load_settings(home)
    slack = next((one for one in platforms_of(settings) if one.name == "slack"), None)
    if slack is None:
        raise typer.BadParameter("this Bellhop has no Slack")
    linked = any(one.previews(setup_of(settings, one)) for one in plugins_of(settings))
    host = urlsplit(settings.get(ConsoleSettings).public_url).hostname if linked else ""
    with raised_as(typer.BadParameter, ValueError):
        made = slack.manifest(
            settings.get(slack.settings), url or "", host or "", _account(settings)
        )
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


def _account(settings: Settings) -> AppAccount | None:
    """What people's own accounts need, where they can be connected.

    A pasted manifest replaces the whole app, so it would take away what was added by hand.
    """
    known = known_services(plugins_of(settings))
    account = services(settings.section("services"), settings.secret, known).get("slack")
    if account is None or not account.offered:
        return None
    console = settings.get(ConsoleSettings)
    return AppAccount(account.scopes, redirect_uri(console.public_url, console.port))
