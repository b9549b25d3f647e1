"""What every turn engine promises (domain.turns); a further engine is one more entry in ENGINES."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonValue
from bot.domain.turns import OutcomeUnknown, Recorded, RunTurn, Turn, TurnEngine
from bot.errors import StorageError, TurnError, UnitRejected
from bot.testing.engine_lives import Lives, MakeEngine, until
from bot.testing.fake_clock import settle
from bot.turns.engine import JournalEngine


def journal(database: Database, clock: Clock) -> TurnEngine:
    return JournalEngine(
        database,
        clock,
        owner="test",
        parallel=4,
        drain_s=3,
        steerable=lambda body: body.get("kind") != "approval",
    )


ENGINES: dict[str, MakeEngine] = {"journal": journal}


@pytest.fixture(params=sorted(ENGINES))
async def lives(request: pytest.FixtureRequest, tmp_path: Path) -> Lives:
    return await Lives.begin(tmp_path, ENGINES[request.param])


def gives(value: JsonValue, log: list[str] | None = None, name: str = "") -> Callable[[], "asyncio.Future[Recorded]"]:
    async def give() -> Recorded:
        if log is not None:
            log.append(name or str(value))
        return Recorded(value)

    return lambda: asyncio.ensure_future(give())


class Diary:
    """A runner that notes who ran and can be told to wait."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.ended: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    def gate(self, key: str) -> asyncio.Event:
        return self.gates.setdefault(key, asyncio.Event())

    async def run(self, turn: Turn) -> None:
        self.ran.append(turn.key)
        if turn.key in self.gates:
            await self.gates[turn.key].wait()
        self.ended.append(turn.key)


# --- accepting ------------------------------------------------------------------------------------------------


async def test_a_key_is_accepted_once_and_its_unit_with_it(lives: Lives):
    diary = Diary()
    table = Unit.of(Write("CREATE TABLE scraps (n INTEGER)"))
    note = Unit.of(Write("INSERT INTO scraps VALUES (1)"))
    async with lives.life(diary.run) as life:
        await life.database.write(table)
        assert await life.engine.submit("s", "k", {}, unit=note)
        assert not await life.engine.submit("s", "k", {}, unit=note)
        assert not await life.engine.record("s", "k", {}, note)
        await until(lambda: diary.ended == ["k"])
        assert await life.database.read("SELECT n FROM scraps") == [{"n": 1}]


async def test_a_refused_unit_of_the_caller_refuses_the_work(lives: Lives):
    diary = Diary()
    impossible = Unit.of(Write("UPDATE inbox SET state = state WHERE id = -1", rows=1))
    async with lives.life(diary.run) as life:
        with pytest.raises(UnitRejected) as caught:
            await life.engine.submit("s", "k", {}, unit=impossible)
        assert caught.value.index == 0
        assert await life.engine.submit("s", "k", {})
        await until(lambda: diary.ended == ["k"])


async def test_recorded_work_never_runs(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        assert await life.engine.record("s", "context", {"text": "hi"})
        assert not await life.engine.submit("s", "context", {})
        await life.engine.submit("s", "k", {})
        await until(lambda: diary.ended == ["k"])


async def test_a_body_must_be_json(lives: Lives):
    async with lives.life(Diary().run) as life:
        with pytest.raises(TurnError, match="body of k"):
            await life.engine.submit("s", "k", {"when": timedelta(1)})


async def test_a_caller_that_gives_up_does_not_lose_the_work(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        asking = asyncio.create_task(life.engine.submit("s", "k", {}))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        asking.cancel()
        await until(lambda: diary.ended == ["k"])


# --- order ----------------------------------------------------------------------------------------------------


async def test_a_session_runs_in_order_and_sessions_beside_each_other(lives: Lives):
    diary = Diary()
    diary.gate("a1")
    async with lives.life(diary.run) as life:
        for key in ("a1", "a2", "b1"):
            await life.engine.submit(key[0], key, {})
        await until(lambda: diary.ended == ["b1"])
        assert diary.ran == ["a1", "b1"]
        assert life.engine.running("a")
        assert await life.engine.waiting("a") == 1
        diary.gate("a1").set()
        await until(lambda: diary.ended == ["b1", "a1", "a2"])


async def test_no_more_turns_than_allowed_run_at_once_and_none_is_forgotten(lives: Lives):
    diary = Diary()
    keys = [f"{number}" for number in range(9)]
    for key in keys:
        diary.gate(key)
    async with lives.life(diary.run) as life:
        for key in keys:
            await life.engine.submit(f"session {key}", key, {})
        await until(lambda: len(diary.ran) == 4)
        await settle()
        assert len(diary.ran) == 4
        for key in keys:
            diary.gate(key).set()
        await until(lambda: sorted(diary.ended) == keys)


async def test_work_that_is_due_later_does_not_delay_work_that_is_due_now(lives: Lives):
    diary = Diary()
    async with lives.life(diary.run) as life:
        await life.engine.submit("s", "later", {}, due=lives.clock.now() + timedelta(seconds=60))
        await life.engine.submit("s", "now", {})
        await until(lambda: diary.ended == ["now"])
        await life.advance(59)
        assert diary.ran == ["now"]
        await life.advance(2)
        await until(lambda: diary.ended == ["now", "later"])


async def test_what_waited_while_nothing_ran_runs_at_the_start_in_order(lives: Lives):
    diary = Diary()
    diary.gate("1")
    async with lives.life(diary.run) as life:
        for key in ("1", "2", "3"):
            await life.engine.submit("s", key, {})
        await life.engine.submit("s", "later", {}, due=lives.clock.now() + timedelta(hours=1))
        await until(lambda: diary.ran == ["1"])
        life.task.cancel()
        await life.advance(3)
    diary.gate("1").set()
    async with lives.life(diary.run) as life:
        await until(lambda: diary.ended == ["1", "2", "3"])
        await life.advance(3600)
        await until(lambda: diary.ended[-1] == "later")


# --- steps ----------------------------------------------------------------------------------------------------


async def test_steps_that_are_done_are_not_run_again(lives: Lives):
    log: list[str] = []

    async def run(turn: Turn) -> None:
        assert turn.done("first") == (turn.attempt > 1)
        log.append(str(await turn.step("first", gives("value", log, "ran first"))))
        if turn.attempt == 1:
            raise RuntimeError("a hiccup")
        await turn.step("second", gives(None, log, "ran second"))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await life.advance(1)
        await until(lambda: "ran second" in log)
    assert log == ["ran first", "value", "value", "ran second"]


async def test_a_step_returns_what_a_replay_would_return(lives: Lives):
    seen: list[JsonValue] = []

    async def run(turn: Turn) -> None:
        seen.append(await turn.step("tuple", gives({"pair": (1, 2)})))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await until(lambda: seen == [{"pair": [1, 2]}])


async def test_a_value_that_is_not_json_is_refused_by_name(lives: Lives):
    caught: list[str] = []

    async def run(turn: Turn) -> None:
        for value in (object(), float("nan")):
            try:
                await turn.scope("tool:1.0").step("odd", gives(value))
            except TurnError as error:
                caught.append(str(error))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await until(lambda: len(caught) == 2)
    assert all("step tool:1.0/odd" in text for text in caught)


async def test_steps_beside_each_other_keep_their_own_results(lives: Lives):
    results: list[list[JsonValue]] = []

    async def run(turn: Turn) -> None:
        async def slow() -> Recorded:
            await settle(30)
            return Recorded("slow")

        results.append(list(await asyncio.gather(turn.step("a", slow), turn.step("b", gives("fast")))))
        if turn.attempt == 1:
            raise RuntimeError("again")

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await life.advance(1)
        await until(lambda: len(results) == 2)
    assert results == [["slow", "fast"]] * 2


async def test_one_key_twice_at_the_same_time_is_refused(lives: Lives):
    caught: list[BaseException] = []

    async def run(turn: Turn) -> None:
        async def slow() -> Recorded:
            await settle(30)
            return Recorded(1)

        results = await asyncio.gather(turn.step("a", slow), turn.step("a", slow), return_exceptions=True)
        caught.extend(item for item in results if isinstance(item, BaseException))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await until(lambda: len(caught) == 1)
    assert isinstance(caught[0], TurnError)


async def test_scopes_prefix_keys_and_share_the_turn(lives: Lives):
    seen: list[object] = []

    async def run(turn: Turn) -> None:
        child = turn.scope("tool:2.0")
        grandchild = child.scope("tool:1.1")
        await grandchild.step("model:1", gives("deep"))
        seen.extend([child.prefix, grandchild.prefix, turn.prefix, turn.done("tool:2.0/tool:1.1/model:1")])
        seen.extend([child.done("model:1"), grandchild.id == turn.id, grandchild.ref == turn.ref, turn.ref[0]])
        try:
            await child.finish()
        except TurnError:
            seen.append("refused")

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await until(lambda: len(seen) == 9)
    assert seen == ["tool:2.0", "tool:2.0/tool:1.1", "", True, False, True, True, "t", "refused"]


async def test_a_value_and_its_unit_stand_or_fall_together(lives: Lives):
    outcomes: list[str] = []

    async def run(turn: Turn) -> None:
        async def writes() -> Recorded:
            impossible = Write("UPDATE inbox SET state = state WHERE id = -1", rows=1)
            return Recorded("value", Unit.of(Write("INSERT INTO scraps VALUES (7)"), impossible))

        try:
            await turn.step("tool", writes)
        except UnitRejected as error:
            outcomes.append(f"write {error.index}, done {turn.done('tool')}")

    async with lives.life(run) as life:
        await life.database.write(Unit.of(Write("CREATE TABLE scraps (n INTEGER)")))
        await life.engine.submit("s", "k", {})
        await until(lambda: bool(outcomes))
        assert await life.database.read("SELECT * FROM scraps") == []
    assert outcomes == ["write 1, done False"]


async def test_a_once_step_that_broke_off_is_recovered_or_unknown(lives: Lives):
    log: list[str] = []

    async def breaks() -> Recorded:
        log.append("effect")
        raise RuntimeError("cut off")

    async def run(turn: Turn) -> None:
        if turn.attempt == 1:
            await asyncio.gather(
                turn.step("send", breaks, once=True), turn.step("pay", breaks, once=True), return_exceptions=True
            )
            raise RuntimeError("end of the attempt")
        try:
            await turn.step("pay", breaks, once=True)
        except OutcomeUnknown:
            log.append("unknown")
        log.append(str(await turn.step("send", breaks, once=True, recover=gives("found"))))
        log.append(str(await turn.step("send", breaks, once=True)))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await life.advance(1)
        await until(lambda: len(log) == 5)
    assert log == ["effect", "effect", "unknown", "found", "found"]


# --- the end --------------------------------------------------------------------------------------------------


async def test_finish_settles_with_its_unit_and_only_once(lives: Lives):
    caught: list[str] = []

    async def run(turn: Turn) -> None:
        await turn.finish(Unit.of(Write("INSERT INTO scraps VALUES (1)")))
        for attempt in (turn.finish(), turn.step("late", gives(1))):
            try:
                await attempt
            except TurnError as error:
                caught.append(str(error))
        raise RuntimeError("too late to matter")

    async with lives.life(run) as life:
        await life.database.write(Unit.of(Write("CREATE TABLE scraps (n INTEGER)")))
        await life.engine.submit("s", "k", {})
        await until(lambda: len(caught) == 2 and not life.engine.running("s"))
        assert await life.database.read("SELECT n FROM scraps") == [{"n": 1}]
        assert lives.clock.sleepers == 0


async def test_three_failed_attempts_end_in_one_apology(lives: Lives):
    attempts: list[tuple[int, float]] = []
    apologies: list[tuple[str, str]] = []
    after: list[str] = []

    async def run(turn: Turn) -> None:
        if turn.key == "after":
            after.append(turn.key)
            return
        attempts.append((turn.attempt, lives.clock.monotonic()))
        raise ValueError("it is broken")

    async def apologise(turn: Turn, reason: str) -> None:
        apologies.append((turn.ref, reason))

    async with lives.life(run, apologise) as life:
        await life.engine.submit("s", "poison", {})
        await life.engine.submit("s", "after", {})
        await life.advance(1)
        await until(lambda: len(attempts) == 2)
        await life.advance(5)
        await until(lambda: bool(after))
    assert attempts == [(1, 0), (2, 1), (3, 6)]
    assert apologies == [("t1", "ValueError: it is broken")]


async def test_an_apology_that_fails_too_is_tried_again_and_then_dropped(lives: Lives):
    tried: list[int] = []
    after: list[str] = []

    async def run(turn: Turn) -> None:
        if turn.key == "after":
            after.append(turn.key)
            return
        raise ValueError("broken")

    async def apologise(turn: Turn, reason: str) -> None:
        tried.append(turn.attempt)
        raise RuntimeError("the platform is down")

    async with lives.life(run, apologise) as life:
        await life.engine.submit("s", "poison", {})
        await life.engine.submit("s", "after", {})
        while not after:
            await until(lambda: lives.clock.sleepers > 0 or bool(after))
            await lives.clock.advance(5)
    assert len(tried) == 3


async def test_a_drain_lets_turns_end_and_puts_the_rest_back_uncounted(lives: Lives):
    diary = Diary()
    diary.gate("quick")
    diary.gate("endless")
    attempts: list[int] = []

    async def run(turn: Turn) -> None:
        if turn.key == "endless":
            attempts.append(turn.attempt)
        await diary.run(turn)

    for number in range(4):
        async with lives.life(run) as life:
            await life.engine.submit("a", "quick", {})
            await life.engine.submit("b", "endless", {})
            await until(lambda number=number: len(attempts) == number + 1)
            life.task.cancel()
            await until(lambda: lives.clock.sleepers > 0)
            await life.engine.submit("c", f"not begun any more {number}", {})
            diary.gate("quick").set()
            await until(lambda: "quick" in diary.ended)
            await life.advance(3)
            await until(life.task.done)
            assert f"not begun any more {number}" not in diary.ran
    assert attempts == [1, 1, 1, 1]
    assert diary.ended.count("quick") == 1
    diary.gate("endless").set()
    async with lives.life(run):
        await until(lambda: "endless" in diary.ended)


async def test_an_engine_that_cannot_store_says_so_instead_of_dying_silently(lives: Lives):
    lives_database: Database

    async def run(turn: Turn) -> None:
        await lives_database.write(Unit.of(Write("ALTER TABLE inbox RENAME TO elsewhere")))

    async def live() -> None:
        nonlocal lives_database
        async with lives.life(run) as life:
            lives_database = life.database
            await life.engine.submit("s", "k", {})
            await until(life.task.done)

    with pytest.raises(StorageError, match="inbox"):
        await live()


# --- steering -------------------------------------------------------------------------------------------------


async def test_take_hands_over_what_waits_and_the_same_again_on_replay(lives: Lives):
    taken: list[list[str]] = []
    ready = asyncio.Event()

    async def run(turn: Turn) -> None:
        if turn.key != "first":
            taken.append([f"own turn of {turn.key}"])
            return
        first = await turn.take(0)
        await ready.wait()
        second = await turn.take(1)
        taken.append([item.key for item in first] + [f"{item.key}={item.body['text']}" for item in second])
        if turn.attempt == 1:
            raise RuntimeError("again")

    async with lives.life(run) as life:
        await life.engine.submit("s", "first", {})
        await until(lambda: life.engine.running("s"))
        await settle(50)
        await life.engine.submit("s", "second", {"text": "b"})
        await life.engine.submit("s", "approval", {"kind": "approval"})
        await life.engine.submit("s", "later", {"text": "d"}, due=lives.clock.now() + timedelta(hours=1))
        await life.engine.submit("s", "third", {"text": "c"})
        await life.engine.submit("other", "not ours", {})
        ready.set()
        await until(lambda: len(taken) == 2)
        await life.engine.submit("s", "fourth", {})
        await life.advance(1)
        await until(lambda: len(taken) == 5)
        assert not await life.engine.submit("s", "second", {})
    mine = [item for item in taken if not item[0].startswith("own")]
    assert mine == [["second=b", "third=c"]] * 2
    assert [item for item in taken if item not in mine][1:] == [["own turn of approval"], ["own turn of fourth"]]


async def test_an_empty_take_stays_empty_once_something_came_of_it(lives: Lives):
    taken: list[int] = []

    async def run(turn: Turn) -> None:
        if turn.key == "late":
            return
        taken.append(len(await turn.take(0)))
        await turn.step("model:1", gives("an answer to nothing more"))
        if turn.attempt == 1:
            raise RuntimeError("again")

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await until(lambda: lives.clock.sleepers > 0)
        await life.engine.submit("s", "late", {})
        await life.advance(1)
        await until(lambda: len(taken) == 2)
    assert taken == [0, 0]


# --- questions ------------------------------------------------------------------------------------------------


def asker(answers: list[str], ran: list[str]) -> RunTurn:
    async def run(turn: Turn) -> None:
        ran.append(turn.key)
        if turn.key.startswith("ask"):
            await turn.step("before", gives(1, ran, "step"))
            answers.append(await turn.ask("ask:1", "ann", "room", "Which one?", ("red", "blue")))

    return run


async def test_a_question_holds_its_session_and_the_answer_resumes_the_turn(lives: Lives):
    answers: list[str] = []
    ran: list[str] = []
    async with lives.life(asker(answers, ran)) as life:
        await life.engine.submit("s", "ask", {})
        await until(lambda: "step" in ran and not life.engine.running("s"))
        await life.engine.submit("s", "blocked", {"kind": "approval"})
        await life.engine.submit("t", "other session", {})
        await until(lambda: "other session" in ran)
        question = await life.engine.open_question("room", "ann")
        assert question is not None
        assert (question.text, question.options, question.session) == ("Which one?", ("red", "blue"), "s")
        assert question.ref[0] == "q"
        assert await life.engine.open_question("room", "bob") is None
        assert await life.engine.open_question("elsewhere", "ann") is None
        assert "blocked" not in ran
        assert await life.engine.answer(question.ref, "m2", "red")
        await until(lambda: ran[-1] == "blocked")
        assert not await life.engine.answer(question.ref, "m3", "blue")
        assert not await life.engine.submit("s", "m2", {})
        assert await life.engine.submit("s", "m3", {})
        assert await life.engine.open_question("room", "ann") is None
        assert not await life.engine.answer("nonsense", "m4", "blue")
    assert answers == ["red"]
    assert ran[:4] == ["ask", "step", "other session", "ask"]


async def test_a_resumption_is_not_an_attempt(lives: Lives):
    attempts: list[int] = []
    answers: list[str] = []

    async def run(turn: Turn) -> None:
        attempts.append(turn.attempt)
        answers[:] = [await turn.ask(f"ask:{number}", "ann", "room", "And now?") for number in range(5)]

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        for number in range(5):
            await until(lambda number=number: len(attempts) == number + 1 and not life.engine.running("s"))
            question = await life.engine.open_question("room", "ann")
            assert question is not None
            assert await life.engine.answer(question.ref, f"m{number}", str(number))
        await until(lambda: answers[-1:] == ["4"] and not life.engine.running("s"))
    assert attempts == [1] * 6


async def test_an_answer_between_two_lives_is_kept(lives: Lives):
    answers: list[str] = []
    ran: list[str] = []
    async with lives.life(asker(answers, ran)) as life:
        await life.engine.submit("s", "ask", {})
        await until(lambda: "step" in ran and not life.engine.running("s"))
        life.task.cancel()
        await until(life.task.done)
        question = await life.engine.open_question("room", "ann")
        assert question is not None
        assert await life.engine.answer(question.ref, "m", "while it was down")
        assert answers == []
    async with lives.life(asker(answers, ran)):
        await until(lambda: answers == ["while it was down"])
    assert ran.count("step") == 1


async def test_an_answer_before_the_runner_has_unwound_is_not_lost(lives: Lives):
    answers: list[str] = []
    asked = asyncio.Event()
    unwind = asyncio.Event()

    async def run(turn: Turn) -> None:
        try:
            answers.append(await turn.ask("ask:1", "ann", "room", "Quick?"))
        finally:
            asked.set()
            await unwind.wait()

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await asked.wait()
        question = await life.engine.open_question("room", "ann")
        assert question is not None
        assert await life.engine.answer(question.ref, "m", "very")
        unwind.set()
        await until(lambda: answers == ["very"] and not life.engine.running("s"))


async def test_two_questions_of_one_turn_may_be_answered_in_any_order(lives: Lives):
    answers: list[list[str]] = []

    async def run(turn: Turn) -> None:
        both = await asyncio.gather(turn.ask("a", "ann", "room", "A?"), turn.ask("b", "bob", "room", "B?"))
        answers.append(list(both))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        second = first = None
        while second is None or first is None:
            first = await life.engine.open_question("room", "ann")
            second = await life.engine.open_question("room", "bob")
        results = await asyncio.gather(
            life.engine.answer(second.ref, "m1", "from bob"), life.engine.answer(first.ref, "m2", "from ann")
        )
        assert results == [True, True]
        await until(lambda: bool(answers))
    assert answers == [["from ann", "from bob"]]


async def test_words_that_came_before_their_own_question_opened_are_its_answer(lives: Lives):
    answers: list[str] = []
    sent = asyncio.Event()
    go = asyncio.Event()

    async def run(turn: Turn) -> None:
        sent.set()
        await go.wait()
        answers.append(await turn.ask("ask", "ann", "room", "Which?"))

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await sent.wait()
        await life.engine.submit("s", "approval", {"kind": "approval", "text": "no words"})
        await life.engine.submit("s", "quick", {"text": "the red one"})
        go.set()
        await until(lambda: bool(answers))
        assert not await life.engine.submit("s", "quick", {})
    assert answers[0] == "the red one"


# --- stopping -------------------------------------------------------------------------------------------------


async def test_a_stop_cuts_a_stoppable_runner_off_and_lets_it_finish_in_good_order(lives: Lives):
    log: list[str] = []
    inside = asyncio.Event()

    async def run(turn: Turn) -> None:
        if turn.key == "next":
            log.append("next")
            return
        try:
            with turn.stoppable():
                inside.set()
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            assert turn.stop_requested
            await turn.step("send:stopped", gives("sent", log))
            await turn.finish()
            log.append("finished")

    async with lives.life(run) as life:
        assert not await life.engine.stop_turn("s")
        await life.engine.submit("s", "k", {})
        await life.engine.submit("s", "next", {})
        await inside.wait()
        assert await life.engine.stop_turn("s")
        await until(lambda: log == ["sent", "finished", "next"])


async def test_a_stop_outside_the_stoppable_part_only_says_so(lives: Lives):
    log: list[str] = []
    inside = asyncio.Event()
    go = asyncio.Event()

    async def run(turn: Turn) -> None:
        inside.set()
        await go.wait()
        log.append(f"sent, stop={turn.stop_requested}")

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await inside.wait()
        assert await life.engine.stop_turn("s")
        go.set()
        await until(lambda: log == ["sent, stop=True"])


async def test_a_stopped_runner_that_does_not_finish_is_settled(lives: Lives):
    runs: list[str] = []
    inside = asyncio.Event()

    async def run(turn: Turn) -> None:
        runs.append(turn.key)
        if turn.key == "k":
            with turn.stoppable():
                inside.set()
                await asyncio.Event().wait()

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await life.engine.submit("s", "next", {})
        await inside.wait()
        assert await life.engine.stop_turn("s")
        await until(lambda: runs == ["k", "next"])


async def test_a_stop_drops_the_open_question_and_frees_the_session(lives: Lives):
    log: list[str] = []

    async def run(turn: Turn) -> None:
        if turn.key == "next":
            log.append("next")
            return
        try:
            await turn.ask("ask", "ann", "room", "Which?")
        except asyncio.CancelledError:
            log.append(f"cancelled, stop={turn.stop_requested}")
            await turn.finish()

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        question = None
        while question is None:
            question = await life.engine.open_question("room", "ann")
        await life.engine.submit("s", "next", {"kind": "approval"})
        assert await life.engine.stop_turn("s")
        await until(lambda: log == ["cancelled, stop=True", "next"])
        assert await life.engine.open_question("room", "ann") is None
        assert not await life.engine.answer(question.ref, "m", "too late")


async def test_a_stop_ends_the_wait_before_a_retry(lives: Lives):
    log: list[str] = []

    async def run(turn: Turn) -> None:
        log.append(f"{turn.attempt}, stop={turn.stop_requested}")
        raise RuntimeError("broken")

    async with lives.life(run) as life:
        await life.engine.submit("s", "k", {})
        await until(lambda: lives.clock.sleepers > 0)
        assert await life.engine.stop_turn("s")
        await until(lambda: len(log) == 2 and not life.engine.running("s"))
        assert await life.engine.waiting("s") == 0
    assert log == ["1, stop=False", "2, stop=True"]
