"""SQL of the table `grants`, and targets as JSON."""

import json
from collections.abc import Iterable
from datetime import datetime

from bot.clock import format_utc, parse_utc, utc_or_none
from bot.domain.approvals import Grant, GrantScope
from bot.domain.database import Row, Write, made_of
from bot.domain.targets import Target, TargetKind

IN_FORCE = (
    "SELECT * FROM grants WHERE person = ? AND tool = ? AND revoked_at IS NULL ORDER BY made_at "
    "DESC, ref"
)
OF_PERSON = (
    "SELECT * FROM grants WHERE person = ? AND revoked_at IS NULL ORDER BY made_at DESC, ref"
)
EVERY = "SELECT * FROM grants ORDER BY made_at DESC, ref LIMIT ?"
BY_REF = "SELECT * FROM grants WHERE ref = ?"


def insert(grant: Grant) -> Write:
    return Write(
        "INSERT INTO grants (ref, person, tool, scope, session_id, targets, rank, made_by, "
        "made_at, approval)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            grant.ref,
            grant.person,
            grant.tool,
            grant.scope,
            grant.session_id,
            targets_to_json(grant.targets),
            grant.rank,
            grant.made_by,
            format_utc(grant.made_at),
            grant.approval,
        ),
        rows=1,
    )


def revoke(ref: str, person: str, now: datetime) -> Write:
    """The unit fails if the grant is already revoked."""
    return Write(
        "UPDATE grants SET revoked_by = ?, revoked_at = ? WHERE ref = ? AND revoked_at IS NULL",
        (person, format_utc(now), ref),
        rows=1,
    )


def grant_of(row: Row) -> Grant:
    return made_of(
        Grant,
        row,
        scope=GrantScope(row["scope"]),
        targets=frozenset(targets_from_json(row["targets"])),
        made_at=parse_utc(row["made_at"]),
        revoked_at=utc_or_none(row["revoked_at"]),
    )


def targets_to_json(targets: Iterable[Target]) -> str:
    """Only sound targets, because an unreadable one is never vouched for."""
    found = sorted(
        (target.field, str(target.kind), target.value) for target in targets if target.sound
    )
    return json.dumps(found, ensure_ascii=False)


def targets_from_json(text: str) -> tuple[Target, ...]:
    return tuple(Target(field, TargetKind(kind), value) for field, kind, value in json.loads(text))
