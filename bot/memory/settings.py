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
    """A server with Ollama's `/api/embed`, such as `http://localhost:11434`.

    `remember`, `knowledge_search` and `search_documents` then also find what says the same in other
    words. The texts that they keep are sent there; empty: by words alone.
    """
    name: str = "nomic-embed-text"
    """Its model."""
    timeout_s: float = Field(default=5.0, gt=0, le=60)
    """A search waits so many seconds for it in all, then goes on without it and says so.

    A server that is down is not asked for a minute.
    """


class MemorySettings(Section):
    """`memory:` how many characters of each tier a prompt holds, and what is summarised."""

    shared_chars: int = Field(default=4000, ge=0, le=200_000)
    """Room for shared memory in the system prompt, in characters; 0 switches it off."""
    agent_chars: int = Field(default=8000, ge=0, le=200_000)
    """The same for what the agent learned."""
    user_chars: int = Field(default=4000, ge=0, le=200_000)
    """The same for what is known about the person."""
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
