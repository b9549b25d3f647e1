"""Runs of work that is due while nobody is present: tasks, todos, automations, agents."""

from dataclasses import dataclass, replace
from typing import assert_never

from bot.agents.delegation.background import BackgroundTask
from bot.domain.access import Role
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.languages import Language
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.turns import Recorded, Turn
from bot.domain.work import (
    CompactionWork,
    ControlWork,
    DecisionWork,
    DelegationWork,
    InterviewWork,
    MessageWork,
    ReminderWork,
    ScheduleWork,
    SkillWork,
    StrangerWork,
    TodoWork,
    TriggerWork,
    Work,
)
from bot.sessions.records.envelope import incoming_from_json
from bot.sessions.turn.replies import NobodyWatches, read_by_others, to_asker
from bot.sessions.turn.run_ends import SessionRuns
from bot.sessions.unattended.delegated import Delegated
from bot.sessions.unattended.due_work import DueWork, as_of_now
from bot.sessions.unattended.reminders import Reminders
from bot.sessions.unattended.scheduled import Scheduled
from bot.sessions.unattended.todo_runs import TodoRuns
from bot.sessions.unattended.triggered import Triggered
from bot.sessions.wording import sentences
from bot.sessions.wording.endings import language_for
from bot.sessions.wording.phrases import changed as changed_in_words
from bot.turns.schedules import store as ledger
from bot.turns.schedules.reason_words import TAKEN_AWAY

_NOTICE = step_key(StepKind.SEND, "notice")


@dataclass(frozen=True)
class UnattendedRuns:
    """Runs due work as its owner, and says what becomes of work that was given up."""

    runs: SessionRuns
    scheduled: Scheduled
    todos: TodoRuns
    triggered: Triggered
    delegated: Delegated
    reminders: Reminders
    clock: Clock

    async def run_due(self, turn: Turn, work: ScheduleWork | TodoWork | TriggerWork) -> None:
        """Run due work as its owner, with their current role, and nobody present to ask."""
        due = await self._due_work(turn, work)
        if due is None:
            await turn.finish(self._skipped(turn))
            return
        if why := await due.refusal():
            if due.person.role is not Role.BANNED and (told := due.refused_words(why)):
                await self.runs.replies.say(turn, ANSWER, due.home, told)
            await turn.finish(due.skipped_unit(turn, why))
            return
        if (notice := due.notice()) is not None:
            await self.runs.replies.say(turn, _NOTICE, *notice)

        async def begin() -> Recorded:
            return Recorded({}, due.begun_unit(turn))

        await turn.step(step_key(StepKind.BEGIN), begin)
        live = NobodyWatches()
        prepared = await self.runs.prepare(turn, work, due.message, live)
        await self.runs.finish(turn, due.message, prepared, due.words, live, due)

    async def run_delegated(self, turn: Turn, work: DelegationWork) -> None:
        """Run a background agent; its answer always goes to the place where it was started."""
        people, replies = self.runs.replies.people, self.runs.replies
        message = (await as_of_now(people, work.envelope)).message
        callbacks = replies.callbacks(turn, message, NobodyWatches())
        finished = await self.delegated.run(turn, work, message, callbacks)
        if finished is None:
            await callbacks.show_cards(0.0)
            return
        made = await self.runs.ends.changes.told_in(turn.id)
        changed = changed_in_words(made, language_for(message))
        text = f"{finished.text}\n\n{changed}" if changed else finished.text
        sending = replace(replies.sending(message, text), agent=work.agent)
        sending = replace(sending, message=replace(sending.message, failed=finished.failed))
        if finished.for_asker and read_by_others(message):
            sending = to_asker(sending, message)
        await replies.post(turn, ANSWER, sending, finished.trust)
        await callbacks.show_cards(0.0)
        await turn.finish(finished.unit)

    async def given_up(self, turn: Turn, work: Work, reason: str) -> tuple[Unit, str]:
        """The records at the end of due work, and the extra notice to its owner."""
        match work:
            case ScheduleWork() | TodoWork() | TriggerWork():
                due = await self._due_work(turn, work)
                return (self._skipped(turn), "") if due is None else due.given_up(turn, reason)
            case ReminderWork():
                return await self.reminders.given_up(turn, work, reason), ""
            case DelegationWork():
                task = BackgroundTask.from_work(work)
                language = language_for(incoming_from_json(work.envelope))
                return Unit(), sentences.background_given_up(task, language)
            case MessageWork() | SkillWork() | ControlWork() | DecisionWork() | StrangerWork():
                return Unit(), ""
            case CompactionWork() | InterviewWork():
                return Unit(), ""
            case _:
                assert_never(work)

    async def _due_work(
        self, turn: Turn, work: ScheduleWork | TodoWork | TriggerWork
    ) -> DueWork | None:
        match work:
            case ScheduleWork():
                return await self.scheduled.due(turn, work)
            case TodoWork():
                return await self.todos.due(turn, work)
            case TriggerWork():
                return await self.triggered.due(turn, work)
            case _:
                assert_never(work)

    def _skipped(self, turn: Turn) -> Unit:
        now = self.clock.now()
        why = TAKEN_AWAY.said(Language.EN)
        return Unit.of(ledger.ended(turn.id, "skipped", why, now, posted=False))
