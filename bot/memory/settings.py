"""`memory:` of bellhop.yaml."""

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
    recall: bool = True
    """Whether a session opens with memories that match the person's first message."""
    embedder: EmbedderSettings = EmbedderSettings()

    def budget(self, tier: Tier) -> int:
        """Characters that a tier may take in the prompt; 0 switches it off."""
        return {
            Tier.SHARED: self.shared_chars,
            Tier.AGENT: self.agent_chars,
            Tier.USER: self.user_chars,
        }[tier]
