"""SQL of the tables `usage` and `tool_usage`, and of raised budgets, which are home values."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.domain.database import Database, Read, Row, Write
from bot.domain.models import Usage
from bot.storage.values import HomeValue, put_home_value
from bot.tools.budget.budgets import Payer

SPENT = """
SELECT COALESCE(SUM(nano_usd), 0) AS usd, COALESCE(SUM(calls), 0) AS model_calls,
       COALESCE(SUM(nano_usd) FILTER (WHERE person = ?), 0) AS person_usd,
       COALESCE(SUM(calls) FILTER (WHERE person = ?), 0) AS person_calls,
       COALESCE(SUM(nano_usd) FILTER (WHERE channel = ?), 0) AS channel_usd,
       COALESCE(SUM(calls) FILTER (WHERE channel = ?), 0) AS channel_calls,
       COALESCE(SUM(stranger_nano_usd), 0) AS strangers_usd,
       COALESCE(SUM(stranger_calls), 0) AS strangers_calls
FROM usage WHERE day = ?
"""
TOOLS_SPENT = """
SELECT COALESCE(SUM(calls), 0) AS tool_calls,
       COALESCE(SUM(calls) FILTER (WHERE person = ?), 0) AS person_calls,
       COALESCE(SUM(calls) FILTER (WHERE channel = ?), 0) AS channel_calls
FROM tool_usage WHERE day = ?
"""
EXTENSIONS = (
    "SELECT key FROM home_values WHERE name = 'raised budget' AND key > ?1 AND key < ?1 || '~'"
)
ROWS = "SELECT * FROM usage WHERE day >= ?"
TOOL_ROWS = "SELECT * FROM tool_usage WHERE day >= ?"


def add_model_call(
    day: str,
    payer: Payer,
    channel: str,
    model: str,
    usage: Usage,
    nano_usd: int | None,
    *,
    handed: bool,
) -> Write:
    """Count one model call.

    `nano_usd` None: its price is unknown; `handed`: a delegated agent made it.
    """
    tokens = usage.total_input + usage.output_tokens if handed else 0
    return Write(
        "INSERT INTO usage AS kept (day, person, channel, model, calls, input_tokens,"
        " cache_read_tokens, cache_write_tokens,"
        " output_tokens, nano_usd, unpriced, stranger_calls, stranger_nano_usd, handed_calls, "
        "handed_tokens,"
        " handed_nano_usd) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (day, person, channel, model) DO UPDATE SET calls = kept.calls + 1,"
        " input_tokens = kept.input_tokens + excluded.input_tokens,"
        " cache_read_tokens = kept.cache_read_tokens + excluded.cache_read_tokens,"
        " cache_write_tokens = kept.cache_write_tokens + excluded.cache_write_tokens,"
        " output_tokens = kept.output_tokens + excluded.output_tokens,"
        " nano_usd = kept.nano_usd + excluded.nano_usd,"
        " unpriced = kept.unpriced + excluded.unpriced,"
        " stranger_calls = kept.stranger_calls + excluded.stranger_calls,"
        " stranger_nano_usd = kept.stranger_nano_usd + excluded.stranger_nano_usd,"
        " handed_calls = kept.handed_calls + excluded.handed_calls,"
        " handed_tokens = kept.handed_tokens + excluded.handed_tokens,"
        " handed_nano_usd = kept.handed_nano_usd + excluded.handed_nano_usd",
        (
            day,
            payer.person,
            channel,
            model,
            usage.input_tokens,
            usage.cache_read_tokens,
            usage.cache_write_tokens,
            usage.output_tokens,
            nano_usd or 0,
            int(nano_usd is None),
            int(payer.stranger),
            (nano_usd or 0) if payer.stranger else 0,
            int(handed),
            tokens,
            (nano_usd or 0) if handed else 0,
        ),
    )


def add_tool_call(day: str, person: str, channel: str, tool: str, *, failed: bool) -> Write:
    return Write(
        "INSERT INTO tool_usage AS kept (day, person, channel, tool, calls, failed)"
        " VALUES (?, ?, ?, ?, 1, ?)"
        " ON CONFLICT (day, person, channel, tool) DO UPDATE SET"
        " calls = kept.calls + 1, failed = kept.failed + excluded.failed",
        (day, person, channel, tool, int(failed)),
    )


def extend(day: str, budget: str, subject: str, approval: str, person: str) -> Write:
    key = f"{day} {budget} {subject} {approval}"
    return put_home_value(HomeValue.RAISED_BUDGET, person, key, first=True)


def extended(rows: Sequence[Row]) -> Counter[tuple[str, str]]:
    """How often each budget was raised, and whose, by the rows of EXTENSIONS."""
    raised = (str(row["key"]).split(" ", 2)[1:] for row in rows)
    return Counter((budget, rest.rpartition(" ")[0]) for budget, rest in raised)


_OF_MODELS = """
SELECT model, SUM(calls) AS calls, SUM(input_tokens) AS input_tokens,
       SUM(cache_read_tokens) AS cache_read_tokens, SUM(cache_write_tokens) AS cache_write_tokens,
       SUM(output_tokens) AS output_tokens, SUM(nano_usd) AS nano_usd, SUM(unpriced) AS unpriced
FROM usage WHERE day = ? GROUP BY model ORDER BY model
"""
_OF_TOOLS = (
    "SELECT COALESCE(SUM(calls), 0) AS calls, COALESCE(SUM(failed), 0) AS failed"
    " FROM tool_usage WHERE day = ?"
)


@dataclass(frozen=True)
class DayOfUse:
    """What all people together used on one day."""

    models: Sequence[Row]
    """For each model its calls, tokens by kind, nano_usd, and calls of unknown price."""
    tool_calls: int
    failed_tool_calls: int


async def use_of(database: Database, day: str) -> DayOfUse:
    models, tools = await database.read_all(Read(_OF_MODELS, (day,)), Read(_OF_TOOLS, (day,)))
    return DayOfUse(models, int(tools[0]["calls"]), int(tools[0]["failed"]))


class UsedBy(StrEnum):
    """What sums of use are made by, beside the day."""

    MODEL = "model"
    PERSON = "person"
    CHANNEL = "channel"
    TOOL = "tool"


async def use_since(database: Database, first: str, by: UsedBy, person: str | None) -> list[Row]:
    """Sums for each day since `first` and each name; of one person, or of everybody (None)."""
    whose = "" if person is None else " AND person = ?"
    params = (first, *((person,) if person is not None else ()))
    sums = (
        "SUM(calls) AS calls, SUM(failed) AS failed"
        if by is UsedBy.TOOL
        else "SUM(calls) AS calls, SUM(nano_usd) AS nano_usd, SUM(unpriced) AS unpriced,"
        " SUM(input_tokens + cache_read_tokens + cache_write_tokens + output_tokens) AS tokens"
    )
    table = "tool_usage" if by is UsedBy.TOOL else "usage"
    return await database.read(
        f"SELECT day, {by} AS name, {sums} FROM {table} WHERE day >= ?{whose}"  # noqa: S608 - ours
        f" GROUP BY day, {by} ORDER BY day, {by}",
        params,
    )
