"""The embedded turn engine: one process, one SQLite database, work by event and not by polling."""

import asyncio
import json
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit, Write
from bot.domain.json_types import JsonObject
from bot.domain.turns import Answer, Apologise, KeepKeys, OpenTurn, Question, RunTurn, TurnRecord
from bot.domain.work import HeardMessage, dump_work
from bot.errors import ClaimLost, TurnError, UnitRejected
from bot.turns import purging, question_store, record_store, store
from bot.turns.agenda import Agenda
from bot.turns.alarm import Alarm
from bot.turns.attempt import PROCESS_ENDED, Attempt, Works
from bot.turns.crowd import Crowd
from bot.turns.questions import Questions, Steering, seen_before
from bot.turns.refs import number_in
from bot.turns.schedules.timetable import Timetable
from bot.turns.settings import TurnSettings
from bot.turns.shares import Share, ShareOf, Urgency
from bot.turns.slots import Slots
from bot.turns.store import Begun, Claim, UnsettledTurn
from bot.turns.trials import Trials

log = logging.getLogger(__name__)
T = TypeVar("T")


LEAVE_S = 5.0
"""Seconds that turns get to end after they were cancelled."""


class JournalEngine:
    """Implements `domain.turns.TurnEngine`.

    `owner` names this process in claims; `limits` say how many turns run at the same time,
    `share_of` whose a session is; `drain_s` is how many seconds running turns get to end by
    themselves when `run` is cancelled. `steerable` says which bodies `take` may hand to a running
    turn and a question may be answered with, `answer_in` what such a body says, `more_than_text`
    whether it holds more (files), so that it is handed over even when its words were an answer.
    """

    def __init__(  # noqa: PLR0913 - where it works, and what it must know about bodies
        self,
        database: Database,
        clock: Clock,
        *,
        owner: str,
        limits: TurnSettings | None = None,
        share_of: ShareOf = Share,
        drain_s: float = 10,
        steerable: Callable[[JsonObject], bool] = lambda _body: True,
        answer_in: Callable[[JsonObject], Answer] = lambda body: Answer(str(body.get("text", ""))),
        more_than_text: Callable[[JsonObject], bool] = lambda _body: False,
    ) -> None:
        self._database, self._clock = database, clock
        self._owner, self._limits = owner, limits or TurnSettings()
        self._drain_s, self._share_of = drain_s, share_of
        self._agenda = Agenda(self._arrived, share_of, self._limits.per_person)
        self._slots = Slots(self._limits.working, self._limits.reserved, self._dispatch)
        self._awaited: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)
        """By session: who waits for work that arrives there."""
        self._steering = Steering(steerable, answer_in, more_than_text)
        self._questions = Questions(database, clock, self._steering)
        self._works: Works | None = None
        self._trials = Trials(database, clock, self._agenda, self._begin_alone)
        self._loading: list[Callable[[], None]] | None = None
        self._attempts: dict[str, Attempt] = {}
        self.crowd = Crowd(
            database,
            clock,
            share_of,
            self._limits.per_person,
            self._attempts,
            lambda: self._trials.under_way,
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._accepting: set[asyncio.Task[Any]] = set()
        self._on_the_way: Counter[str] = Counter()
        """Work of a session whose acceptance is being written: nothing may overtake it."""
        self._failure: asyncio.Future[None] | None = None
        self.timetable = Timetable(database, clock, self._ticked, self._rearm)
        """Cron and one-off schedules, whose ticks are submitted here."""
        self._alarm = Alarm(clock, self._start, self.timetable.fire, self._dispatch)

    # --- accepting ---

    async def submit(
        self,
        session: str,
        key: str,
        body: JsonObject,
        *,
        due: datetime | None = None,
        unit: Unit = Unit(),
    ) -> bool:
        now = self._clock.now()
        text = store.to_json(body, f"the body of {key}")
        later = due if due is not None and due > now else None
        for_later = partial(
            self._accept, session, Unit.of(store.accept(session, key, text, due, now)) + unit, later
        )
        attempt = None if later else self._reserved(session)
        if attempt is None:
            return await self._certainly(for_later())
        begun = Begun(
            Claim(session, self._owner, 0), 0, key, json.loads(text), 1, stop=False, error=None
        )
        accept = Unit.of(store.accept_begun(session, key, text, now)) + unit
        return await self._certainly(self._accept_begun(attempt, begun, accept, for_later))

    def _reserved(self, session: str) -> Attempt | None:
        """An attempt for a message to an idle session: it is accepted and begun in one unit.

        None if it must wait.
        """
        if self._works is None or self._alarm.ringing or self._on_the_way[session]:
            return None
        urgency = self._share_of(session).urgency
        if urgency not in self._may_start() or not self._agenda.reserve(session):
            return None
        return self._attempt(self._works, session, urgency)

    def _may_start(self) -> list[Urgency]:
        """What there is room for now, the most urgent first. Commands are few and short."""
        if self._trials.under_way:
            return [] if self._trials.apart else [Urgency.COMMAND]
        if len(self._attempts) >= self._limits.begun:
            return [Urgency.COMMAND]
        return [urgency for urgency in Urgency if self._slots.room(urgency)]

    def _attempt(
        self,
        works: Works,
        session: str,
        urgency: Urgency,
        turn: int = 0,
        *,
        fresh: bool = True,
        alone: bool = False,
    ) -> Attempt:
        self._slots.take(session, urgency)
        attempt = self._attempts[session] = Attempt(works, session, turn, fresh=fresh, alone=alone)
        return attempt

    async def _certainly(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish even if the caller is cancelled: the agenda must learn of what is stored."""
        task = asyncio.create_task(work)
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)
        return await asyncio.shield(task)

    async def _accept(self, session: str, unit: Unit, due: datetime | None) -> bool:
        self._on_the_way[session] += 1
        try:
            written = await self._database.write(unit)
            turn = int(written.returned[0][0]["id"])
            self._tell(lambda: self._add(session, turn, due))
        except UnitRejected as error:
            return seen_before(error, 1)
        finally:
            self._on_the_way[session] -= 1
            if not self._on_the_way[session]:
                del self._on_the_way[session]
        return True

    async def _accept_begun(
        self, attempt: Attempt, begun: Begun, unit: Unit, for_later: Callable[[], Awaitable[bool]]
    ) -> bool:
        """Accept and begin a turn in one unit; only `for_later` if its session is elsewhere."""
        session = attempt.session
        try:
            written = await self._database.write(unit + Unit.of(store.claim(session, self._owner)))
        except UnitRejected as error:
            self._ended(attempt)
            return await for_later() if error.index == len(unit.writes) else seen_before(error, 1)
        except BaseException:
            self._ended(attempt)
            raise
        attempt.id = int(written.returned[0][0]["id"])
        claim = replace(begun.claim, epoch=int(written.returned[-1][0]["epoch"]))
        self._agenda.began(session, attempt.id)
        self._start(
            partial(self._work, attempt, replace(begun, claim=claim, id=attempt.id)),
            f"turn-{attempt.id}",
        )
        return True

    def _add(self, session: str, turn: int, due: datetime | None = None) -> None:
        self._agenda.add(session, turn, due)
        self._look_for_answer(session)

    async def record(self, session: str, key: str, body: JsonObject, unit: Unit = Unit()) -> bool:
        write = store.record(
            session, key, store.to_json(body, f"the body of {key}"), self._clock.now()
        )
        try:
            await self._database.write(Unit.of(write) + unit)
        except UnitRejected as error:
            return seen_before(error, 1)
        return True

    async def revise(
        self, event: str, key: str, session: str, body: JsonObject, unit: Unit = Unit()
    ) -> bool:
        now, text = self._clock.now(), store.to_json(body, f"the body of {key}")
        waiting = await self._certainly(self._change(event, store.amend(key, text), unit))
        if waiting is not None:
            return waiting
        return bool(
            await self._certainly(self._change(event, store.reopen(key, session, text, now), unit))
        )

    async def withdraw(self, event: str, key: str, unit: Unit = Unit()) -> bool:
        return bool(
            await self._certainly(self._change(event, store.withdraw(key, self._clock.now()), unit))
        )

    async def _change(self, event: str, change: Write, unit: Unit) -> bool | None:
        """Whether accepted work was changed; None if it was not there in the expected state."""
        changed = dump_work(HeardMessage("context", "changed"))
        used_up = store.record("", event, store.to_json(changed, event), self._clock.now())
        try:
            written = await self._database.write(Unit.of(used_up, change) + unit)
        except UnitRejected as error:
            if error.index == 1:
                return None
            return seen_before(error, 1)
        row = written.returned[1][0]
        # Known already or not: one whose row is settled is left out when its turn comes.
        self._tell(lambda: self._add(str(row["session"]), int(row["id"])))
        return True

    async def waiting(self, session: str) -> int:
        return await store.count_waiting(self._database, session, self._clock.now())

    def arrival(self, session: str) -> asyncio.Future[None]:
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited[session].add(waiter)
        waiter.add_done_callback(partial(self._left, session))
        return waiter

    def _left(self, session: str, waiter: asyncio.Future[None]) -> None:
        self._awaited[session].discard(waiter)
        if not self._awaited[session]:
            del self._awaited[session]

    def _arrived(self, session: str) -> None:
        for waiter in self._awaited.get(session, ()):
            if not waiter.done():
                waiter.set_result(None)

    async def recorded(self, name: str) -> TurnRecord | None:
        if ":" in name:
            return await record_store.find_work(self._database, key=name)
        turn = number_in("t", name)
        question = number_in("q", name)
        if question is not None:
            turn = await record_store.asked_by(self._database, question)
        return None if turn is None else await record_store.find_work(self._database, turn=turn)

    @property
    def short_of(self) -> str:
        """See `domain.turns.TurnEngine`."""
        return self.crowd.shortage.of

    async def load(self) -> tuple[int, int]:
        """How many turns run in this process now, and how many accepted ones are queued."""
        return len(self._attempts), await record_store.count_open(self._database, self._clock.now())

    # --- questions and stopping ---

    async def open_question(self, conversation: str, person: str) -> Question | None:
        if self._works is not None and not self._agenda.may_be_asked(conversation, person):
            await asyncio.sleep(
                0
            )  # as a read would, so that whoever waits for a question lets others work
            return None
        return await self._questions.find(conversation, person)

    async def answer(
        self, question: str, key: str, text: str, unit: Unit = Unit(), *, typed: str = ""
    ) -> bool:
        found = await self._questions.read(question)
        if found is None:
            return False
        return await self._certainly(self._answer(found, key, Answer(text, typed), unit))

    async def _answer(self, question: Question, key: str, answer: Answer, unit: Unit) -> bool:
        if not await self._questions.answer(question, key, answer, unit):
            return False
        self._tell(lambda: self._agenda.resume(question.session, question.turn))
        return True

    def rescheduled(self) -> None:
        if self._works is not None:  # else they are read when it starts
            self._start(self.timetable.refresh, "timetable")

    def running(self, session: str) -> bool:
        return session in self._attempts

    @property
    def started(self) -> bool:
        """Whether it runs turns: recovery is complete, and nothing has failed since."""
        return self._works is not None

    @property
    def busy(self) -> bool:
        """Whether any turn runs right now in this process."""
        return bool(self._attempts)

    async def open_turns(self) -> list[OpenTurn]:
        return await store.read_begun_turns(self._database)

    async def expire_questions(self, before: datetime) -> list[Question]:
        expired = await self._questions.expire(before)
        for question, turns in expired:
            self._stopped(question.session, turns)
        return [question for question, _ in expired]

    async def stop_turn(self, session: str, only: Collection[int] | None = None) -> bool:
        attempt = self._attempts.get(session)
        if attempt is not None and only is not None and attempt.id not in only:
            attempt = None
        if attempt is not None and attempt.id:
            attempt.mark_stop()
        written = await self._database.write(store.request_stop(session, self._clock.now(), only))
        turns = [int(row["id"]) for row in written.returned[1]]
        self._stopped(session, turns)
        return bool(turns) or attempt is not None

    def _stopped(self, session: str, turns: Collection[int]) -> None:
        """Turns are told to stop, durably."""
        for turn in turns:
            self._tell(lambda turn=turn: self._agenda.resume(session, turn))
        running = self._attempts.get(session)
        if running is not None and running.id in turns:
            running.mark_stop()
            running.cancel_for_stop()

    # --- running ---

    async def run(self, run_turn: RunTurn, apologise: Apologise) -> None:
        """Run until cancelled; raises a failed part's error, so that the supervisor restarts it."""
        if self._failure is not None:
            raise TurnError("this engine runs already")
        self._failure = asyncio.get_running_loop().create_future()
        patience = 0.0
        try:
            await self._open(run_turn, apologise)
            await self._failure
        except asyncio.CancelledError:
            patience = self._drain_s
            raise
        finally:
            try:
                await self._close(patience)
            finally:
                self._failure = None

    async def _open(self, run_turn: RunTurn, apologise: Apologise) -> None:
        """Take over what the last process left, and start."""
        self._loading = []
        self._agenda.clear()
        await self._database.write(store.take_over(self._owner, PROCESS_ENDED))
        found = await store.read_open(self._database)
        self._trials.line_up(found)
        for conversation, person in await question_store.read_asked(self._database):
            self._agenda.asks(conversation, person)
        changes, self._loading = self._loading, None
        for change in changes:
            change()
        await self.timetable.start()
        self._works = Works(
            self._database, self._clock, self._agenda, self._slots, self.crowd.shortage,
            self._owner, self._steering, run_turn, apologise,
        )  # fmt: skip
        for work in found:
            if work.state == "waiting":
                self._look_for_answer(work.session)
        if self._trials.under_way:
            self._start(self._try_suspects, "turn-suspects")
        self._dispatch()

    async def _try_suspects(self) -> None:
        await self._trials.run()
        self._dispatch()

    def _begin_alone(self, work: UnsettledTurn) -> tuple[Attempt, asyncio.Task[None]]:
        if self._works is None:
            raise TurnError("the engine stops; the next start tries suspects again")
        self._agenda.goes_on(work.session, work.id)
        urgency = self._share_of(work.session).urgency
        attempt = self._attempt(
            self._works, work.session, urgency, work.id, fresh=False, alone=True
        )
        task = self._start(partial(self._work, attempt), f"turn-{work.id}")
        self._dispatch()  # commands that waited for a turn which was tried before this one
        return attempt, task

    def _tell(self, change: Callable[[], None]) -> None:
        """Let the agenda know of a change in the inbox.

        Before `run` it needn't: what is stored will be read.
        """
        if self._loading is not None:
            self._loading.append(change)
        elif self._failure is not None:
            change()
            self._dispatch()

    def _ticked(self, session: str, turn: int) -> None:
        self._tell(lambda: self._add(session, turn))

    def _dispatch(self) -> None:
        """Start what may start now, and wait for what comes next."""
        if self._works is None:
            return
        self._agenda.come_due(self._clock.now())
        while start := self._agenda.next(self._may_start()):
            attempt = self._attempt(
                self._works, start.session, start.urgency, start.id, fresh=start.fresh
            )
            self._start(partial(self._work, attempt), f"turn-{start.id}")
        self.crowd.is_there(self._agenda.crowded)
        self._rearm()

    async def _work(self, attempt: Attempt, begun: Begun | None = None) -> None:
        try:
            await attempt.run(begun)
        except ClaimLost as error:
            log.warning(
                "session=<%s>, turn=<%d>, error=<%s> | left alone",
                attempt.session,
                attempt.id,
                error,
            )
            self._agenda.hold(attempt.session, attempt.id)
        except BaseException:
            self._works = None  # nothing more is begun
            raise
        finally:
            self._ended(attempt)

    def _ended(self, attempt: Attempt) -> None:
        del self._attempts[attempt.session]
        self._agenda.rested(attempt.session)
        self._slots.leave(attempt.session)
        self._look_for_answer(attempt.session)
        self._dispatch()

    def _look_for_answer(self, session: str) -> None:
        """Answers accepted just before their own question opened must not wait for ever."""
        turn = self._agenda.waits_before_work(session)
        if turn is not None and self._works is not None:
            self._start(partial(self._join_answer, session, turn), f"answer-{turn}")

    async def _join_answer(self, session: str, turn: int) -> None:
        answered = await self._questions.answer_with_waiting(session, turn)
        if answered is not None:
            self._agenda.joined(session, answered.joined)
            self._agenda.resume(session, turn)
            self._dispatch()

    def _start(self, work: Callable[[], Awaitable[None]], name: str) -> asyncio.Task[None]:
        """Run a part of the engine; `run` ends with what it dies of."""
        task = asyncio.create_task(self._watched(work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _watched(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # noqa: BLE001 - `run` raises it
            self._works = None
            if self._failure is not None and not self._failure.done():
                self._failure.set_exception(error)

    # --- time ---

    def _rearm(self) -> None:
        """Wake up when the next thing comes due, and not before."""
        if self._works is None:
            return
        due = min(
            (moment for moment in (self._agenda.next_due(), self.timetable.next_due()) if moment),
            default=None,
        )
        self._alarm.set(due)

    # --- the end ---

    async def _close(self, patience: float) -> None:
        """Start no more turns, let running ones end for `patience` seconds, requeue the rest."""
        self._works = None
        self._alarm.off()
        try:
            if self._accepting:  # what is begun with its acceptance is among the tasks from then on
                await asyncio.wait(self._accepting, timeout=LEAVE_S)
            if patience and self._tasks:
                await self._drain(patience)
        finally:
            for attempt in self._attempts.values():
                attempt.leave()
            if self._tasks:
                _, stuck = await asyncio.wait(self._tasks, timeout=LEAVE_S)
                for task in stuck:
                    log.error(
                        "task=<%s> | does not end; the next start goes on with it", task.get_name()
                    )
                    task.cancel()
            self._loading = None

    async def _drain(self, patience: float) -> None:
        timer = asyncio.create_task(self._clock.sleep(patience))
        try:
            while self._tasks and not timer.done():
                await asyncio.wait({timer, *self._tasks}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            timer.cancel()

    async def purge(
        self,
        before: datetime,
        keep: KeepKeys = purging.keep_nothing,
        pause: Callable[[], Awaitable[None]] = purging.no_pause,
    ) -> int:
        return await purging.purge(self._database, before, keep, pause)
