"""A plan on the real journal with scripted workers, in a process that may end at any write."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bot.agents.loop.outcomes import outcome_from_json, outcome_to_json
from bot.agents.planner.orders_store import Order, OrderKind
from bot.agents.planner.running import RunningPlan, RunningPlans
from bot.agents.planner.session import AdaptivePlannerSession, Drafting, Workers
from bot.domain.clock import Clock
from bot.domain.database import Database
from bot.domain.json_types import JsonObject
from bot.domain.plans import FailureKind, Plan, PlanTask, TaskState
from bot.domain.tool_outcomes import ToolResult
from bot.domain.turns import Recorded, Turn
from bot.testing.crash_points import CrashPoint, Moment
from bot.testing.engine_lives import Life, Lives
from bot.testing.fake_clock import FakeClock
from bot.testing.waiting import until
from bot.turns.engine import TurnEngine

REASONS = {
    FailureKind.TIMEOUT: "agent_scout: agent: the tool took too long",
    FailureKind.RATE_LIMIT: (
        "agent_scout: agent: 3 consecutive LLM errors (last: 429 too many requests)"
    ),
    FailureKind.TRANSPORT: "subprocess scout: was ended by signal 9 before a terminal response",
    FailureKind.BAD_ARGUMENTS: "agent_scout: the instruction is blank; say what to do",
    FailureKind.DENIED: "tool blocked by policy",
    FailureKind.NOT_FOUND: "agent_scout: there is no such agent for you; callable agents: none",
    FailureKind.UNKNOWN: "agent_scout: agent: it did not work",
}
PASSING = (FailureKind.TIMEOUT, FailureKind.RATE_LIMIT, FailureKind.TRANSPORT)
TOO_LARGE = "agent_scout: agent: max_turns=5 exhausted without final reply"


@dataclass
class Crew:
    """Workers whose results depend only on task and attempt, so a restart doesn't change them."""

    fails: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """Failures of a task's first attempts, by description; "" and later attempts succeed."""
    drafts: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict[str, Any])
    """Tasks that the model answers with, by the key of the question."""
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    """For a tool, another one with a like capability."""
    held: Mapping[str, asyncio.Event] = field(default_factory=dict[str, asyncio.Event])
    begun: Counter[str] = field(default_factory=Counter[str])
    ended: Counter[str] = field(default_factory=Counter[str])
    contexts: dict[str, str] = field(default_factory=dict[str, str])
    tools: list[str] = field(default_factory=list[str])
    asked: list[str] = field(default_factory=list[str])
    struck: list[str] = field(default_factory=list[str])
    """Descriptions of tasks that had begun when they were struck."""
    performed: list[str] = field(default_factory=list[str])
    """The keys of all executed steps."""

    def workers(self) -> Workers:
        return Workers(
            self._work,
            self._struck,
            lambda _: None,
            lambda task: self.others.get(task.tool),
            self._drafting,
            4,
        )

    async def _work(self, turn: Turn, task: PlanTask, context: str, key: str) -> ToolResult:
        async def perform() -> Recorded:
            self.performed.append(f"{turn.prefix}/{key}" if turn.prefix else key)
            self.begun[task.description] += 1
            self.contexts[task.description] = context
            self.tools.append(task.tool)
            if task.description in self.held:
                await self.held[task.description].wait()
            reasons = [*self.fails.get(task.description, ()), ""]
            reason = reasons[min(int(key.rpartition(".")[2]), len(reasons)) - 1]
            self.ended[task.description] += 1
            return Recorded(
                outcome_to_json(
                    ToolResult(reason or f"{task.description} is done", is_error=bool(reason))
                )
            )

        return cast(
            "ToolResult", outcome_from_json(cast("JsonObject", await turn.step(key, perform)))
        )

    async def _struck(self, turn: Turn, task: PlanTask, key: str) -> None:
        self.struck.append(task.description)

    def _drafting(self, turn: Turn) -> Drafting:
        async def ask(key: str, brief: str) -> str:
            async def perform() -> Recorded:
                self.asked.append(brief)
                return Recorded(json.dumps({"tasks": self.drafts.get(key, ())}))

            return str(await turn.step(key, perform))

        return Drafting(ask)


@dataclass
class AtWork:
    """A plan running in one life of the process."""

    life: Life
    crew: Crew
    clock: FakeClock = field(default_factory=FakeClock)
    """The clock of the plan alone; the engine has its own."""
    plans: RunningPlans | None = None
    session: AdaptivePlannerSession | None = None
    ended: list[tuple[PlanTask, ...]] = field(default_factory=list[tuple[PlanTask, ...]])

    async def start(self) -> None:
        """Accept the work and wait until its plan runs. Raises ProcessGone."""
        await self.life.started()
        await self.life.engine.submit("s", "m1", {})
        await until(lambda: self.session is not None or self.life.database.gone)
        self.life.database.alive()

    @property
    def running(self) -> RunningPlan:
        return cast("AdaptivePlannerSession", self.session).running

    async def order(self, running: RunningPlan, kind: OrderKind, text: str) -> bool:
        return await cast("RunningPlans", self.plans).order(
            running, f"{kind} {text}", Order(kind, text)
        )

    async def strike(self, task_id: str) -> bool:
        """Strike a task by its displayed id. Raises KeyError for an unknown one."""
        found = self.running.find(task_id)
        if found is None:
            raise KeyError(task_id)
        return await self.order(found[0], OrderKind.STRIKE, found[1].id)

    async def end(self) -> dict[str, PlanTask]:
        """Return the tasks once the plan has ended; back-offs take no time."""
        while not self.ended:
            await until(lambda: bool(self.ended or self.clock.sleepers or self.life.database.gone))
            self.life.database.alive()
            await self.clock.advance(10)
        return {task.id: task for task in self.ended[-1]}


def make(database: Database, clock: Clock) -> TurnEngine:
    return TurnEngine(database, clock, owner="the one process")


@asynccontextmanager
async def at_work(
    lives: Lives, crew: Crew, plan: Plan, point: CrashPoint | None = None
) -> AsyncGenerator[AtWork]:
    made: list[AtWork] = []

    async def run_turn(turn: Turn) -> None:
        here = made[0]
        here.plans = RunningPlans(here.life.database)
        running = here.plans.begin(turn.session, turn.id, turn.prefix, plan)
        here.session = AdaptivePlannerSession(
            plan, turn, crew.workers(), here.clock, running, lambda: None
        )
        try:
            await here.session.run()
        finally:
            here.plans.end(running)
        here.ended.append(here.session.tasks())
        await turn.finish()

    async with lives.life(run_turn, point=point) as life:
        made.append(AtWork(life, crew))
        yield made[0]


@asynccontextmanager
async def planned(folder: Path, crew: Crew, *tasks: PlanTask) -> AsyncGenerator[AtWork]:
    async with at_work(await Lives.begin(folder, make), crew, Plan("the goal", tasks)) as here:
        await here.start()
        yield here


def draft(number: str, description: str, *needs: str) -> dict[str, object]:
    return {"id": number, "description": description, "depends_on": list(needs)}


# --- a story with a crash ---

STORY = (
    PlanTask("1", "prices"),
    PlanTask("2", "terms"),
    PlanTask("3", "all"),
    PlanTask("4", "sum", ("1", "2", "3")),
)
COMPLETED = {"prices", "all", "half", "rest", "more", "other terms", "sum"}
_DONE = re.compile(r"(\S*task:\S+) done")


async def play(folder: Path, point: CrashPoint | None) -> list[str]:
    """Play a retry, a replan, a sub-plan and an added task; return the first life's commits.

    After a crash at `point` a second life completes the plan. Raises AssertionError if the end
    differs from that without a crash, or if stored work is repeated.
    """
    crew = Crew(
        {
            "prices": [REASONS[FailureKind.TIMEOUT]],
            "terms": [REASONS[FailureKind.DENIED]],
            "all": [TOO_LARGE],
        },
        {
            "split:3": [draft("1", "half"), draft("2", "rest", "1")],
            "replan:1": [draft("8", "other terms"), draft("9", "sum", "1", "8", "3")],
        },
    )
    lives = await Lives.begin(folder, make)
    first: list[str] = []
    for crash in (point, None):
        before = len(crew.performed)
        async with at_work(lives, crew, Plan("the goal", STORY), crash) as here:
            await here.start()
            if not any("plan_orders" in name for name in first):
                await here.order(here.running, OrderKind.ADD, "more")
            _judge(await here.end(), crew, point)
            await until(lambda life=here.life: life.database.gone or not life.engine.busy)
        if kept := {key for name in first for key in _DONE.findall(name)} & set(
            crew.performed[before:]
        ):
            raise AssertionError(f"{point}: {kept} was kept and is done again")
        first = first or _stored(here.life.database.commits, crash)
        if not lives.between_lives("SELECT key FROM inbox WHERE settled_at IS NULL"):
            break
    return first


def _judge(tasks: Mapping[str, PlanTask], crew: Crew, point: CrashPoint | None) -> None:
    completed = {task.description for task in tasks.values() if task.state is TaskState.COMPLETED}
    if completed != COMPLETED or "rest is done" not in crew.contexts["sum"]:
        raise AssertionError(
            f"{point}: {sorted(completed)}, and the sum was made of: {crew.contexts.get('sum')}"
        )


def _stored(commits: list[str], point: CrashPoint | None) -> list[str]:
    """Return the commits without the one that the crash lost."""
    return commits[:-1] if point is not None and point.moment is Moment.BEFORE else commits
