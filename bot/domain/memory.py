"""Long-term memory: three tiers of markdown entries (seed 1, "Long-Term Memory (3-Tier System)")."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Tier(StrEnum):
    SHARED = "shared"
    AGENT = "agent"
    USER = "user"


@dataclass(frozen=True)
class MemoryEntry:
    """One bullet of a tier file: `- [S4][2026-11-20][src:abc12345] text` (no tag = significance 1)."""

    text: str
    significance: int = 1
    """1 transient to 5 foundational."""
    day: date | None = None
    source: str | None = None
    """Id of the summary that it was distilled from."""
    private: bool = False
    """Learned in a DM: not hydrated into a shared conversation (ruling 10); written as the tag `[private]`."""
