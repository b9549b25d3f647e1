"""Findings of `bellhop doctor` on the database: a SQLite file, or a database on a server."""

import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot import __version__
from bot.assembly.database import home_database
from bot.domain.database_server import DatabaseServer, ServerCondition, WorkingProcess
from bot.domain.health import Check
from bot.errors import BotError
from bot.settings import Settings
from bot.storage.damage import RESTORE, Damage, look_for_damage, unusable
from bot.storage.home import is_made
from bot.storage.home_id import FILE, home_id
from bot.storage.migrate import (
    CARRY_FIRST,
    applied_migrations,
    is_carriable,
    newer_than,
    shipped_migrations,
)
from bot.storage.process_files import process_files
from bot.storage.putting_back import require_whole


def examined(settings: Settings) -> list[Check]:
    """The state of the database, and of the server that it lies on. Blocking."""
    try:
        place = home_database(settings)
        if isinstance(place, Path):
            require_whole(place)
            return [_in_file(place)]
        return _on_server(settings.home, place)
    except BotError as error:
        return [Check("database", "error", str(error))]


def _in_file(path: Path) -> Check:
    try:
        if not is_made(path):
            none_yet = f"none yet; the first `bellhop chat` or `bellhop run` makes {path}"
            return Check("database", "ok", none_yet)
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
    return [check, *_server(home, server)]


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
    problem = ""
    if newer := newer_than(known, applied):
        problem = f"{where} has migration {newer[-1]} of a newer Bellhop; run that version"
    elif applied and not is_carriable(applied):
        problem = f"{where} is of a Bellhop that is too old for this one; {CARRY_FIRST}"
    elif any(known.get(number, digest) != digest for number, digest in applied.items()):
        problem = f"{where}: a shipped migration differs from the one applied; reinstall"
    if problem:
        return Check("database", "error", problem)
    if not applied:
        return Check("database", "ok", f"{where}, still empty; the next start makes its tables")
    pending = len(set(known) - set(applied))
    more = f", {pending} more at the next start" if pending else ""
    return Check("database", "ok", f"{where}, migration {max(applied):04}{more}")


# --- the server, and the processes that share a home ---


def _server(home: Path, server: DatabaseServer) -> list[Check]:
    """The server is reached and its database complete; else its own line says more. Blocking."""
    try:
        found = server.condition()
        return [_home(home, found), *found.checks, *_processes(home, found), *_sessions(found)]
    except BotError as error:
        return [Check("server", "error", str(error))]


def _home(home: Path, found: ServerCondition) -> Check:
    here = home_id(home)
    if here == found.home_id:
        return Check("home", "ok", "the database is that of this home")
    if not here:
        text = f"{FILE} is missing: this folder is not the home that the database belongs to"
    elif not found.home_id:
        text = f"the database belongs to no home yet, and {FILE} says {here}"
        return Check("home", "warning", text)
    else:
        text = f"{FILE} says {here}, and the database belongs to the home {found.home_id}"
    return Check("home", "error", f"{text}; see docs/scaling.md")


def _processes(home: Path, found: ServerCondition) -> list[Check]:
    if not found.processes:
        return []
    here = process_files(home)
    problems: list[str] = []
    if elsewhere := [one for one in found.processes if one.name not in here]:
        problems.append(
            f"{home / 'data/processes'} has no file of {_listed(elsewhere)}: it works on another "
            "folder; let all processes share one home"
        )
    if others := [one for one in found.processes if one.version != __version__]:
        problems.append(f"{_listed(others)}: another version; bring all to one version")
    return [Check.of("processes", problems, _listed(found.processes))]


def _listed(processes: Sequence[WorkingProcess]) -> str:
    return ", ".join(map(str, processes))


def _sessions(found: ServerCondition) -> list[Check]:
    if found.stalled_sessions:
        text = (
            f"{found.stalled_sessions} are held by a process that isn't heard of; if this stays for"
            " a minute, restart the processes that run turns"
        )
        return [Check("sessions", "warning", text)]
    if found.waiting_sessions and not found.runners:
        text = (
            f"{found.waiting_sessions} have work, and no process runs turns; start one with"
            " `bellhop run --only turns`"
        )
        return [Check("sessions", "warning", text)]
    if not found.runners:
        return []
    text = f"{found.runners} run turns, {found.waiting_sessions} sessions wait for them"
    return [Check("sessions", "ok", text)]
