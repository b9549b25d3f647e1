"""How a running Bellhop is: judged by evidence, never by what a socket says about itself.

See docs/rules.md#supervision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class PlatformState(StrEnum):
    """What the supervisor knows of one platform."""

    STARTING = "starting"
    SERVING = "serving"
    DEAF = "deaf"
    """Nothing came from it for too long, or nothing yet since it was restarted for that."""
    RESTARTING = "restarting"
    """Its adapter ended or failed, and is started again after a wait."""


@dataclass(frozen=True)
class Liveness:
    """The evidence about one platform; ages in seconds, None where there is none."""

    platform: str
    state: PlatformState
    last_frame_age_s: float | None = None
    last_probe_age_s: float | None = None
    """Since the platform last answered when it was asked."""
    restarts: int = 0
    unreadable: int = 0
    """Objects that it sent and that were skipped; the log says which kinds."""
    trouble: str = ""
    """Why it was restarted last, for the operator."""


class HealthStatus(StrEnum):
    OK = "ok"
    DEGRADED = "degraded"
    """The database does not answer, or a platform is not served right now."""
    DEAF = "deaf"


@dataclass(frozen=True)
class Health:
    """One look at everything that runs on a home. Holds no secrets and nobody's words."""

    version: str
    uptime_s: float
    database_ok: bool
    running: int
    """Turns that run right now."""
    waiting: int
    """Accepted work that waits for its turn."""
    outbox_pending: int
    """Sends that their platform has not taken yet."""
    platforms: Sequence[Liveness] = ()

    @property
    def status(self) -> HealthStatus:
        states = {item.state for item in self.platforms}
        if PlatformState.DEAF in states:
            return HealthStatus.DEAF
        if not self.database_ok or states - {PlatformState.SERVING}:
            return HealthStatus.DEGRADED
        return HealthStatus.OK

    @property
    def fit(self) -> bool:
        """Whether messages can be received and stored; if not, a monitor outside should alert."""
        return self.database_ok and self.status is not HealthStatus.DEAF
