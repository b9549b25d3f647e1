"""Names of virtual files, derived from a title and never changed afterwards."""

import re
import unicodedata
from collections.abc import Awaitable, Callable

from bot.domain.privacy import Learned

SLUG_CHARS = 60
_NOT_IN_A_SLUG = re.compile(r"[\W_]+")


def slug_of(text: str) -> str:
    """Lower-case letters and digits of any script, joined by dashes; "" without any."""
    return (
        _NOT_IN_A_SLUG.sub("-", unicodedata.normalize("NFC", text).casefold())
        .strip("-")[:SLUG_CHARS]
        .rstrip("-")
    )


async def free_slug(
    wanted: str, id_: str, learned: Learned, taken: Callable[[str], Awaitable[bool]]
) -> str:
    """A free slug. A private thing's slug contains its id, so that a taken name reveals nothing."""
    base = wanted[: SLUG_CHARS - 1 - len(id_)].rstrip("-")
    if learned.private:
        return f"{base}-{id_}" if base else id_
    numbered = (
        (base if number == 1 else f"{base}-{number}" for number in range(1, 10)) if base else ()
    )
    for slug in numbered:
        if not await taken(slug):
            return slug
    return f"{base}-{id_}" if base else id_
