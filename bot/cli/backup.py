"""`bellhop backup` and `bellhop restore`: a home in one file, and back."""

import asyncio
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot import __version__
from bot.cli.looking import run_async
from bot.cli.options import NO_HOME, AnyHome, Home
from bot.errors import StorageError

if TYPE_CHECKING:
    from bot.sessions.upkeep.anew_store import OpenWork
    from bot.settings import Settings

_OWN = {"bellhop.lock", "bellhop.sock", "bellhop.log"}
"""Of `data/`: what belongs to the process that runs, not to the home."""

BackupPath = Annotated[Path, typer.Argument(metavar="PATH", help="The backup: one file.")]


def backup(
    path: BackupPath,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Copy .env, too: keep the file as you keep keys.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Copy this home into one new file, also while Bellhop runs on it."""
    from bot.app import load_settings  # noqa: PLC0415 - imports the house
    from bot.clock import SystemClock, format_utc  # noqa: PLC0415
    from bot.storage.backup import BackupHead, back_up  # noqa: PLC0415
    from bot.storage.migrate import shipped_migrations  # noqa: PLC0415

    settings = load_settings(home)
    database = _database(settings)
    head = BackupHead(
        made_at=format_utc(SystemClock().now()),
        version=__version__,
        migration=_newest_migration(database)
        or max(migration.number for migration in shipped_migrations()),
        secrets=secrets,
    )
    made = back_up(path, home, database, parts_of(settings, secrets=secrets), head)
    size = path.stat().st_size / 2**20
    typer.echo(
        f"{path}: the database and {made.files} files, {size:.1f} MB, "
        f"{'with' if secrets else 'without'} .env."
    )
    for name in made.left_out:
        typer.echo(f"left out: {name} (a link, no regular file, or gone meanwhile)")
    if made.damaged_log:
        typer.echo(
            f"The cycle log is damaged ({', '.join(made.damaged_log)}); everything else is whole."
        )
    if not secrets:
        typer.echo(
            "Keep .env apart from it: without BELLHOP_SECRET_KEY the tokens that people "
            "entrusted can't be opened."
        )


def restore(
    path: BackupPath,
    overwrite: Annotated[
        bool,
        typer.Option(
            "--overwrite", help="Also where this home is used; what it has is moved aside."
        ),
    ] = False,
    drop: Annotated[
        bool | None,
        typer.Option(
            "--without-open-turns/--with-open-turns",
            help="Give up or go on with what was open. Else asked.",
        ),
    ] = None,
    home: AnyHome = NO_HOME,
) -> None:
    """Put a backup in the place of this home. Bellhop must not run on it."""
    run_async(_restore(path, home, overwrite=overwrite, drop=drop))


async def _restore(path: Path, home: Path, *, overwrite: bool, drop: bool | None) -> None:
    from bot.app import load_settings  # noqa: PLC0415 - imports the house
    from bot.storage.backup import DATABASE, unpack  # noqa: PLC0415
    from bot.storage.home import HomeLock  # noqa: PLC0415

    if not await asyncio.to_thread(path.is_file):
        raise StorageError(f"there is no file {path}")
    await asyncio.to_thread(home.mkdir, mode=0o700, parents=True, exist_ok=True)
    lock = HomeLock(home / "data" / "bellhop.lock")
    await asyncio.to_thread(lock.acquire)
    copy = home / "data" / "restore.part"
    try:
        _require_unused(home, overwrite=overwrite)
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir(mode=0o700)
        head = await asyncio.to_thread(unpack, path, copy)
        (copy / "home").mkdir(exist_ok=True)
        settings = await asyncio.to_thread(load_settings, copy / "home")
        typer.echo(
            f"{path}: made {head.made_at[:16].replace('T', ' ')} UTC by Bellhop {head.version}."
        )
        await _open_turns(copy / DATABASE, drop)
        await asyncio.to_thread(_put_back, copy, home, settings, secrets=head.secrets)
    finally:
        shutil.rmtree(copy, ignore_errors=True)
        lock.release()


def _require_unused(home: Path, *, overwrite: bool) -> None:
    from bot.app import load_settings  # noqa: PLC0415

    if overwrite:
        return
    if (database := _database(load_settings(home))).exists():
        raise StorageError(
            f"{home} is used already ({database.name}); restore into another --home, or add "
            f"--overwrite, which moves"
            " what is there aside"
        )


async def _open_turns(database: Path, drop: bool | None) -> None:
    """Say what the copy would do again, and give it up where that is wanted."""
    from bot.clock import SystemClock  # noqa: PLC0415
    from bot.sessions.upkeep.anew_store import begin_anew, open_work  # noqa: PLC0415
    from bot.storage.home import open_database  # noqa: PLC0415

    opened = await open_database(database)
    try:
        work = await open_work(opened)
        typer.echo(_again(work))
        if drop is None and sys.stdin.isatty():
            drop = typer.confirm("Begin without all that?", default=False)
        if drop:
            await opened.write(begin_anew(SystemClock().now()))
            typer.echo(
                "It begins without them; their people are not told, and what was written since "
                "is not read."
            )
    finally:
        await opened.close()


def _again(work: "OpenWork") -> str:
    return (
        f"The copy holds {_count(work.turns, 'request')} that "
        f"{'was' if work.turns == 1 else 'were'} not finished and"
        f" {_count(work.sends, 'message')} not sent. What was done since it was made is not in it, "
        f"so that work may run"
        " again: these requests, and messages since then that catch_up still reads."
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _put_back(copy: Path, home: Path, settings: "Settings", *, secrets: bool) -> None:
    from bot.clock import SystemClock  # noqa: PLC0415
    from bot.storage.home import database_path  # noqa: PLC0415
    from bot.storage.opening import database_url  # noqa: PLC0415
    from bot.storage.putting_back import put_back  # noqa: PLC0415

    database = database_path(database_url(settings), home)
    aside = home / f"before-restore-{SystemClock().now():%Y%m%d-%H%M%S}"
    moved = put_back(
        copy, home, database, _parts(settings, [home, copy / "home"], secrets=secrets), aside
    )
    if moved:
        typer.echo(f"What was here before is in {aside}: delete it when all is well.")
    typer.echo(f"Restored into {home}. Look with `bellhop doctor`, then start it.")


def parts_of(settings: "Settings", *, secrets: bool) -> list[str]:
    """What of a home a backup holds beside the database, relative to the home."""
    return _parts(settings, [settings.home], secrets=secrets)


def _parts(settings: "Settings", homes: list[Path], *, secrets: bool) -> list[str]:
    from bot.sessions.settings import AccessSettings  # noqa: PLC0415
    from bot.tools.settings import PolicySettings  # noqa: PLC0415

    files = [settings.get(AccessSettings).contacts, settings.get(PolicySettings).file]
    inside = [
        file for file in files if not Path(file).is_absolute() and ".." not in Path(file).parts
    ]
    own = {*_OWN, "restore.part"}
    data = {
        f"data/{entry.name}"
        for home in homes
        if (home / "data").is_dir()
        for entry in (home / "data").iterdir()
        if entry.name not in own and not entry.name.startswith(_database(settings).name)
    }
    named = ["bellhop.yaml", *inside, "prompts", "skills", "memory", *sorted(data)]
    return list(dict.fromkeys([*named, *([".env"] if secrets else [])]))


def _database(settings: "Settings") -> Path:
    from bot.storage.home import database_path  # noqa: PLC0415
    from bot.storage.opening import database_url  # noqa: PLC0415

    return database_path(database_url(settings), settings.home)


def _newest_migration(database: Path) -> int | None:
    import sqlite3  # noqa: PLC0415

    from bot.storage.migrate import applied_migrations  # noqa: PLC0415

    try:
        return max(applied_migrations(database), default=None)
    except sqlite3.Error:
        return None
