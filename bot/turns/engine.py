"""The embedded turn engine: one process runs every turn, driven by events instead of polling.

`standing/engine.py` is the engine for several processes, each of which has some of the sessions.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from typing import TypedDict

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.turns import Answer, Apologise, Question, RunTurn
from bot.errors import ClaimLost, TurnError
from bot.turns import purge_store, question_store, record_store, unsettled_store
from bot.turns.admission import Admission, Begins
from bot.turns.agenda import Agenda, DueTurn
from bot.turns.attempt import PROCESS_ENDED, Attempt, Works
from bot.turns.crowd import Crowd
from bot.turns.questions import Questions, Steering
from bot.turns.schedules.timetable import Timetable
from bot.turns.settings import TurnLimits
from bot.turns.shares import Share, ShareOf, Urgency
from bot.turns.slots import Slots
from bot.turns.store import Begun
from bot.turns.tasks import Alarm, EngineTasks
from bot.turns.trials import Trials
from bot.turns.unsettled_store import UnsettledTurn


class _Arrivals:
    """Futures that are done when work arrives in their session."""

    def __init__(self) -> None:
        self._awaited: defaultdict[str, set[asyncio.Future[None]]] = defaultdict(set)

    def at(self, session: str) -> asyncio.Future[None]:
        """Done at the next arrival; a cancelled future is forgotten."""
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited[session].add(waiter)
        waiter.add_done_callback(partial(self._left, session))
        return waiter

    def arrived(self, session: str) -> None:
        for waiter in self._awaited.get(session, ()):
            if not waiter.done():
                waiter.set_result(None)

    def _left(self, session: str, waiter: asyncio.Future[None]) -> None:
        self._awaited[session].discard(waiter)
        if not self._awaited[session]:
            del self._awaited[session]


log = logging.getLogger(__name__)


class EngineOptions(TypedDict, total=False):
    """The optional arguments of an engine, see `TurnEngine`."""

    limits: TurnLimits
    share_of: ShareOf
    drain_s: float
    steering: Steering


class TurnEngine:
    """Accepts work durably and runs it: one turn at a time in a session, sessions in parallel.

    `owner` names this process in claims; `limits` say how many turns run at the same time,
    `share_of` whose a session is; `drain_s` is the time in seconds that running turns get when
    `run` is cancelled. `steering` says which bodies may steer a running turn.
    """

    _begins_on_acceptance = True
    """Whether a message to an idle session is accepted and begun in one unit."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        owner: str,
        limits: TurnLimits | None = None,
        share_of: ShareOf = Share,
        drain_s: float = 10,
        steering: Steering | None = None,
    ) -> None:
        self._database, self._clock = database, clock
        self._owner, self._limits = owner, limits or TurnLimits()
        self._drain_s, self._share_of = drain_s, share_of
        arrivals = _Arrivals()
        self.arrival = arrivals.at
        """See `_Arrivals.at`. Look at `waiting` after calling it, so that nothing slips through."""
        self._agenda = Agenda(arrivals.arrived, share_of, self._limits.per_person)
        self._slots = Slots(self._limits.working, self._limits.reserved, self._dispatch)
        self._steering = steering or Steering()
        self._questions = Questions(database, clock, self._steering)
        self._works: Works | None = None
        self._loading: list[Callable[[], None]] | None = None
        self._attempts: dict[str, Attempt] = {}
        self._trials = Trials(
            database, clock, self._agenda, share_of, self._attempts, self._begin_alone,
            self._dispatch,
        )  # fmt: skip
        trying = lambda: bool(self._trials.suspects)  # noqa: E731
        self.crowd = Crowd(
            database, clock, share_of, self._limits.per_person, self._attempts, trying
        )
        self._tasks = EngineTasks(clock, self._died)
        begins = Begins(self._reserved, self._begin, self._ended, self._arrives)
        admission = Admission(database, clock, owner, self._tasks, begins)
        self.submit, self.record = admission.submit, admission.record
        self.revise, self.withdraw = admission.revise, admission.withdraw
        self._failure: asyncio.Future[None] | None = None
        self.timetable = Timetable(database, clock, self._arrives, self._rearm)
        """Cron and one-off schedules; the engine runs their ticks."""
        self._alarm = Alarm(clock, self._tasks.start, self._fire, self._rang)
        self._next_due: datetime | None = None
        """When the agenda's next work was due when the alarm was set."""
        self.recorded = partial(record_store.find_named, database)
        self.open_turns = partial(unsettled_store.read_begun_turns, database)
        """Every turn that was begun and isn't settled, oldest first."""
        self.purge = partial(purge_store.purge, database)

    # --- what is accepted ---

    def _reserved(self, session: str) -> Attempt | None:
        """An attempt for a message to an idle session: it is accepted and begun in one unit.

        None if it must wait.
        """
        if self._works is None or self._alarm.ringing or not self._begins_on_acceptance:
            return None
        urgency = self._share_of(session).urgency
        if not self._has_room(urgency) or not self._agenda.reserve(session):
            return None
        return self._attempt(DueTurn(session, 0, fresh=True, urgency=urgency))

    def _has_room(self, urgency: Urgency) -> bool:
        """Whether such work may begin now; commands are few and short."""
        if urgency is Urgency.COMMAND:
            return not (self._trials.suspects and self._trials.apart)
        if self._trials.suspects or len(self._attempts) >= self._limits.begun:
            return False
        return self._slots.room(urgency)

    def _attempt(self, due: DueTurn, *, alone: bool = False) -> Attempt:
        if self._works is None:
            raise TurnError("the engine stops; the next start continues what is queued")
        self._slots.take(due.session, due.urgency)
        attempt = Attempt(self._works, due.session, due.id, due.fresh, alone)
        self._attempts[due.session] = attempt
        return attempt

    def _begin(self, attempt: Attempt, begun: Begun) -> None:
        self._agenda.began(attempt.session, attempt.id)
        self._tasks.start(partial(self._work, attempt, begun), f"turn-{attempt.id}")

    def _arrives(self, session: str, turn: int, due: datetime | None = None) -> None:
        def add() -> None:
            self._agenda.add(session, turn, due)
            self._look_for_answer(session)

        self._tell(session, add)

    async def waiting(self, session: str) -> int:
        """How many accepted messages of this session wait for their turn."""
        return await unsettled_store.count_waiting(self._database, session, self._clock.now())

    @property
    def short_of(self) -> str:
        """The machine's scarce resource, while turns wait for it; empty if there is none."""
        return self.crowd.shortage.of

    async def load(self) -> tuple[int, int]:
        """How many turns run in this process now, and how many accepted ones are queued."""
        return len(self._attempts), await record_store.count_open(self._database, self._clock.now())

    # --- questions and stopping ---

    async def open_question(self, conversation: str, person: str) -> Question | None:
        """The open question that this person's next message in the conversation answers, if any."""
        if self._works is not None and not self._may_be_asked(conversation, person):
            await asyncio.sleep(0)  # as a read would, so that a waiting loop lets others work
            return None
        return await self._questions.find(conversation, person)

    async def answer(
        self, question: str, key: str, text: str, unit: Unit = Unit(), *, typed: str = ""
    ) -> bool:
        """Answer an open question with the message `key`, in one unit, and resume its turn.

        `typed`: see `Answer`. False when the key was seen before or the question isn't open any
        more.
        """
        found = await self._questions.read(question)
        if found is None:
            return False
        return await self._tasks.certainly(self._answer(found, key, Answer(text, typed), unit))

    async def _answer(self, question: Question, key: str, answer: Answer, unit: Unit) -> bool:
        if not await self._questions.answer(question, key, answer, unit):
            return False
        self._tell(question.session, partial(self._agenda.resume, question.session, question.turn))
        return True

    def _may_be_asked(self, conversation: str, person: str) -> bool:
        """Whether a question may be open: False is certain, True needs a look at the database."""
        return (conversation, person) in self._agenda.asked

    def rescheduled(self) -> None:
        """Another unit wrote schedules: look when the next one is due."""
        if self._works is not None:  # otherwise the turn reads them at its start
            self._tasks.start(self.timetable.refresh, "timetable")

    def running(self, session: str) -> bool:
        """Whether a turn of this session runs in this process now."""
        return session in self._attempts

    async def under_way(self, session: str) -> bool:
        """Whether a turn of this session runs now in any process."""
        return session in self._attempts

    @property
    def started(self) -> bool:
        """Whether the engine runs turns: recovery is complete, and no part has failed since."""
        return self._works is not None

    @property
    def busy(self) -> bool:
        """Whether any turn runs right now in this process."""
        return bool(self._attempts)

    async def expire_questions(self, before: datetime) -> list[Question]:
        """Close the questions asked before a moment, stop their turns, return those closed now."""
        expired = await self._questions.expire(before)
        for question, turns in expired:
            self._stopped(question.session, turns)
        return [question for question, _ in expired]

    async def stop_turn(self, session: str, only: Collection[int] | None = None) -> bool:
        """Stop the session's running turn, or drop its open question; stored, so a crash keeps it.

        With `only`, a turn whose id is not among them is left alone.

        The runner gets CancelledError at its current await, sees `stop_requested`, and finishes in
        order. A cancelled runner that did not finish is settled as done, not retried. False if
        nothing ran or waited.
        """
        attempt = self._attempts.get(session)
        if attempt is not None and only is not None and attempt.id not in only:
            attempt = None
        if attempt is not None and attempt.id:
            attempt.mark_stop()
        written = await self._database.write(
            unsettled_store.request_stop(session, self._clock.now(), only)
        )
        turns = [int(row["id"]) for row in written.returned[1]]
        self._stopped(session, turns)
        return bool(turns) or attempt is not None

    def _stopped(self, session: str, turns: Collection[int]) -> None:
        """Stop running turns after the request to stop was stored."""
        for turn in turns:
            self._tell(session, partial(self._agenda.resume, session, turn))
        running = self._attempts.get(session)
        if running is not None and running.id in turns:
            running.mark_stop()
            running.cancel_for_stop()

    def _works_on(self, session: str) -> bool:
        """Whether this process has the session."""
        return True

    # --- running ---

    async def run(self, run_turn: RunTurn, apologise: Apologise) -> None:
        """Claim and run turns until cancelled; then drain for a bounded time.

        Recovery takes the rest. Raises a failed part's error, so that the supervisor restarts it.
        """
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
        """Take over the work of the last process, then start turns."""
        self._agenda.clear()
        self._trials.clear()
        found = await self._take_over()
        await self.timetable.start()
        self._works = Works(
            self._database, self._clock, self._agenda, self._slots, self.crowd.shortage,
            self._owner, self._steering, run_turn, apologise,
        )  # fmt: skip
        self._opened(found)

    async def _take_over(self) -> Sequence[UnsettledTurn]:
        """Claim all unsettled turns for this process, and return them."""
        self._loading = []
        await self._database.write(unsettled_store.take_over(self._owner, PROCESS_ENDED))
        found = await unsettled_store.read_open(self._database)
        self._trials.line_up(found)
        for conversation, person in await question_store.read_asked(self._database):
            self._agenda.asked.add((conversation, person))
        changes, self._loading = self._loading, None
        for change in changes:
            change()
        return found

    def _opened(self, found: Sequence[UnsettledTurn]) -> None:
        """Start the turns that were taken over."""
        for session in {work.session for work in found if work.state == "waiting"}:
            self._look_for_answer(session)
        self._try_suspects()
        self._dispatch()
        self._rearm()

    def _try_suspects(self) -> None:
        if self._trials.suspects and not self._trials.running:
            self._tasks.start(self._trials.run, "turn-suspects")

    def _begin_alone(self, work: UnsettledTurn) -> tuple[Attempt, asyncio.Task[None]]:
        urgency = self._share_of(work.session).urgency
        due = DueTurn(work.session, work.id, fresh=False, urgency=urgency)
        attempt = self._attempt(due, alone=True)
        self._agenda.goes_on(work.session, work.id)
        task = self._tasks.start(partial(self._work, attempt), f"turn-{work.id}")
        self._dispatch()  # commands that waited for a suspect of an earlier trial
        return attempt, task

    def _tell(self, session: str, change: Callable[[], None]) -> None:
        """Tell the agenda about a change in the inbox of a session.

        Not needed before `run`, which reads the stored rows.
        """
        if self._loading is not None:
            self._loading.append(change)
        elif self._failure is not None:
            change()
            self._dispatch()

    def _dispatch(self) -> None:
        """Start turns that may start now, and wait for the next event."""
        if self._works is None:
            return
        agenda = self._agenda
        if agenda.later:
            agenda.come_due(self._clock.now())
        while agenda.listed and (start := agenda.next(filter(self._has_room, Urgency))):
            attempt = self._attempt(start)
            self._tasks.start(partial(self._work, attempt), f"turn-{start.id}")
        if self.crowd.unbegun is not bool(agenda.listed):
            self.crowd.is_there(bool(agenda.listed))
        if self._next_due != (agenda.next_due() if agenda.later else None):
            self._rearm()

    async def _work(self, attempt: Attempt, begun: Begun | None = None) -> None:
        try:
            await attempt.run(begun)
        except ClaimLost as error:
            log.warning(
                "session=<%s>, turn=<%d>, error=<%s> | left alone",
                attempt.session, attempt.id, error,
            )  # fmt: skip
            self._agenda.hold(attempt.session, attempt.id)
        except BaseException:
            self._works = None  # nothing more is begun
            raise
        finally:
            self._ended(attempt)

    def _ended(self, attempt: Attempt) -> None:
        del self._attempts[attempt.session]
        if self._trials.running:
            self._trials.rested()
        waits = self._agenda.rested(attempt.session)
        self._slots.leave(attempt.session)
        if waits is not None:
            self._look_for_answer(attempt.session)
        self._dispatch()

    def _look_for_answer(self, session: str) -> None:
        """Use answers that were accepted just before their question opened; nothing else would."""
        turn = self._agenda.waits_before_work(session)
        if turn is not None and self._works is not None:
            self._tasks.start(partial(self._join_answer, session, turn), f"answer-{turn}")

    async def _join_answer(self, session: str, turn: int) -> None:
        answered = await self._questions.answer_with_waiting(session, turn)
        if answered is not None and self._works_on(session):
            self._agenda.joined(session, answered.joined)
            self._agenda.resume(session, turn)
            self._dispatch()

    def _died(self, error: BaseException) -> None:
        self._works = None
        if self._failure is not None and not self._failure.done():
            self._failure.set_exception(error)

    # --- time ---

    def _rearm(self) -> None:
        """Set the alarm for the time when the next work is due."""
        if self._works is None:
            return
        self._next_due = self._agenda.next_due()
        self._alarm.set(min(filter(None, self._moments()), default=None))

    def _rang(self) -> None:
        self._dispatch()
        self._rearm()

    def _moments(self) -> tuple[datetime | None, ...]:
        """The next due time of each kind of work."""
        return self._agenda.next_due(), self.timetable.next_due()

    async def _fire(self) -> None:
        await self.timetable.fire()

    # --- the end ---

    async def _close(self, patience: float) -> None:
        """Start no more turns, let running ones end for `patience` seconds, requeue the rest."""
        self._works = None
        self._alarm.off()
        try:
            await self._tasks.drain(patience)
        finally:
            for attempt in self._attempts.values():
                attempt.leave()
            await self._tasks.leave()
            self._loading = None
