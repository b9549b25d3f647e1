"""Which remembered things a newer one corrects, read from its words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.memory.words import stems

_CORRECTS = re.compile(
    r"\b(?:now|no longer|not any ?more|instead(?: of)?|changed?|moved|correction|actually|as of|from now on|new"
    r"|jetzt|nun|nicht mehr|stattdessen|statt|geändert|verschoben|korrektur|doch|ab sofort|neue[rns]?"
    r"|maintenant|désormais|ne .{1,30} plus|au lieu|changé|déplacée?|correction|nouve(?:au|lle)"
    r"|ahora|ya no|en vez|cambi(?:ó|ado|ada)|movid[oa]|nuev[oa]"
    r"|ora|adesso|non .{1,30} più|invece|cambiat[oa]|spostat[oa]|nuov[oa])\b|改为|改成|现在|不再|而不是|更正|换成|改到",
    re.IGNORECASE,
)
_EVER = datetime.min.replace(tzinfo=UTC)
SHARED = 0.5
"""What share of the older one's words the newer one holds, at least."""


@dataclass(frozen=True)
class Statement:
    """Something that somebody said or that is kept of them. Only statements of one `source` correct each other."""

    text: str
    source: str
    at: datetime | None


def corrected_by(statements: Sequence[Statement]) -> dict[int, int]:
    """By the index of each statement that a newer one corrects, the index of that one."""
    words = [stems(one.text) for one in statements]
    newer = sorted(
        (at for at, one in enumerate(statements) if one.at is not None and _CORRECTS.search(one.text)),
        key=lambda at: statements[at].at or _EVER,
        reverse=True,
    )
    found: dict[int, int] = {}
    for new in newer:
        for old, one in enumerate(statements):
            if old in found or not _is_older(one, statements[new]) or not words[old]:
                continue
            shared = len(words[old] & words[new])
            if shared >= 2 and shared / len(words[old]) >= SHARED:
                found[old] = new
    return found


def _is_older(one: Statement, newer: Statement) -> bool:
    return one.source == newer.source and one.at is not None and newer.at is not None and one.at < newer.at
