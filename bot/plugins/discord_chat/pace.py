"""Durations on Discord, in seconds. Tests pass shorter ones."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pace:
    typing_after: float = 0.1
    """An answer within that needs no sign that work goes on, and is one call then. People who see
    nothing for longer write again.
    """
    typing_every: float = 8.0
    """Discord shows typing for ten seconds."""
    typing_again: float = 0.25
    """After a call that had no room beside those that people wait for."""
    draft_after: float = 1.2
    """A turn that ends before has no draft."""
    draft_gather: float = 0.25
    """What changes so soon after a change is shown with it: a quick tool needs one call, and it is
    made while the turn waits for its model again.
    """
    edit_every: float = 1.2
    """Five edits in five seconds are allowed in a channel."""
    retry: tuple[float, ...] = (0.5, 1.5, 4.0)
    """Waits before further tries of a call that got no answer or a 503."""
    accept_retry: tuple[float, ...] = (0.1, 0.4)
    identify: float = 5.0
    """Before a second login of the same client."""
    guild_ready: float = 2.0
    heartbeat: float = 60.0
    """After this time without a frame the connection counts as dead."""
    calls_per_s: int = 45
    """Discord allows 50 calls a second in all."""
    edits_per_5s: int = 5
    """Discord allows five edits per channel in five seconds; drafts leave one for answers."""
