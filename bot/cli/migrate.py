"""`bellhop migrate`: moves a home's database to a PostgreSQL server."""

from pathlib import Path
from typing import Annotated, Any

import typer

from bot.assembly.database import home_database, resolved, server_at
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import plugins_of
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json
from bot.domain.database_server import DatabaseServer
from bot.errors import SettingsError
from bot.settings import Settings
from bot.storage.home import HomeLock, require_current
from bot.storage.putting_back import require_whole

URL_NAME = "DATABASE_URL"


def migrate(
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="URL",
            help=f"postgresql://…, or '${{{URL_NAME}}}' for what .env has under that name.",
        ),
    ],
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Copy the database into an empty PostgreSQL database. Bellhop must not be running.

    The file stays as it is. Run the command again to continue an interrupted copy.
    """
    settings = load_settings(home)
    server = _server(settings, to)
    lock = HomeLock(home / "data" / "bellhop.lock")
    lock.acquire()
    try:
        report = _moved(settings, server)
    finally:
        lock.release()
    if as_json:
        print_json(report)
    else:
        typer.echo(_told(report, to))


def _server(settings: Settings, to: str) -> DatabaseServer:
    server = server_at(resolved(settings, to, "--to"), plugins_of(settings))
    if server is None:
        raise SettingsError(
            "--to names no PostgreSQL server; write postgresql://USER@HOST/DATABASE"
        )
    return server


def _moved(settings: Settings, server: DatabaseServer) -> dict[str, Any]:
    database = home_database(settings)
    if not isinstance(database, Path):
        raise SettingsError(
            "database.url names a PostgreSQL server already; what is moved is a SQLite file, so set"
            " it to sqlite:///data/bellhop.db if that is to move"
        )
    require_whole(database)
    require_current(database)
    moved = server.move(database, lambda line: typer.echo(line, err=True))
    return {
        "from": str(database),
        "to": server.name,
        "rows": sum(one.rows for one in moved.tables.values()),
        "tables": {
            name: {"rows": one.rows, "sha256_sum": one.digest}
            for name, one in sorted(moved.tables.items())
        },
        "left": list(moved.left),
    }


def _told(report: dict[str, Any], to: str) -> str:
    rows, tables = report["rows"], len(report["tables"])
    lines = [
        f"The {report['to']} has all {tables} tables; {rows:,} {'row' if rows == 1 else 'rows'} "
        "in all were compared with their copies.",
        *(f"Not copied: {name}, a damaged log that was set aside." for name in report["left"]),
        f"{report['from']} is as it was, and Bellhop uses it until you change:",
    ]
    named = to if to.startswith("${") else f"${{{URL_NAME}}}"
    if named != to:
        lines.append(f"  .env           {URL_NAME}= and the URL that you gave to --to")
    lines += [
        f'  bellhop.yaml   database: {{url: "{named}"}}',
        "Then look with `bellhop doctor`. What Bellhop does with the file from now on isn't moved.",
    ]
    return "\n".join(lines)
