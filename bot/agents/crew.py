"""The interface of the agents' room for the rooms above it."""

from dataclasses import dataclass

from bot.agents.background import Background
from bot.agents.dispatch import Dispatch
from bot.agents.loop import ReactLoop
from bot.agents.pipeline import ToolPipeline
from bot.agents.planner.running import RunningPlans
from bot.agents.prompt import PromptBuilder
from bot.agents.specialists import ComposeToolset


@dataclass(frozen=True)
class Crew:
    """The agents room of one app."""

    pipeline: ToolPipeline
    loop: ReactLoop
    prompts: PromptBuilder
    compose: ComposeToolset
    """The tools of one request: those of tool files and those for delegation."""
    dispatch: Dispatch
    background: Background
    plans: RunningPlans
