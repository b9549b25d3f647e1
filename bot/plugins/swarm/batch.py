"""One call of pm_spawn_ant or pm_run_batch, from its ants to the queen's report."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import cast

from bot.plugin.agents import (
    AgentRun,
    Assignment,
    Checklist,
    PlanTask,
    Recorded,
    RunNote,
    SkillManifest,
    StepKind,
    TaskNote,
    TaskState,
    step_key,
)
from bot.plugin.tools import Origin, ToolContext, ToolError, ToolResult
from bot.plugins.swarm.arguments import ANT_TOOLS
from bot.plugins.swarm.reports import STRUCK, memory_lines, one_line, report
from bot.plugins.swarm.swarms import SWARM, AntState, AntTask, Swarm, ready
from bot.plugins.swarm.worker import AntEnd, ProjectWorkerSession, quoted_discoveries, quoted_result
from bot.plugins.swarm.workspace import MEMORY, Workspace

_SHOWN = {
    AntState.WAITING: TaskState.PENDING,
    AntState.AT_WORK: TaskState.IN_PROGRESS,
    AntState.VERIFIED: TaskState.COMPLETED,
    AntState.FAILED: TaskState.FAILED,
    AntState.FAULTS: TaskState.FAILED,
    AntState.STRUCK: TaskState.PENDING,
}


class SwarmSession:
    """One batch at work. The person sees the ants, and may strike them.

    Each ant starts when its dependencies are verified. Which had ended at each wake is a step, so
    that a run after a crash starts the same ants with the same briefs.
    """

    def __init__(
        self,
        run: AgentRun,
        swarm: Swarm,
        tasks: Sequence[AntTask],
        parallel: int,
        assign: Callable[[AntTask], Assignment],
    ) -> None:
        self.swarm = swarm
        self.ends: dict[str, AntEnd] = {}
        self._run = run
        self._tasks = {task.id: task for task in tasks}
        self._parallel = parallel
        self._assign = assign
        self._states = dict.fromkeys(self._tasks, AntState.WAITING)
        self._notes: dict[str, TaskNote] = {}
        self._ants: dict[str, ProjectWorkerSession] = {}
        self._work: dict[str, asyncio.Task[AntEnd]] = {}
        self._probing = swarm.broken and len(self._tasks) == 1

    async def run(self) -> None:
        """Run until no ant may begin any more; `ends` and `swarm` have the results.

        Raises what the loop raises.
        """
        with self._run.checklist(self.swarm.goal) as shown:
            try:
                while True:
                    self._begin_ready(shown)
                    ended, struck = await shown.wake(self._work)
                    for ant in struck:
                        await self._strike(ant)
                    for ant in ended:
                        if ant in self._work:
                            self._settle(await self._work.pop(ant))
                    if not (ended or struck or self._work):
                        break
            finally:
                for work in self._work.values():
                    work.cancel()
                if self._work:
                    await asyncio.wait(self._work.values())

    def not_begun(self) -> dict[str, str]:
        """Why each ant without an end has none."""
        return {
            task.id: self._why(task) for task in self._tasks.values() if task.id not in self.ends
        }

    def _why(self, task: AntTask) -> str:
        if self._states[task.id] is AntState.STRUCK:
            return STRUCK
        missing = [one for one in task.depends_on if not self._states[one].met]
        return f"it needs {', '.join(missing)}" if missing else "the breaker opened"

    def _begin_ready(self, shown: Checklist) -> None:
        if not self.swarm.broken or self._probing:
            free = max(0, self._parallel - len(self._work))
            for task in ready(tuple(self._tasks.values()), self._states)[:free]:
                self._begin(task, shown)
        self._show(shown)

    def _begin(self, task: AntTask, shown: Checklist) -> None:
        quoted = [
            quoted_result(one, self.ends[one].text, self.ends[one].origin)
            for one in task.depends_on
            if one in self.ends
        ]
        ant = ProjectWorkerSession(
            self._run,
            self.swarm,
            task,
            (*quoted_discoveries(self.swarm.discoveries), *quoted),
            self._assign(task),
            partial(self._note, shown, task.id),
        )
        self._ants[task.id] = ant
        self._states[task.id] = AntState.AT_WORK
        self._work[task.id] = asyncio.create_task(ant.run(), name=f"ant {task.id}")

    async def _strike(self, ant: str) -> None:
        """Remove an ant; a running one is cancelled."""
        if self._states.get(ant) not in {AntState.WAITING, AntState.AT_WORK}:
            return
        if (work := self._work.pop(ant, None)) is not None:
            work.cancel()
            await asyncio.wait([work])
            await self._ants[ant].struck()
        self._states[ant] = AntState.STRUCK

    def _settle(self, end: AntEnd) -> None:
        self.ends[end.task.id] = end
        failed = AntState.FAULTS if end.verified else AntState.FAILED
        self._states[end.task.id] = AntState.VERIFIED if end.accepted else failed
        self.swarm = self.swarm.ended(end.verified, end.discoveries)

    # --- what the person sees ---

    def _note(self, shown: Checklist, ant: str, note: TaskNote) -> None:
        self._notes[ant] = note
        self._show(shown)

    def _show(self, shown: Checklist) -> None:
        shown.show([self._shown(task) for task in self._tasks.values()])

    def _shown(self, task: AntTask) -> PlanTask:
        state = self._states[task.id]
        return PlanTask(
            task.id,
            f"{task.kind}: {one_line(task.task)}",
            task.depends_on,
            state=_SHOWN[state],
            struck=state is AntState.STRUCK,
            note=self._notes.get(task.id) if state is AntState.AT_WORK else None,
        )


ALONE = "an ant hands nothing on; do it yourself, or call ant_request_help"


async def run_batch(
    context: ToolContext,
    run: AgentRun,
    workspace: Workspace,
    swarm: Swarm,
    tasks: Sequence[AntTask],
    parallel: int,
    manifest: SkillManifest | None,
) -> ToolResult:
    """Have these ants work. Raises what the loop raises."""

    def assign(task: AntTask) -> Assignment:
        if manifest is None:
            return Assignment(task, ALONE, ANT_TOOLS)
        limits = () if manifest.confinement is None else (manifest.confinement,)
        return Assignment(task, ALONE, ANT_TOOLS, manifest.required_tools, limits)

    session = SwarmSession(run, swarm, tasks, parallel, assign)
    await session.run()
    ends = session.ends
    problem = await _close(context, run, workspace, ends, swarm.begun)
    text = report(tasks, session.ends, session.not_begun(), session.swarm, run.cost)
    trust = max((run.origin.trust, *(end.origin.trust for end in ends.values())))
    return ToolResult(
        f"{text}\n\n{problem}" if problem else text,
        is_error=not any(end.verified for end in ends.values()),
        origin=Origin(trust, "swarm"),
        private=context.private,
        effects=(RunNote(SWARM, session.swarm.to_json()), *run.effects),
        summary=text.partition(". ")[0],
    )


async def _close(
    context: ToolContext,
    run: AgentRun,
    workspace: Workspace,
    ends: Mapping[str, AntEnd],
    begun: int,
) -> str:
    """Store lessons and a snapshot of the project; returns the problems in words."""

    async def close() -> Recorded:
        mark = f"{context.cycle_id[:8]} {begun}"
        lines = memory_lines(ends, f"{context.now:%Y-%m-%d}", mark)
        try:
            await asyncio.to_thread(workspace.close_batch, lines)
        except ToolError as error:
            return Recorded(f"{MEMORY} and the snapshot end were not written: {error}")
        return Recorded("")

    return cast("str", await run.step(step_key(StepKind.CLOSE), close))
