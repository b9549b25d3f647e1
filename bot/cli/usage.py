"""`bellhop usage`: tokens, calls and costs."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.looking import looking, run_async
from bot.cli.options import NO_HOME, AsJson, Home
from bot.cli.printing import print_json, print_table

if TYPE_CHECKING:
    from bot.app import App

_NANO = 1_000_000_000


class By(StrEnum):
    DAY = "day"
    PERSON = "person"
    CHANNEL = "channel"
    MODEL = "model"
    TOOL = "tool"


def usage(
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
    """Show tokens, calls and money by day, person, channel, model or tool."""
    rows = run_async(_report(home, by, days))
    if as_json:
        print_json(rows)
    elif by is By.TOOL:
        cells = [(str(row["tool"]), f"{row['calls']:,}", f"{row['failed']:,}") for row in rows]
        print_table(("tool", "calls", "failed"), cells, empty="No tool was called in these days.")
    else:
        headers = (str(by), "calls", "tokens in", "cached", "tokens out", "usd", "by called agents")
        print_table(
            headers, [_cells(row, by) for row in rows], empty="No model was asked in these days."
        )


async def _report(home: Path, by: By, days: int) -> list[dict[str, Any]]:
    async with looking(home) as house:
        rows: list[dict[str, Any]] = await house.house.ground.meter.report(by, days)
        if by is By.PERSON:
            rows = [{**row, "name": await _name(house, str(row["person"]))} for row in rows]
    return [
        row
        if by is By.TOOL
        else {**row, "usd": row["nano_usd"] / _NANO, "price_known": not row["unpriced"]}
        for row in rows
    ]


async def _name(app: "App", person: str) -> str:
    """As contacts.yaml says, or else as they were called in their newest message."""
    from bot.sessions.records.spoken_store import newest_name  # noqa: PLC0415 - imports the house

    known = app.contacts.person(person)
    return known.name if known else await newest_name(app.database, person)


def _subject(row: dict[str, Any], by: By) -> str:
    name = str(row.get("name", ""))
    return f"{name} ({row[by]})" if name and name != row[by] else str(row[by])


def _cells(row: dict[str, Any], by: By) -> tuple[str, ...]:
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
