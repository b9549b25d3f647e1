"""Questions of turns to people: who answers, and how the answer reaches the turn."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bot.domain.clock import Clock
from bot.domain.database import Database, Unit
from bot.domain.json_types import JsonObject
from bot.domain.turns import Answer, Question, Waiting
from bot.domain.work import GivenAnswer, dump_work
from bot.errors import UnitRejected
from bot.turns import question_store, store
from bot.turns.refs import number_in, read_ref

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Steering:
    """How the engine reads bodies: which are a person's words to a running turn."""

    steerable: Callable[[JsonObject], bool] = lambda _body: True
    """Whether a body may steer a running turn or answer its question."""
    answer_in: Callable[[JsonObject], Answer] = lambda body: Answer(str(body.get("text", "")))
    """The words of such a body."""
    more_than_text: Callable[[JsonObject], bool] = lambda _body: False
    """Whether a body holds more than words (files): the turn takes it even if it is an answer."""


@dataclass(frozen=True)
class QuestionAnswered:
    """A question that waiting work answered, and the work that this used up."""

    joined: tuple[int, ...]


def seen_before(error: UnitRejected, own: int) -> bool:
    """False if one of our `own` writes was refused; raises for a refused write of the caller."""
    if error.index < own:
        return False
    raise UnitRejected(str(error), error.index - own) from error


class Questions:
    """Answers open questions; the engine resumes the turns."""

    def __init__(self, database: Database, clock: Clock, steering: Steering) -> None:
        self._database = database
        self._clock = clock
        self._steering = steering

    async def find(self, conversation: str, person: str) -> Question | None:
        return await question_store.find_question(self._database, conversation, person)

    async def read(self, ref: str) -> Question | None:
        """The open question of this reference; None for anything else, also for nonsense."""
        number = number_in("q", ref)
        return (
            None if number is None else await question_store.read_question(self._database, number)
        )

    async def answer(self, question: Question, key: str, answer: Answer, unit: Unit) -> bool:
        """See `TurnEngine.answer`."""
        now = self._clock.now()
        body = store.to_json(
            dump_work(GivenAnswer(question.ref, answer.text)), f"the body of {key}"
        )
        own = Unit.of(store.record(question.session, key, body, now)) + self._closing(
            question, answer
        )
        try:
            await self._database.write(own + unit)
        except UnitRejected as error:
            return seen_before(error, len(own.writes))
        return True

    async def answer_with_waiting(self, session: str, turn: int) -> QuestionAnswered | None:
        """Answer the turn's oldest question with the oldest queued words of its person.

        These words came before the question opened, or with files. Nothing else would read them,
        because the session waits for the answer. None if nothing queued answers it.
        """
        while question := await question_store.question_of(self._database, turn):
            now = self._clock.now()
            found = await store.read_waiting(self._database, session, now)
            said = ((work, waiting, self._answer_in(waiting)) for work, waiting in found)
            work, waiting, answer = next(
                (one for one in said if one[2].text.strip()), (0, None, Answer(""))
            )
            if waiting is None:
                return None
            # A message with more than text stays queued: the resumed turn takes it whole.
            joined = [] if self._steering.more_than_text(waiting.body) else [(work, waiting)]
            closing = self._closing(question, answer)
            try:
                await self._database.write(Unit(store.join(joined, turn, now)) + closing)
            except UnitRejected as error:
                if error.index < len(joined):
                    continue  # the words were changed or withdrawn meanwhile
                return None  # answered or stopped meanwhile
            log.info(
                "session=<%s>, turn=<%d>, key=<%s> | a waiting message is taken as the answer",
                session,
                turn,
                waiting.key,
            )
            return QuestionAnswered(tuple(id_ for id_, _ in joined))
        return None

    def _answer_in(self, waiting: Waiting) -> Answer:
        """The answer in waiting work; empty when it is not a person's words."""
        return (
            self._steering.answer_in(waiting.body)
            if self._steering.steerable(waiting.body)
            else Answer("")
        )

    async def expire(self, before: datetime) -> list[tuple[Question, list[int]]]:
        """Close questions asked before a moment; returns each with the turn that has to stop."""
        closed: list[tuple[Question, list[int]]] = []
        for question in await question_store.questions_before(self._database, before):
            unit = question_store.expire_question(read_ref("q", question.ref), self._clock.now())
            try:
                written = await self._database.write(unit)
            except UnitRejected:
                continue  # answered or dropped meanwhile
            closed.append((question, [int(row["id"]) for row in written.returned[1]]))
        return closed

    def _closing(self, question: Question, answer: Answer) -> Unit:
        value = store.to_json(answer.to_json(), "an answer")
        return question_store.close_question(read_ref("q", question.ref), value, self._clock.now())
