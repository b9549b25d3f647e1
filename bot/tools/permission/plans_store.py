"""SQL of the table `plan_lines`."""

from datetime import datetime

from bot.clock import format_utc
from bot.domain.approvals import Approval
from bot.domain.database import Write

MATCHING = (
    "SELECT approval, line, used_by FROM plan_lines"
    " WHERE person = ? AND session_id = ? AND agent = ? AND tool = ? AND arguments = ?"
    " AND rank >= ?"
    " AND (used_by = ? OR (used_by = '' AND valid_until > ?)) ORDER BY used_by DESC, approval, line"
)


def insert(
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


def use(approval: str, line: int, by: str) -> Write:
    """The unit fails if another call took the line meanwhile."""
    return Write(
        "UPDATE plan_lines SET used_by = ? WHERE approval = ? AND line = ? AND used_by = ''",
        (by, approval, line),
        rows=1,
    )


def purge(before: datetime) -> Write:
    return Write("DELETE FROM plan_lines WHERE valid_until < ?", (format_utc(before),))
