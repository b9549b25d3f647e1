"""`memory:` of bellhop.yaml."""

from collections.abc import Mapping
from typing import Annotated

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


CHARS: Mapping[Tier, int] = {Tier.SHARED: 4_000, Tier.AGENT: 8_000, Tier.USER: 4_000}


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

    chars: dict[Tier, Annotated[int, Field(ge=0, le=200_000)]] = Field(
        default_factory=lambda: dict(CHARS)
    )
    """Room in the system prompt for shared memory, what the agent learned, and what is known about
    the person, in characters; 0 switches one off.
    """
    skip_agents: tuple[str, ...] = SKIPPED
    """Agents whose conversations are never summarised, so nothing is learned from them."""
    embedder: EmbedderSettings = EmbedderSettings()

    def budget(self, tier: Tier) -> int:
        """Characters that a tier may take in the prompt; 0 switches it off."""
        return self.chars.get(tier, CHARS[tier])
