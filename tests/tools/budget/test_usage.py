"""Usage adds up exactly, budgets hold to the last call, and days are those of the setting."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.database import Database
from bot.domain.languages import Language
from bot.domain.models import Usage
from bot.storage.home import open_database
from bot.testing.fake_clock import FakeClock
from bot.tools.budget.budgets import Measure, Payer, Spent
from bot.tools.budget.extending import extend_unit, extension
from bot.tools.budget.settings import KNOWN, BudgetSettings, Price, price_of
from bot.tools.budget.usage import BEFORE_MODEL, BEFORE_TOOL, Meter

ANN = Payer("ann", "discord:g:c1", "discord:g:c1")
BEN = Payer("ben", "discord:g:c1", "discord:g:c1")
tokens = st.integers(0, 500_000)
usages = st.builds(Usage, tokens, tokens, tokens, tokens)


def meter(
    database: Database, clock: FakeClock | None = None, zone: str = "UTC", **budgets: Any
) -> Meter:
    return Meter(database, clock or FakeClock(), zone, BudgetSettings(**budgets))


@given(st.lists(usages, max_size=5))
def test_the_parts_of_a_bill_make_the_whole(calls: list[Usage]):
    price = KNOWN["claude-sonnet-5-5"]
    total = Usage()
    for usage in calls:
        total += usage
    assert sum(price.nano_usd(usage) for usage in calls) == price.nano_usd(total)


def test_a_price_is_found_by_name_and_for_dated_versions_and_settings_win():
    assert price_of("claude-sonnet-5-5-20260928", {}) == KNOWN["claude-sonnet-5-5"]
    assert price_of("claude-sonnet-5-5", {"claude-sonnet-5-5": Price(1, 1, 1, 1)}) == Price(
        1, 1, 1, 1
    )
    assert price_of("claude-sonnet-5-5x", {}) is None
    assert price_of("qwen3", {}) is None


def test_a_long_prompt_costs_haiku_five_times_as_much():
    price = KNOWN["claude-haiku-5-5"]
    assert price.nano_usd(Usage(100_000, 0, 0, 0)) == 10_000_000
    assert price.nano_usd(Usage(100_001, 0, 0, 0)) == 50_000_500


async def test_numbers_of_calls_hold_exactly_for_sessions_side_by_side(database: Database):
    counted = meter(database, per_channel_day={"model_calls": 5})
    made = 0

    async def ask(payer: Payer) -> None:
        nonlocal made
        with counted.held(payer, Measure.MODEL_CALLS) as ticket:
            if await counted.reached(payer, Spent(), BEFORE_MODEL, ticket) is None:
                made += 1
                await database.write(counted.model_unit(payer, "m", Usage(1, 0, 0, 1)))

    await asyncio.gather(*(ask(ANN if number % 2 else BEN) for number in range(20)))
    assert made == 5
    reached = await counted.reached(ANN, Spent(), BEFORE_MODEL)
    assert reached is not None
    assert (reached.spent, reached.subject) == (5, "discord:g:c1")


async def test_a_budget_is_of_its_person_channel_and_day(database: Database):
    clock = FakeClock()  # 09:00 UTC
    counted = meter(database, clock, "Pacific/Auckland", per_person_day={"tool_calls": 1})
    await database.write(counted.tool_unit(ANN, "t", failed=False))
    assert await counted.reached(ANN, Spent(), BEFORE_TOOL) is not None
    assert await counted.reached(BEN, Spent(), BEFORE_TOOL) is None
    assert await counted.reached(ANN, Spent(), BEFORE_MODEL) is None
    assert counted.day() == "2026-11-21"
    await clock.advance(2.1 * 3600)  # midnight in Auckland, eleven in the morning in UTC
    assert counted.day() == "2026-11-22"
    assert await counted.reached(ANN, Spent(), BEFORE_TOOL) is None


async def test_a_private_conversation_has_no_channel_budget(database: Database):
    counted = meter(database, per_channel_day={"model_calls": 1})
    alone = Payer("ann", "discord:@me:dm")
    for _ in range(3):
        await database.write(counted.model_unit(alone, "m", Usage(1, 0, 0, 1)))
    assert await counted.reached(alone, Spent(), BEFORE_MODEL) is None


async def test_an_extension_adds_one_quantum_for_its_day_and_subject(database: Database):
    counted = meter(database, per_person_day={"model_calls": 2})
    for _ in range(2):
        await database.write(counted.model_unit(ANN, "m", Usage(1, 0, 0, 1)))
    reached = await counted.reached(ANN, Spent(), BEFORE_MODEL)
    assert reached is not None
    asked = extension(counted, reached, session="s", agent="a", payer=ANN, envelope={})
    again = extension(counted, reached, session="other", agent="a", payer=ANN, envelope={})
    assert asked.ref == again.ref
    german = asked.about.read_in(Language.DE).words
    assert german == f"2 Modellaufrufe mehr verbrauchen: das Budget von ann für den {reached.day}"
    assert "per_person" not in asked.reason + asked.about.words
    await database.write(extend_unit(asked, "owner"))
    assert await counted.reached(ANN, Spent(), BEFORE_MODEL) is None
    for _ in range(2):
        await database.write(counted.model_unit(ANN, "m", Usage(1, 0, 0, 1)))
    reached = await counted.reached(ANN, Spent(), BEFORE_MODEL)
    assert reached is not None
    assert reached.allowed == 4
    assert (
        extension(counted, reached, session="s", agent="a", payer=ANN, envelope={}).ref != asked.ref
    )


async def test_reports_sum_by_what_is_asked(database: Database):
    counted = meter(database, prices={"m": {"input": 1, "output": 2}})
    for payer, model in ((ANN, "m"), (ANN, "n"), (BEN, "m")):
        await database.write(counted.model_unit(payer, model, Usage(1000, 0, 0, 500)))
    people = await counted.report("person", 7)
    assert [(row["person"], row["calls"], row["nano_usd"], row["unpriced"]) for row in people] == [
        ("ann", 2, 2_000_000, 1),
        ("ben", 1, 2_000_000, 0),
    ]
    assert [row["model"] for row in await counted.report("model", 1)] == ["m", "n"]
    assert [row["calls"] for row in await counted.report("day", 1)] == [3]


# --- guests and strangers ---

GUEST = Payer("discord-g-1", "discord:g:c1", guest=True, stranger=True)
OTHER = Payer("discord-g-2", "discord:g:c1", guest=True, stranger=True)


async def spend(counted: Meter, database: Database, payer: Payer, calls: int) -> None:
    for _ in range(calls):
        await database.write(counted.model_unit(payer, "m", Usage(1, 0, 0, 1)))


async def test_guests_and_all_strangers_together_have_a_day_without_any_setting(
    database: Database,
):
    counted = meter(database)
    await spend(counted, database, GUEST, 100)
    reached = await counted.reached(GUEST, Spent(), BEFORE_MODEL)
    assert reached is not None
    assert reached.whose() == "today's budget of 100 model calls for you as a guest"
    assert await counted.reached(OTHER, Spent(), BEFORE_MODEL) is None
    for number in range(2, 6):
        await spend(
            counted, database, Payer(f"discord-g-{number}", "c", guest=True, stranger=True), 100
        )
    fresh = Payer("slack-t-1", "slack:t:c", guest=True, stranger=True)
    reached = await counted.reached(fresh, Spent(), BEFORE_MODEL)
    assert reached is not None
    assert reached.whose() == "today's budget of 500 model calls for all guests I don't know"
    assert await counted.reached(ANN, Spent(), BEFORE_MODEL) is None


async def test_a_known_guest_has_a_day_apart_from_strangers_and_0_means_off(
    database: Database,
):
    counted = meter(database, strangers_day={"model_calls": 1})
    await spend(counted, database, GUEST, 1)
    assert await counted.reached(OTHER, Spent(), BEFORE_MODEL) is not None
    assert await counted.reached(Payer("ann", "c", guest=True), Spent(), BEFORE_MODEL) is None
    free = meter(
        database,
        per_guest_day={"model_calls": 0},
        strangers_day={"model_calls": 0},
        per_schedule_month={"model_calls": 0},
    )
    assert free.limits == ()


# --- dollars of calls that run ---


async def test_running_dollars_are_reserved_and_the_rest_goes_to_waiting_calls(
    database: Database,
):
    price = {
        "m": {"input": 0, "output": 1_000}
    }  # a thousandth of a dollar for each token of output
    counted = meter(database, total_day={"usd": 0.01}, prices=price)
    ended: dict[str, asyncio.Event] = {name: asyncio.Event() for name in ("a", "b", "c")}
    ran: list[str] = []
    began = asyncio.Semaphore(0)

    async def ask(name: str, tokens: int) -> None:
        with counted.held(ANN, Measure.MODEL_CALLS, most=lambda: 8_000_000) as ticket:
            if await counted.reached(ANN, Spent(), BEFORE_MODEL, ticket) is None:
                ran.append(name)
                began.release()
                await ended[name].wait()
                await database.write(counted.model_unit(ANN, "m", Usage(0, 0, 0, tokens)))

    tasks = [
        asyncio.create_task(ask(name, tokens)) for name, tokens in (("a", 2), ("b", 8), ("c", 5))
    ]
    for _ in range(2):
        await began.acquire()
    assert sorted(ran) == ["a", "b"]  # 8 and 8 are reserved of 10: the third waits
    ended["a"].set()
    await tasks[0]
    ended["b"].set()
    await asyncio.gather(*tasks)  # 2 and 8 were used: nothing is left for the third
    assert sorted(ran) == ["a", "b"]
    assert (await counted.report("day", 1))[0]["nano_usd"] == 10_000_000


calls_of = st.lists(
    st.tuples(
        st.integers(1, 40), st.integers(0, 40), st.integers(0, 6), st.sampled_from(["ann", "ben"])
    ),
    min_size=1,
    max_size=12,
)


@given(calls_of)
@settings(max_examples=25, deadline=None)
def test_parallel_runs_overdraw_a_budget_by_one_call_at_most(
    calls: list[tuple[int, int, int, str]],
):
    """Each call: what it may cost at most, what it costs, how long it takes, and whose it is."""

    async def play(folder: Path) -> None:
        opened = await open_database(folder / "bellhop.db")
        counted = meter(
            opened, total_day={"usd": 50 / 1_000}, prices={"m": {"input": 0, "output": 1_000}}
        )
        refused = 0

        async def ask(most: int, cost: int, takes: int, person: str) -> None:
            nonlocal refused
            payer = Payer(person, "c")
            with counted.held(payer, Measure.MODEL_CALLS, most=lambda: most * 1_000_000) as ticket:
                if await counted.reached(payer, Spent(), BEFORE_MODEL, ticket):
                    refused += 1
                    return
                for _ in range(takes):
                    await asyncio.sleep(0)
                await opened.write(counted.model_unit(payer, "m", Usage(0, 0, 0, min(cost, most))))

        try:
            await asyncio.gather(*(ask(*one) for one in calls))
            spent = sum(int(row["nano_usd"]) for row in await counted.report("day", 1)) // 1_000_000
        finally:
            await opened.close()
        assert spent < 50 + max(min(cost, most) for most, cost, _, _ in calls)
        if refused:
            assert spent >= 50  # nobody is refused while anything is left

    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play(Path(folder)))
