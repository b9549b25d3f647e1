"""Approvals: stored byte for byte, decided once, by those who may, in time."""

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.database import Database
from bot.domain.tool_outcomes import Deferred, NeedsApproval
from bot.domain.tools import Risk
from bot.errors import UnitRejected
from bot.testing.fake_clock import FakeClock
from bot.testing.tools import ToolFolder, a_call, a_context, a_toolset
from bot.tools.permission.approvals import ApprovalStore, may_decide
from bot.tools.permission.bundles import grouped
from bot.tools.permission.grants import offered

ANN = Person("ann", "Ann", Role.FRIEND)
BEN = Person("ben", "Ben", Role.PARTNER)
EVE = Person("eve", "Eve", Role.MASTER_ADMIN)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def store(database: Database, clock: FakeClock) -> ApprovalStore:
    return ApprovalStore(database, clock, expire_minutes=30)


async def asked(
    store: ApprovalStore,
    database: Database,
    files: ToolFolder,
    rank: int = 0,
    *,
    present: bool = True,
    **arguments: Any,
) -> Approval:
    call = replace(a_call("thing", **arguments), id=f"c{rank}")
    outcome = Deferred(call, "why", Risk.DESTRUCTIVE, rank)
    if present:
        outcome = NeedsApproval(call, Risk.EXTERNAL_WRITE, "why", rank)
    approval, unit = store.create(
        outcome,
        session="t||c|ann|",
        context=a_context(a_toolset(files.catalog()), call),
        envelope={"key": "m1"},
    )
    await database.write(unit)
    return approval


async def test_a_call_whose_tool_asks_by_itself_has_a_card_of_its_own_and_no_wider_yes(
    store: ApprovalStore, database: Database, files: ToolFolder
):
    """Nothing compares such a question with an earlier yes, so that yes would be of no use."""
    approval = await asked(store, database, files, to="bo@a.org")
    kept = await store.get(approval.ref)
    assert kept == approval
    assert offered(approval) == ()
    gates = replace(approval, each_time=False)
    assert offered(gates) != ()
    assert len(grouped([approval, replace(approval, ref="a2")])) == 2
    assert len(grouped([gates, replace(gates, ref="a2")])) == 1


async def test_a_call_is_stored_as_it_was_made(
    store: ApprovalStore, database: Database, files: ToolFolder
):
    approval = await asked(store, database, files, z=1, a={"é": [1.5, None, "\u2028"]})
    assert approval.ref.startswith("a")
    stored = await store.get(approval.ref.upper())
    assert stored is not None
    assert stored == approval
    assert list(stored.arguments) == ["z", "a"]
    assert stored.envelope == {"key": "m1"}
    assert await store.get("anothere") is None


async def test_it_is_decided_once(store: ApprovalStore, database: Database, files: ToolFolder):
    ref = (await asked(store, database, files)).ref
    await database.write(store.decide_unit(ref, "ann", approve=True))
    for again in (True, False):
        with pytest.raises(UnitRejected):
            await database.write(store.decide_unit(ref, "ben", approve=again))
    decided = await store.get(ref)
    assert decided is not None
    assert (decided.state, decided.decided_by) == (ApprovalState.APPROVED, "ann")
    assert [
        (entry.person, entry.kind, entry.tool, entry.detail) for entry in await store.audit()
    ] == [("ann", "approved", "thing", ref)]


async def test_an_approved_call_runs_once(
    store: ApprovalStore, database: Database, files: ToolFolder
):
    ref = (await asked(store, database, files)).ref
    with pytest.raises(UnitRejected):
        await database.write(store.done_unit(ref))
    await database.write(store.decide_unit(ref, "ann", approve=True))
    await database.write(store.done_unit(ref))
    with pytest.raises(UnitRejected):
        await database.write(store.done_unit(ref))


async def test_nobody_decides_too_late(
    store: ApprovalStore, database: Database, files: ToolFolder, clock: FakeClock
):
    ref = (await asked(store, database, files)).ref
    await clock.advance(30 * 60)
    with pytest.raises(UnitRejected):
        await database.write(store.decide_unit(ref, "ann", approve=True))
    assert await store.open_for(ANN) == ()
    assert [approval.ref for approval in await store.expire()] == [ref]
    assert await store.expire() == ()
    expired = await store.get(ref)
    assert expired is not None
    assert expired.state is ApprovalState.EXPIRED


async def test_a_proposal_made_with_nobody_present_waits_for_days(
    store: ApprovalStore, database: Database, files: ToolFolder, clock: FakeClock
):
    proposal = await asked(store, database, files, Role.MASTER_ADMIN.rank, present=False)
    await clock.advance(24 * 3600)
    assert [approval.ref for approval in await store.open_for(EVE)] == [proposal.ref]


async def test_only_those_who_may_decide_see_it(
    store: ApprovalStore, database: Database, files: ToolFolder
):
    own = await asked(store, database, files)
    partner = await asked(store, database, files, Role.PARTNER.rank, n=2)
    assert own.ref != partner.ref
    assert {approval.ref for approval in await store.open_for(ANN)} == {own.ref}
    assert {approval.ref for approval in await store.open_for(BEN)} == {partner.ref}
    assert {approval.ref for approval in await store.open_for(EVE)} == {partner.ref}
    assert not may_decide(own, Person("ann", "Ann", Role.BANNED))
    assert await store.open_in_session("t||c|ann|")
    assert not await store.open_in_session("other")


async def test_security_events_are_kept(store: ApprovalStore, database: Database):
    await database.write(store.audit_unit("ann", "security", "x" * 200, "absent:role"))
    (entry,) = await store.audit()
    assert (entry.person, entry.kind, len(entry.tool), entry.detail) == (
        "ann",
        "security",
        80,
        "absent:role",
    )
