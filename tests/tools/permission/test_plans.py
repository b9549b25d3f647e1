"""A yes to a plan answers for exactly its calls, each once."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.approvals import Approval, ApprovalState
from bot.domain.tools import Risk
from bot.storage.home import open_database
from bot.testing.fake_clock import FakeClock
from bot.tools.permission.plans_store import VALID, Plans, as_bytes
from tests.thoroughness import examples

NOW = datetime(2026, 11, 22, 9, tzinfo=UTC)
lines = st.fixed_dictionaries(
    {
        "tool": st.sampled_from(["mail", "post"]),
        "arguments": st.dictionaries(
            st.sampled_from(["to", "text"]), st.sampled_from(["a", "b", " a", 1, True])
        ),
    }
)
Line = dict[str, Any]


def plan(*calls: Line) -> Approval:
    return Approval(
        ref="a1",
        session="s",
        person="ann",
        agent="assistant",
        tool="plan_calls",
        arguments={"calls": list(calls)},
        risk=Risk.EXTERNAL_WRITE,
        reason="",
        approver_rank=0,
        state=ApprovalState.OPEN,
        asked_at=NOW,
        expires_at=NOW,
        session_id="i1",
    )


def told(line: Line) -> tuple[str, str]:
    return line["tool"], as_bytes(line["arguments"])


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(lines, min_size=2, max_size=5),
    st.lists(st.tuples(lines, st.booleans()), max_size=12),
    st.data(),
)
async def test_each_line_lets_its_own_bytes_through_once_and_nothing_else(
    planned: list[Line], later: list[tuple[Line, bool]], data: st.DataObject
):
    chosen = data.draw(st.lists(st.integers(1, len(planned)), unique=True))
    allowed = Counter(
        told(line) for number, line in enumerate(planned, 1) if not chosen or number in chosen
    )
    with TemporaryDirectory() as folder:
        database = await open_database(Path(folder) / "data" / "bellhop.db")
        try:
            plans = Plans(database, FakeClock())
            await database.write(plans.approve_unit(plan(*planned), chosen))
            for number, (line, stranger) in enumerate(
                [*later, *((line, False) for line in planned)]
            ):
                session = "i2" if stranger else "i1"
                call = ("ann", session, "assistant", line["tool"], line["arguments"])
                taken = await plans.take(*call, by=f"c{number}")
                again = await plans.take(*call, by=f"c{number}")
                assert taken == again, (
                    "the same call, made again after a crash, has the line that it took"
                )
                assert (taken is not None) is (not stranger and allowed[told(line)] > 0)
                allowed[told(line)] -= taken is not None
        finally:
            await database.close()


async def test_lines_hold_for_one_person_agent_and_hour(tmp_path: Path):
    database = await open_database(tmp_path / "data" / "bellhop.db")
    clock = FakeClock()
    line: Line = {"tool": "mail", "arguments": {"to": "a", "text": "b"}}
    turned: Line = {"tool": "mail", "arguments": {"text": "b", "to": "a"}}
    plans = Plans(database, clock)
    await database.write(plans.approve_unit(plan(line, line)))
    call = (line["tool"], line["arguments"])
    assert await plans.take("ben", "i1", "assistant", *call, by="c1") is None
    assert await plans.take("ann", "i1", "clerk", *call, by="c1") is None
    assert await plans.take("ann", "i1", "assistant", "mail", turned["arguments"], by="c1") is None
    assert await plans.take("ann", "i1", "assistant", *call, by="c1") == "a1:1"
    await clock.advance(VALID / timedelta(seconds=1))
    assert await plans.take("ann", "i1", "assistant", *call, by="c2") is None
    assert await plans.take("ann", "i1", "assistant", *call, by="c1") == "a1:1"
    other = replace(plan(line), ref="a2")
    await database.write(plans.approve_unit(other))
    assert await plans.take("ann", "i1", "assistant", *call, by="c3") == "a2:1"
    await database.close()
