"""Whoever tells what where: no request has what its person may not see there."""

import asyncio
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.sessions.run.handover import KIND as HANDED_ON
from bot.testing.app_lives import AppLife
from bot.testing.memory_town import PLACES, THREADS, Telling, Town
from tests.thoroughness import is_thorough

ROLES = (Role.FRIEND, Role.PARTNER, Role.GUEST, Role.BUSINESS)
PEOPLE = range(len(ROLES))
TELL = st.tuples(
    st.sampled_from(PEOPLE), st.sampled_from(PLACES + THREADS), st.sampled_from(Telling)
)
CHANGE = st.sampled_from(("nothing", "promote", "demote", "open vault", "close square", "night"))


async def look_everywhere(town: Town, life: AppLife, places: Sequence[str] = PLACES) -> None:
    for person in range(len(town.roles)):
        for where in places:
            await town.write(life, person, where, None)


async def change(town: Town, life: AppLife, what: str) -> None:
    match what:
        case "promote":
            await town.become(life, 2, Role.FRIEND)
        case "demote":
            await town.become(life, 0, Role.GUEST)
        case "open vault":
            town.opened.add("vault")
        case "close square":
            town.closed.add("square")
        case "night":
            await town.night(life)
        case _:
            return


async def played(
    told: Sequence[tuple[tuple[int, str, Telling], str]], looks: Sequence[str]
) -> Town:
    with tempfile.TemporaryDirectory() as folder:
        town = Town(Path(folder), list(ROLES))
        async with town.lives.life(town.model) as life:
            for (person, where, how), then in told:
                await town.write(life, person, where, how)
                await change(town, life, then)
            await town.night(life)
            await look_everywhere(town, life, looks)
        assert town.leaks() == []
        return town


@settings(
    max_examples=3 if is_thorough() else 1,
    derandomize=True,
    deadline=None,
    phases=(Phase.generate,),
)
@given(st.lists(st.tuples(TELL, CHANGE), min_size=3, max_size=6))
def test_no_secret_leaves_its_scope(told: list[tuple[tuple[int, str, Telling], str]]):
    asyncio.run(played(told, ("dm", "square")))


@pytest.mark.slow
def test_three_hundred_pairs_of_two_people_that_must_not_meet():
    """Everybody tells something everywhere; each way and each change comes several times."""
    hows, changes = (
        list(Telling),
        ["nothing", "nothing", "night", "promote", "nothing", "open vault", "demote"],
    )
    told = [
        ((person, where, hows[(number * 5 + person) % len(hows)]), changes[number % len(changes)])
        for number, (person, where) in enumerate(
            (person, where) for where in PLACES for person in PEOPLE
        )
    ]
    # The guest's words are in sight of a member whose assistant repeats them.
    told += [
        ((person, "square", how), "nothing")
        for person, how in ((2, Telling.FACT), (3, Telling.HABIT))
    ]
    # In a thread the next person goes on with what the work of the one before found out; and each
    # keeps a file.
    told = [
        ((person, where, Telling.KNOWN_FACT), "nothing") for where in THREADS for person in (0, 1)
    ] + told
    told += [
        ((person, where, Telling.FILE), "nothing")
        for person, where in ((0, "dm"), (3, "vault"), (1, "square"))
    ]
    town = asyncio.run(played(told, ("dm", "vault", "plaza")))
    assert town.pairs() >= 300
    assert town.seen() > 50
    requests = json.dumps([request.messages for request in town.model.requests])
    assert requests.count(HANDED_ON) > 0
    assert re.search(r"zq-\d+\.md", requests)
