"""Plans: several calls that are approved on one card and made later, one by one.

A yes to a plan approves exactly these calls, each once: same agent, session, tool, and bytes of
arguments. Role, schema, limits, policy and budgets are still checked at each call.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from bot.clock import format_utc
from bot.domain.approvals import Approval
from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.errors import UnitRejected

PLAN_CALLS = "plan_calls"
"""The tool that asks for a plan."""
SEVERAL_CALLS = "several_calls"
"""Stands in place of a tool's name in an approval about several calls of a turn."""
VALID = timedelta(hours=1)
"""How long after the yes its calls may be made."""
_KEPT = timedelta(days=1)
"""How long used lines are kept, for a call that is repeated after a crash."""


class Plans:
    """The lines of approved plans."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def approve_unit(
        self, approval: Approval, chosen: Sequence[int] = (), *, rank: int = 0
    ) -> Unit:
        """Make lines of a plan callable: all of them, or `chosen` ones, numbered from 1.

        `rank` is that of who approved it.
        """
        now = self._clock.now()
        writes = [
            _insert(
                approval, number, str(line["tool"]), as_bytes(line["arguments"]), now + VALID, rank
            )
            for number, line in enumerate(lines_of(approval), 1)
            if not chosen or number in chosen
        ]
        return Unit((_purge(now - _KEPT), *writes))

    async def take(
        self,
        person: str,
        session_id: str,
        agent: str,
        tool: str,
        arguments: JsonObject,
        *,
        by: str,
        rank: int = 0,
    ) -> str | None:
        """Use up the line of this very call and return its name (`a1b2c3:2`); None without one.

        `by` names the call: repeated after a crash, it gets the same line. `rank`: the lowest that
        may answer the call's question now, which a rule may have raised since the yes.
        """
        now = format_utc(self._clock.now())
        found = (person, session_id, agent, tool, as_bytes(arguments), rank, by, now)
        for row in await self._database.read(_MATCHING, found):
            if row["used_by"] != by:
                try:
                    await self._database.write(Unit.of(_use(row["approval"], row["line"], by)))
                except UnitRejected:
                    continue
            return f"{row['approval']}:{row['line']}"
        return None


async def allowed_of_plan(database: Database, ref: str) -> list[int]:
    """The numbers of the calls that a plan's yes let run, as long as they are kept."""
    sql = "SELECT line FROM plan_lines WHERE approval = ? ORDER BY line"
    return [int(row["line"]) for row in await database.read(sql, (ref,))]


def has_lines(approval: Approval) -> bool:
    """Whether it asks about several calls, which a yes may choose from."""
    return approval.tool in {PLAN_CALLS, SEVERAL_CALLS}


def lines_of(approval: Approval) -> list[JsonObject]:
    """The lines on a plan's card."""
    lines: list[JsonObject] = approval.arguments["calls"]
    return lines


def as_bytes(arguments: JsonObject) -> str:
    """Arguments in the form that is compared; the order of names matters."""
    return json.dumps(arguments)


_MATCHING = (
    "SELECT approval, line, used_by FROM plan_lines"
    " WHERE person = ? AND session_id = ? AND agent = ? AND tool = ? AND arguments = ?"
    " AND rank >= ?"
    " AND (used_by = ? OR (used_by = '' AND valid_until > ?)) ORDER BY used_by DESC, approval, line"
)


def _insert(
    approval: Approval, line: int, tool: str, arguments: str, until: datetime, rank: int
) -> Write:
    return Write(
        "INSERT INTO plan_lines (approval, line, person, session_id, agent, tool, arguments, "
        "valid_until, rank)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            approval.ref,
            line,
            approval.person,
            approval.session_id,
            approval.agent,
            tool,
            arguments,
            format_utc(until),
            rank,
        ),
        rows=1,
    )


def _use(approval: str, line: int, by: str) -> Write:
    """The unit fails if another call took the line meanwhile."""
    return Write(
        "UPDATE plan_lines SET used_by = ? WHERE approval = ? AND line = ? AND used_by = ''",
        (by, approval, line),
        rows=1,
    )


def _purge(before: datetime) -> Write:
    return Write("DELETE FROM plan_lines WHERE valid_until < ?", (format_utc(before),))
