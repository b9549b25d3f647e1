"""For plug-ins that draft tools and skills: what they hand in waits for a MasterAdmin's yes."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.domain.database import Unit
from bot.skills.front_matter import EXAMPLE_CHARS
from bot.skills.play_file import PLAY_FILE
from bot.skills.skill_file import DESCRIPTION_CHARS
from bot.workshop.drafts.checks import roles_of
from bot.workshop.drafts.desk import DRAFT_NAME, DraftDesk, DraftSummary, HandedIn, NotHandedIn
from bot.workshop.drafts.draft import Draft, DraftKind, main_file
from bot.workshop.drafts.trial import TrialResult
from bot.workshop.review.rendering import one_line, plain_line


@dataclass(frozen=True)
class DraftGround:
    """What tools that draft are made from."""

    desk: DraftDesk
    audit: Callable[[str, str, str, str], Unit]
    """A line of the audit log: person, kind, subject, detail."""
