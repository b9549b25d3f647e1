"""`agents:` in bellhop.yaml."""

from pydantic import BaseModel, ConfigDict, Field

from bot.agents.agent_file import MAX_TURNS
from bot.settings import Section


class AgentOverride(BaseModel):
    """What an installation sets for one agent, in place of its file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: int | None = Field(default=None, ge=1, le=MAX_TURNS)
    """Model calls in one run."""
    max_tokens: int | None = Field(default=None, ge=256, le=128_000)
    """Tokens that one model call may answer with."""


class AgentSettings(Section):
    """Which agent people talk with, and how deep delegation goes."""

    default: str = "assistant"
    """Name of the agent that answers people; a file of prompts/agents."""
    depth: int = Field(default=3, ge=0, le=3)
    """How many levels of delegation there may be below it; 0 switches delegation off."""
    plan_tasks: int = Field(default=3, ge=2, le=12)
    """A plan needs at least so many tasks: with fewer, handing them out costs more than it saves."""
    plan_parallel: int = Field(default=4, ge=1, le=12)
    """Tasks of a plan that may run at the same time."""
    turns: int | None = Field(default=None, ge=1, le=MAX_TURNS)
    """Model calls in one run of the agent that answers people, in place of its file's."""
    overrides: dict[str, AgentOverride] = Field(default_factory=dict[str, AgentOverride])
    """By the agent's name."""

    def override_of(self, agent: str) -> AgentOverride:
        """What is set for an agent. Its own `turns` win over those of the agent that answers people."""
        given = self.overrides.get(agent, AgentOverride())
        if given.turns is None and agent == self.default:
            return given.model_copy(update={"turns": self.turns})
        return given
