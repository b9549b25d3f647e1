"""KnownFacts entries: what agents found out during a session."""

from dataclasses import dataclass
from datetime import datetime

from bot.domain.origins import BELLHOP, Origin

FACT_KEY_CHARS = 80
FACT_VALUE_CHARS = 500


@dataclass(frozen=True)
class Fact:
    """A discovered fact. A newer one with the same key replaces it; history keeps the old one."""

    key: str
    value: str
    source_agent: str
    cycle_id: str
    at: datetime
    source_tool: str | None = None
    confidence: float = 1.0
    origin: Origin = BELLHOP
    private: bool = False
