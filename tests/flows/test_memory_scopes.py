"""Memory has a scope: secrets, lessons and notes stay where they belong."""

import asyncio
import json
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from bot.domain.access import Role
from bot.domain.messages import Place, Visibility
from bot.sessions.run.handover import KIND as HANDED_ON
from bot.testing.app_lives import AppLife, AppLives
from bot.testing.fake_chat import FakeChat
from bot.testing.fake_clock import FakeClock
from bot.testing.harness import running_app
from bot.testing.memory_town import (
    LOOKS,
    PLACES,
    THREADS,
    Telling,
    Town,
    hostile_answer,
    secrets_in,
)
from bot.testing.plan_model import PlanModel
from bot.testing.privacy_campaign.course import play
from bot.testing.privacy_campaign.platforms import GROUNDS, OnGround, play_on
from bot.testing.privacy_campaign.town import Town as PrivacyTown
from bot.testing.scripted_model import ScriptedModel, call, say
from tests.flows.test_distillation import memory, night
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


@pytest.mark.thorough
@pytest.mark.slow
async def test_no_secret_is_found_outside_its_audience(tmp_path: Path):
    town = PrivacyTown(tmp_path, 12, Random(4), sends=False)  # noqa: S311 - the same town each time
    rounds, secrets = (100, 30) if is_thorough() else (50, 15)
    await play(town, rounds)
    assert not town.unheard
    assert town.model.heard > 0.8
    assert len(town.ledger.secrets) >= secrets
    assert town.ledger.recalled, "what may be seen again is seen again"
    assert not town.ledger.findings, "\n".join(str(one) for one in town.ledger.firsts())


@pytest.mark.parametrize("ground", GROUNDS, ids=("discord", "slack"))
@pytest.mark.slow
async def test_no_secret_leaves_its_place_behind_the_real_clients(tmp_path: Path, ground: OnGround):
    async with ground() as made:
        random = Random(1)  # noqa: S311 - the same each time
        model = await play_on(made, tmp_path, 25, random, sends=False)
    assert model.heard == 1
    assert model.ledger.recalled
    assert not model.ledger.findings, "\n".join(str(one) for one in model.ledger.firsts())


IN_TWO_WORKSPACES = [
    {"id": "ann", "name": "Ann", "role": "Friend", "ids": {"discord": ["ann"]}},
    {
        "id": "ben",
        "name": "Ben",
        "role": "Partner",
        "ids": {"discord": ["ben"], "slack": ["w:ben"]},
    },
]


@pytest.fixture
def two_workspaces(home: Path) -> AppLives:
    (home / "contacts.yaml").write_text(json.dumps(IN_TWO_WORKSPACES))
    return AppLives(home, FakeChat("discord"), FakeChat("slack"))


async def test_a_lesson_is_known_in_its_workspace_alone(two_workspaces: AppLives):
    model = PlanModel({"look": LOOKS})
    model.structure = hostile_answer
    on_discord, on_slack = two_workspaces.chats

    async def seen(life: AppLife, chat: FakeChat, where: str) -> set[int]:
        before, direct = len(model.requests), where == "dm"
        there = (where, Place.DM if direct else Place.CHANNEL)
        said = chat.say(
            "ben", "do:look", where=there[0], place=there[1], visibility=Visibility.PUBLIC
        )
        await life.posts_after(said)
        asked = model.requests[before:]
        assert len(asked) == len(LOOKS)
        return secrets_in(json.dumps([[one.system, one.messages] for one in asked]))

    async with two_workspaces.life(model) as life:
        await on_discord.say(
            "ann", "the codeword is zq-7", where="square", place=Place.CHANNEL,
            visibility=Visibility.PUBLIC,
        )  # fmt: skip
        await life.settle()
        await night(life, two_workspaces, 1)
        assert (
            "[in:discord:w] the codeword is zq-7" in memory(two_workspaces)["shared_long_term.md"]
        )
        assert await seen(life, on_slack, "square") == set()
        assert await seen(life, on_slack, "dm") == set()
        assert await seen(life, on_discord, "plaza") == {7}
        assert await seen(life, on_discord, "dm") == {7}


NOTE = {"path": "/daily-notes/today.md", "content": "Dentist at four."}
OTHER = {"path": "/daily-notes/today.md", "old": "four", "new": "five"}


def shows(model: ScriptedModel, request: int, words: str) -> int:
    return str(model.requests[request].messages).count(words)


async def test_a_session_sees_the_note_once_and_again_when_another_changed_it(home: Path):
    model = ScriptedModel(
        [
            *(
                call("write_file", NOTE),
                say("Noted."),
                say("At four."),
                say("Hi."),
                say("And again."),
            ),
            *(call("edit_file", OTHER), say("Moved."), say("At five."), say("Yes.")),
        ]
    )
    async with running_app(home, model, clock=FakeClock()) as house:
        await house.ask("ann", "Note the dentist at 4.", place=Place.DM, where="one")
        await house.ask("ann", "When is it?", place=Place.DM, where="two")
        assert shows(model, 2, "Dentist at four.") == 1
        assert shows(model, 2, "note of today, /daily-notes/2026-11-21.md") == 1
        await house.ask("ann", "Hello.", place=Place.CHANNEL, where="room")
        await house.ask("ben", "Hello.", place=Place.DM, where="bens")
        assert shows(model, 3, "Dentist") == shows(model, 4, "Dentist") == 0

        await house.ask("ann", "It is at 5.", place=Place.DM, where="one")
        assert shows(model, 5, "note of today") == 0  # this session wrote it
        await house.ask("ann", "When?", place=Place.DM, where="two")
        assert shows(model, 7, "Dentist at five.") == 1
        await house.ask("ann", "Sure?", place=Place.DM, where="two")
        assert shows(model, 8, "Dentist at five.") == 1
