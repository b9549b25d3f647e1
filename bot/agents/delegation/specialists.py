"""Runs of specialists: their opening by a caller, and the result that remains."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.agents.cycle_log.store import events_unit
from bot.agents.loop.history import History
from bot.agents.loop.loop import ReactLoop
from bot.agents.loop.outcomes import Answered, Failed, LoopOutcome, Stopped
from bot.agents.loop.run import Budget, Run, RunRecord
from bot.agents.prompt.notes import quote, system_note
from bot.agents.prompt.system_prompt import FrozenPrefix, PromptBuilder
from bot.domain.agents import AgentDefinition, AgentReply, Brief, SpecialistReply
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent, CycleStatus
from bot.domain.database import Unit
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust, escape
from bot.domain.runs import RunKind
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import FactSaved
from bot.domain.turns import Recorded, Turn
from bot.tools.toolset.toolset import Toolset

INSTRUCTION_CHARS = 200
NO_REPLY = "ended without a final reply"

ComposeToolset: TypeAlias = Callable[[AgentDefinition, ToolScope], Toolset]
"""Builds the toolset of an agent for a scope, its delegation tools included."""


@dataclass(frozen=True)
class Specialists:
    """Opens the run of a specialist under its caller's journal scope, and closes it.

    Both are steps.
    """

    prompts: PromptBuilder
    compose: ComposeToolset
    clock: Clock

    async def open(self, agent: AgentDefinition, brief: Brief, caller: Run, turn: Turn) -> Run:
        given = brief.assignment
        own = given.own if given else ()
        more = (*own, *given.tools) if given else ()
        scope = replace(
            caller.scope,
            agent=agent.name,
            run=RunKind(agent.run_shape or caller.scope.run.shape, caller.scope.run.event),
            folders=agent.folders,
            specialists=agent.specialists,
            tools=(*agent.tools, *more),
            agent_email=agent.email,
            depth=caller.scope.depth + 1,
            assigned=frozenset(own),
            # A manifest is its agent's alone; its limits hold for those who work for it.
            active_tools=frozenset(more),
            confinements=(*caller.scope.confinements, *(given.limits if given else ())),
        )
        toolset = self.compose(agent, scope)
        child = Run(
            agent=agent,
            scope=scope,
            toolset=toolset,
            history=History(),
            facts=caller.facts.snapshot(),
            context=caller.context,
            callbacks=caller.callbacks.for_specialist(),
            cycle=caller.cycle.below(agent.name, turn.id, turn.prefix),
            budget=Budget(calls=agent.turns),
            spending=caller.spending,
            begun=caller.begun,
            deeds=caller.deeds,
            above=caller.provenance,
            narrows_above=caller.narrow,
            assignment=given,
            record=RunRecord(for_asker=caller.record.for_asker),
        )

        async def freeze() -> Recorded:
            prefix = await self.prompts.build_system_prompt(agent, scope, toolset)
            begun = child.cycle.start(brief.instruction[:INSTRUCTION_CHARS])
            value = {
                "system": list(prefix.system),
                "tools": list(prefix.tools),
                "note": self._note(caller),
            }
            return Recorded(value, events_unit([begun]))

        frozen = await turn.step(step_key(StepKind.OPEN), freeze)
        prefix = FrozenPrefix(tuple(frozen["system"]), tuple(frozen["tools"]))
        child.history.system, child.history.tools = prefix.system, prefix.tools
        child.history.append(_opening(brief, caller, frozen["note"]))
        return child

    def judged(self, agent: str, caller: Run, turn: Turn, lacking: str) -> Unit:
        """The write that records whether an agent's work was accepted."""
        return events_unit([caller.cycle.below(agent, turn.id, turn.prefix).verification(lacking)])

    async def struck(self, agent: str, caller: Run, turn: Turn) -> None:
        """Record that the person struck an agent's work, after its run was cancelled.

        Does nothing if the run had not begun.
        """
        if not turn.done(step_key(StepKind.OPEN)):
            return

        async def end() -> Recorded:
            ended = caller.cycle.below(agent, turn.id, turn.prefix).complete(
                CycleStatus.ABANDONED, error="struck by the person"
            )
            return Recorded(None, events_unit([ended]))

        await turn.step(step_key(StepKind.STRUCK), end)

    def _note(self, caller: Run) -> str:
        try:
            zone = ZoneInfo(caller.context.timezone)
        except (ZoneInfoNotFoundError, ValueError):
            zone = ZoneInfo("UTC")
        local = self.clock.now().astimezone(zone)
        return f"Local time {local:%Y-%m-%d %H:%M} {local:%z} ({zone.key}, {local:%A})."

    async def close(
        self,
        child: Run,
        caller: Run,
        turn: Turn,
        reply: AgentReply,
        *,
        events: Sequence[CycleEvent] = (),
    ) -> SpecialistReply:
        """Record how it ended, and return the record: after a crash the first one counts."""

        async def complete() -> Recorded:
            status = CycleStatus.COMPLETE if reply.success else CycleStatus.ERROR
            error = None if reply.success else reply.text
            ms = round((self.clock.monotonic() - child.budget.started) * 1000)
            ended = child.cycle.complete(
                status, text=reply.text, error=error, usage=reply.usage, ms=ms
            )
            value = {
                "text": reply.text,
                "success": reply.success,
                "broken": reply.broken,
                "status": reply.status,
            }
            return Recorded(value, events_unit([*events, ended]))

        recorded = await turn.step(step_key(StepKind.CLOSE), complete)
        if recorded is not None:  # an earlier version stored nothing, or less
            reply = replace(reply, **cast("dict[str, Any]", recorded))
        found = tuple(
            FactSaved(fact) for key, fact in child.facts.items() if caller.facts.get(key) != fact
        )
        trust = child.origin.trust
        if child.provenance.described - caller.provenance.described:
            trust = max(trust, Trust.OUTSIDER)  # the caller's gate can't see those servers' words
        record = child.record
        return SpecialistReply(reply, found, trust, tuple(record.notes), record.for_asker)


class InProcessRunner:
    """Runs a specialist's loop in this process."""

    def __init__(self, specialists: Specialists, loop: ReactLoop) -> None:
        self._specialists = specialists
        self._loop = loop

    async def run(
        self, agent: AgentDefinition, brief: Brief, caller: Run, turn: Turn
    ) -> SpecialistReply:
        child = await self._specialists.open(agent, brief, caller, turn)
        outcome = await self._loop.run(child, turn)
        return await self._specialists.close(child, caller, turn, reply_of(child, *said(outcome)))


def _opening(brief: Brief, caller: Run, note: str) -> TranscriptMessage:
    blocks = [system_note(note)] if note else []
    facts = caller.facts
    if facts:
        worst = max((fact.origin for fact in facts.values()), key=lambda origin: origin.trust)
        private = any(fact.private for fact in facts.values())
        blocks.append(quote("known facts", caller.facts.render(), worst, private=private))
    blocks += [
        quote(one.kind, one.text, one.origin, private=caller.context.private)
        for one in brief.quoted
    ]
    origin = Origin(max(caller.origin.trust, brief.trust), caller.origin.source)
    blocks.append(
        StoredBlock(text_block(escape(brief.user_message())), origin, caller.context.private)
    )
    return TranscriptMessage("user", tuple(blocks))


def said(outcome: LoopOutcome) -> tuple[bool, str]:
    """Whether the agent succeeded, and the one text for its caller."""
    match outcome:
        case Answered(text):
            return bool(text), text or NO_REPLY
        case Stopped():
            return False, "stopped by the person"
        case Failed() if outcome.model_kind:
            return False, f"agent: {outcome.errors} consecutive LLM errors (last: {outcome.reason})"
        case Failed():
            return False, f"agent: {outcome.reason}"


def reply_of(child: Run, success: bool, text: str, *, broken: bool = False) -> AgentReply:
    used = child.budget.used or Usage()
    tools = tuple(child.record.tools_used)
    return AgentReply(
        text, success, child.cycle.id, tools, used, broken=broken, status=child.record.ended_as
    )
