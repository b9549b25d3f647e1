"""For plug-ins that read skills and tools from elsewhere, for `bellhop skills import`.

What they find is audited, renamed, written in Bellhop's form and staged: nothing of it is live
before a MasterAdmin's yes.
"""

from bot.domain.confinement import MOST
from bot.domain.confinement import Confinement as Confinement
from bot.tools.schemas.validation import schema_problem as schema_problem
from bot.workshop.review.audit import AuditedText as AuditedText
from bot.workshop.review.audit import decode as decode
from bot.workshop.review.findings import Finding as Finding
from bot.workshop.review.findings import ImportRefused as ImportRefused
from bot.workshop.review.findings import Severity as Severity
from bot.workshop.review.findings import shown as shown
from bot.workshop.review.foreign import AUTO as AUTO
from bot.workshop.review.foreign import ForeignSkill as ForeignSkill
from bot.workshop.review.foreign import ForeignTool as ForeignTool
from bot.workshop.review.foreign import FoundSkills as FoundSkills
from bot.workshop.review.foreign import SkillImporter as SkillImporter
from bot.workshop.review.foreign import SkillSource as SkillSource
from bot.workshop.review.json_text import BadJson as BadJson
from bot.workshop.review.json_text import plain as plain
from bot.workshop.review.json_text import read_json as read_json
from bot.workshop.review.json_text import read_json5 as read_json5
from bot.yaml_file import parse_yaml as parse_yaml

MOST_LIMITS = MOST
"""The most entries of one list of limits."""
