"""One call of pm_spawn_ant or pm_run_batch, from its ants to the queen's report."""

import asyncio
from typing import cast

from bot.agents.loop.calls import narrowing
from bot.agents.loop.run import Run
from bot.agents.swarm.arguments import ANT_TOOLS
from bot.agents.swarm.briefs import quoted_discoveries, quoted_result
from bot.agents.swarm.ground import BatchGround
from bot.agents.swarm.reports import STRUCK, memory_lines, one_line, report
from bot.agents.swarm.session import Ants, SwarmSession
from bot.agents.swarm.swarms import SWARM, AntState, AntTask, Swarm
from bot.agents.swarm.worker import AntEnd, AntWork, ProjectWorkerSession
from bot.agents.swarm.workspace import MEMORY, Workspace
from bot.domain.agents import Assignment
from bot.domain.chat import PlanShown
from bot.domain.models import Usage
from bot.domain.origins import Origin, Trust
from bot.domain.plans import Plan, PlanTask, TaskNote, TaskState
from bot.domain.skills import SkillManifest
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_outcomes import RunNote, ToolResult
from bot.domain.turns import Recorded, Turn
from bot.errors import ToolError

ALONE = "an ant hands nothing on; do it yourself, or call ant_request_help"
_SHOWN = {
    AntState.WAITING: TaskState.PENDING,
    AntState.AT_WORK: TaskState.IN_PROGRESS,
    AntState.VERIFIED: TaskState.COMPLETED,
    AntState.FAILED: TaskState.FAILED,
    AntState.FAULTS: TaskState.FAILED,
    AntState.STRUCK: TaskState.PENDING,
}


class Batch:
    """One call of pm_spawn_ant or pm_run_batch: the findings and usage of its ants."""

    def __init__(
        self,
        ground: BatchGround,
        workspace: Workspace,
        run: Run,
        turn: Turn,
        swarm: Swarm,
        manifest: SkillManifest | None,
    ) -> None:
        self._ground = ground
        self._workspace = workspace
        self._run = run
        self._turn = turn
        self._swarm = swarm
        self._manifest = manifest
        self._used = Usage()
        self._notes: dict[str, TaskNote] = {}
        self._states: dict[str, AntState] = {}
        self._tasks: tuple[AntTask, ...] = ()
        self._ants: dict[str, ProjectWorkerSession] = {}
        plan = Plan(swarm.goal, ())
        self._running = ground.running.begin(turn.session, turn.id, turn.prefix, plan, grows=False)

    async def run(self, tasks: tuple[AntTask, ...], parallel: int) -> ToolResult:
        self._tasks = tasks
        spent = self._run.spending.nano_usd
        ants = Ants(self._begin, self._struck, self._show)
        session = SwarmSession(self._swarm, tasks, self._turn, ants, parallel, self._running)
        try:
            await session.run()
        finally:
            self._ground.running.end(self._running)
        ends, swarm = session.ends, session.swarm
        problem = await self._close(ends)
        waited = {task.id: _why(task, session) for task in tasks if task.id not in ends}
        text = report(tasks, ends, waited, swarm, self._used, self._run.spending.nano_usd - spent)
        facts = [fact for end in ends.values() for fact in end.facts]
        worst = max((end.origin.trust for end in ends.values()), default=Trust.OPERATOR)
        return ToolResult(
            f"{text}\n\n{problem}" if problem else text,
            is_error=not any(end.verified for end in ends.values()),
            origin=Origin(max(worst, self._run.origin.trust), "swarm"),
            private=self._run.context.private,
            effects=(*facts, RunNote(SWARM, swarm.to_json()), *narrowing(self._run)),
            summary=text.partition(". ")[0],
        )

    def _begin(
        self, task: AntTask, swarm: Swarm, ends: "dict[str, AntEnd]"
    ) -> "asyncio.Task[AntEnd]":
        for end in ends.values():
            for saved in end.facts:
                self._run.facts.save(saved.fact)
        quoted = (
            *quoted_discoveries(swarm.discoveries),
            *(
                quoted_result(one, ends[one].text, ends[one].origin)
                for one in task.depends_on
                if one in ends
            ),
        )
        manifest = self._manifest
        limits = (
            (manifest.confinement,)
            if manifest is not None and manifest.confinement is not None
            else ()
        )
        tools = (*ANT_TOOLS, *(manifest.required_tools if manifest is not None else ()))
        ground = self._ground
        work = AntWork(
            ground.deliver, ground.check, ground.specialists.judged, self._pay, self._note
        )
        ant = ProjectWorkerSession(
            task, swarm, self._run, self._turn, work, quoted, Assignment(task, ALONE, tools, limits)
        )
        self._ants[task.id] = ant
        return asyncio.create_task(ant.run(), name=f"ant {task.id}")

    async def _struck(self, task: AntTask) -> None:
        """Record the end of an ant's run that the person cut off."""
        ant = self._ants[task.id]
        if ant.tries:
            await self._ground.specialists.struck(task.kind.value, self._run, ant.scope(ant.tries))

    async def _close(self, ends: "dict[str, AntEnd]") -> str:
        """Store lessons and a snapshot of the project; returns the problems in words."""
        run, workspace = self._run, self._workspace

        async def close() -> Recorded:
            day = f"{self._ground.clock.now():%Y-%m-%d}"
            mark = f"{run.cycle.id[:8]} {self._swarm.begun}"
            try:
                await asyncio.to_thread(workspace.close_batch, memory_lines(ends, day, mark))
            except ToolError as error:
                return Recorded(f"{MEMORY} and the snapshot end were not written: {error}")
            return Recorded("")

        return cast("str", await self._turn.step(step_key(StepKind.CLOSE), close))

    def _pay(self, used: Usage) -> None:
        self._used += used
        self._run.budget.used += used

    def _note(self, ant: str, note: TaskNote) -> None:
        self._notes[ant] = note
        self._show(self._states)

    def _show(self, states: dict[str, AntState]) -> None:
        self._states = states
        tasks = tuple(
            PlanTask(
                task.id,
                f"{task.kind}: {one_line(task.task)}",
                task.depends_on,
                state=_SHOWN[states[task.id]],
                struck=states[task.id] is AntState.STRUCK,
                note=self._notes.get(task.id) if states[task.id] is AntState.AT_WORK else None,
            )
            for task in self._tasks
        )
        self._running.tasks = tasks
        self._running.plan = Plan(self._swarm.goal, tasks)
        self._run.callbacks.live(PlanShown(self._swarm.goal, tasks, grows=False))


def _why(task: AntTask, session: SwarmSession) -> str:
    """Why an ant did not begin."""
    if session.was_struck(task):
        return STRUCK
    if missing := session.waits_for(task):
        return f"it needs {', '.join(missing)}"
    return "the breaker opened"
