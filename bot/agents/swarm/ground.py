"""What batches work with; batches themselves are imported when a queen begins one."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from bot.agents.delegation.specialists import Specialists
from bot.agents.loop.run import Run
from bot.agents.planner.running import RunningPlans
from bot.domain.agents import Brief, SpecialistReply
from bot.domain.clock import Clock
from bot.domain.tool_outcomes import ToolResult
from bot.domain.turns import Turn


@dataclass(frozen=True)
class BatchGround:
    """The parts that every batch works with, whoever leads it."""

    deliver: Callable[[str, Brief, Run, Turn], Awaitable[SpecialistReply | ToolResult]]
    check: Callable[[Run, Turn, str, str, str], Awaitable[ToolResult]]
    clock: Clock
    specialists: Specialists
    running: RunningPlans
