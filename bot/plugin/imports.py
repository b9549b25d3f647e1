"""For plug-ins that read skills and tools from elsewhere, for `bellhop skills import`.

What they find is audited, renamed, written in Bellhop's form and staged: nothing of it is live
before a MasterAdmin's yes.
"""

from bot.domain.confinement import MOST, Confinement
from bot.tools.schemas.validation import schema_problem
from bot.workshop.review.audit import AuditedText, decode
from bot.workshop.review.findings import Finding, ImportRefused, Severity, shown
from bot.workshop.review.foreign import (
    AUTO,
    ForeignSkill,
    ForeignTool,
    FoundSkills,
    SkillImporter,
    SkillSource,
)
from bot.workshop.review.json_text import BadJson, plain, read_json, read_json5
from bot.yaml_file import parse_yaml

MOST_LIMITS = MOST
"""The most entries of one list of limits."""
