"""`bellhop cycles`: the events and costs of runs."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from bot.cli.looking import looking, run_async
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table
from bot.errors import BotError

app = typer.Typer(help="The log of what every run did.", no_args_is_help=True)


class UnknownCycle(BotError):
    """No cycle has this id."""


@app.command("list")
def list_(
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many, newest first.")] = 20,
    person: Annotated[str | None, typer.Option(metavar="ID", help="Only this person's.")] = None,
    as_json: AsJson = False,
    home: Home = NO_HOME,
) -> None:
    """List the newest runs."""
    found = run_async(_list(home, limit, person))
    if as_json:
        print_json(found)
        return
    print_table(
        ("cycle", "at (UTC)", "status", "person", "took", "asked"),
        map(_row, found),
        empty="No cycles yet.",
    )


def _row(item: dict[str, Any]) -> tuple[str, ...]:
    took = _took(item["duration_ms"])
    return item["cycle_id"][:8], item["at"][:16], item["status"], item["person"], took, item["text"]


async def _list(home: Path, limit: int, person: str | None) -> list[dict[str, Any]]:
    async with looking(home) as house:
        return [
            {
                "cycle_id": cycle.cycle_id,
                "at": cycle.at.isoformat(sep=" "),
                "agent": cycle.agent,
                "person": cycle.person,
                "session_id": cycle.session_id,
                "status": str(cycle.status),
                "text": cycle.text,
                "answer": cycle.answer,
                "error": cycle.error,
                "duration_ms": cycle.duration_ms,
            }
            for cycle in await house.cycle_log.recent(person, limit)
        ]


@app.command()
def show(
    cycle_id: Annotated[
        str, typer.Argument(metavar="ID", help="The id, or at least its first 8 characters.")
    ],
    full: Annotated[
        bool, typer.Option("--full", help="With texts, tool inputs and outputs.")
    ] = False,
    home: Home = NO_HOME,
) -> None:
    """Show one run as a tree: times, models, tokens, cost, tools, decisions, delegations."""
    typer.echo(run_async(_show(home, cycle_id, full=full)))


async def _show(home: Path, cycle_id: str, *, full: bool) -> str:
    from bot.agents.cycle_log.log import PREFIX_CHARS  # noqa: PLC0415 - imports the house
    from bot.agents.cycle_log.tree import render_tree  # noqa: PLC0415

    if len(cycle_id.strip()) < PREFIX_CHARS:
        raise UnknownCycle(
            f"{cycle_id!r} is too short: at least the first {PREFIX_CHARS} characters of an id are "
            "needed; `bellhop cycles list` shows them"
        )
    async with looking(home) as house:
        events = await house.cycle_log.events(cycle_id)
        cost = house.house.ground.meter.cost
    if not events:
        raise UnknownCycle(f"there is no cycle {cycle_id!r}; `bellhop cycles list` shows their ids")
    return render_tree(events, full=full, cost=cost)


@app.command()
def export(home: Home = NO_HOME) -> None:
    """Print every event, oldest first, one JSON object a line."""
    run_async(_export(home))


async def _export(home: Path) -> None:
    async with looking(home) as house:
        async for line in house.cycle_log.export():
            sys.stdout.write(f"{line}\n")


def _took(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{milliseconds / 1000:.1f}s"
