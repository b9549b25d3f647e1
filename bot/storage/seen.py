"""Which rows of a table a viewer may see, as a condition for its queries."""

from dataclasses import dataclass

from bot.domain.database import Database
from bot.domain.privacy import Learned, Viewer

NARROWED = "reach = min(reach, ?), channel = CASE WHEN reach < ? THEN channel ELSE ? END"
"""For an UPDATE: a row that was narrowed meanwhile stays narrowed.

The reaches sort from the narrowest on.
"""


def narrowed(learned: Learned) -> tuple[str, str, str]:
    """The parameters of NARROWED."""
    return (learned.reach, learned.reach, learned.channel)


@dataclass(frozen=True)
class Seen:
    """`sql` with `params` matches the visible rows; `left_out` counts hidden rows of the viewer."""

    sql: str
    params: tuple[str | int, ...]
    left_out: int = 0
    nothing: bool = False
    """Whether no row is visible, so that nobody needs to ask for rows."""


async def seen(
    database: Database, table: str, where: str, params: tuple[str | int, ...], viewer: Viewer
) -> Seen:
    """Ask `Viewer.sees` once for each owner and place among the rows of `table` that match `where`.

    The table has the columns owner, reach and channel. `table` and `where` are ours, never from
    outside.
    """
    sql = f"SELECT owner, reach, channel, count(*) AS n FROM {table} WHERE {where} GROUP BY 1, 2, 3"  # noqa: S608
    shown: list[tuple[str, str, str]] = []
    left_out = 0
    for row in await database.read(sql, params):
        owner, learned = str(row["owner"]), Learned.of(row)
        if viewer.sees(owner, learned):
            shown.append((owner, learned.reach, learned.channel))
        elif owner == viewer.person:
            left_out += int(row["n"])
    marks = ", ".join("(?, ?, ?)" for _ in shown)
    among = f"(owner, reach, channel) IN (VALUES {marks})" if shown else "FALSE"
    values = (*params, *(value for one in shown for value in one))
    return Seen(f"({where}) AND {among}", values, left_out, nothing=not shown)
