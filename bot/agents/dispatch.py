"""Delegation: `agent_<name>` (seed 4) and call_agent (seed 1) are one engine (ruling 6).

The caller gets one final text or one reason; steps, stop reasons and tokens stay in the cycle log.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.agents.arguments import AgentArguments, CallAgentArguments, arguments_of
from bot.agents.cycle_events import CycleKey
from bot.agents.cycle_log import CycleLog
from bot.agents.notes import quote, system_note, text_block
from bot.agents.prompt import FrozenPrefix, PromptBuilder
from bot.agents.registry import AgentRegistry, agent_tool
from bot.agents.run import Answered, Budget, Failed, LoopOutcome, Run, Stopped
from bot.domain.access import Role
from bot.domain.agents import AgentDefinition, AgentReply
from bot.domain.clock import Clock
from bot.domain.cycles import CycleStatus
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust
from bot.domain.runs import RunKind
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.tools import FactSaved, ToolContext, ToolDefinition, ToolOutcome, ToolResult, ToolScope
from bot.domain.turns import Recorded, Turn
from bot.tools.toolset import Toolset

MAX_DEPTH = 3
INSTRUCTION_CHARS = 200


@dataclass(frozen=True)
class Brief:
    """What a specialist is asked: the instruction becomes its user message, with the context prepended."""

    instruction: str
    context: str = ""

    def user_message(self) -> str:
        """Exactly seed 4: `Context: …`, a blank line, `Instruction: …`; without context the bare instruction."""
        if not self.context:
            return self.instruction
        return f"Context: {self.context}\n\nInstruction: {self.instruction}"


class Runner(Protocol):
    """Runs a specialist: in this process, or (later) as a child process; the reply has the same shape."""

    async def run(self, agent: AgentDefinition, brief: Brief, caller: Run, turn: Turn) -> "Delivered": ...


@dataclass(frozen=True)
class Delivered:
    """A specialist's reply and the facts that it found, which merge back even when it failed."""

    reply: AgentReply
    facts: tuple[FactSaved, ...] = ()
    trust: Trust = Trust.OPERATOR
    """Of the least trusted text that it read: its reply is no better (ruling 9)."""


class Dispatch:
    """The handlers of call_agent and of every `agent_<name>`.

    `runner` is asked for at each call: a runner runs the loop, and the loop runs these handlers.
    """

    def __init__(self, agents: AgentRegistry, runner: Callable[[], Runner], depth: int = MAX_DEPTH) -> None:
        self._agents = agents
        self._runner = runner
        self._depth = depth

    async def agent_tool(self, run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
        given = arguments_of(AgentArguments, context.call)
        name = context.call.name.removeprefix("agent_")
        return await self._dispatch(name, Brief(given.instruction, given.context), run, turn, context)

    async def call_agent(self, run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
        given = arguments_of(CallAgentArguments, context.call)
        return await self._dispatch(given.agent, Brief(given.task, given.context), run, turn, context)

    async def _dispatch(self, name: str, brief: Brief, run: Run, turn: Turn, context: ToolContext) -> ToolOutcome:
        if not brief.instruction:
            return _error(name, "the instruction is blank; say what to do")
        agent = self._agents.get(name)
        open_agents = [item for item in self._agents.callable_by(context.person.role) if _is_open(item, run)]
        if agent is None or not agent.specialist or agent not in open_agents:
            known = ", ".join(item.name for item in open_agents) or "none"
            return _error(name, f"there is no such agent for you; callable agents: {known}")
        if run.depth + 1 > self._depth:
            return _error(name, f"delegation is at its deepest level ({self._depth}); do it yourself")
        delivered = await self._runner().run(agent, brief, run, turn.scope(context.call.key))
        run.budget.used += delivered.reply.usage
        reply = delivered.reply
        origin = Origin(max(context.origin.trust, delivered.trust), f"agent:{name}")
        if not reply.success:
            return replace(_error(name, reply.text), effects=delivered.facts, origin=origin)
        return ToolResult(
            reply.text,
            effects=delivered.facts,
            origin=origin,
            private=run.private,
        )


def _is_open(agent: AgentDefinition, run: Run) -> bool:
    """Whether no rule closes the agent: a rule about `agent_<name>` holds for call_agent, too."""
    return run.toolset.objection(agent_tool(agent), run.live_scope()) is None


def _error(name: str, reason: str) -> ToolResult:
    return ToolResult(f"agent_{name}: {reason}", is_error=True)


class Loop(Protocol):
    async def run(self, run: Run, turn: Turn) -> LoopOutcome: ...


ComposeToolset = Callable[[AgentDefinition, ToolScope], Toolset]
"""Builds the toolset of an agent for a scope, its delegation tools included."""


class InProcessRunner:
    """Runs a specialist's loop here, under the caller's journal scope, so that a crash resumes it where it was."""

    def __init__(
        self, loop: Loop, prompts: PromptBuilder, compose: ComposeToolset, cycle_log: CycleLog, clock: Clock
    ) -> None:
        self._loop = loop
        self._prompts = prompts
        self._compose = compose
        self._log = cycle_log
        self._clock = clock

    async def run(self, agent: AgentDefinition, brief: Brief, caller: Run, turn: Turn) -> Delivered:
        child = await self._open(agent, brief, caller, turn)
        outcome = await self._loop.run(child, turn)
        reply = _reply(agent, outcome, child)
        await self._close(child, turn, reply)
        found = tuple(FactSaved(fact) for key, fact in child.facts.items() if caller.facts.get(key) != fact)
        return Delivered(reply, found, child.origin.trust)

    async def _open(self, agent: AgentDefinition, brief: Brief, caller: Run, turn: Turn) -> Run:
        scope = replace(
            caller.scope,
            agent=agent.name,
            run=RunKind(agent.run_shape or caller.scope.run.shape, caller.scope.run.event),
            folders=agent.folders,
            specialists=agent.specialists,
            agent_email=agent.email,
            depth=caller.depth + 1,
            active_tools=frozenset(),  # a manifest is its agent's alone; what it limits holds for who works for it, too
        )
        toolset = self._compose(agent, scope)
        child = Run(
            agent=agent,
            scope=scope,
            toolset=toolset,
            system=(),
            tools=(),
            history=[],
            facts=caller.facts.snapshot(),
            session_id=caller.session_id,
            conversation=caller.conversation,
            private=caller.private,
            cycle=self._log.cycle(
                CycleKey(
                    turn.id,
                    caller.session_id,
                    caller.person.id,
                    agent.name,
                    turn.prefix,
                    caller.cycle.id,
                    caller.cycle.key.learned,
                )
            ),
            budget=Budget(calls=agent.turns),
            send=caller.send,
            live=caller.live,
            person_now=caller.person_now,
            timezone=caller.timezone,
            depth=caller.depth + 1,
            spending=caller.spending,
            begun=caller.begun,
            envelope=caller.envelope,
            on_approval=caller.on_approval,
            on_rescheduled=caller.on_rescheduled,
            above=caller.provenance,
            budgets=caller.budgets,
            schedule=caller.schedule,
        )

        async def freeze() -> Recorded:
            prefix = await self._prompts.build_system_prompt(agent, scope, toolset)
            begun = child.cycle.start(brief.instruction[:INSTRUCTION_CHARS])
            value = {"system": list(prefix.system), "tools": list(prefix.tools), "note": self._note(caller)}
            return Recorded(value, self._log.unit([begun]))

        frozen = await turn.step("open", freeze)
        prefix = FrozenPrefix(tuple(frozen["system"]), tuple(frozen["tools"]))
        child.system, child.tools = prefix.system, prefix.tools
        # A run that an earlier version opened has no note.
        child.append(_opening(brief, caller, frozen.get("note", "")))
        return child

    def _note(self, caller: Run) -> str:
        try:
            zone = ZoneInfo(caller.timezone)
        except (ZoneInfoNotFoundError, ValueError):
            zone = ZoneInfo("UTC")
        local = self._clock.now().astimezone(zone)
        return f"Local time {local:%Y-%m-%d %H:%M} {local:%z} ({zone.key}, {local:%A})."

    async def _close(self, child: Run, turn: Turn, reply: AgentReply) -> None:
        async def complete() -> Recorded:
            status = CycleStatus.COMPLETE if reply.success else CycleStatus.ERROR
            error = None if reply.success else reply.text
            ms = round((self._clock.monotonic() - child.budget.started) * 1000)
            ended = child.cycle.complete(status, text=reply.text, error=error, usage=reply.usage, ms=ms)
            return Recorded(None, self._log.unit([ended]))

        await turn.step("close", complete)


def _opening(brief: Brief, caller: Run, note: str) -> TranscriptMessage:
    blocks = [system_note(note)] if note else []
    facts = caller.facts
    if facts:
        worst = max((fact.origin for fact in facts.values()), key=lambda origin: origin.trust)
        private = any(fact.private for fact in facts.values())
        blocks.append(quote("known facts", caller.facts.render(), worst, private=private))
    blocks.append(StoredBlock(text_block(brief.user_message()), caller.origin, caller.private))
    return TranscriptMessage("user", tuple(blocks))


def _reply(agent: AgentDefinition, outcome: LoopOutcome, child: Run) -> AgentReply:
    match outcome:
        case Answered(text):
            success, final = bool(text), text or "ended without a final reply"
        case Stopped():
            success, final = False, "stopped by the person"
        case Failed() if outcome.model_kind:
            success, final = False, f"agent: {outcome.errors} consecutive LLM errors (last: {outcome.reason})"
        case Failed():
            success, final = False, f"agent: {outcome.reason}"
    return AgentReply(final, success, child.cycle.id, tuple(child.tools_used), child.budget.used or Usage())


def delegation_tools(agents: AgentRegistry, agent: AgentDefinition, role: Role) -> tuple[ToolDefinition, ...]:
    """The generated `agent_<name>` definitions that this agent may know of; it never calls itself."""
    return tuple(agent_tool(other) for other in agents.callable_by(role) if other.name != agent.name)
