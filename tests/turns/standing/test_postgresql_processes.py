"""Two processes over one database: each session is worked in one, and all can reach it."""

import asyncio
from collections import defaultdict
from datetime import timedelta

import pytest

from bot.clock import format_utc
from bot.domain.database import Unit
from bot.domain.turns import Recorded, Turn, TurnEnd
from bot.errors import ClaimLost
from bot.plugins.postgresql.advisory_locks import AdvisoryLocks
from bot.plugins.postgresql.connecting import Server
from bot.testing.engine_lives import Diary, gives
from bot.testing.several_processes import SeveralProcesses
from bot.testing.waiting import until
from bot.turns.schedules import store
from bot.turns.standing.engine import BREAK_S, SILENT_S, Neighbours
from bot.turns.standing.store import owner_name


class Busy:
    """A runner whose turns wait for `may_end`; notes who ran them."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.ended: list[str] = []
        self.may_end = asyncio.Event()

    async def run(self, turn: Turn) -> None:
        self.began.append(turn.key)
        await self.may_end.wait()
        self.ended.append(turn.key)


async def test_each_turn_runs_once_and_a_session_in_order(town: SeveralProcesses):
    ran: defaultdict[str, list[str]] = defaultdict(list)

    async def run(turn: Turn) -> None:
        await turn.step("tool:once", gives("done"), once=True)
        ran[turn.session].append(turn.key)

    one, other = await town.starts(run), await town.starts(run)
    for number in range(5):
        for session in "abcdef":
            engine = (one if number % 2 else other).engine
            assert await engine.submit(session, f"{session}{number}", {})
            assert not await one.engine.submit(session, f"{session}{number}", {})
    await until(lambda: sum(map(len, ran.values())) == 30)
    assert dict(ran) == {session: [f"{session}{n}" for n in range(5)] for session in "abcdef"}
    await town.until_stored(
        "SELECT count(*) FROM inbox WHERE settled_at IS NULL", lambda n: n == [0]
    )
    await town.until_stored("SELECT count(*) FROM procrastinate_jobs", lambda n: n == [0])


async def test_a_process_that_only_accepts_leaves_the_turns_to_others(town: SeveralProcesses):
    gateway = await town.accepts()
    assert await gateway.engine.submit("s", "before", {})
    busy = Busy()
    await town.starts(busy.run)
    await gateway.engine.submit("t", "after", {})
    await until(lambda: sorted(busy.began) == ["after", "before"])
    assert await gateway.engine.under_way("s")
    assert not gateway.engine.running("s")
    busy.may_end.set()


async def test_a_message_steers_a_turn_of_another_process(town: SeveralProcesses):
    taken: list[str] = []

    async def run(turn: Turn) -> None:
        arrival = engine.arrival("s")
        await turn.step("model:1", gives("hm"))
        began.set()
        await arrival
        taken.extend(item.key for item in await turn.take(1))

    began = asyncio.Event()
    holder = await town.starts(run)
    engine = holder.engine
    await engine.submit("s", "first", {})
    await began.wait()
    other = await town.starts()
    await other.engine.submit("s", "second", {})
    await until(lambda: taken == ["second"])
    await town.until_stored(
        "SELECT state FROM inbox ORDER BY id", lambda found: found == [TurnEnd.DONE, TurnEnd.JOINED]
    )


async def test_stop_reaches_a_turn_of_another_process(town: SeveralProcesses):
    stopped: list[bool] = []
    inside = asyncio.Event()

    async def run(turn: Turn) -> None:
        try:
            with turn.stoppable():
                inside.set()
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            stopped.append(turn.stop_requested)

    holder = await town.starts(run)
    await holder.engine.submit("s", "first", {})
    await inside.wait()
    other = await town.starts()
    assert await other.engine.stop_turn("s")
    await until(lambda: stopped == [True])
    assert not await other.engine.stop_turn("elsewhere")


async def test_an_answer_and_an_end_of_a_question_reach_it_from_another_process(
    town: SeveralProcesses,
):
    answers: list[str] = []

    async def run(turn: Turn) -> None:
        answers.append((await turn.ask("ask:1", "ann", "room", "Which one?")).text)

    await town.starts(run)
    other = await town.accepts()
    await other.engine.submit("s", "ask", {})
    await town.until_stored("SELECT id FROM questions WHERE state = 'open'")
    await town.until_stored("SELECT count(*) FROM procrastinate_jobs", lambda n: n == [0])
    question = await other.engine.open_question("room", "ann")
    assert question is not None
    assert await other.engine.answer(question.ref, "m2", "red")
    await until(lambda: answers == ["red"])
    await other.engine.submit("s", "ask again", {})
    await town.until_stored("SELECT id FROM questions WHERE state = 'open'")
    town.clock.jump(60)
    expired = await other.engine.expire_questions(town.clock.now())
    assert [one.session for one in expired] == ["s"]
    await town.until_stored(
        "SELECT count(*) FROM inbox WHERE settled_at IS NULL", lambda n: n == [0]
    )
    assert answers == ["red"]


async def test_due_work_and_a_tick_come_once(town: SeveralProcesses):
    diary = Diary()
    one, other = await town.starts(diary.run), await town.starts(diary.run)
    gateway = await town.accepts()
    due = town.clock.now() + timedelta(seconds=60)
    await gateway.engine.submit("s", "later", {}, due=due)
    insert = store.insert("t", {"prompt": "x"}, None, "UTC", due, town.clock.now())
    schedule = int((await gateway.database.write(Unit.of(insert))).returned[0][0]["id"])
    await gateway.engine.timetable.refresh()
    await until(lambda: other.engine.timetable.next_due() == one.engine.timetable.next_due() == due)
    assert diary.ran == []
    await town.clock.advance(60)
    tick = f"schedule:{schedule}:{format_utc(due)}"
    await until(lambda: sorted(diary.ran) == ["later", tick])
    assert len(await one.database.read("SELECT 1 AS n FROM schedule_ticks")) == 1


async def test_a_process_that_stops_hands_its_work_over_at_once(town: SeveralProcesses):
    first, second = Busy(), Busy()
    leaving = await town.starts(first.run)
    await leaving.engine.submit("s", "begun", {})
    await leaving.engine.submit("s", "queued", {})
    await until(lambda: first.began == ["begun"])
    await town.starts(second.run)
    second.may_end.set()
    await town.end(leaving)
    await until(lambda: second.ended == ["begun", "queued"])
    assert first.ended == []
    assert await town.until_stored("SELECT deaths FROM inbox ORDER BY id") == [0, 0]


# --- processes that are gone ----------------------------------------------------------------------

DEAD = 4711
LEFT_BEHIND = (
    ("INSERT INTO claims (session, owner, epoch) VALUES ('s', ?, 3)", (owner_name(DEAD),)),
    (
        "INSERT INTO procrastinate_workers (id, last_heartbeat) OVERRIDING SYSTEM VALUE"
        " VALUES (?, now())",
        (DEAD,),
    ),
    (
        "INSERT INTO procrastinate_jobs (queue_name, task_name, lock, queueing_lock, args, status,"
        " worker_id)"
        " VALUES ('sessions', 'work_session', 's', 's', '{\"session\": \"s\"}', 'doing', ?)",
        (DEAD,),
    ),
    (
        "INSERT INTO inbox (session, key, body, state, attempts, accepted_at)"
        " VALUES ('s', 'begun', '{}', 'running', 1, '2026-11-21T09:00:00Z')",
        (),
    ),
    ("INSERT INTO steps VALUES (1, 'tool:paid', 'done', '\"once\"')", ()),
    ("INSERT INTO steps VALUES (1, 'tool:unsure', 'started', NULL)", ()),
    (
        "INSERT INTO inbox (session, key, body, state, accepted_at)"
        " VALUES ('s', 'queued', '{}', 'new', '2026-11-21T09:00:00Z')",
        (),
    ),
)
"""What a process leaves that is killed in the middle of a turn."""


async def test_the_work_of_a_dead_process_goes_on_and_no_step_is_repeated(town: SeveralProcesses):
    ran: list[tuple[str, int]] = []
    recovered: list[str] = []

    async def run(turn: Turn) -> None:
        ran.append((turn.key, turn.attempt))
        if turn.key == "begun":
            await turn.step("tool:paid", gives("twice", recovered), once=True)
            await turn.step(
                "tool:unsure", gives("repeated", recovered), once=True,
                recover=gives("looked", recovered),
            )  # fmt: skip

    await town.write(*LEFT_BEHIND)
    await town.starts(run)
    await until(lambda: ran == [("begun", 2), ("queued", 1)])
    assert recovered == ["looked"]
    await town.until_stored("SELECT count(*) FROM procrastinate_workers", lambda n: n == [1])
    assert await town.until_stored("SELECT owner FROM claims") != [owner_name(DEAD)]


async def test_a_process_with_its_lock_is_left_alone_until_it_is_silent(town: SeveralProcesses):
    diary = Diary()
    frozen = AdvisoryLocks(Server.at(town.kept.url))
    await frozen.take(owner_name(DEAD))
    await town.write(*LEFT_BEHIND)
    await town.starts(diary.run)
    other = await town.accepts()
    await other.engine.submit("t", "other session", {})
    await until(lambda: diary.ran == ["other session"])
    beat = "UPDATE procrastinate_workers SET last_heartbeat = last_heartbeat - interval '1 minute'"
    await town.write((f"{beat} WHERE id = ?", (DEAD,)))
    await until(lambda: diary.ran == ["other session", "begun", "queued"])
    await frozen.close()


async def test_a_process_that_wakes_up_too_late_writes_nothing(town: SeveralProcesses):
    inside, go_on = asyncio.Event(), asyncio.Event()
    late: list[BaseException] = []

    async def freezes(turn: Turn) -> None:
        async def slowly() -> Recorded:
            inside.set()
            await go_on.wait()
            return Recorded("too late")

        try:
            await turn.step("tool:slow", slowly)
        except ClaimLost as error:
            late.append(error)
            raise

    async def run(turn: Turn) -> None:
        await turn.step("tool:slow", gives("in time"))

    frozen = await town.starts(freezes)
    await frozen.engine.submit("s", "k", {})
    await inside.wait()
    await town.starts(run)
    silent = (
        "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute'"
        " WHERE id = (SELECT min(id) FROM procrastinate_workers)"
    )
    async with asyncio.timeout(30):
        while await town.until_stored("SELECT count(*) FROM procrastinate_workers") == [2]:
            await town.write((silent, ()))
    await town.until_stored("SELECT state FROM inbox", lambda found: found == ["done"])
    go_on.set()
    assert frozen.running is not None
    with pytest.raises(ClaimLost):
        await frozen.running
    assert await town.until_stored("SELECT value FROM steps") == ['"in time"']


async def test_silence_during_a_break_of_the_server_proves_nothing(town: SeveralProcesses):
    there = AdvisoryLocks(Server.at(town.kept.url))
    await there.take(owner_name(DEAD))
    await town.write(*LEFT_BEHIND)
    database = await town.kept.open()
    mine, jobs = Neighbours(database, town.clock, town.kept.server, ()), town.kept.server.jobs
    await town.write(("INSERT INTO procrastinate_workers DEFAULT VALUES", ()))
    ids = await town.until_stored("SELECT id FROM procrastinate_workers ORDER BY id")
    await mine.join(min(ids))
    await mine.look()
    silent = "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 minute'"
    await town.write((silent, ()))
    vars(mine)["_looked_at"] -= BREAK_S + 1
    await mine.look()
    await mine.look()
    assert DEAD in await town.kept.server.jobs.workers(
        database
    )  # it beats as soon as it is connected again
    vars(mine)["_break_ended_at"] -= SILENT_S
    await mine.look()
    assert DEAD not in await jobs.workers(database)
    await mine.leave()
    await there.close()
    await database.close()


async def test_cut_connections_cost_time_and_nothing_else(town: SeveralProcesses):
    diary = Diary()
    one, other = await town.starts(diary.run), await town.starts(diary.run)
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    for number in range(4):
        await asyncio.to_thread(town.kept.run_sql, cut)
        await (one if number % 2 else other).engine.submit(f"s{number % 3}", f"k{number}", {})
    await until(lambda: sorted(diary.ran) == ["k0", "k1", "k2", "k3"])


# --- turns that kill processes --------------------------------------------------------------------


async def test_a_suspect_runs_alone_in_its_process_after_the_others(town: SeveralProcesses):
    busy = Busy()
    process = await town.starts(busy.run)
    await process.engine.submit("other", "beside", {})
    await until(lambda: busy.began == ["beside"])
    await town.write(
        (
            "INSERT INTO inbox (session, key, body, state, attempts, deaths, accepted_at)"
            " VALUES ('s', 'suspect', '{}', 'ready', 2, 2, '2026-11-21T09:00:00Z')",
            (),
        )
    )
    await until(process.engine.crowd.trying)
    await process.engine.submit("third", "meanwhile", {})
    assert busy.began == ["beside"]
    busy.may_end.set()
    await until(lambda: len(busy.ended) == 3)
    assert busy.began[:2] == ["beside", "suspect"]


async def test_a_suspect_that_killed_its_process_while_alone_is_given_up(town: SeveralProcesses):
    told: list[str] = []

    async def apologise(turn: Turn, reason: str) -> None:
        told.append(f"{turn.key}: {reason}")

    alone = "UPDATE inbox SET deaths = 2, trial = 1 WHERE key = 'begun'"
    await town.write(*LEFT_BEHIND, (alone, ()))
    diary = Diary()
    await town.starts(diary.run, apologise)
    await until(lambda: diary.ran == ["queued"])
    assert told == ["begun: the process ended while this turn ran"]
