"""Finds newer memories that correct older ones, by their words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.memory.words import stems

_CORRECTS = re.compile(
    r"\b(?:now|no longer|not any ?more|instead(?: of)?|changed?|moved|correction|actually|as "
    r"of|from now on|new"
    r"|jetzt|nun|nicht mehr|stattdessen|statt|geändert|verschoben|korrektur|doch|ab "
    r"sofort|neue[rns]?"
    r"|maintenant|désormais|ne .{1,30} plus|au lieu|changé|déplacée?|correction|nouve(?:au|lle)"
    r"|ahora|ya no|en vez|cambi(?:ó|ado|ada)|movid[oa]|nuev[oa]"
    r"|ora|adesso|non .{1,30} "
    r"più|invece|cambiat[oa]|spostat[oa]|nuov[oa])\b|改为|改成|现在|不再|而不是|更正|换成|改到",
    re.IGNORECASE,
)
_EVER = datetime.min.replace(tzinfo=UTC)
SHARED = 0.5
"""The least share of the older one's words that the newer one must contain."""


@dataclass(frozen=True)
class Statement:
    """A thing that somebody said or that is stored about them.

    Only statements of one `source` correct each other.
    """

    text: str
    source: str
    at: datetime | None
    asked: frozenset[int] = frozenset()
    """The telling words of the question that it contains."""
    superseded: bool = False
    """Whether a newer one is known to count, but not which."""


def corrected_by(statements: Sequence[Statement]) -> dict[int, int]:
    """Maps the index of each corrected statement to that of the newest correction.

    The newer statement must have every word of the question that the older one has: a new time for
    the boiler corrects nothing about the printer.
    """
    words = [stems(one.text) for one in statements]
    says_so = [bool(_CORRECTS.search(one.text)) for one in statements]
    dated = [at for at, one in enumerate(statements) if one.at is not None and not one.superseded]
    newest_first = sorted(dated, key=lambda at: statements[at].at or _EVER, reverse=True)
    corrections = [at for at in newest_first if says_so[at]]
    found: dict[int, int] = {}
    for old, one in enumerate(statements):
        for new in newest_first if one.superseded else corrections:
            if _is_older(one, statements[new]) and _is_of_the_same(words[old], words[new]):
                found[old] = new
                break
    return found


def _is_of_the_same(older: frozenset[str], newer: frozenset[str]) -> bool:
    shared = len(older & newer)
    return shared >= 2 and shared / len(older) >= SHARED


def _is_older(one: Statement, newer: Statement) -> bool:
    if (
        one.source != newer.source
        or one.at is None
        or newer.at is None
        or not one.asked <= newer.asked
    ):
        return False
    return one.at < newer.at or (one.superseded and one.at == newer.at)
