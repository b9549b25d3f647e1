"""For plug-ins that draft tools and skills: what they hand in waits for a MasterAdmin's yes."""

from collections.abc import Callable
from dataclasses import dataclass

from bot.domain.database import Unit
from bot.skills.front_matter import EXAMPLE_CHARS as EXAMPLE_CHARS
from bot.skills.play_file import PLAY_FILE as PLAY_FILE
from bot.skills.skill_file import DESCRIPTION_CHARS as DESCRIPTION_CHARS
from bot.workshop.drafts.checks import roles_of as roles_of
from bot.workshop.drafts.desk import DRAFT_NAME as DRAFT_NAME
from bot.workshop.drafts.desk import DraftDesk as DraftDesk
from bot.workshop.drafts.desk import DraftSummary as DraftSummary
from bot.workshop.drafts.desk import HandedIn as HandedIn
from bot.workshop.drafts.desk import NotHandedIn as NotHandedIn
from bot.workshop.drafts.draft import Draft as Draft
from bot.workshop.drafts.draft import DraftKind as DraftKind
from bot.workshop.drafts.draft import main_file as main_file
from bot.workshop.drafts.trial import TrialResult as TrialResult
from bot.workshop.review.rendering import one_line as one_line
from bot.workshop.review.rendering import plain_line as plain_line


@dataclass(frozen=True)
class DraftGround:
    """What tools that draft are made from."""

    desk: DraftDesk
    audit: Callable[[str, str, str, str], Unit]
    """A line of the audit log: person, kind, subject, detail."""
