"""TurnRunner: the engine runs it for every accepted turn; the last place before the person."""

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import assert_never

from bot.agents.delegation.background import BackgroundTask
from bot.domain.access import Role
from bot.domain.approvals import Approval, ApprovalState
from bot.domain.confinement import Confinement
from bot.domain.database import Unit
from bot.domain.messages import IncomingMessage
from bot.domain.sessions import StoredBlock
from bot.domain.step_keys import ANSWER, APOLOGY, StepKind, step_key
from bot.domain.tools import ToolCall
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
    load_work,
)
from bot.errors import UnreadableWork
from bot.sessions.approvals.decisions import (
    Decisions,
    decided_words,
    extended_words,
    planned_words,
    what_to_do,
)
from bot.sessions.approvals.strangers import StrangersAsked
from bot.sessions.commands.commands import Commands
from bot.sessions.house import House
from bot.sessions.opening.opening import said_blocks
from bot.sessions.people.pairing import PAIR
from bot.sessions.records.conversation_store import NewMessage, author_trust, message_write
from bot.sessions.records.envelope import incoming_from_json, message_of
from bot.sessions.run.epochs import Epochs
from bot.sessions.run.setup import Burst, Prepared, RunSetup
from bot.sessions.turn.damaged import tell_of_damage
from bot.sessions.turn.replies import NobodyWatches, Replies
from bot.sessions.turn.run_ends import PAUSED, RunEnds
from bot.sessions.unattended.delegated import Delegated
from bot.sessions.unattended.due_work import DueWork, as_of_now
from bot.sessions.unattended.reminders import Reminders
from bot.sessions.unattended.scheduled import Scheduled
from bot.sessions.unattended.todo_runs import TodoRuns
from bot.sessions.unattended.triggered import Triggered
from bot.sessions.wording import sentences
from bot.tools.budget.extending import EXTEND_BUDGET
from bot.tools.permission.plans import PLAN_CALLS
from bot.turns.schedules import store as ledger

log = logging.getLogger(__name__)

GIVEN_UP_CHARS = 500
MESSAGE_CHARS = 50_000
"""The longest message that a turn reads whole."""
_NOTICE = step_key(StepKind.SEND, "notice")


class TurnRunner:
    """Runs turns: people's messages, their commands, and calls that somebody approved."""

    def __init__(
        self,
        house: House,
        commands: Commands,
        decisions: Decisions,
        ran: Callable[[str], None] = lambda _session: None,
    ) -> None:
        """`ran` is called with the session of each turn that has run."""
        self._house = house
        self._ran = ran
        self._commands = commands
        self._decisions = decisions
        self._setup = RunSetup(house)
        self._replies = Replies(house)
        self._ends = RunEnds(house, self._replies)
        self._epochs = Epochs(house, self._setup)
        self._scheduled, self._todos = Scheduled(house, self._setup), TodoRuns(house, self._setup)
        self._triggered = Triggered(house, self._setup)
        self._delegated = Delegated(house, self._setup)
        self._strangers = StrangersAsked(
            house, self._replies.places, self._replies.post, self._replies.say
        )
        self._reminders = Reminders(house)

    async def run_turn(self, turn: Turn) -> None:
        """Implements domain.turns.RunTurn.

        Its question may be over when it resumes, and is over when it was stopped.
        """
        self._house.cards.look(turn.ref)
        try:
            if self._house.changes.shared:
                await self._house.changes.catch_up()
            await self._run(turn)
        finally:
            self._house.cards.look(turn.ref)
            self._ran(turn.session)

    async def _run(self, turn: Turn) -> None:  # noqa: C901 - one case for each kind of work
        work = load_work(turn.body)
        message = incoming_from_json(work.envelope)
        match work:
            case MessageWork():
                await self._converse(turn, message)
            case SkillWork():
                await self._converse(turn, message, work)
            case ControlWork():
                await self._commands.run(turn, work, message)
            case DecisionWork():
                await self._decided(turn, work, message)
            case CompactionWork():
                await self._compact(turn, message)
            case InterviewWork():
                await self._new_skill(turn, work, message)
            case ScheduleWork() | TodoWork() | TriggerWork():
                await self._run_due(turn, work)
            case ReminderWork():
                await self._reminders.ring(turn, work)
            case StrangerWork():
                if not await self._strangers.ask_about(turn, work, message):
                    await self._converse(turn, message)
            case DelegationWork():
                await self._run_delegated(turn, work)
            case _:
                assert_never(work)

    async def apologise(self, turn: Turn, reason: str) -> None:
        """Implements domain.turns.Apologise: give the turn up, and tell the person a reference.

        If the answer was sent and only later work failed, it stays silent: nobody is answered
        twice.
        """
        log.error(
            "session=<%s>, turn=<%s>, reason=<%s> | gave up on a turn",
            turn.session,
            turn.ref,
            reason,
        )
        message = message_of(turn.body)
        if message is None:
            await tell_of_damage(self._house, turn)
            return
        try:
            work = load_work(turn.body)
        except UnreadableWork:
            await self._replies.say(turn, APOLOGY, message, sentences.unknown_work(turn.ref))
            return
        ended, told = await self._given_up(turn, work, reason)
        if told:
            await self._replies.say(turn, PAUSED, message, told)
        if await self._house.outbox.was_sent(turn, ANSWER, message.reply_to):
            turn.keep_joined()
            if ended:
                await turn.finish(ended)
            return
        # The view takes over the draft of an ended process.
        live = await self._replies.live(turn, message)
        try:
            await self._replies.say(turn, APOLOGY, message, sentences.apology(turn.ref), live)
        finally:
            await live.close()
        await self._remember_giving_up(turn, message, ended)

    async def _given_up(self, turn: Turn, work: Work, reason: str) -> tuple[Unit, str]:
        """The records at the end of due work, and the extra notice to its owner."""
        match work:
            case ScheduleWork() | TodoWork() | TriggerWork():
                due = await self._due_work(turn, work)
                return (self._skipped(turn), "") if due is None else due.given_up(turn, reason)
            case ReminderWork():
                return await self._reminders.given_up(turn, work, reason), ""
            case DelegationWork():
                return Unit(), sentences.background_given_up(BackgroundTask.from_work(work))
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
                return await self._scheduled.due(turn, work)
            case TodoWork():
                return await self._todos.due(turn, work)
            case TriggerWork():
                return await self._triggered.due(turn, work)
            case _:
                assert_never(work)

    async def _remember_giving_up(self, turn: Turn, message: IncomingMessage, ended: Unit) -> None:
        """The request and the answer to its person, visible to the next turn there."""
        person, target = self._house.person(message), message.reply_to
        if target.ephemeral_to is not None:
            await turn.finish(ended)
            return
        asked = " ".join(message.text.split())[:GIVEN_UP_CHARS]
        row = NewMessage(
            key=f"given-up:{turn.ref}",
            conversation=target.conversation.key,
            author=f"agent:{self._house.rules.default_agent}",
            author_name="you",
            trust=author_trust(person, is_bot=False),
            text=(
                f"(I gave up on “{asked}” of {person.id}, and told them: "
                f"{sentences.apology(turn.ref)})"
            ),
            at=self._house.clock.now(),
        )
        await turn.finish(Unit.of(message_write(row)) + ended)

    # --- one message ---

    async def _converse(
        self, turn: Turn, message: IncomingMessage, skill: SkillWork | None = None
    ) -> None:
        person = self._house.person(message)
        if person.role is Role.BANNED:
            return
        if not message.text.strip() and not message.attachments and not message.quoted:
            await self._replies.say(turn, ANSWER, message, sentences.EMPTY_MESSAGE)
            return
        if len(message.text) > MESSAGE_CHARS:
            await self._replies.say(
                turn, ANSWER, message, sentences.too_long(len(message.text), MESSAGE_CHARS)
            )
            return
        live = await self._replies.live(turn, message)
        try:
            files = await self._setup.files(turn, message)
            words = said_blocks(message, person, self._house.author(message))
            burst = Burst(message)
            if skill is None and (
                not turn.done(step_key(StepKind.OPEN)) or turn.done(step_key(StepKind.STEER, 0))
            ):
                words += await self._setup.lines(turn, 0, burst)
            limits: Confinement | None = None
            if skill is not None:
                found = await self._commands.skill_turns.words(turn, skill, message, person)
                if found is None:
                    await self._replies.say(turn, ANSWER, message, sentences.skill_gone(skill.name))
                    return
                words += found.blocks
                limits = found.limits
            prepared = await self._setup.prepare(
                turn, message, self._replies.callbacks(turn, message, live), burst
            )
            if limits is not None:
                prepared.run.confine(limits)
            said = [*words, *files]
            prepared, outcome = await self._epochs.run(turn, prepared, said)
            await self._ends.settle(turn, message, prepared, outcome, live)
        finally:
            await live.close()

    async def _decided(self, turn: Turn, work: DecisionWork, message: IncomingMessage) -> None:
        """After a decision on a stored call: run it or not, and let the agent tell the person."""
        approval = await self._house.approvals.get(work.ref)
        if approval is None or self._house.person(message).role is Role.BANNED:
            return
        if approval.tool == PAIR:
            waited = await self._house.pairing.waiting(message)
            if waited is not None and approval.state is not ApprovalState.REJECTED:
                await self._converse(turn, waited)
            return
        if approval.tool == EXTEND_BUDGET and approval.state is ApprovalState.REJECTED:
            await self._replies.say(turn, ANSWER, message, sentences.NOT_EXTENDED)
            return
        live = await self._replies.live(turn, message)
        try:
            prepared = await self._setup.prepare(
                turn, message, self._replies.callbacks(turn, message, live)
            )
            said = [await self._outcome_words(turn, work, approval, prepared)]
            prepared = replace(prepared, note=f"{prepared.note} {what_to_do(approval)}")
            prepared, outcome = await self._epochs.run(turn, prepared, said)
            await self._ends.settle(turn, message, prepared, outcome, live)
        finally:
            await live.close()

    async def _run_due(self, turn: Turn, work: ScheduleWork | TodoWork | TriggerWork) -> None:
        """Run due work as its owner, with their current role, and nobody present to ask."""
        due = await self._due_work(turn, work)
        if due is None:
            await turn.finish(self._skipped(turn))
            return
        if why := await due.refusal():
            if due.person.role is not Role.BANNED and (told := due.refused_words(why)):
                await self._replies.say(turn, ANSWER, due.home, told)
            await turn.finish(due.skipped_unit(turn, why))
            return
        if (notice := due.notice()) is not None:
            await self._replies.say(turn, _NOTICE, *notice)

        async def begin() -> Recorded:
            return Recorded({}, due.begun_unit(turn))

        await turn.step(step_key(StepKind.BEGIN), begin)
        live = NobodyWatches()
        prepared = await self._setup.prepare(
            turn, due.message, self._replies.callbacks(turn, due.message, live)
        )
        prepared, outcome = await self._epochs.run(turn, prepared, due.words)
        await self._ends.settle(turn, due.message, prepared, outcome, live, due)

    async def _run_delegated(self, turn: Turn, work: DelegationWork) -> None:
        """Run a background agent; its answer always goes to the place where it was started."""
        house = self._house
        message = (await as_of_now(house.contacts, house.adapters, work.envelope)).message
        finished = await self._delegated.run(
            turn, work, message, self._replies.callbacks(turn, message, NobodyWatches())
        )
        if finished is None:
            return
        sending = replace(self._replies.sending(message, finished.text), agent=work.agent)
        sending = replace(sending, message=replace(sending.message, failed=finished.failed))
        await self._replies.post(turn, ANSWER, sending, finished.trust)
        await turn.finish(finished.unit)

    def _skipped(self, turn: Turn) -> Unit:
        now = self._house.clock.now()
        return Unit.of(ledger.ended(turn.id, "skipped", "it was taken away", now, posted=False))

    async def _compact(self, turn: Turn, message: IncomingMessage) -> None:
        """`/compact`, queued in its session, so that no turn runs meanwhile."""
        if self._house.person(message).role is Role.BANNED:
            return
        live = await self._replies.live(turn, message)
        try:
            text, unit = await self._epochs.on_demand(
                turn, message, self._replies.callbacks(turn, message, live)
            )
            await self._replies.say(turn, ANSWER, message, text, live)
            await turn.finish(unit)
        finally:
            await live.close()

    async def _new_skill(self, turn: Turn, work: InterviewWork, message: IncomingMessage) -> None:
        """`/skill new`, queued in its session: the person's next message is the answer."""
        if self._house.person(message).role is not Role.BANNED:
            await self._replies.say(
                turn, ANSWER, message, await self._commands.interview(turn, work, message)
            )

    async def _outcome_words(
        self, turn: Turn, work: DecisionWork, approval: Approval, prepared: Prepared
    ) -> StoredBlock:
        if approval.state is ApprovalState.REJECTED:
            return decided_words(approval, "It was not run.", ran=False)
        if approval.tool == EXTEND_BUDGET:
            return extended_words(approval)
        if approval.tool == PLAN_CALLS:
            return planned_words(approval, work.lines or ())
        call = ToolCall(
            f"approved_{approval.ref}",
            approval.tool,
            approval.arguments,
            step_key(StepKind.TOOL, "0.0"),
        )
        run = self._setup.acting(prepared.run, approval.agent)
        result = await self._house.crew.pipeline.run_approved(run, turn, approval, call)
        return decided_words(
            approval, result.content, ran=not result.is_error, origin=result.origin
        )
