"""What every turn engine promises: steering and questions."""

import asyncio
from datetime import timedelta

from bot.domain.turns import RunTurn, Turn
from bot.testing.engine_lives import Lives, gives
from bot.testing.fake_clock import settle
from bot.testing.waiting import until

# --- steering ---


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
        taken.append(
            [item.key for item in first] + [f"{item.key}={item.body['text']}" for item in second]
        )
        if turn.attempt == 1:
            raise RuntimeError("again")

    async with lives.life(run) as life:
        await life.submit("first")
        await until(lambda: life.engine.running("s"))
        await settle()
        await life.engine.submit("s", "second", {"text": "b"})
        await life.engine.submit("s", "approval", {"kind": "approval"})
        await life.engine.submit(
            "s", "later", {"text": "d"}, due=lives.clock.now() + timedelta(hours=1)
        )
        await life.engine.submit("s", "third", {"text": "c"})
        await life.submit("not ours", session="other")
        ready.set()
        await until(lambda: len(taken) == 2)
        await life.submit("fourth")
        await life.advance(1)
        await until(lambda: len(taken) == 5)
        assert not await life.engine.submit("s", "second", {})
    mine = [item for item in taken if not item[0].startswith("own")]
    assert mine == [["second=b", "third=c"]] * 2
    assert [item for item in taken if item not in mine][1:] == [
        ["own turn of approval"],
        ["own turn of fourth"],
    ]


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
        await life.submit("k")
        await until(lambda: lives.clock.sleepers > 0)
        await life.submit("late")
        await life.advance(1)
        await until(lambda: len(taken) == 2)
    assert taken == [0, 0]


# --- questions ---


def asker(answers: list[str], ran: list[str]) -> RunTurn:
    async def run(turn: Turn) -> None:
        ran.append(turn.key)
        if turn.key.startswith("ask"):
            await turn.step("before", gives(1, ran, "step"))
            answers.append(
                (await turn.ask("ask:1", "ann", "room", "Which one?", ("red", "blue"))).text
            )

    return run


async def test_a_question_holds_its_session_and_the_answer_resumes_the_turn(lives: Lives):
    answers: list[str] = []
    ran: list[str] = []
    async with lives.life(asker(answers, ran)) as life:
        await life.submit("ask")
        await until(lambda: "step" in ran and not life.engine.running("s"))
        await life.engine.submit("s", "blocked", {"kind": "approval"})
        await life.submit("other session", session="t")
        await until(lambda: "other session" in ran)
        question = await life.engine.open_question("room", "ann")
        assert question is not None
        assert (question.text, question.options, question.session) == (
            "Which one?",
            ("red", "blue"),
            "s",
        )
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
        answers[:] = [
            (await turn.ask(f"ask:{number}", "ann", "room", "And now?")).text for number in range(5)
        ]

    async with lives.life(run) as life:
        await life.submit("k")
        for number in range(5):
            await until(
                lambda number=number: len(attempts) == number + 1 and not life.engine.running("s")
            )
            question = await life.engine.open_question("room", "ann")
            assert question is not None
            assert await life.engine.answer(question.ref, f"m{number}", str(number))
        await until(lambda: answers[-1:] == ["4"] and not life.engine.running("s"))
    assert attempts == [1] * 6


async def test_an_answer_between_two_lives_is_kept(lives: Lives):
    answers: list[str] = []
    ran: list[str] = []
    async with lives.life(asker(answers, ran)) as life:
        await life.submit("ask")
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
            answers.append((await turn.ask("ask:1", "ann", "room", "Quick?")).text)
        finally:
            asked.set()
            await unwind.wait()

    async with lives.life(run) as life:
        await life.submit("k")
        await asked.wait()
        question = await life.engine.open_question("room", "ann")
        assert question is not None
        assert await life.engine.answer(question.ref, "m", "very")
        unwind.set()
        await until(lambda: answers == ["very"] and not life.engine.running("s"))


async def test_two_questions_of_one_turn_may_be_answered_in_any_order(lives: Lives):
    answers: list[list[str]] = []

    async def run(turn: Turn) -> None:
        both = await asyncio.gather(
            turn.ask("a", "ann", "room", "A?"), turn.ask("b", "bob", "room", "B?")
        )
        answers.append([answer.text for answer in both])

    async with lives.life(run) as life:
        await life.submit("k")
        second = first = None
        while second is None or first is None:
            first = await life.engine.open_question("room", "ann")
            second = await life.engine.open_question("room", "bob")
        results = await asyncio.gather(
            life.engine.answer(second.ref, "m1", "from bob"),
            life.engine.answer(first.ref, "m2", "from ann"),
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
        answers.append((await turn.ask("ask", "ann", "room", "Which?")).text)

    async with lives.life(run) as life:
        await life.submit("k")
        await sent.wait()
        await life.engine.submit("s", "approval", {"kind": "approval", "text": "no words"})
        await life.engine.submit("s", "quick", {"text": "the red one"})
        go.set()
        await until(lambda: bool(answers))
        assert not await life.engine.submit("s", "quick", {})
    assert answers[0] == "the red one"
