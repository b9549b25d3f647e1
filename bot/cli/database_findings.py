"""Findings of `bellhop doctor` on the database: a SQLite file, or a database on a server."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from bot.assembly.database import home_database
from bot.cli import server_findings
from bot.domain.checks import Check
from bot.domain.database_server import DatabaseServer
from bot.errors import BotError
from bot.settings import Settings
from bot.storage.damage import Damage, look_for_damage
from bot.storage.migrate import (
    CARRY_FIRST,
    applied_migrations,
    is_carriable,
    newer_than,
    shipped_migrations,
)
from bot.storage.remedies import RESTORE, unusable


def examined(settings: Settings) -> list[Check]:
    """The state of the database, and of the server that it lies on. Blocking."""
    try:
        place = home_database(settings)
        if isinstance(place, Path):
            return [_in_file(place)]
        return _on_server(settings.home, place)
    except BotError as error:
        return [Check("database", "error", str(error))]


def _in_file(path: Path) -> Check:
    try:
        if not path.exists():
            return Check(
                "database",
                "ok",
                f"none yet; the first `bellhop chat` or `bellhop run` makes {path}",
            )
        applied, damage = applied_migrations(path), look_for_damage(path)
        known = {migration.number: migration.digest for migration in shipped_migrations()}
    except (sqlite3.Error, OSError) as error:
        return Check("database", "error", str(unusable("cannot read the database", path, error)))
    found = _migrations(str(path), applied, known)
    return found if found.state == "error" else _damage(path, damage) or found


def _on_server(home: Path, server: DatabaseServer) -> list[Check]:
    found = server.look()
    check = _migrations(f"{server.name} ({found.version})", found.applied, found.shipped)
    if check.state == "error" or set(found.shipped) - set(found.applied):
        return [check]
    return [check, *server_findings.examined(home, server)]


def _damage(path: Path, damage: Damage) -> Check | None:
    """What SQLite's own checks found, if anything."""
    if damage.beyond_log:
        return Check("database", "error", f"{path} is damaged: {damage.text}; {RESTORE}")
    if damage.log_tables:
        tables = ", ".join(damage.log_tables)
        text = (
            f"{path}: the cycle log is damaged ({tables}); turns still run, but their log is lost"
        )
        return Check("database", "warning", text)
    if damage.foreign_keys:
        text = (
            f"{path}: rows in {', '.join(damage.foreign_keys)} refer to rows that are gone; please "
            "report it"
        )
        return Check("database", "warning", text)
    return None


def _migrations(where: str, applied: Mapping[int, str], known: Mapping[int, str]) -> Check:
    if newer := newer_than(known, applied):
        return Check(
            "database",
            "error",
            f"{where} has migration {newer[-1]} of a newer Bellhop; run that version",
        )
    if applied and not is_carriable(applied):
        return Check(
            "database",
            "error",
            f"{where} is of a Bellhop that is too old for this one; {CARRY_FIRST}",
        )
    if any(known.get(number, digest) != digest for number, digest in applied.items()):
        return Check(
            "database",
            "error",
            f"{where}: a shipped migration differs from the one applied; reinstall",
        )
    pending = len(set(known) - set(applied))
    more = f", {pending} more at the next start" if pending else ""
    newest = f", migration {max(applied):04}" if applied else ""
    return Check("database", "ok", f"{where}{newest}{more}")
