"""Agents as their files define them, and what a delegated agent gives back."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol, TypeVar

from bot.domain.access import Access
from bot.domain.confinement import Confinement
from bot.domain.models import ModelSize, Usage
from bot.domain.origins import Origin, Trust
from bot.domain.runs import RunShape
from bot.domain.tool_outcomes import FactSaved, RunNote
from bot.domain.turns import Turn


class RunsIn(StrEnum):
    """In which process an agent works."""

    AUTO = "auto"
    """In its own process if one is configured, else in this one."""
    PROCESS = "inprocess"
    """In this one, whatever is configured."""


@dataclass(frozen=True)
class AgentDefinition:
    """`prompts/agents/<name>.md`: front matter and the persona as body."""

    name: str
    description: str
    prompt: str
    folders: tuple[str, ...] = ()
    """Tool folders besides `shared` and its own name: `planner`, `subagents`, `mrtool`."""
    specialists: tuple[str, ...] = ()
    """Agents whose `agent_<name>` tool is always on for this one."""
    turns: int = 10
    """Model calls in one run."""
    max_tokens: int = 4096
    model: ModelSize = ModelSize.MAIN
    run_shape: RunShape | None = None
    """None: the kind of the caller's run. The researcher runs as `research`."""
    access: Access = Access()
    specialist: bool = True
    """Whether it can be called by others; the top-level assistant is not."""
    called_by: tuple[str, ...] = ()
    """The agents that may call it; empty: all."""
    listed: bool = True
    """Whether prompts list it; else a search finds it, and a call by its name works."""
    tools: tuple[str, ...] = ()
    """Tools that are unlocked from its first request on, if its person may use them."""
    skills: tuple[str, ...] = ()
    """The skills that its prompt lists; empty: all that apply to it."""
    keeps_memory: bool = True
    """Whether its conversations are summarised for memory."""
    runs_in: RunsIn = RunsIn.AUTO
    email: str | None = None
    source: Path | None = None
    words: tuple[str, ...] = ()
    """Phrases that people use for what it does (`words:`), for searches alone."""


@dataclass(frozen=True)
class AgentReply:
    """What a dispatched specialist gives its caller: one final text, or a reason."""

    text: str
    success: bool
    cycle_id: str
    tools_used: tuple[str, ...] = ()
    usage: Usage = Usage()
    broken: bool = False
    """The program that runs the agent failed, not the agent; the text already says so."""
    status: str = "resolved"
    """The agent's own verdict on its answer: resolved, partial or unresolved.

    Plans rely on it.
    """


@dataclass(frozen=True)
class Quoted:
    """A text that a brief shows, fenced and with its origin. `kind` says what it is."""

    kind: str
    text: str
    origin: Origin


@dataclass(frozen=True)
class Assignment:
    """A part of a larger work: what its agent gets in addition to the brief."""

    task: object
    """For the tools of that work, which made it."""
    alone: str
    """Why the agent hands nothing on to others, in words for it."""
    own: tuple[str, ...]
    """The tools of that work, with which the agent reports and ends: no limit holds for them, and
    it has no `finish_task`.
    """
    tools: tuple[str, ...] = ()
    """Tools unlocked in addition to those in its file, from any folder, within the role."""
    limits: tuple[Confinement, ...] = ()


@dataclass(frozen=True)
class Brief:
    """A request to a specialist."""

    instruction: str
    context: str = ""
    trust: Trust = Trust.OPERATOR
    """The origin of its least trusted part, if that is less trusted than the caller's words."""
    quoted: tuple[Quoted, ...] = ()
    """Shown before the brief itself."""
    assignment: Assignment | None = None

    def user_message(self) -> str:
        """`Context: …`, a blank line, `Instruction: …`; without a context the bare instruction."""
        if not self.context:
            return self.instruction
        return f"Context: {self.context}\n\nInstruction: {self.instruction}"


@dataclass(frozen=True)
class SpecialistReply:
    """A specialist's reply and the facts that it found, which are merged even if it failed."""

    reply: AgentReply
    facts: tuple[FactSaved, ...] = ()
    trust: Trust = Trust.OPERATOR
    """The origin of the least trusted text that it read; its reply is trusted no more."""
    notes: tuple[RunNote, ...] = ()
    for_asker: bool = False
    """It has read what is its person's alone."""


Caller_contra = TypeVar("Caller_contra", contravariant=True)


class Runner(Protocol[Caller_contra]):
    """Runs a specialist, in this process or in one of its own, and returns the same shape.

    `turn` is scoped to the call, so that an interrupted run resumes. Raises what the loop raises.
    """

    async def run(
        self, agent: AgentDefinition, brief: Brief, caller: Caller_contra, turn: Turn
    ) -> SpecialistReply: ...
