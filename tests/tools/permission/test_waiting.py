"""What waits for whom: the database finds it, and `may_decide` has the last word."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.database import Database, Unit
from bot.testing.fake_clock import FakeClock
from bot.tools.permission import store as sql
from bot.tools.permission.approvals import ApprovalPlace, ApprovalStore, may_decide

ASKERS = ("ann", "bob")
RANKS = range(6)
"""One more than anybody has."""


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(database: Database, clock: FakeClock) -> ApprovalStore:
    return ApprovalStore(database, clock)


async def fill(database: Database, clock: FakeClock) -> Sequence[Approval]:
    """Each rank by each asker, twice, beside what is over, decided or on another one's card."""
    now = clock.now()
    later = now + timedelta(minutes=5)
    ended, done, shared = (now, ApprovalState.OPEN, ""), (later, ApprovalState.DONE, ""), (
        later, ApprovalState.OPEN, "card")  # fmt: skip
    kinds = [(later, ApprovalState.OPEN, ""), (later, ApprovalState.OPEN, ""), ended, done, shared]
    made = [
        Approval(f"a{rank}{asker}{kind}", "s", asker, "assistant", "thing", {}, None, "", rank,
        state, now - timedelta(seconds=(rank * 7 + kind) % 4), ends, bundle=bundle)
        for rank in RANKS
        for asker in ASKERS
        for kind, (ends, state, bundle) in enumerate(kinds)
    ]  # fmt: skip
    await database.write(Unit.of(*map(sql.insert, made)))
    return [one for one in made if one.ref[-1] in "01"]


def person(id_: str, role: Role) -> Person:
    return Person(id_, id_, role)


def by_time(approval: Approval) -> tuple[object, str]:
    return approval.asked_at, approval.ref


async def pages(
    store: ApprovalStore, who: Person, size: int, *, everybodys: bool
) -> list[Approval]:
    found: list[Approval] = []
    behind: ApprovalPlace | None = None
    while page := await store.waiting_for(who, size, behind, everybodys=everybodys):
        found += page
        behind = ApprovalPlace.of(page[-1], who)
    return found


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("id_", [*ASKERS, "eve", ""])
async def test_everybody_gets_what_they_may_decide_and_its_number(
    store: ApprovalStore, database: Database, clock: FakeClock, role: Role, id_: str
):
    opened, who = await fill(database, clock), person(id_, role)
    theirs = sorted((one for one in opened if may_decide(one, who)), key=by_time)
    assert list(await store.open_for(who)) == theirs
    assert await store.count_for(who) == len(theirs)


@pytest.mark.parametrize("role", [Role.GUEST, Role.FRIEND, Role.PARTNER, Role.MASTER_ADMIN])
@pytest.mark.parametrize("everybodys", [False, True])
async def test_what_waits_for_them_comes_first_then_the_rest_of_what_they_see(
    store: ApprovalStore, database: Database, clock: FakeClock, role: Role, everybodys: bool
):
    opened, who = await fill(database, clock), person("ann", role)
    theirs = sorted((one for one in opened if may_decide(one, who)), key=by_time)
    others = [one for one in opened if not may_decide(one, who)]
    seen = sorted((one for one in others if everybodys or one.person == "ann"), key=by_time)
    assert theirs
    assert seen
    for size in (1, 3, 100):
        assert await pages(store, who, size, everybodys=everybodys) == [*theirs, *seen]
