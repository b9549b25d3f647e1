"""The interface of the agents' room for the rooms above it."""

from dataclasses import dataclass

from bot.agents.cycle_log.events import Cycles
from bot.agents.delegation.background import Background
from bot.agents.delegation.dispatch import Dispatch
from bot.agents.delegation.specialists import ComposeToolset
from bot.agents.loop.loop import ReactLoop
from bot.agents.loop.pipeline import ToolPipeline
from bot.agents.planner.running import RunningPlans
from bot.agents.prompt.system_prompt import PromptBuilder
from bot.plugin.agents import AgentGround


@dataclass(frozen=True)
class Crew:
    """The agents room of one app."""

    pipeline: ToolPipeline
    loop: ReactLoop
    prompts: PromptBuilder
    cycles: Cycles
    compose: ComposeToolset
    """The tools of one request: those of tool files and those for delegation."""
    dispatch: Dispatch
    background: Background
    plans: RunningPlans
    led: AgentGround
    """For tools of plug-ins that have agents work."""
