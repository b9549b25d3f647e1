"""For tools whose calls have agents work.

`Parts.agent_tools` makes them, as native tools that are `reserved` and `in_turn`. All that an
`AgentRun` does is a step below the call, named by a key that is unique in it: a run after a crash
repeats nothing that ended.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from bot.domain.access import Role
from bot.domain.agents import Assignment, Brief, Quoted
from bot.domain.database import Unit
from bot.domain.json_types import JsonObject, JsonValue
from bot.domain.origins import Origin, Trust, fenced
from bot.domain.plans import PlanTask, TaskActivity, TaskNote, TaskState, in_a_circle
from bot.domain.skills import SkillManifest
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import Effect, Finish, RunNote, ToolResult
from bot.domain.turns import Recorded, StepFunction


@dataclass(frozen=True)
class Worked:
    """How an agent's work ended: its one final text, or one reason."""

    text: str
    failed: bool
    passing: bool
    """Whether another try may help: it ran out of calls, or a server was away."""
    trust: Trust
    """The origin of the least trusted text that it read."""
    notes: tuple[RunNote, ...]


class Checklist(Protocol):
    """Tasks that the person sees while the call runs, and may strike."""

    def show(self, tasks: Sequence[PlanTask]) -> None:
        """Show the tasks as they are now."""
        ...

    async def wake(
        self, work: Mapping[str, "asyncio.Task[Any]"]
    ) -> tuple[Sequence[str], Sequence[str]]:
        """Wait until work ends or the person strikes a task; returns the ids of both.

        Without work it doesn't wait. A replay returns the same.
        """
        ...


class AgentRun(Protocol):
    """The run that called a tool, for this one call."""

    @property
    def task(self) -> object:
        """The task of its assignment; None if it has none."""
        ...

    @property
    def origin(self) -> Origin:
        """What the run writes now is trusted no more than this."""
        ...

    @property
    def effects(self) -> tuple[Effect, ...]:
        """What the result of the call has to carry of the work for it."""
        ...

    @property
    def cost(self) -> str:
        """What the work for this call has used, in a sentence."""
        ...

    def noted(self, subject: str) -> Sequence[JsonValue]:
        """The notes of its calls so far, the newest last."""
        ...

    async def step(self, key: str, fn: StepFunction) -> JsonValue:
        """Do something once and return its value, also in a run after a crash."""
        ...

    async def work(
        self, key: str, agent: str, brief: Brief, judge: Callable[[str], str | None]
    ) -> Worked:
        """Have an agent work; what it used is on the run's budget.

        `judge` says what the text of a success lacks, for the log of runs; None if `judged` will.
        An error that ends the turn passes through.
        """
        ...

    def judged(self, key: str, agent: str, lacking: str) -> Unit:
        """The write that records what an agent's work lacks; nothing if it is accepted."""
        ...

    async def struck(self, key: str, agent: str) -> None:
        """Record that the person struck an agent's work, after it was cancelled."""
        ...

    async def call(self, key: str, tool: str, arguments: JsonObject) -> ToolResult:
        """Call a tool as the run itself; an error where somebody would have to say yes.

        One that a crash cut off is called again.
        """
        ...

    def checklist(self, goal: str) -> AbstractContextManager[Checklist]:
        """Show tasks for this goal until the block ends."""
        ...


@dataclass(frozen=True)
class AgentGround:
    """What such tools are made from."""

    run_of: Callable[[ToolContext], AgentRun]
    """The run of a call."""
    manifests: Callable[[Role], Sequence[SkillManifest]]
    """The sets of tools that somebody with this role may activate."""
    projects: Path
    """The folder of all people's projects, for `bot.plugin.projects`."""
