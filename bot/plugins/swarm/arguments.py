"""Arguments of the queen's and the ants' tools; their files declare the same JSON Schema."""

from typing import Annotated, Literal

from pydantic import Field, WithJsonSchema

from bot.plugin.projects import Project
from bot.plugin.tools import ToolArguments
from bot.plugins.swarm.swarms import MOST_ANTS, AntKind, AntTask, Criterion

MOST_CRITERIA = 8
DISCOVERY_CHARS = 500
Filled = Annotated[str, Field(min_length=1), WithJsonSchema({"type": "string"})]
"""Text that is not blank."""
SHELL = "pm_shell"
"""Runs the commands of criteria."""
ANT_TOOLS = ("ant_execute_task", "ant_report_discovery", "ant_request_help")
"""Tools that an ant has unlocked beside those of its file."""


class PrepareArguments(ToolArguments):
    """pm_prepare_workspace: the project that the calls after this one work on."""

    project: Project
    goal: Filled = Field(description="What is to be there at the end.")
    context: str = Field(
        default_factory=str,
        max_length=4000,
        description="What every ant must know: decisions, names, conventions.",
    )
    skill: str = Field(
        default_factory=str, description="The skill that your brief names, such as webdev."
    )


class CriterionArguments(ToolArguments):
    """The test by which the task counts as done."""

    text: Filled
    command: str = Field(
        default_factory=str,
        max_length=2000,
        description=(
            "For sh, in the project's folder: status 0 says that it is met. Without one the ant "
            "checks it."
        ),
    )


class SpawnArguments(ToolArguments):
    """pm_spawn_ant: one ant."""

    type: Literal["worker", "scout", "soldier", "debugger"]
    task: Filled = Field(description="Its whole brief.")
    criteria: list[CriterionArguments] = Field(min_length=1, max_length=MOST_CRITERIA)
    files: list[str] = Field(
        default_factory=list[str], max_length=50, description="The files that it may change."
    )

    def ant(self, ant_id: str, depends_on: tuple[str, ...] = ()) -> AntTask:
        """The same in the swarm's own form."""
        criteria = tuple(Criterion(one.text, one.command) for one in self.criteria)
        return AntTask(
            ant_id, AntKind(self.type), self.task, criteria, depends_on, tuple(self.files)
        )


class BatchTaskArguments(SpawnArguments):
    """One ant of a batch."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,20}$")]
    depends_on: list[str] = Field(
        default_factory=list[str],
        description="Ids of tasks that must be verified first. It is given their results.",
    )


class BatchArguments(ToolArguments):
    """pm_run_batch: several ants, side by side where they can."""

    tasks: list[BatchTaskArguments] = Field(min_length=1, max_length=MOST_ANTS)
    parallel: int | None = Field(
        default=None, ge=1, description="Ants at work at once, within the swarm's size."
    )


class SnapshotArguments(ToolArguments):
    """pm_snapshot and pm_restore_snapshot: the snapshot's name."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$", description="Such as before-rewrite.")


class CheckArguments(ToolArguments):
    """An ant's check of one criterion."""

    criterion: int = Field(ge=1, description="Its number.")
    met: bool
    evidence: Filled = Field(
        description="What shows it: the command and its output, or file and line."
    )


class ExecuteArguments(ToolArguments):
    """ant_execute_task: the work and the checks of each criterion."""

    result: Filled = Field(
        description="What came out, for those who build on it: the answer, or the files changed."
    )
    checks: list[CheckArguments] = Field(min_length=1, max_length=MOST_CRITERIA)
    verdict: Literal["pass", "fail"] | None = Field(
        default=None, description="A soldier's word on the work that it tested."
    )


class DiscoveryArguments(ToolArguments):
    """ant_report_discovery: one fact that others must know."""

    text: Filled = Field(max_length=DISCOVERY_CHARS)


class HelpArguments(ToolArguments):
    """ant_request_help: why the ant can't go on."""

    problem: Filled = Field(
        max_length=2000, description="What you tried, what it gave, and what you need."
    )
