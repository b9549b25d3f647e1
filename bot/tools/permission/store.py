"""SQL of the tables `approvals` and `audit`."""

import json
from dataclasses import dataclass
from datetime import datetime

from bot.clock import format_utc, parse_utc
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.card_words import About
from bot.domain.database import Row, Write, made_of
from bot.domain.targets import Stem
from bot.domain.tools import Risk
from bot.tools.permission.grants_store import targets_from_json, targets_to_json

SELECT = "SELECT * FROM approvals"
BY_REF = f"{SELECT} WHERE ref = ?"
_OPEN = "state = 'open' AND expires_at > ?"
_DECIDES = "(approver_rank = 0 AND person = ? OR approver_rank BETWEEN 1 AND ?)"
"""What `may_decide` can allow to a person and their rank. It has the last word about each row."""
OPEN_FOR = f"{SELECT} WHERE {_OPEN} AND bundle = '' AND {_DECIDES} ORDER BY asked_at, ref"
OPEN_OF_SESSION = f"{SELECT} WHERE session = ? AND {_OPEN} ORDER BY asked_at, ref"
OPEN_KINDS = (
    "SELECT approver_rank, CASE WHEN person = ? THEN 1 ELSE 0 END AS own,"  # noqa: S608 - constants
    f" count(*) AS n FROM approvals WHERE {_OPEN} AND bundle = '' GROUP BY approver_rank, own"
)
WAITING = (
    f"SELECT * FROM (SELECT *, CASE WHEN {_DECIDES} THEN 0 ELSE 1 END AS turn"  # noqa: S608 - same
    f" FROM approvals WHERE {_OPEN} AND bundle = '') AS waiting"
    " WHERE (turn = 0 OR ? IS NULL OR person = ?) AND (turn, asked_at, ref) > (?, ?, ?)"
    " ORDER BY turn, asked_at, ref LIMIT ?"
)
"""What a person may decide; then what they asked for, or what everybody did."""
OPEN_IN_SESSION = (
    "SELECT 1 FROM approvals WHERE session = ? AND state = 'open' AND expires_at > ? LIMIT 1"
)
OPEN_THERE = (
    f"{SELECT} WHERE state = 'open' AND expires_at > ? AND conversation = ? AND bundle = ''"
    " ORDER BY asked_at, ref LIMIT 10"
)
LEFT_OF = (
    "SELECT ref FROM approvals WHERE ref IN (SELECT value FROM json_each(?))"
    " AND state <> 'rejected'"
)
NEWEST = f"{SELECT} ORDER BY asked_at DESC, ref LIMIT ?"
_SEEN = (
    f"{SELECT} WHERE (? IS NULL OR person = ? OR decided_by = ?)"
    " AND (asked_at < ? OR asked_at = ? AND ref < ?) AND ({})"
    " ORDER BY asked_at DESC, ref DESC LIMIT ?"
)
SEEN_OPEN = _SEEN.format("state = 'open' AND expires_at > ?")
SEEN_OVER = _SEEN.format("state <> 'open' OR expires_at <= ?")
NEWEST_OF = f"{SELECT} WHERE person = ? AND tool = ? ORDER BY asked_at DESC LIMIT 1"
COUNT_OPEN = (
    "SELECT count(*) AS n FROM approvals WHERE state = 'open' AND tool = ? AND expires_at > ?"
)
OVERDUE = f"{SELECT} WHERE state = 'open' AND expires_at <= ? ORDER BY expires_at, ref LIMIT 50"
AUDIT = "SELECT at, person, kind, tool, detail FROM audit ORDER BY id DESC LIMIT ?"


@dataclass(frozen=True)
class AuditEntry:
    """One line of the audit log."""

    at: datetime
    person: str
    kind: str
    tool: str
    detail: str


def insert(approval: Approval) -> Write:
    return Write(
        "INSERT INTO approvals (ref, session, person, agent, tool, arguments, risk, reason, "
        "approver_rank, state,"
        " private, conversation, envelope, asked_at, expires_at, session_id, targets, stems,"
        " bundle, about, each_time)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            approval.ref,
            approval.session,
            approval.person,
            approval.agent,
            approval.tool,
            json.dumps(approval.arguments),
            approval.risk,
            approval.reason,
            approval.approver_rank,
            approval.state,
            int(approval.private),
            approval.conversation,
            json.dumps(approval.envelope),
            format_utc(approval.asked_at),
            format_utc(approval.expires_at),
            approval.session_id,
            targets_to_json(approval.targets),
            json.dumps([stem.to_json() for stem in approval.stems]),
            approval.bundle,
            json.dumps(approval.about.to_json()),
            int(approval.each_time),
        ),
        rows=1,
    )


def insert_once(approval: Approval) -> Write:
    """Like `insert`, but a no-op if an approval with this reference exists."""
    write = insert(approval)
    return Write(f"{write.sql} ON CONFLICT (ref) DO NOTHING", write.params)


def decide(ref: str, state: ApprovalState, person: str, now: datetime, shown: str = "") -> Write:
    """The unit fails if the approval is no longer open or has expired."""
    return Write(
        "UPDATE approvals SET state = ?, decided_by = ?, decided_at = ?, shown = ?"
        " WHERE ref = ? AND state = 'open' AND expires_at > ?",
        (state, person, format_utc(now), shown, ref, format_utc(now)),
        rows=1,
    )


def bundle(ref: str, bundle: str) -> Write:
    """The unit fails if the approval is no longer open."""
    return Write(
        "UPDATE approvals SET bundle = ? WHERE ref = ? AND state = 'open'", (bundle, ref), rows=1
    )


def finish(ref: str) -> Write:
    return Write(
        "UPDATE approvals SET state = 'done' WHERE ref = ? AND state = 'approved'", (ref,), rows=1
    )


def expire(ref: str, now: datetime) -> Write:
    return Write(
        "UPDATE approvals SET state = 'expired', decided_at = ? WHERE ref = ? AND state = 'open'",
        (format_utc(now), ref),
        rows=1,
    )


def audit(entry: AuditEntry) -> Write:
    return Write(
        "INSERT INTO audit (at, person, kind, tool, detail) VALUES (?, ?, ?, ?, ?)",
        (format_utc(entry.at), entry.person, entry.kind, entry.tool, entry.detail),
    )


def audited(tool_of: str, entry: AuditEntry) -> Write:
    """An audit line about an approval, its tool looked up by the reference `tool_of`."""
    return Write(
        (
            "INSERT INTO audit (at, person, kind, tool, detail) SELECT ?, ?, ?, tool, ? FROM "
            "approvals WHERE ref = ?"
        ),
        (format_utc(entry.at), entry.person, entry.kind, entry.detail, tool_of),
    )


def approval_of(row: Row) -> Approval:
    return made_of(
        Approval,
        row,
        arguments=json.loads(row["arguments"]),
        risk=Risk(row["risk"]) if row["risk"] else None,
        state=ApprovalState(row["state"]),
        asked_at=parse_utc(row["asked_at"]),
        expires_at=parse_utc(row["expires_at"]),
        private=bool(row["private"]),
        envelope=json.loads(row["envelope"]),
        targets=targets_from_json(row["targets"]),
        stems=tuple(Stem.from_json(item) for item in json.loads(row["stems"])),
        about=About.from_json(json.loads(row["about"])),
        each_time=bool(row["each_time"]),
    )


def audit_of(row: Row) -> AuditEntry:
    return made_of(AuditEntry, row, at=parse_utc(row["at"]))
