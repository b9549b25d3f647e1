"""`/plan`: shows the plan of this conversation, and changes it while it runs."""

from dataclasses import dataclass

from bot.agents.planner.orders_store import Order, OrderKind
from bot.agents.planner.running import RunningPlan, RunningPlans
from bot.domain.plans import MOST_TASKS, PlanTask, TaskState
from bot.sessions.commands.asked import Asked, BuiltIn

PLAN_USAGE = "[strike NUMBER|add TASK]"
STRIKE = "strike NUMBER"
ADDED_CHARS = 2000
_NONE = "No plan of yours runs here."
_LATE = "The plan ended before I could change it."


@dataclass(frozen=True)
class PlanCommands:
    """A plan belongs to one person: the text is for them, and nobody else can change it."""

    plans: RunningPlans

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "plan",
                "the plan that I work on here; strike a task, or add one",
                self.run,
                usage=PLAN_USAGE,
            ),
        )

    async def run(self, asked: Asked) -> str:
        """One command about the plan that runs in the asker's session."""
        running = self.plans.of(str(asked.key))
        if running is None:
            return _NONE
        verb, _, rest = asked.args.partition(" ")
        match verb.casefold(), rest.strip():
            case "", _:
                return "\n".join(
                    [
                        f"**{running.plan.goal}**",
                        *map(_line, running.tasks),
                        f"To change it: /plan {PLAN_USAGE if running.grows else STRIKE}",
                    ]
                )
            case "strike", task_id if task_id:
                return await self._strike(asked, running, task_id.removesuffix("."))
            case "add", description if description:
                return await self._add(asked, running, description)
            case _:
                return f"Say /plan {PLAN_USAGE}. Without arguments it shows the plan."

    async def _strike(self, asked: Asked, running: RunningPlan, task_id: str) -> str:
        found = running.find(task_id)
        if found is None:
            return f"There is no task {task_id[:40]} in the plan. /plan shows it."
        of, task = found
        if task.settled:
            how = "was struck already" if task.struck else f"is over: {task.state}"
            return f"Task {task_id} {how}."
        if not await self.plans.order(of, _key(asked), Order(OrderKind.STRIKE, task.id)):
            return _LATE
        return f"Struck: {task_id}. {task.title}. Tasks that needed it go on without its result."

    async def _add(self, asked: Asked, running: RunningPlan, description: str) -> str:
        if not running.grows:
            return "Only the queen of this plan adds tasks. /plan strike NUMBER takes one out."
        if len(running.plan.tasks) >= MOST_TASKS:
            return f"The plan is full: it has {MOST_TASKS} tasks."
        if len(description) > ADDED_CHARS:
            return (
                f"A task has at most {ADDED_CHARS:,} characters, and this has {len(description):,}."
            )
        if not await self.plans.order(running, _key(asked), Order(OrderKind.ADD, description)):
            return _LATE
        return f"Added: {PlanTask('', description).title}"


def _key(asked: Asked) -> str:
    return f"turn {asked.turn.id}"


def _line(task: PlanTask) -> str:
    if task.struck:
        return f"- ~~{task.id}. {task.title}~~"
    why = f", {task.failure}" if task.state is TaskState.FAILED and task.failure else ""
    note = f" ({task.note})" if task.note else ""
    return f"{'  ' * task.id.count('.')}- {task.id}. {task.title}: {task.state}{why}{note}"
