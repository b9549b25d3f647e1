"""Follows an SPF record through its includes, and counts the look-ups that receivers make."""

from collections.abc import Iterator, Sequence
from typing import Any

from bot.connectors.network.name_servers import Ask, NoAnswer

MOST_LOOKUPS = 10
"""RFC 7208: beyond these, receivers treat the whole record as an error."""
_GIVE_UP = 25
"""How far the count goes on, to say by how many it is too much."""
_COSTS = frozenset({"a", "mx", "ptr", "exists", "include", "redirect"})
_FOLLOWED = frozenset({"include", "redirect"})


async def spf_of(ask: Ask, domain: str) -> dict[str, Any]:
    """The domain's own records, those of its includes, and the number of look-ups.

    Raises NoAnswer where the domain itself can't be asked for.
    """
    own = await _at(ask, domain)
    if not own:
        return {"records": []}
    includes: dict[str, str] = {}
    waiting, lookups = [own[0]], 0
    while waiting and lookups < _GIVE_UP:
        for kind, target in list(_terms(waiting.pop(0)))[: _GIVE_UP - lookups]:
            lookups += 1
            if kind in _FOLLOWED and target not in includes:
                includes[target], record = await _included(ask, target)
                waiting += record
    told: dict[str, Any] = {"records": own, "lookups": lookups, "most_lookups": MOST_LOOKUPS}
    return {**told, "includes": includes} if includes else told


async def _included(ask: Ask, target: str) -> tuple[str, Sequence[str]]:
    """What is told of an include, and its record to go on with."""
    if "%" in target:
        return "depends on the mail, not followed", ()
    try:
        found = await _at(ask, target)
    except NoAnswer as error:
        return str(error), ()
    return (found[0], found[:1]) if found else ("has no SPF record", ())


async def _at(ask: Ask, name: str) -> list[str]:
    found = await ask(name, "TXT")
    return [one for one in found if one.casefold().split(" ")[0] == "v=spf1"]


def _terms(record: str) -> Iterator[tuple[str, str]]:
    """The terms of a record that make receivers look something up, with their targets."""
    for term in record.casefold().split()[1:]:
        name = term.lstrip("+-~?")
        kind = name.replace("=", ":").replace("/", ":").partition(":")[0]
        if kind in _COSTS:
            yield kind, name[len(kind) + 1 :].removesuffix(".")
