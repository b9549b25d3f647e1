"""How long somebody has waited, in figures that need no language."""

SHOWN_AFTER_S = 10.0
"""Who waits less than this has no use for it."""
_STEP_S = 5.0
_LONG_STEP_S = 15.0
"""After a minute: an edit for each few seconds would use up what a platform allows."""


def elapsed(seconds: float) -> str:
    """` · 25 s`, ` · 1 min 15 s`; empty in the beginning. It changes in steps."""
    if seconds < SHOWN_AFTER_S:
        return ""
    shown = int(seconds - seconds % _step(seconds))
    minutes, rest = divmod(shown, 60)
    parts = [f"{minutes} min"] if minutes else []
    parts += [f"{rest} s"] if rest or not minutes else []
    return f" · {' '.join(parts)}"


def until_next(seconds: float) -> float:
    """The seconds until `elapsed` says something else."""
    if seconds < SHOWN_AFTER_S:
        return SHOWN_AFTER_S - seconds
    return _step(seconds) - seconds % _step(seconds)


def _step(seconds: float) -> float:
    return _STEP_S if seconds < 60 else _LONG_STEP_S
