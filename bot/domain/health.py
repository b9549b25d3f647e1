"""What `bellhop doctor` finds, and the health of a running Bellhop.

Health is judged by what it received and not by socket states. See docs/rules.md#supervision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, Self

State = Literal["ok", "warning", "error"]


@dataclass(frozen=True)
class Check:
    """The result of one check. Each line of its text is one problem."""

    check: str
    state: State
    text: str

    @classmethod
    def of(cls, check: str, problems: Sequence[str], fine: str, state: State = "warning") -> Self:
        """The problems of a check, of this state, or what it says without any."""
        return cls(check, state, "\n".join(problems)) if problems else cls(check, "ok", fine)


class PlatformState(StrEnum):
    """The state of one platform, for the supervisor."""

    STARTING = "starting"
    SERVING = "serving"
    DEAF = "deaf"
    """Nothing came from it for too long, or since it was restarted for that reason."""
    RESTARTING = "restarting"
    """Its adapter ended or failed and is restarted after a wait."""


@dataclass(frozen=True)
class Liveness:
    """The evidence about one platform; ages in seconds, None where there is none."""

    platform: str
    state: PlatformState
    last_frame_age_s: float | None = None
    last_probe_age_s: float | None = None
    """Since the platform last answered a probe."""
    restarts: int = 0
    unreadable: int = 0
    """How many of its objects were skipped as unreadable; the log names their kinds."""
    trouble: str = ""
    """Why it was restarted last, for the operator."""


class HealthStatus(StrEnum):
    OK = "ok"
    DEGRADED = "degraded"
    """The database does not answer, or a platform is not served right now."""
    DEAF = "deaf"


@dataclass(frozen=True)
class Health:
    """A snapshot of everything that runs on a home. Holds no secrets and no messages."""

    version: str
    uptime_s: float
    database_ok: bool
    running: int
    """Turns that run right now."""
    waiting: int
    """Accepted work that waits for its turn."""
    outbox_pending: int
    """Sends that their platform has not accepted yet."""
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
        """Whether messages can be received and stored; if not, a monitor should alert."""
        return self.database_ok and self.status is not HealthStatus.DEAF
