"""`agents:` in bellhop.yaml."""

from pydantic import Field

from bot.settings import Section


class AgentSettings(Section):
    """Which agent people talk with, and how deep delegation goes."""

    default: str = "assistant"
    """Name of the agent that answers people; a file of prompts/agents."""
    depth: int = Field(default=3, ge=0, le=3)
    """How many levels of delegation there may be below it; 0 switches delegation off."""
