"""`agents:` in bellhop.yaml."""

import shlex

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bot.errors import raised_as
from bot.settings import AbsolutePaths, Section

MAX_TURNS = 20
"""The hard ceiling of model calls in one run."""


class AgentOverride(BaseModel):
    """What an installation sets for one agent, in place of its file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: int | None = Field(default=None, ge=1, le=MAX_TURNS)
    """Model calls in one run."""
    max_tokens: int | None = Field(default=None, ge=256, le=128_000)
    """Tokens that one model call may answer with."""
    email: str = Field(
        default="",
        pattern=r"^([^@\s<>,;]+@[^@\s<>,;]+)?$",
        max_length=254,
        examples=["nikki@example.org"],
    )
    """Its own mail address, see docs/web.md#mail."""
    command: str = ""
    """The program that runs its loop, with arguments; empty: it runs in this process.

    See docs/running.md#specialists-as-programs.
    """
    reads: AbsolutePaths = ()
    """Files and folders that it may read in the sandbox, beside the system's programs."""

    @field_validator("command")
    @classmethod
    def _words(cls, text: str) -> str:
        with raised_as(ValueError, ValueError, about=f"{text!r} can't be read as a command line"):
            shlex.split(text)
        return text


class AgentSettings(Section):
    """Which agent people talk with, and how deep delegation goes."""

    default: str = "assistant"
    """Name of the agent that answers people; a file of prompts/agents."""
    depth: int = Field(default=3, ge=0, le=3)
    """How many levels of delegation there may be below it; 0 switches delegation off."""
    overrides: dict[str, AgentOverride] = Field(default_factory=dict[str, AgentOverride])
    """By an agent's name: what holds in place of what its file says."""

    def override_of(self, agent: str) -> AgentOverride:
        """What is set for an agent."""
        return self.overrides.get(agent, AgentOverride())


class TraceSettings(Section):
    """`traces:` where OpenTelemetry traces of runs are sent, and whether with their contents."""

    endpoint: str = Field(
        default="", pattern=r"^(https?://[^\s?#]+)?$", examples=["http://localhost:4318"]
    )
    """Base URL of a collector that takes OpenTelemetry traces (OTLP over HTTP).

    See docs/running.md#traces.
    """
    contents: bool = False
    """Whether texts, tool inputs and outputs are sent, too: redacted, 2,000 characters each."""
