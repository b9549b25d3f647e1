"""Agents as their files define them, and what a delegated agent gives back (seed 4)."""

from dataclasses import dataclass
from pathlib import Path

from bot.domain.access import Access
from bot.domain.models import ModelSize, Usage
from bot.domain.runs import RunShape


@dataclass(frozen=True)
class AgentDefinition:
    """`prompts/agents/<name>.md`: front matter and the persona as body."""

    name: str
    description: str
    prompt: str
    folders: tuple[str, ...] = ()
    """Tool folders besides `shared` and its own name: `planner`, `subagents`, `mrtool`."""
    specialists: tuple[str, ...] = ()
    """Agents whose `agent_<name>` tool is always on for this one."""
    turns: int = 10
    """Model calls in one run."""
    max_tokens: int = 4096
    model: ModelSize = ModelSize.MAIN
    run_shape: RunShape | None = None
    """None: inherited from the caller; researcher runs as `research`."""
    access: Access = Access()
    specialist: bool = True
    """Whether it can be called by others; the top-level assistant is not."""
    email: str | None = None
    source: Path | None = None


@dataclass(frozen=True)
class AgentReply:
    """What a dispatched specialist gives its caller: one final text, or a reason (seed 4, envelope and errors)."""

    text: str
    success: bool
    cycle_id: str
    tools_used: tuple[str, ...] = ()
    usage: Usage = Usage()
