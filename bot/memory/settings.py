"""`memory:` of bellhop.yaml."""

from datetime import time

from pydantic import Field

from bot.domain.memory import Tier
from bot.settings import Section

SKIPPED = (
    "mrtool",
    "analyst",
    "sysadmin",
    "ceo",
    "director",
    "planner",
    "scheduler",
    "observer",
    "memorymaster",
    "summarizer",
    "playbook",
    "queen",
    "worker",
    "scout",
    "soldier",
    "debugger",
    "janitor",
    "reviewer",
    "tester",
    "importer",
)
"""Agents that work for others: their callers remember their work."""


class EmbedderSettings(Section):
    """`memory.embedder:` a server with Ollama's `/api/embed`.

    Texts that are remembered go there.
    """

    base_url: str = ""
    """Such as `http://localhost:11434`; empty: no embedder."""
    name: str = "nomic-embed-text"
    timeout_s: float = Field(default=5.0, gt=0, le=60)
    """After this time in all, `remember` continues by words alone."""


class MemorySettings(Section):
    """`memory:` how many characters of each tier a prompt holds, and what is summarised."""

    shared_chars: int = Field(default=4000, ge=0, le=200_000)
    agent_chars: int = Field(default=8000, ge=0, le=200_000)
    user_chars: int = Field(default=4000, ge=0, le=200_000)
    skip_agents: tuple[str, ...] = SKIPPED
    """Agents whose conversations are never summarised, so nothing is learned from them."""
    distill_at: str = Field(
        default="02:00", pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["02:00"]
    )
    """The time of the nightly learning from the day's summaries, in the home's time zone."""
    goal_agents: tuple[str, ...] = ("nikki", "lia", "marvin")
    """Agents whose summaries keep continuing goals."""

    recall: bool = True
    """Whether a session opens with memories that match the person's first message."""
    embedder: EmbedderSettings = EmbedderSettings()

    @property
    def distill_time(self) -> time:
        return time.fromisoformat(self.distill_at)

    def budget(self, tier: Tier) -> int:
        """Characters that a tier may take in the prompt; 0 switches it off."""
        return {
            Tier.SHARED: self.shared_chars,
            Tier.AGENT: self.agent_chars,
            Tier.USER: self.user_chars,
        }[tier]
