"""Findings of `bellhop doctor` on a PostgreSQL server and on the processes that share a home."""

from pathlib import Path
from typing import TYPE_CHECKING

from bot.domain.checks import Check
from bot.errors import BotError

if TYPE_CHECKING:
    from bot.storage.postgresql.condition import ServerCondition

_AHEAD_S = 2.0
"""Clocks further apart make schedules come early or late on some machine."""
_STORED = {"on", "remote_apply", "remote_write", "local"}
"""Values of synchronous_commit that put a commit on disk before it is answered."""


def examined(home: Path, url: str) -> list[Check]:
    """What `url` names is reached and complete; else its own line says more. Blocking."""
    from bot.storage.opening import server_at  # noqa: PLC0415 - imports the driver
    from bot.storage.postgresql.condition import condition  # noqa: PLC0415

    try:
        found = condition(server_at(url))
        checks = [_home(home, found), _server(found), _connections(found)]
        return [*checks, *_processes(home, found), *_sessions(found)]
    except BotError as error:
        return [Check("server", "error", str(error))]


def _home(home: Path, found: "ServerCondition") -> Check:
    from bot.storage.home_id import FILE, home_id  # noqa: PLC0415

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


def _server(found: "ServerCondition") -> Check:
    problems: list[str] = []
    if found.synchronous_commit not in _STORED:
        problems.append(
            f"synchronous_commit is {found.synchronous_commit}: a message that was accepted can be"
            " lost when the server stops; set it to on"
        )
    if not found.writes_through:
        problems.append(
            "fsync or full_page_writes is off: the database can be damaged when the machine loses"
            " power; set both to on"
        )
    if abs(found.clock_ahead_s) > _AHEAD_S:
        problems.append(
            f"the clocks of this machine and the server are {abs(found.clock_ahead_s):.1f} s apart;"
            " synchronise both (NTP)"
        )
    if problems:
        return Check("server", "warning", "\n".join(problems))
    return Check(
        "server",
        "ok",
        f"synchronous_commit {found.synchronous_commit}, clocks"
        f" {abs(found.clock_ahead_s) * 1000:.0f} ms apart",
    )


def _connections(found: "ServerCondition") -> Check:
    from bot.storage.postgresql.database import CONNECTIONS  # noqa: PLC0415 - imports the driver

    ours = sum(one.connections for one in found.processes)
    told = (
        f"{found.connections} of {found.max_connections} are open, {ours} of them by Bellhop;"
        f" a process opens up to {CONNECTIONS}"
    )
    still = CONNECTIONS * max(1, len(found.processes)) - ours
    if found.connections + still > found.max_connections:
        return Check("connections", "warning", f"{told}. Raise max_connections")
    return Check("connections", "ok", told)


def _processes(home: Path, found: "ServerCondition") -> list[Check]:
    from bot.storage.postgresql.processes import listed, of_other_versions  # noqa: PLC0415
    from bot.storage.process_files import process_files  # noqa: PLC0415

    if not found.processes:
        return []
    here = process_files(home)
    problems: list[str] = []
    if elsewhere := [one for one in found.processes if one.name not in here]:
        problems.append(
            f"{home / 'data/processes'} has no file of {listed(elsewhere)}: it works on another "
            "folder; let all processes share one home"
        )
    if others := of_other_versions(found.processes):
        problems.append(f"{listed(others)}: another version; bring all to one version")
    if problems:
        return [Check("processes", "warning", "\n".join(problems))]
    return [Check("processes", "ok", listed(found.processes))]


def _sessions(found: "ServerCondition") -> list[Check]:
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
