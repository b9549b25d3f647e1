"""For connectors: tools, what they need, where their results come from, and words for cards."""

from bot.connectors.native import NativeConnector, ToolArguments
from bot.connectors.records import (
    RecordProvenance,
    as_read_by,
    elsewhere,
    new_id,
    one_line,
    showing,
    within,
    worst,
)
from bot.connectors.slugs import free_slug, slug_of
from bot.domain.access import CLOSED, Access, Person, Role
from bot.domain.card_words import coded, titled, visible
from bot.domain.characters import one_entry, whole_characters
from bot.domain.deeds import Done, Noun, ToolDeed
from bot.domain.json_types import JsonObject
from bot.domain.languages import Language, Phrase, Translations
from bot.domain.lasting import Kept, Lasting, Makes
from bot.domain.origins import BELLHOP, Origin, Trust, as_written
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, PUBLICLY, Learned, Viewer, left_out
from bot.domain.runs import RunShape
from bot.domain.targets import (
    ID_MARK,
    KIND_MARK,
    MARK,
    PART_MARK,
    WORDS_MARK,
    Stem,
    Target,
    TargetKind,
)
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import (
    AskPerson,
    Deferred,
    NeedsApproval,
    Rescheduled,
    ToolOutcome,
    ToolResult,
    Undoable,
)
from bot.domain.tools import Risk
from bot.domain.turns import OutcomeUnknown
from bot.errors import NeedsYes, ToolError, raised_as
from bot.tools.definitions.targets import read_email
from bot.tools.native.connector import Connector
from bot.tools.native.registry import (
    ALWAYS,
    EVERY_RUN,
    NEVER,
    Needs,
    ToolRegistration,
    Usable,
    tried,
)
