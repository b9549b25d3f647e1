"""A queen and her ants, who work on one project side by side."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from bot.plugin.agents import AgentGround, AgentRun, Finish, RunNote, SkillManifest, fenced
from bot.plugin.plugin import Given, NoSettings, Parts, Plugin
from bot.plugin.projects import ProjectPlaces
from bot.plugin.tools import (
    NativeTool,
    Origin,
    Phrase,
    Role,
    ToolContext,
    ToolError,
    ToolOutcome,
    ToolResult,
    Trust,
    raised_as,
)
from bot.plugins.swarm.arguments import (
    SHELL,
    BatchArguments,
    DiscoveryArguments,
    ExecuteArguments,
    HelpArguments,
    PrepareArguments,
    SnapshotArguments,
    SpawnArguments,
)
from bot.plugins.swarm.hand_in import final_text
from bot.plugins.swarm.swarms import (
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
from bot.plugins.swarm.workspace import CONTEXT, MEMORY, Overview, Workspace

_PREPARING = Phrase("Preparing the project")
_HANDING = Phrase("Handing a part of it over")
_WORKING = Phrase("Working through the plan")
_FINISHING = Phrase("Finishing")
_ASKING = Phrase("Preparing a question")

GivenT = TypeVar("GivenT", bound=BaseModel)

_ANTS = 3
"""Ants that work side by side where no skill says how many."""
_MOST_AT_ONCE = 5
"""Ants of one swarm that work at the same time, whatever a skill says."""

MOST_DISCOVERIES = 10
"""The limit for one run."""


async def ant_execute_task(
    context: ToolContext, run: AgentRun, given: ExecuteArguments
) -> ToolOutcome:
    """Ends the try. Raises ToolError while a criterion is missing."""
    task = _task_of(run)
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
    return Finish(final_text(given))


async def ant_report_discovery(
    context: ToolContext, run: AgentRun, given: DiscoveryArguments
) -> ToolOutcome:
    task = _task_of(run)
    if len(run.noted(DISCOVERY)) >= MOST_DISCOVERIES:
        raise ToolError(
            f"you reported {MOST_DISCOVERIES} discoveries already; put what is left into your "
            "result"
        )
    origin = Origin(context.origin.trust, f"ant {task.id}")
    found = Discovery(task.id, given.text, origin)
    return ToolResult(
        "reported to the queen and to later ants", effects=(RunNote(DISCOVERY, found.to_json()),)
    )


async def ant_request_help(
    context: ToolContext, run: AgentRun, given: HelpArguments
) -> ToolOutcome:
    """Ends the ant: without new knowledge, more tries would end the same way."""
    _task_of(run)
    return Finish(final_text(given), status="unresolved")


def _task_of(run: AgentRun) -> AntTask:
    if not isinstance(run.task, AntTask):
        raise ToolError(
            "this run has no task of a swarm; answer your caller in plain words instead"
        )
    return run.task


class Swarms:
    """The tools of a queen and of her ants."""

    def __init__(self, ground: AgentGround) -> None:
        self._ground = ground

    def tools(self) -> tuple[NativeTool[Any], ...]:
        return (
            self._tool("pm_prepare_workspace", PrepareArguments, self._prepare, _PREPARING),
            self._tool("pm_spawn_ant", SpawnArguments, self._spawn, _HANDING),
            self._tool("pm_run_batch", BatchArguments, self._run_batch, _WORKING),
            self._tool("pm_snapshot", SnapshotArguments, self._snapshot, _PREPARING),
            self._tool("pm_restore_snapshot", SnapshotArguments, self._restore, _PREPARING),
            self._tool(
                "ant_execute_task", ExecuteArguments, ant_execute_task, _FINISHING, listed=False
            ),
            self._tool(
                "ant_report_discovery",
                DiscoveryArguments,
                ant_report_discovery,
                _FINISHING,
                listed=False,
            ),
            self._tool("ant_request_help", HelpArguments, ant_request_help, _ASKING, listed=False),
        )

    def _tool(
        self,
        name: str,
        arguments: type[GivenT],
        handler: Callable[[ToolContext, AgentRun, GivenT], Awaitable[ToolOutcome]],
        doing: Phrase,
        *,
        listed: bool = True,
    ) -> NativeTool[GivenT]:
        async def run(context: ToolContext, given: GivenT) -> ToolOutcome:
            return await handler(context, self._ground.run_of(context), given)

        return NativeTool(
            name, arguments, run, reserved=True, in_turn=True, doing=doing, listed=listed
        )

    async def _prepare(
        self, context: ToolContext, run: AgentRun, given: PrepareArguments
    ) -> ToolOutcome:
        """Begin a swarm on a project. Raises ToolError for an unknown skill."""
        _require_no_ant(run)
        manifest = self._manifest(given.skill, context.person.role) if given.skill else None
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
            private=context.private,
            summary=f"{given.project} is ready",
        )

    async def _spawn(
        self, context: ToolContext, run: AgentRun, given: SpawnArguments
    ) -> ToolOutcome:
        """One ant, also while the breaker is open; a verified ant closes it."""
        swarm = _swarm_of(run)
        return await self._batch(context, run, (given.ant(f"{given.type}-{swarm.begun + 1}"),), 1)

    async def _run_batch(
        self, context: ToolContext, run: AgentRun, given: BatchArguments
    ) -> ToolOutcome:
        """Several ants.

        Raises ToolError for tasks that don't form a batch, and while the breaker is open.
        """
        swarm = _swarm_of(run)
        if swarm.broken:
            from bot.plugins.swarm.reports import BROKEN  # noqa: PLC0415 - with a batch

            raise ToolError(BROKEN)
        parallel = given.parallel or swarm.side_by_side
        if parallel > swarm.most:
            raise ToolError(f"parallel: at most {swarm.most} ants of this swarm work at once")
        with raised_as(ToolError, ValueError, about="pm_run_batch"):
            tasks = checked_batch(one.ant(one.id, tuple(one.depends_on)) for one in given.tasks)
        return await self._batch(context, run, tasks, parallel)

    async def _snapshot(
        self, context: ToolContext, run: AgentRun, given: SnapshotArguments
    ) -> ToolOutcome:
        swarm = _swarm_of(run)
        workspace, _ = await self._workspace(context, swarm.project)
        kept = await asyncio.to_thread(workspace.snapshot, given.name)
        return ToolResult(f"{swarm.project} is kept as {given.name} ({kept})")

    async def _restore(
        self, context: ToolContext, run: AgentRun, given: SnapshotArguments
    ) -> ToolOutcome:
        swarm = _swarm_of(run)
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
        root = self._ground.projects
        places = ProjectPlaces(root, person)
        said = await asyncio.to_thread(places.change, project, context.viewer, context.learned)
        return Workspace(root, person, project), said

    async def _batch(
        self, context: ToolContext, run: AgentRun, tasks: tuple[AntTask, ...], parallel: int
    ) -> ToolOutcome:
        from bot.plugins.swarm.batch import run_batch  # noqa: PLC0415 - most homes have no swarm

        swarm = _swarm_of(run)
        _require_no_ant(run)
        if swarm.begun + len(tasks) > MOST_BEGUN:
            left = MOST_BEGUN - swarm.begun
            raise ToolError(
                f"a swarm has at most {MOST_BEGUN} ants, and {left} are left; report what there is"
            )
        commands = any(one.command for task in tasks for one in task.criteria)
        if commands and not context.tools.describe((SHELL,)):
            raise ToolError(
                "commands can't be run here, so none can decide a criterion; give criteria "
                "without one"
            )
        manifest = self._manifest(swarm.skill, context.person.role) if swarm.skill else None
        project, _ = await self._workspace(context, swarm.project)
        begun = replace(swarm, begun=swarm.begun + len(tasks))
        return await run_batch(context, run, project, begun, tasks, parallel, manifest)

    def _manifest(self, skill: str, role: Role) -> SkillManifest:
        there = self._ground.manifests(role)
        found = next((one for one in there if one.skill_id == skill), None)
        if found is None:
            known = ", ".join(one.skill_id for one in there) or "none"
            raise ToolError(f"skill: there is no {skill[:64]!r}; there is {known}")
        return found


def _swarm_of(run: AgentRun) -> Swarm:
    kept = run.noted(SWARM)
    if not kept:
        raise ToolError("no workspace is prepared; call pm_prepare_workspace first")
    return Swarm.from_json(kept[-1])


def _require_no_ant(run: AgentRun) -> None:
    if run.task is not None:
        raise ToolError("an ant leads no ants; do your task yourself, or call ant_request_help")


def _prepared(swarm: Swarm, found: Overview) -> str:
    kinds = ", ".join(f"{kind} ({tries} tries)" for kind, tries in TRIES.items())
    more = f"\n[{found.more} more]" if found.more else ""
    origin = Origin(Trust.EXTERNAL, f"project {swarm.project}")
    head = (
        f"{swarm.project} is ready, and kept as the snapshot start. {swarm.side_by_side} ants work "
        f"side by side, at most {swarm.most}. Ants: {kinds}."
    )
    files = "\n".join(found.files) + more
    shown = (("files", files), (MEMORY, found.memory), (CONTEXT, found.context))
    parts = [head if files else f"{head} It is empty."]
    parts += [fenced(kind, text, origin) for kind, text in shown if text]
    return "\n".join(parts)


class SwarmPlugin(Plugin[NoSettings]):
    name = "swarm"
    title = "a queen whose ants build a project side by side"

    def build(self, given: Given[NoSettings]) -> Parts:
        return Parts(agent_tools=_tools)


def _tools(ground: AgentGround) -> Sequence[NativeTool[Any]]:
    return Swarms(ground).tools()
