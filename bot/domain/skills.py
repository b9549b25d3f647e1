"""Skills: prose that is read just in time, and manifests that unlock tools (seeds 0 and 1, ruling 12)."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Skill:
    """A prose skill. Listed by name and description; the body is read on demand, never put into the prompt."""

    name: str
    description: str
    path: str
    """Virtual path of its SKILL.md, `/skills/standup/SKILL.md`."""
    command: str | None = None
    auto_invoke: bool = True
    agents: tuple[str, ...] = ()
    source: Path | None = None


@dataclass(frozen=True)
class SkillManifest:
    """`skills/<skill_id>.json`, exactly seed 1's fields."""

    skill_id: str
    name: str
    required_tools: tuple[str, ...]
    default_ants: int | None = None
    max_parallel: int | None = None
    source: Path | None = None
