"""Findings of `bellhop doctor` on a database server and on the processes that share a home."""

from collections.abc import Sequence
from pathlib import Path

from bot import __version__
from bot.domain.checks import Check
from bot.domain.database_server import DatabaseServer, ServerCondition, WorkingProcess
from bot.errors import BotError
from bot.storage.home_id import FILE, home_id
from bot.storage.process_files import process_files


def examined(home: Path, server: DatabaseServer) -> list[Check]:
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
    if problems:
        return [Check("processes", "warning", "\n".join(problems))]
    return [Check("processes", "ok", _listed(found.processes))]


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
