"""What may stand behind a command, offered while a person types it: lists of their own things.

Only the person who types sees what is offered, so it is what they may read in a direct message.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.domain.access import Person
from bot.domain.native_commands import Completion
from bot.domain.privacy import Viewer

MOST_OFFERED = 25
"""Discord shows no more."""


@dataclass(frozen=True)
class Completing:
    """Who types a command, and the session that it would concern."""

    person: Person
    viewer: Viewer
    session: str


Offer: TypeAlias = Callable[[Completing], Awaitable[Sequence[Completion]]]


def words(*values: str) -> Offer:
    """Always the same words, such as verbs without names."""

    async def offered(_asks: Completing) -> Sequence[Completion]:
        return [Completion(value, value) for value in values]

    return offered


def matching(offered: Sequence[Completion], typed: str) -> tuple[Completion, ...]:
    """Those that hold every typed word; what begins with them comes first."""
    wanted = typed.casefold().split()
    texts = [(one, f"{one.value} {one.label}".casefold()) for one in offered]
    found = [(one, text) for one, text in texts if all(word in text for word in wanted)]
    begins = " ".join(wanted)
    found.sort(key=lambda pair: not pair[1].startswith(begins))
    return tuple(one for one, _ in found)[:MOST_OFFERED]
