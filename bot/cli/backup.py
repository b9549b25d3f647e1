"""`bellhop backup` and `bellhop restore`: a home in one file, and back."""

import contextlib
import shutil
import signal
import sqlite3
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Annotated

import typer

from bot import __version__
from bot.assembly.database import database_at, home_database, resolved
from bot.assembly.home_settings import load_settings
from bot.assembly.plugins import plugins_of
from bot.cli.commands import run_async
from bot.cli.options import NO_HOME, AnyHome, Home
from bot.cli.printing import confirm, inert
from bot.clock import SystemClock, format_utc
from bot.domain.database_server import DatabaseServer
from bot.errors import StorageError
from bot.sessions.upkeep.purge_store import OpenWork, begin_anew, open_work
from bot.settings import Settings
from bot.storage.backup import DATABASE, BackupHead, DatabaseCopy, back_up, copy_of, unpack
from bot.storage.home import HomeLock, make_database, open_database
from bot.storage.log_files import is_log
from bot.storage.migrate import applied_migrations, shipped_migrations
from bot.storage.putting_back import RESTORING, put_back
from bot.storage.settings import DatabaseSettings

_OWN = {"bellhop.lock", "bellhop.sock"}
"""Files in `data/` that belong to the running process, not to the home."""

_FILE = "bellhop.db"


@contextlib.contextmanager
def _ended_in_order() -> Generator[None]:
    """SIGTERM ends what is done here as Ctrl-C does, so that nothing half done is left."""

    def end(number: int, _: object) -> None:
        sys.exit(128 + number)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


BackupPath = Annotated[Path, typer.Argument(metavar="PATH", help="The backup: one file.")]


def backup(
    path: BackupPath,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Copy .env, too: keep the file as you keep keys.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Copy this home into one new file, also while it runs."""
    settings = load_settings(home)
    database, migration = _source(settings)
    head = BackupHead(
        made_at=format_utc(SystemClock().now()),
        version=__version__,
        migration=migration,
        secrets=secrets,
    )
    with _ended_in_order():
        made = back_up(path, home, database, parts_of(settings, secrets=secrets), head)
    size = path.stat().st_size / 2**20
    typer.echo(
        f"{path}: the database and {made.files} files, {size:.1f} MB, "
        f"{'with' if secrets else 'without'} .env."
    )
    for name in made.left_out:
        typer.echo(f"left out: {inert(name)} (a link or no regular file, or removed meanwhile)")
    if made.damaged_log:
        typer.echo(
            f"The cycle log is damaged ({', '.join(made.damaged_log)}); everything else is intact."
        )
    if made.unread:
        raise StorageError(
            f"{path} is a whole backup of everything else, but it lacks {'; '.join(made.unread)};"
            " make that readable, and back up again"
        )
    if not secrets:
        typer.echo(
            "Keep .env apart from it: without BELLHOP_SECRET_KEY the tokens that people "
            "entrusted can't be opened."
        )


def _source(settings: Settings) -> tuple[DatabaseCopy, int]:
    """How the database is copied, and the newest migration of the copy."""
    place, newest = home_database(settings), max(one.number for one in shipped_migrations())
    if isinstance(place, Path):
        return copy_of(place), _newest_migration(place) or newest

    def copied(copy: Path) -> tuple[str, ...]:
        make_database(copy)
        place.copy_out(copy)
        return ()

    return copied, newest


def restore(
    path: BackupPath,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Also restore into a home that has data; that data is moved aside."
        ),
    ] = False,
    drop: Annotated[
        bool | None,
        typer.Option(
            "--without-open-turns/--with-open-turns",
            help="Give up open work or go on with it. Default: ask.",
        ),
    ] = None,
    home: AnyHome = NO_HOME,
) -> None:
    """Replace this home by a backup. Bellhop must not be running."""
    # No part of it runs in a thread: one would go on after Ctrl-C, while its files are taken away.
    if not path.is_file():
        raise StorageError(f"there is no file {path}")
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = HomeLock(home / "data" / "bellhop.lock")
    lock.acquire()
    copy = home / RESTORING
    try:
        with _ended_in_order():
            _require_unused(home, overwrite=overwrite)
            _restore(path, home, copy, overwrite=overwrite, drop=drop)
    finally:
        shutil.rmtree(copy, ignore_errors=True)
        lock.release()


def _restore(path: Path, home: Path, copy: Path, *, overwrite: bool, drop: bool | None) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(mode=0o700)
    head = unpack(path, copy)
    (copy / "home").mkdir(exist_ok=True)
    settings = load_settings(copy / "home")
    typer.echo(f"{path}: made {head.made_at[:16].replace('T', ' ')} UTC by Bellhop {head.version}.")
    run_async(_open_turns(copy / DATABASE, drop))
    _put_back(copy, home, settings, secrets=head.secrets, overwrite=overwrite)


def _require_unused(home: Path, *, overwrite: bool) -> None:
    """Check that the database is unused. On a server, filling it checks that."""
    if overwrite:
        return
    database = home_database(load_settings(home))
    if isinstance(database, Path) and database.exists():
        raise StorageError(
            f"{home} is used already ({database.name}); restore into another --home, or add "
            "--overwrite, which moves what is there aside"
        )


async def _open_turns(database: Path, drop: bool | None) -> None:
    """Show the turns that the copy would resume, and give them up if that is wanted."""
    opened = await open_database(database)
    try:
        work = await open_work(opened)
        typer.echo(_again(work))
        if drop is None and sys.stdin.isatty():
            drop = confirm("Start without that work?", default=False)
        if drop:
            await opened.write(begin_anew(SystemClock().now()))
            typer.echo(
                "It starts without them. Their people are not told, and messages and mail since "
                "then are not read."
            )
    finally:
        await opened.close()


def _again(work: OpenWork) -> str:
    return (
        f"The copy holds {_count(work.turns, 'request')} that "
        f"{'was' if work.turns == 1 else 'were'} not finished and {_count(work.sends, 'message')} "
        "not sent. It doesn't know what was done since it was made, so this work may run again: "
        "these requests, and messages since then that catch_up still reads."
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _put_back(
    copy: Path, home: Path, settings: Settings, *, secrets: bool, overwrite: bool
) -> None:
    # A copy without .env keeps the home's file, which then names the server.
    named = settings if secrets else load_settings(home)
    url = resolved(named, settings.get(DatabaseSettings).url, "database.url")
    place = database_at(url, home, plugins_of(settings))
    parts = _parts([home, copy / "home"], place, secrets=secrets)
    at = f"{SystemClock().now():%Y%m%d-%H%M%S}"
    aside = home / f"before-restore-{at}"

    def files(database: Path | None) -> None:
        if put_back(copy, home, database, parts, aside):
            typer.echo(f"The earlier data is in {aside}; delete it when all is well.")

    if isinstance(place, Path):
        files(place)
    else:
        _fill_server(place, copy, lambda: files(None), at if overwrite else None)
    typer.echo(f"Restored into {home}. Check it with `bellhop doctor`, then start it.")


def _fill_server(
    server: DatabaseServer, copy: Path, last: Callable[[], None], at: str | None
) -> None:
    """Copy the database to its server, then do the `last` thing.

    With `at`, the existing data is kept under another name.
    """
    if at is not None:
        name = f"bellhop_before_{at.replace('-', '_')}"
        if server.set_aside(name):
            typer.echo(f"What the {server.name} held is in its schema {name}.")
    server.move(copy / DATABASE, typer.echo, last)


def parts_of(settings: Settings, *, secrets: bool) -> list[str]:
    """The paths in a backup besides the database, relative to the home."""
    return _parts([settings.home], home_database(settings), secrets=secrets)


def _parts(homes: list[Path], place: DatabaseServer | Path, *, secrets: bool) -> list[str]:
    own = {*_OWN, RESTORING.name}
    # After a move to a server, the old database file is no longer part of the home.
    database = place.name if isinstance(place, Path) else _FILE
    data = {
        f"data/{entry.name}"
        for home in homes
        if (home / "data").is_dir()
        for entry in (home / "data").iterdir()
        if entry.name not in own and not entry.name.startswith(database) and not is_log(entry.name)
    }
    named = [
        "bellhop.yaml",
        "contacts.yaml",
        "policy.yaml",
        "prompts",
        "skills",
        "memory",
        *sorted(data),
    ]
    return list(dict.fromkeys([*named, *([".env"] if secrets else [])]))


def _newest_migration(database: Path) -> int | None:
    try:
        return max(applied_migrations(database), default=None)
    except sqlite3.Error:
        return None
