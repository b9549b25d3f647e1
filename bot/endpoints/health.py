"""Health as JSON: what GET /health and the control socket answer."""

from bot.domain.health import Health, Liveness
from bot.domain.json_types import JsonObject


def health_to_json(health: Health) -> JsonObject:
    """Figures only: errors are in the log, which is not for everybody who reaches the port."""
    return {
        "status": health.status.value,
        "version": health.version,
        "uptime_s": round(health.uptime_s, 1),
        "database": "ok" if health.database_ok else "unreachable",
        "turns": {"running": health.running, "waiting": health.waiting},
        "outbox_pending": health.outbox_pending,
        "platforms": {item.platform: _platform(item) for item in health.platforms},
    }


def _platform(item: Liveness) -> JsonObject:
    return {
        "state": item.state.value,
        "last_frame_age_s": _rounded(item.last_frame_age_s),
        "last_probe_age_s": _rounded(item.last_probe_age_s),
        "restarts": item.restarts,
        "unreadable": item.unreadable,
    }


def _rounded(age: float | None) -> float | None:
    return None if age is None else round(age, 1)
