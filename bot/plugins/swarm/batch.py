"""One call of pm_spawn_ant or pm_run_batch, from its ants to the queen's report."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import cast

from bot.plugin.agents import (
    AgentRun,
    Assignment,
    Recorded,
    RunNote,
    SkillManifest,
    StepKind,
    step_key,
)
from bot.plugin.tools import Origin, ToolContext, ToolError, ToolResult
from bot.plugins.swarm.arguments import ANT_TOOLS
from bot.plugins.swarm.reports import memory_lines, report
from bot.plugins.swarm.session import SwarmSession
from bot.plugins.swarm.swarms import SWARM, AntTask, Swarm
from bot.plugins.swarm.worker import AntEnd
from bot.plugins.swarm.workspace import MEMORY, Workspace

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
