"""`bellhop rotate-key`: creates or replaces the key that seals people's secrets."""

import os

import typer

from bot.app import AppOptions, open_app
from bot.assembly.home_settings import load_settings
from bot.assembly.plugged import tables_of, with_tables
from bot.cli.home_files import set_secret
from bot.cli.options import NO_HOME, Home
from bot.connections.credentials import KEY, Credentials, Keyring
from bot.connections.sealing import new_key
from bot.errors import BotError
from bot.storage.plugin_tables import plugins_off, reseal_rows


class KeyElsewhere(BotError):
    """The key is in the environment, which a command can't change."""


async def rotate_key(home: Home = NO_HOME) -> None:
    """Make or replace BELLHOP_SECRET_KEY in .env.

    People's tokens, and what plug-ins sealed, are sealed anew. A link of /connect that nobody has
    used yet has to be asked for again.

    Bellhop must not run meanwhile.
    """
    if os.environ.get(KEY):
        raise KeyElsewhere(
            f"{KEY} is set in the environment, where this command can't change it; move it from "
            f"there into {home / '.env'}, and run `bellhop rotate-key --home {home}` again"
        )
    old = (load_settings(home).secret(KEY) or "").strip()
    fresh = new_key()
    if not old:
        set_secret(home / ".env", KEY, fresh)
        typer.echo(
            f"{KEY} is in {home / '.env'} now. Keep a copy: without it the tokens that people "
            "entrust are lost."
        )
        return
    # Each state of .env in between opens everything, whatever is sealed by then.
    both = f"{fresh},{old}"
    async with open_app(AppOptions(home)) as app:
        keys, plugged = Keyring({KEY: both}.get), app.house.plugged
        credentials = Credentials(app.database, keys, app.clock)
        await credentials.load()
        set_secret(home / ".env", KEY, both)
        count = await credentials.reseal()
        for table in tables_of(plugged):
            count += await reseal_rows(app.database, table, keys.resealed)
        off = await plugins_off(app.database, {one.name for one in with_tables(plugged)})
    said = (
        f"{KEY} in {home / '.env'} is new, and {count} "
        f"{'secret is' if count == 1 else 'secrets are'} sealed with it."
    )
    if off:
        typer.echo(
            f"{said} The old key stays behind it, for what plug-ins sealed that are not on: "
            f"{', '.join(off)}. Name them in plugins and run this again, or take the old key away."
        )
        return
    set_secret(home / ".env", KEY, fresh)
    typer.echo(said)
