"""The tools of a queen (workspaces, ants, snapshots) and those of her ants."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.agents.loop.calls import ControlContext, control_tool
from bot.agents.loop.run import Run
from bot.agents.prompt.notes import quote
from bot.agents.swarm.arguments import (
    BatchArguments,
    DiscoveryArguments,
    ExecuteArguments,
    HelpArguments,
    PrepareArguments,
    SnapshotArguments,
    SpawnArguments,
)
from bot.agents.swarm.checks import SHELL
from bot.agents.swarm.ground import BatchGround
from bot.agents.swarm.hand_in import hand_in_text, help_text
from bot.agents.swarm.swarms import (
    DISCOVERY,
    MOST_BEGUN,
    SWARM,
    TRIES,
    AntKind,
    AntTask,
    Discovery,
    Swarm,
    checked_batch,
)
from bot.agents.swarm.workspace import CONTEXT, MEMORY, Overview, Workspace
from bot.connectors.workspaces.places import ProjectPlaces
from bot.domain.origins import Origin, Trust
from bot.domain.skills import SkillManifest
from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Finish, RunNote, ToolOutcome, ToolResult
from bot.errors import ToolError
from bot.skills.manifests import SkillManifests

_ANTS = 3
"""Ants that work side by side where no skill says how many."""
_MOST_AT_ONCE = 5
"""Ants of one swarm that work at the same time, whatever a skill says."""

MOST_DISCOVERIES = 10
"""The limit for one run."""


async def ant_execute_task(context: ControlContext, given: ExecuteArguments) -> ToolOutcome:
    """Ends the try. Raises ToolError while a criterion is missing."""
    task = _task_of(context)
    if task.kind is AntKind.SOLDIER and given.verdict is None:
        raise ToolError("verdict: a soldier says of the work that it tested: pass or fail")
    numbers = [check.criterion for check in given.checks]
    wanted = list(range(1, len(task.criteria) + 1))
    if sorted(numbers) != wanted:
        named = ", ".join(map(str, wanted))
        raise ToolError(
            f"checks: give each of the criteria {named} once; you gave "
            f"{', '.join(map(str, numbers))}"
        )
    return Finish(hand_in_text(given))


async def ant_report_discovery(context: ControlContext, given: DiscoveryArguments) -> ToolOutcome:
    task = _task_of(context)
    if len(context.caller.record.noted(DISCOVERY)) >= MOST_DISCOVERIES:
        raise ToolError(
            f"you reported {MOST_DISCOVERIES} discoveries already; put what is left into your "
            "result"
        )
    origin = Origin(context.origin.trust, f"ant {task.id}")
    found = Discovery(task.id, given.text, origin)
    return ToolResult(
        "reported to the queen and to later ants", effects=(RunNote(DISCOVERY, found.to_json()),)
    )


async def ant_request_help(context: ControlContext, given: HelpArguments) -> ToolOutcome:
    """Ends the ant: without new knowledge, more tries would end the same way."""
    _task_of(context)
    return Finish(help_text(given.problem), status="unresolved")


def ant_tools() -> tuple[NativeTool[Any], ...]:
    """Hand in work, report a discovery, ask for help."""
    return (
        control_tool("ant_execute_task", ExecuteArguments, ant_execute_task),
        control_tool("ant_report_discovery", DiscoveryArguments, ant_report_discovery),
        control_tool("ant_request_help", HelpArguments, ant_request_help),
    )


def _task_of(context: ControlContext) -> AntTask:
    given = context.caller.assignment
    if given is None or not isinstance(given.task, AntTask):
        raise ToolError(
            "this run has no task of a swarm; answer your caller in plain words instead"
        )
    return given.task


class Swarms:
    """The tools of a queen and of her ants. `root` holds the projects of all people."""

    def __init__(self, ground: BatchGround, manifests: SkillManifests, root: Path) -> None:
        self._ground = ground
        self._manifests = manifests
        self._root = root

    def tools(self) -> tuple[NativeTool[Any], ...]:
        return (
            control_tool("pm_prepare_workspace", PrepareArguments, self.prepare),
            control_tool("pm_spawn_ant", SpawnArguments, self.spawn),
            control_tool("pm_run_batch", BatchArguments, self.run_batch),
            control_tool("pm_snapshot", SnapshotArguments, self.snapshot),
            control_tool("pm_restore_snapshot", SnapshotArguments, self.restore),
            *ant_tools(),
        )

    async def prepare(self, context: ControlContext, given: PrepareArguments) -> ToolOutcome:
        """Begin a swarm on a project. Raises ToolError for an unknown skill."""
        run = context.caller
        _require_no_ant(run)
        manifest = self._manifest(given.skill, run) if given.skill else None
        most = min((manifest.max_parallel if manifest else None) or _MOST_AT_ONCE, _MOST_AT_ONCE)
        wanted = (manifest.default_ants if manifest else None) or _ANTS
        swarm = Swarm(
            given.project, given.goal, given.context, given.skill, min(wanted, most), most
        )
        workspace, said = await self._workspace(context, given.project)
        found = await asyncio.to_thread(workspace.prepare, swarm)
        text = _prepared(swarm, found)
        return ToolResult(
            f"{text}\n{said}" if said else text,
            effects=(RunNote(SWARM, swarm.to_json()),),
            origin=Origin(Trust.EXTERNAL, f"project {given.project}"),
            private=run.context.private,
            summary=f"{given.project} is ready",
        )

    async def spawn(self, context: ControlContext, given: SpawnArguments) -> ToolOutcome:
        """One ant, also while the breaker is open; a verified ant closes it."""
        swarm = _swarm_of(context)
        return await self._batch(context, (given.ant(f"{given.type}-{swarm.begun + 1}"),), 1)

    async def run_batch(self, context: ControlContext, given: BatchArguments) -> ToolOutcome:
        """Several ants.

        Raises ToolError for tasks that don't form a batch, and while the breaker is open.
        """
        swarm = _swarm_of(context)
        if swarm.broken:
            from bot.agents.swarm.reports import BROKEN  # noqa: PLC0415 - with a batch

            raise ToolError(BROKEN)
        parallel = given.parallel or swarm.side_by_side
        if parallel > swarm.most:
            raise ToolError(f"parallel: at most {swarm.most} ants of this swarm work at once")
        try:
            tasks = checked_batch(one.ant(one.id, tuple(one.depends_on)) for one in given.tasks)
        except ValueError as error:
            raise ToolError(f"pm_run_batch: {error}") from error
        return await self._batch(context, tasks, parallel)

    async def snapshot(self, context: ControlContext, given: SnapshotArguments) -> ToolOutcome:
        swarm = _swarm_of(context)
        workspace, _ = await self._workspace(context, swarm.project)
        kept = await asyncio.to_thread(workspace.snapshot, given.name)
        return ToolResult(f"{swarm.project} is kept as {given.name} ({kept})")

    async def restore(self, context: ControlContext, given: SnapshotArguments) -> ToolOutcome:
        swarm = _swarm_of(context)
        workspace, _ = await self._workspace(context, swarm.project)
        await asyncio.to_thread(workspace.restore, given.name)
        return ToolResult(
            f"{swarm.project} is as it was in {given.name}; "
            "what was there is kept as before-restore"
        )

    # --- what a batch at work needs ---

    async def _workspace(self, context: ToolContext, project: str) -> tuple[Workspace, str]:
        """The asker's project, and a sentence about its readers from now on.

        Raises ToolError if it is private and hidden here.
        """
        person = context.person.id
        places = ProjectPlaces(self._root, person)
        said = await asyncio.to_thread(places.change, project, context.viewer, context.learned)
        return Workspace(self._root, person, project), said

    async def _batch(
        self, context: ControlContext, tasks: tuple[AntTask, ...], parallel: int
    ) -> ToolOutcome:
        from bot.agents.swarm.batch import Batch  # noqa: PLC0415 - most homes have no swarm

        run, turn, swarm = context.caller, context.turn, _swarm_of(context)
        _require_no_ant(run)
        if swarm.begun + len(tasks) > MOST_BEGUN:
            left = MOST_BEGUN - swarm.begun
            raise ToolError(
                f"a swarm has at most {MOST_BEGUN} ants, and {left} are left; report what there is"
            )
        if (
            any(one.command for task in tasks for one in task.criteria)
            and run.toolset.find(SHELL) is None
        ):
            raise ToolError(
                "commands can't be run here, so none can decide a criterion; give criteria "
                "without one"
            )
        manifest = self._manifest(swarm.skill, run) if swarm.skill else None
        project, _ = await self._workspace(context, swarm.project)
        begun = replace(swarm, begun=swarm.begun + len(tasks))
        batch = Batch(self._ground, project, run, turn.scope(context.call.key), begun, manifest)
        return await batch.run(tasks, parallel)

    def _manifest(self, skill: str, run: Run) -> SkillManifest:
        role = run.callbacks.person_now().role
        found = self._manifests.get(skill, role)
        if found is None:
            known = ", ".join(one.skill_id for one in self._manifests.for_role(role)) or "none"
            raise ToolError(f"skill: there is no {skill[:64]!r}; there is {known}")
        return found


def _swarm_of(context: ControlContext) -> Swarm:
    kept = context.caller.record.noted(SWARM)
    if not kept:
        raise ToolError("no workspace is prepared; call pm_prepare_workspace first")
    return Swarm.from_json(kept[-1])


def _require_no_ant(run: Run) -> None:
    if run.assignment is not None:
        raise ToolError("an ant leads no ants; do your task yourself, or call ant_request_help")


def _prepared(swarm: Swarm, found: Overview) -> str:
    kinds = ", ".join(f"{kind} ({tries} tries)" for kind, tries in TRIES.items())
    more = f"\n[{found.more} more]" if found.more else ""
    origin = Origin(Trust.EXTERNAL, f"project {swarm.project}")
    parts = [
        f"{swarm.project} is ready, and kept as the snapshot start. {swarm.side_by_side} ants work "
        f"side by side, at most {swarm.most}. Ants: {kinds}.",
        str(quote("files", "\n".join(found.files) + more, origin).block["text"]),
        str(quote(MEMORY, found.memory, origin).block["text"]),
    ]
    parts += [str(quote(CONTEXT, found.context, origin).block["text"])] if found.context else []
    return "\n".join(parts)
