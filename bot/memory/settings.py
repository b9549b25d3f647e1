"""`memory:` of bellhop.yaml."""

from pydantic import Field

from bot.domain.memory import Tier
from bot.settings import Section

SKIP_AGENTS = (
    "mrtool", "analyst", "sysadmin", "ceo", "director", "planner", "scheduler", "observer", "memorymaster",
    "summarizer", "playbook", "queen", "worker", "scout", "soldier", "debugger", "janitor", "reviewer", "tester",
    "importer",
)  # fmt: skip
"""Agents whose sessions leave nothing in memory (seed 1, memorySkipAgents; names: ruling 35)."""


class MemorySettings(Section):
    """`memory:` how much of each tier enters a prompt, and what is kept. Budgets are characters, headers included."""

    shared_chars: int = Field(default=4000, ge=0, le=200_000)
    agent_chars: int = Field(default=8000, ge=0, le=200_000)
    user_chars: int = Field(default=4000, ge=0, le=200_000)
    skip_agents: tuple[str, ...] = SKIP_AGENTS
    """No summaries and no distillation for these agents; they still read memory."""
    distill_at: str = Field(default="02:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$")
    """Time of day of the nightly pass, in the setting `timezone`."""

    def budget(self, tier: Tier) -> int:
        """Characters that a tier may take in the prompt; 0 switches it off."""
        return {Tier.SHARED: self.shared_chars, Tier.AGENT: self.agent_chars, Tier.USER: self.user_chars}[tier]
