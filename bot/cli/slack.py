"""`bellhop slack-manifest`: the manifest of the Slack app."""

import json
from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import NO_HOME, Home
from bot.errors import StorageError


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

    try:
        made = SLACK.manifest(load_settings(home).get(SLACK.settings), url or "")
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
