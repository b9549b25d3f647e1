"""Arguments of the control tools.

These tools are declared in every request, so the schema leaves out everything that tells the model
nothing: obvious defaults (by `default_factory`), and the ban on blank texts, which the
executor or the handler reports.

See docs/rules.md#kinds-of-run.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

from bot.domain.plans import MOST_TASKS
from bot.domain.tool_outcomes import FACT_KEY_CHARS, FACT_VALUE_CHARS

MORE_TURNS_DEFAULT = 5
MORE_TURNS_MAX = 10
"""The most model calls that one request_more_turns may add."""

Filled = Annotated[str, Field(min_length=1), WithJsonSchema({"type": "string"})]
"""Text that is not blank."""
Names = Annotated[
    list[str],
    Field(max_length=20),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]
FactKey = Annotated[str, Field(max_length=FACT_KEY_CHARS), WithJsonSchema({"type": "string"})]
FactValue = Annotated[str, Field(max_length=FACT_VALUE_CHARS), WithJsonSchema({"type": "string"})]
MoreTurns = Annotated[int, Field(ge=1, le=MORE_TURNS_MAX), WithJsonSchema({"type": "integer"})]
CapabilitySection = Literal["tools", "agents", "skills", "integrations", "budgets"]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)


class FinishArguments(_Arguments):
    """finish_task: ends the run with this answer, even with other calls beside it."""

    answer: Filled
    status: Literal["resolved", "partial", "unresolved", "silent"] = Field(
        default_factory=lambda: "resolved"
    )
    follow_up: str = Field(default_factory=str)
    alone: bool = Field(default_factory=bool)
    """Where others read, only its person gets the answer."""


class AskArguments(_Arguments):
    """ask_user_for_clarification: suspends the turn until the person's next message here."""

    question: Filled
    options: list[str] = Field(default_factory=list[str])
    files: bool = Field(default=False, description="To get files.")


class SaveFactArguments(_Arguments):
    """save_fact: one KnownFact of this session."""

    key: FactKey
    value: FactValue


class MoreTurnsArguments(_Arguments):
    """request_more_turns: more model calls for this run, up to the hard ceiling."""

    additional: MoreTurns = Field(default_factory=lambda: MORE_TURNS_DEFAULT)
    reason: Filled


class PlanLine(BaseModel):
    """One call of a plan. Nothing in it is stripped: it is compared byte for byte."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tool: str
    arguments: dict[str, Any]


class PlanArguments(_Arguments):
    """plan_calls: calls that need a yes, as they will be made."""

    calls: list[PlanLine] = Field(min_length=2, max_length=10)


class SendArguments(_Arguments):
    """send: an interim message, posted at once; with `to` elsewhere, with `file` a file."""

    text: Filled
    file: str | None = Field(default=None)
    to: str | None = Field(
        default=None,
        description="A #channel or person.",
        json_schema_extra={"x-target": True},
    )


class CapabilitiesArguments(_Arguments):
    """get_capabilities: an overview, or with `names` the full definitions, which it unlocks."""

    names: Names = Field(default_factory=list[str])
    query: str = Field(default_factory=str)
    include: list[CapabilitySection] = Field(default_factory=list[CapabilitySection])


class ScheduleArguments(_Arguments):
    """schedule_task: a prompt that runs later, and changes to it."""

    action: Literal["create", "update", "list", "inspect", "pause", "resume", "cancel"] = "create"
    name: str = Field(default_factory=str, description="A few words.")
    prompt: str = Field(
        default_factory=str,
        description="What to do when the time comes, complete: nothing else is known then.",
    )
    cron: str = Field(
        default_factory=str,
        description="Again and again, in their words: 'every other Tuesday at 9', 'last day of "
        "each month', 'weekdays 9'; or cron, or an iCalendar RRULE.",
    )
    execute_at: str = Field(
        default_factory=str,
        description="Once, in their words ('first thing Monday', 'Freitag nächster Woche'), or "
        "2026-11-28T15:00.",
    )
    id: str = Field(default_factory=str, description="As list shows it.")
    timezone: str = Field(default_factory=str, description="Default: the person's.")
    budget: int = Field(
        default=0, ge=0, description="Model calls that it may use in a month, if the person says."
    )


class SkillArguments(_Arguments):
    """activate_skill and deactivate_skill: the manifest's name."""

    skill_id: Filled = Field(description="As get_capabilities lists it.")


class CallAgentArguments(_Arguments):
    """call_agent: delegation to any agent by name."""

    agent: Filled = Field(description="Name as get_capabilities lists it.")
    task: str = Field(description="The whole brief.")
    context: str = Field(default_factory=str, description="Background that isn't the work itself.")
    in_background: bool = Field(
        default=False,
        alias="async",
        description="Go on at once; its answer is posted here when it is there.",
    )


class CancelArguments(_Arguments):
    """cancel_agent: the task in the background."""

    ref: Filled = Field(description="The reference that call_agent gave.")


class AgentArguments(_Arguments):
    """`agent_<name>`: exactly these two fields. A blank instruction is refused by the dispatch."""

    instruction: str
    context: str = Field(default_factory=str)


class TaskArguments(_Arguments):
    """One task of `plan`."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,20}$")]
    description: Filled = Field(
        description="Its whole brief. The results of the tasks it depends on are added."
    )
    depends_on: list[str] = Field(default_factory=list[str])
    tool: str = Field(default_factory=str, description="The tool to begin with.")
    agent: str = Field(
        default_factory=str, description="The specialist who does it; you without one."
    )


class PlannerArguments(_Arguments):
    """plan: a goal, and its tasks unless the planner is to work them out."""

    goal: Filled
    tasks: list[TaskArguments] = Field(default_factory=list[TaskArguments], max_length=MOST_TASKS)


class RecoveryArguments(_Arguments):
    """recovery: the next step for a failed task of the plan."""

    task_id: Filled
    strategy: Literal["retry", "alternative", "split", "replan", "abort"]
    reason: Filled = Field(description="Advice for whoever does it: what to do differently.")
