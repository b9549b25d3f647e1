"""`memory:` of bellhop.yaml."""

from pydantic import Field

from bot.domain.memory import Tier
from bot.settings import Section


class MemorySettings(Section):
    """`memory:` how much of each tier enters a prompt, in characters, headers included."""

    shared_chars: int = Field(default=4000, ge=0, le=200_000)
    agent_chars: int = Field(default=8000, ge=0, le=200_000)
    user_chars: int = Field(default=4000, ge=0, le=200_000)

    def budget(self, tier: Tier) -> int:
        """Characters that a tier may take in the prompt; 0 switches it off."""
        return {Tier.SHARED: self.shared_chars, Tier.AGENT: self.agent_chars, Tier.USER: self.user_chars}[tier]
