"""The one gate of everything that a page shows: whether somebody may see a row.

It decides by rules that the rest of the house has: who reads a cycle, a memory, a schedule.
"""

from enum import Enum, auto
from typing import assert_never

from bot.domain.access import INNER_RANK, Role
from bot.domain.privacy import IN_DM, Learned
from bot.plugin.views import Looker


class RowKind(Enum):
    """What a row is, which says who may see it beside its person."""

    WORK = auto()
    """Something that the assistant did or does: runs, calls, schedules, use. The operator sees it.
    """
    KEPT = auto()
    """What is kept of one person: memory, todos, files, accounts. Nobody else sees it."""
    COMMON = auto()
    """Shared and agent memory: for members of where it was learned."""
    HOUSE = auto()
    """The house itself: people and rights, staged imports, the log. The operator sees it."""


def may_see(who: Looker, kind: RowKind, owner: str = "", learned: Learned = IN_DM) -> bool:
    """Whether a row may be shown to somebody who looks; `owner` is the id of whose it is."""
    if who.person.role is Role.BANNED:
        return False
    own = owner == who.person.id and who.viewer.sees(owner, learned)
    match kind:
        case RowKind.WORK:
            return own or who.operator
        case RowKind.KEPT:
            return own
        case RowKind.COMMON:
            return who.person.role.rank >= INNER_RANK and who.viewer.shares(learned)
        case RowKind.HOUSE:
            return who.operator
        case _:
            assert_never(kind)
