"""`bellhop usage`, `bellhop rights`, `bellhop cycles`, and a person's data: `bellhop export`."""

import sys
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.agents.cycle_log.log_store import PREFIX_CHARS
from bot.agents.cycle_log.tree import render_tree
from bot.app import App, open_read_only
from bot.assembly.forgetting import build_exports
from bot.cli.home_files import UnknownPerson, nobody_known
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import facts, inert, print_json, print_table
from bot.domain.access import Person, Role
from bot.errors import BotError, SettingsError
from bot.sessions.records.spoken_store import newest_name
from bot.sessions.reports.rights_report import place_named
from bot.storage.confined import make_file

_NANO = 1_000_000_000


class By(StrEnum):
    DAY = "day"
    PERSON = "person"
    CHANNEL = "channel"
    MODEL = "model"
    TOOL = "tool"


async def usage(
    by: Annotated[By, typer.Option("--by", help="What each line sums up.")] = By.DAY,
    days: Annotated[
        int,
        typer.Option(
            "--days", metavar="N", min=1, max=3660, help="How many days, including today."
        ),
    ] = 7,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Show tokens, calls and money.

    They are summed by day, person, channel, model or tool.
    """
    rows = await _used(home, by, days)
    if as_json:
        print_json(rows)
    elif by is By.TOOL:
        cells = [(str(row["tool"]), f"{row['calls']:,}", f"{row['failed']:,}") for row in rows]
        print_table(("tool", "calls", "failed"), cells, empty="No tool was called in these days.")
    else:
        headers = (str(by), "calls", "tokens in", "cached", "tokens out", "usd", "by called agents")
        print_table(
            headers,
            [_usage_cells(row, by) for row in rows],
            empty="No model was asked in these days.",
        )


async def _used(home: Path, by: By, days: int) -> list[dict[str, Any]]:
    async with open_read_only(home) as house:
        rows: list[dict[str, Any]] = await house.house.ground.meter.report(by, days)
        if by is By.PERSON:
            rows = [{**row, "name": await _person_name(house, str(row["person"]))} for row in rows]
    return [
        row
        if by is By.TOOL
        else {**row, "usd": row["nano_usd"] / _NANO, "price_known": not row["unpriced"]}
        for row in rows
    ]


async def _person_name(app: App, person: str) -> str:
    """As contacts.yaml says, or else as they were called in their newest message."""
    known = app.contacts.person(person)
    return known.name if known else await newest_name(app.database, person)


def _subject(row: dict[str, Any], by: By) -> str:
    name = str(row.get("name", ""))
    return f"{name} ({row[by]})" if name and name != row[by] else str(row[by])


def _usage_cells(row: dict[str, Any], by: By) -> tuple[str, ...]:
    came_in = row["input_tokens"] + row["cache_read_tokens"] + row["cache_write_tokens"]
    money = f"{row['usd']:,.4f}" + (
        "" if row["price_known"] else f" + {row['unpriced']} calls of unknown price"
    )
    counts = (row["calls"], came_in, row["cache_read_tokens"], row["output_tokens"])
    handed = (
        f"{row['handed_calls']:,} calls, {row['handed_tokens']:,} tokens"
        if row["handed_calls"]
        else ""
    )
    return (_subject(row, by), *(f"{count:,}" for count in counts), money, handed)


async def rights(
    person: Annotated[
        str,
        typer.Argument(
            metavar="PERSON", help="Id or name of a contact, or a role for anybody who has it."
        ),
    ],
    place: Annotated[
        str,
        typer.Option(
            "--in",
            metavar="PLACE",
            help="A channel's id, or dm, private, public, slack, category:ID …",
        ),
    ] = "dm",
    tool: Annotated[
        str | None, typer.Option("--tool", metavar="NAME", help="Only this tool.")
    ] = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """Print a person's rights in a place.

    Beside each stand the file and line that give or take it.
    """
    async with open_read_only(home) as app:
        location = await place_named(app.house.channels, place, app.contacts.platforms)
        who = _person(app, person)
        report = await app.rights_reports.of(who, location, tool, operator=True)
    if as_json:
        print_json({**asdict(report), "tools": [asdict(right) for right in report.tools]})
        return
    typer.echo(report.text())


def _person(app: App, text: str) -> Person:
    found = app.contacts.person(text)
    named = [one.id for one in app.contacts.people if one.name.casefold() == text.casefold()]
    if found is None and len(named) == 1:
        found = app.contacts.person(named[0])
    if found is not None:
        return found
    try:
        role = Role.parse(text)
    except ValueError:
        known = ", ".join(one.id for one in app.contacts.people) or "nobody"
        raise SettingsError(
            f"contacts.yaml names no {text!r}; it names {known}. For people whom it doesn't "
            "name, give a role in place of the name, such as Guest"
        ) from None
    return Person(f"any {role}", f"Somebody with the role {role}", role)


async def export(
    person: Annotated[
        str, typer.Option("--person", metavar="PERSON", help="Id or name of the person.")
    ],
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FILE", help="The archive to write; it must not exist."),
    ] = None,
    home: Home = NO_HOME,
) -> None:
    """Write what is kept of one person into a zip archive.

    It is for that person alone.
    """
    id_, packed = await _packed(home, person)
    path = to or Path(f"bellhop-export-{''.join(c if c.isalnum() else '-' for c in id_)}.zip")
    try:
        make_file(path, packed, 0o600)
    except OSError as error:
        typer.echo(f"{path} can't be written: {error.strerror or error}", err=True)
        raise typer.Exit(1) from None
    typer.echo(f"{path} has what is kept of {id_}. It is private: hand it to them alone.")


async def _packed(home: Path, person: str) -> tuple[str, bytes]:
    async with open_read_only(home) as app:
        known = app.contacts.person(person)
        named = [one.id for one in app.contacts.people if one.name.casefold() == person.casefold()]
        if not known and len(named) > 1:
            raise UnknownPerson(f"{person!r} are several; name one: {', '.join(named)}")
        id_ = known.id if known else named[0] if len(named) == 1 else person
        if not (known or named) and not await app.house.forgetting.kept.any_of(id_):
            raise UnknownPerson(nobody_known(person, app.contacts))
        return id_, await build_exports(app.house).of(id_)


class UnknownCycle(BotError):
    """No cycle has this id."""


async def list_cycles(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, newest first.")] = 20,
    person: Annotated[str | None, typer.Option(metavar="ID", help="Only this person's.")] = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List the newest runs."""
    async with open_read_only(home) as house:
        cycles = await house.cycle_log.recent(person, limit)
    if as_json:
        names = ("cycle_id", "at", "agent", "person", "session_id", "status", "text", "answer")
        print_json([facts(cycle, *names, "error", "duration_ms") for cycle in cycles])
        return
    rows = [
        (
            cycle.cycle_id[:8],
            cycle.at.isoformat(sep=" ")[:16],
            str(cycle.status),
            cycle.person,
            "" if cycle.duration_ms is None else f"{cycle.duration_ms / 1000:.1f}s",
            cycle.text,
        )
        for cycle in cycles
    ]
    headers = ("cycle", "at (UTC)", "status", "person", "took", "asked")
    print_table(headers, rows, empty="No cycles yet.")


async def show_cycle(
    cycle_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id, or at least its first 8 characters.")
    ],
    full: Annotated[
        bool, typer.Option("--full", help="With texts, tool inputs and outputs.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Show one run as a tree.

    It has times, models, tokens, cost, tools, decisions and delegations.
    """
    if len(cycle_id.strip()) < PREFIX_CHARS:
        raise UnknownCycle(
            f"{cycle_id!r} is too short: at least the first {PREFIX_CHARS} characters of an id are "
            "needed; `bellhop cycles list` shows them"
        )
    async with open_read_only(home) as house:
        events = await house.cycle_log.events(cycle_id)
        cost = house.house.ground.meter.cost
    if not events:
        raise UnknownCycle(f"there is no cycle {cycle_id!r}; `bellhop cycles list` shows their ids")
    typer.echo(inert(render_tree(events, full=full, cost=cost)))


async def export_cycles(home: Home = NO_HOME) -> None:
    """Print every event, oldest first. Each is a JSON object on a line of its own."""
    async with open_read_only(home) as house:
        async for line in house.cycle_log.export():
            sys.stdout.write(f"{line}\n")
