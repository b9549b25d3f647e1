"""Background agents: the run of one, and the message to its person at the end."""

import asyncio
import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from bot.agents.cycle_log.events import CycleKey, Cycles
from bot.agents.delegation.background import BackgroundTask
from bot.agents.delegation.dispatch import Dispatch
from bot.agents.loop.history import History
from bot.agents.loop.run import Budget, Callbacks, Run, RunContext
from bot.clock import cut_off_by
from bot.domain.access import Role
from bot.domain.agents import AgentDefinition
from bot.domain.clock import Clock
from bot.domain.database import Unit
from bot.domain.messages import IncomingMessage
from bot.domain.origins import Origin, Trust, escape
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import FactSaved, ForAsker, ToolResult
from bot.domain.turns import Turn
from bot.domain.work import DelegationWork
from bot.memory.facts import KnownFacts
from bot.memory.facts_store import FactsStore
from bot.sessions.records.session_store import Sessions
from bot.sessions.run.circumstances import TurnResolver, limits_of
from bot.sessions.run.opening_step import said_blocks
from bot.sessions.wording import sentences
from bot.sessions.wording.languages import language_for
from bot.tools.budget.budgets import Payer

log = logging.getLogger(__name__)

WORK = step_key(StepKind.AGENT)
"""The journal scope in which the agent itself works."""


@dataclass(frozen=True)
class Finished:
    """The text for its person, as trusted as the agent's sources, and the facts it found."""

    text: str
    trust: Trust
    failed: bool = False
    unit: Unit = Unit()
    for_asker: bool = False
    """It is its person's alone."""


@dataclass(frozen=True)
class Delegated:
    """Runs tasks in the background. Their results are posted by the caller of `run`."""

    resolver: TurnResolver
    dispatch: Dispatch
    sessions: Sessions
    facts: FactsStore
    cycles: Cycles
    clock: Clock
    turn_s: float

    async def run(
        self, turn: Turn, work: DelegationWork, message: IncomingMessage, callbacks: Callbacks
    ) -> Finished | None:
        """Do the work, or resume it after a crash.

        None: its person may no longer be answered.
        """
        task, language = BackgroundTask.from_work(work), language_for(message)
        if self.resolver.people.contacts.sender_of(message).role is Role.BANNED:
            return None
        caller = self.resolver.agents.get(task.caller)
        if caller is None:
            gone = f"agent {task.caller}, which called it, is gone"
            told = sentences.background_failed(task, gone, turn.ref, language)
            return Finished(told, Trust.MEMBER, failed=True)
        run = await self._caller(turn, work, message, callbacks, caller)
        outcome = await self._in_time(turn, task, run)
        match outcome:
            case ToolResult(is_error=False):
                text, failed = sentences.background_done(task, outcome.content, language), False
            case ToolResult():
                log.warning(
                    "agent=<%s>, ref=<%s>, reason=<%s> | no answer",
                    task.agent,
                    task.ref,
                    outcome.content,
                )
                text = sentences.background_failed(task, outcome.content, turn.ref, language)
                failed = True
            case None:
                return Finished(sentences.background_stopped(task, language), Trust.MEMBER)
            case _:
                assert_never(outcome)
        facts, alone = await self._facts(task, outcome), ForAsker() in outcome.effects
        return Finished(text, outcome.origin.trust, failed, facts, alone)

    async def _in_time(self, turn: Turn, task: BackgroundTask, run: Run) -> ToolResult | None:
        """The agent's reply, or the failure; None when somebody stopped it."""
        try:
            with turn.stoppable():
                async with cut_off_by(partial(self.clock.after, self.turn_s)):
                    result = await self.dispatch.perform(
                        task.agent, task.brief, run, turn.scope(WORK)
                    )
        except TimeoutError:
            minutes = f"{self.turn_s / 60:g}"
            return ToolResult(
                f"agent_{task.agent}: not done after {minutes} minutes", is_error=True
            )
        except asyncio.CancelledError:
            here = asyncio.current_task()
            if not turn.stop_requested or here is None:
                raise
            here.uncancel()
            return None
        return None if result.is_error and turn.stop_requested else result

    async def _caller(
        self,
        turn: Turn,
        work: DelegationWork,
        message: IncomingMessage,
        callbacks: Callbacks,
        agent: AgentDefinition,
    ) -> Run:
        """A stand-in for the ended calling run: its rights, facts and words, and its person."""
        task = BackgroundTask.from_work(work)
        contacts = self.resolver.people.contacts
        person = contacts.sender_of(message)
        words = TranscriptMessage("user", tuple(said_blocks(message, person, contacts.seen_in)))
        read = StoredBlock(
            text_block(escape(task.brief.user_message())),
            Origin(task.trust, f"agent:{task.caller}"),
        )
        rank = min(person.role, task.role, key=lambda role: role.rank)
        location = await self.resolver.locate(message, person)
        asker = replace(person, role=rank)
        scope = self.resolver.scope(asker, agent, message, location, task.run)
        scope = replace(scope, depth=task.depth, confinements=limits_of(work))
        cycle, step = task.cycle
        key = CycleKey(cycle, task.session_id, person.id, agent.name, step, learned=task.learned)
        limits = self.resolver.rights.at(location).limits
        return Run(
            agent=agent,
            scope=scope,
            toolset=self.resolver.compose(agent, scope),
            history=History(messages=[words, TranscriptMessage("assistant", (read,))]),
            facts=KnownFacts(task.facts),
            context=RunContext(
                task.session_id,
                message.conversation,
                message.private,
                self.resolver.people.zone(person),
                Payer.of(scope.person, message.conversation, limits),
                work.envelope,
            ),
            callbacks=callbacks.for_specialist(),
            cycle=self.cycles.of(key),
            budget=Budget(calls=agent.turns),
        )

    async def _facts(self, task: BackgroundTask, result: ToolResult) -> Unit:
        """The facts it found, stored in the session that called it, if that is still open."""
        found = [effect.fact for effect in result.effects if isinstance(effect, FactSaved)]
        stored = await self.sessions.load(task.session_id)
        if not found or stored is None or stored.state != "open":
            return Unit()
        facts = await self.facts.load(task.session_id)
        for fact in found:
            facts.save(fact)
        return self.facts.save_unit(task.session_id, facts, [fact.key for fact in found])
