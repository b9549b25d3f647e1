"""Limits that hold for every home."""

from dataclasses import dataclass

from bot.agents.delegation.specialist_programs import PROGRAM_BOUNDS, ProgramBounds
from bot.sessions.opening.attachments import FILE_ROOM, FileRoom


@dataclass(frozen=True)
class HouseLimits:
    """Tests hand smaller ones to the app."""

    files: FileRoom = FILE_ROOM
    """For attached files while the requests that they belong to are open."""
    programs: ProgramBounds = PROGRAM_BOUNDS
    """For specialists that run as programs."""


HOUSE_LIMITS = HouseLimits()
