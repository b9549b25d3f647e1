"""A run from its message to its end: the person's view, the stored result, and the cycle log."""

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.history import taught
from bot.agents.loop.outcomes import Answered, Failed, LoopOutcome, Stopped
from bot.agents.loop.run import Run
from bot.domain.access import Role
from bot.domain.card_words import in_words
from bot.domain.chat import (
    LiveReply,
    LiveUpdate,
    PlanShown,
    Status,
    TextDelta,
    TextReset,
    Thinking,
    ToolEnded,
    ToolStarted,
    WorkShown,
)
from bot.domain.clock import Clock
from bot.domain.cycles import CycleStatus
from bot.domain.database import Unit
from bot.domain.languages import Language, Phrase
from bot.domain.messages import Delivered, IncomingMessage, SendRefused
from bot.domain.origins import Trust
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import ANSWER, StepKind, step_key
from bot.domain.tool_outcomes import SILENT
from bot.domain.turns import Turn
from bot.domain.work import Work
from bot.sessions.learning.consent import Learning
from bot.sessions.outbox.outbox import Sending
from bot.sessions.records.transcript_store import TurnOutcome, turn_unit
from bot.sessions.run.circumstances import TurnResolver
from bot.sessions.run.epochs import Epochs
from bot.sessions.run.setup import Burst, Prepared, RunSetup, SessionRecords
from bot.sessions.turn.replies import (
    ALONE,
    UNREACHED,
    Replies,
    read_by_others,
    to_asker,
    unseen_by_others,
)
from bot.sessions.turn.short_answers import ShortAnswers
from bot.sessions.unattended.due_work import DueWork
from bot.sessions.wording import sentences
from bot.sessions.wording.languages import language_for
from bot.sessions.wording.phrases import changed as changed_in_words
from bot.sessions.wording.sentences import PAUSES, doing
from bot.tools.catalog.catalog import ToolCatalog
from bot.tools.catalog.past_requests_store import Lesson, lesson_unit
from bot.tools.running.undo_store import UndoableRows
from bot.turns.engine import TurnEngine


class Narrator:
    """Hands on a run's updates, and behind them the line that they amount to.

    The line says what the run is doing, in its person's language.
    """

    def __init__(self, show: Callable[[LiveUpdate], None], language: Language) -> None:
        self._hand_on = show
        self._language = language
        self._calls: dict[str, str] = {}
        """The words of each call that runs, the newest last."""
        self._done: Counter[str] = Counter()
        """How often each of these words was said of a call, in their order."""
        self._now = self._at_work()
        show(self._now)

    def show(self, update: LiveUpdate) -> None:
        if isinstance(update, PlanShown):
            update = replace(update, language=self._language)
        self._hand_on(update)
        pause = ""
        match update:
            case ToolStarted():
                words = self._calls[update.call] = doing(update, self._language)
                self._done[words] += 1
            case ToolEnded():
                self._calls.pop(update.call, None)
            case Status(_, reason) if reason is not None:
                pause = PAUSES[reason].said(self._language)
            case Status() | Thinking() | TextDelta() | TextReset() | PlanShown() | WorkShown():
                return
        now = self._line(pause) if pause else self._at_work()
        if now != self._now:
            self._now = now
            self._hand_on(now)

    def _at_work(self) -> WorkShown:
        """The newest call, and how many run beside it."""
        if not self._calls:
            return self._line(Phrase("Thinking it through").said(self._language), patient=True)
        beside = f" (+{len(self._calls) - 1})" if len(self._calls) > 1 else ""
        return self._line(f"{list(self._calls.values())[-1]}{beside}")

    def _line(self, words: str, *, patient: bool = False) -> WorkShown:
        steps = tuple(
            words if times == 1 else f"{words} ({times})" for words, times in self._done.items()
        )
        return WorkShown(
            words, patient, Phrase("Done", context="progress").said(self._language), steps
        )


log = logging.getLogger(__name__)

FIRST = step_key(StepKind.SEND, "first")
"""The beginning of an answer, where the rest stands apart."""
PAUSED = step_key(StepKind.SEND, "paused")
CHANGED = step_key(StepKind.SEND, "changed")


@dataclass(frozen=True)
class RunEnds:
    """Settles turns whose run has ended."""

    replies: Replies
    learning: Learning
    engine: TurnEngine
    records: SessionRecords
    catalog: ToolCatalog
    changes: UndoableRows
    short: ShortAnswers
    clock: Clock

    async def settle(
        self,
        turn: Turn,
        message: IncomingMessage,
        prepared: Prepared,
        outcome: LoopOutcome,
        live: LiveReply,
        due: DueWork | None = None,
    ) -> None:
        """Show the outcome, and settle the turn with everything that its run leaves."""
        run, posted = prepared.run, bool(prepared.run.record.sent)
        if text := await self._text(turn, message, run, outcome, due):
            sending = self.replies.sending(message, text, covers=prepared.burst.covers)
            if isinstance(outcome, Failed):
                sending = replace(sending, message=replace(sending.message, failed=True))
            elif due is None and isinstance(outcome, Answered):
                rated = replace(sending.message, answers_turn=turn.ref)
                sending = await self._fitted(turn, message, run, replace(sending, message=rated))
            if run.for_asker and read_by_others(message):
                posted = await self._answer_alone(turn, message, sending, prepared, live)
            else:
                delivery = await self.replies.post(turn, ANSWER, sending, run.origin.trust, live)
                posted = isinstance(delivery, Delivered)
        await run.callbacks.show_cards(0.0)
        session, transcripts = prepared.session.session, self.records.transcripts
        ended = Unit()
        if due is not None:
            ended, paused = await due.settled(turn, outcome, posted=posted)
            if paused:
                await self.replies.say(turn, PAUSED, due.home, paused)
        lesson, teaching = Lesson(run.scope.person.id), Unit()
        if due is None and isinstance(outcome, Answered) and outcome.status == "resolved":
            lesson, teaching = self._lesson(message, prepared)
        settled = teaching + self._finish_unit(turn, prepared, outcome) + ended
        try:
            written = await turn.finish(settled)
        except BaseException:
            transcripts.forget(session)
            raise
        if (past := self.catalog.past) is not None and teaching and written.returned[0]:
            past.learn(lesson)
        transcripts.finished(prepared.session, run.history.messages[prepared.before :])

    async def _fitted(
        self, turn: Turn, message: IncomingMessage, run: Run, sending: Sending
    ) -> Sending:
        """The answer as its person wants it, whose beginning may stand in the channel by now.

        Where that can't be posted, the thread gets the whole.
        """
        language = _language(message, run)
        alone = run.for_asker and read_by_others(message)
        to = to_asker(sending, message) if alone else sending
        fitted = await self.short.fitted(to, run.scope.person.id, language)
        if fitted.first is None:
            return fitted.answer
        first = await self.replies.post(turn, FIRST, fitted.first, run.origin.trust)
        return sending if isinstance(first, SendRefused) else fitted.answer

    async def _answer_alone(
        self,
        turn: Turn,
        message: IncomingMessage,
        sending: Sending,
        prepared: Prepared,
        live: LiveReply,
    ) -> bool:
        """The place reads one line, first: on Slack it opens the thread of what follows."""
        run, covers = prepared.run, prepared.burst.covers
        language, name = _language(message, run), in_words(run.scope.person.name)
        line = Phrase("I answer {name} privately.").said(language, name=name)
        place = self.replies.sending(message, line, covers=covers)
        await self.replies.post(turn, ANSWER, place, Trust.MEMBER, live)
        alone = to_asker(sending, message)
        delivery = await self.replies.post(turn, ALONE, alone, run.origin.trust)
        if isinstance(delivery, SendRefused):
            unreached = Phrase(
                "{name}, I can't reach you privately. Allow direct messages from here, and ask "
                "again."
            ).said(language, name=name)
            await self.replies.say(turn, UNREACHED, message, unreached)
        return isinstance(delivery, Delivered)

    async def _text(
        self,
        turn: Turn,
        message: IncomingMessage,
        run: Run,
        outcome: LoopOutcome,
        due: DueWork | None,
    ) -> str:
        """What the person reads at the end: the outcome, and what was changed on the way.

        Empty if they have read the answer already. A line about changes is then posted by itself.
        """
        language = _language(message, run)
        text = visible(outcome, run, turn.ref, language)
        if isinstance(outcome, Stopped):
            record = await self.engine.recorded(turn.ref)
            questions = record.questions if record is not None else ()
            # It was stopped because nobody answered its question.
            if any(question.state == "expired" for question in questions):
                text = sentences.question_expired(outcome, language)
        if text and due is not None and isinstance(outcome, Failed):
            text = f"{due.name}: {text}"
        if text and run.record.unseen and not isinstance(outcome, Failed):
            unseen = sentences.unseen(run.record.unseen, language, runs_me=_runs_me(run))
            text = f"{text}\n\n{unseen}"
        changed = await self._changed(turn, run, language)
        if changed and not text:
            if run.for_asker and read_by_others(message):
                return changed
            await self.replies.say(turn, CHANGED, message, changed)
            return ""
        return f"{text}\n\n{changed}" if changed else text

    async def _changed(self, turn: Turn, run: Run, language: Language) -> str:
        """What the turn changed beside text from outside, which its person can take back."""
        if not (run.record.tools_used and run.provenance.untrusted):
            return ""
        return changed_in_words(await self.changes.told_in(turn.id), language)

    def _lesson(self, message: IncomingMessage, prepared: Prepared) -> tuple[Lesson, Unit]:
        """What an answered request teaches, unless its person or place forbids to learn."""
        run, opened_at = prepared.run, prepared.session.session.opened_at
        new, person = run.history.messages[prepared.before :], run.scope.person.id
        lesson = taught(new, message.own_words, run.toolset, run.scope)
        allowed = self.learning.condition(person, run.scope.location, opened_at)
        if allowed is None or not lesson.requests:
            return lesson, Unit()
        past = self.catalog.past
        prune = past is None or person not in past.pruned
        return lesson, lesson_unit(lesson, self.clock.now(), allowed, prune=prune)

    def _finish_unit(self, turn: Turn, prepared: Prepared, outcome: LoopOutcome) -> Unit:
        run, now = prepared.run, self.clock.now()
        status, error = status_of(outcome)
        text, came = "", "unresolved"
        if isinstance(outcome, Answered):
            text, came = outcome.text, outcome.status
        ms, used = round((self.clock.monotonic() - run.budget.started) * 1000), run.budget.used
        done = run.cycle.complete(status, text=text, error=error, usage=used, outcome=came, ms=ms)
        saved = TurnOutcome(
            tools=run.history.tools,
            unlocked=tuple(run.toolset.unlocked.values()),
            active_skills=run.active_skills,
            untold_facts=run.record.untold_facts,
            seen_message=prepared.burst.seen,
            usage=used,
            context_tokens=run.progress.context_tokens,
            messages=run.history.messages[prepared.before :],
        )
        session, facts = run.context.session_id, Unit()
        if run.facts.changed:
            facts = self.records.facts.save_unit(session, run.facts)
        return turn_unit(prepared.session, turn.id, saved, now) + facts + events_unit([done])


@dataclass(frozen=True)
class SessionRuns:
    """Takes a message through its run: prepares it, runs it, and settles its turn."""

    resolver: TurnResolver
    setup: RunSetup
    epochs: Epochs
    replies: Replies
    ends: RunEnds

    async def prepare(
        self,
        turn: Turn,
        work: Work,
        message: IncomingMessage,
        live: LiveReply,
        burst: Burst | None = None,
    ) -> Prepared:
        """The run of a message's sender, as contacts.yaml describes them now."""
        person = self.replies.people.contacts.sender_of(message)
        about = await self.resolver.resolve(work, message, person)
        burst = burst or Burst(message.sent_at)
        callbacks = self.replies.callbacks(turn, message, live, burst)
        prepared = await self.setup.prepare(turn, about, callbacks, burst)
        run = prepared.run
        narrator = Narrator(live.show, _language(message, run))
        seen = unseen_by_others(narrator.show, run.record, message)
        send = self.replies.narrowed(run.callbacks.send, turn, message, run.record)
        run.callbacks = replace(run.callbacks, live=seen, send=send)
        return prepared

    async def finish(
        self,
        turn: Turn,
        message: IncomingMessage,
        prepared: Prepared,
        words: Sequence[StoredBlock],
        live: LiveReply,
        due: DueWork | None = None,
    ) -> None:
        """Run it with these words, and settle the turn."""
        prepared, outcome = await self.epochs.run(turn, prepared, words)
        await self.ends.settle(turn, message, prepared, outcome, live, due)


def _language(message: IncomingMessage, run: Run) -> Language:
    """For its person: that of what they typed in this conversation, the newest first."""
    typed = (
        stored.typed
        for said in reversed(run.history.messages)
        for stored in said.blocks
        if stored.typed and stored.origin.trust is Trust.PERSON
    )
    return language_for(message, typed)


def visible(outcome: LoopOutcome, run: Run, ref: str, language: Language = Language.EN) -> str:
    """The text for the person at the end.

    Empty when there is nothing to say, or when the answer only repeats the last `send`.
    """
    match outcome:
        case Answered(_, status) if status == SILENT:
            return ""
        case Answered(text, _, follow_up) if follow_up and follow_up.strip() not in text:
            return f"{text}\n\n{sentences.follow_up(follow_up, language)}"
        case Answered(text):
            return "" if run.record.sent and run.record.sent[-1].strip() == text.strip() else text
        case Stopped():
            return sentences.stopped(outcome, language)
        case Failed():
            why = (run.context.session_id, outcome.kind, outcome.reason)
            log.warning("session=<%s>, kind=<%s>, reason=<%s> | no answer", *why)
            return sentences.failure(outcome, ref, runs_me=_runs_me(run), language=language)
        case _:
            assert_never(outcome)


def _runs_me(run: Run) -> bool:
    return run.scope.person.role is Role.MASTER_ADMIN


def status_of(outcome: LoopOutcome) -> tuple[CycleStatus, str | None]:
    match outcome:
        case Answered():
            return CycleStatus.COMPLETE, None
        case Stopped():
            return CycleStatus.ABANDONED, "stopped by the person"
        case Failed():
            return CycleStatus.ERROR, outcome.reason
        case _:
            assert_never(outcome)
