"""Why a skill is not saved, shared, removed or promoted, in the language of its person."""

from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

AT_LINE = Phrase("{file}, line {line}: {text}")
TOO_LARGE = Phrase(
    "{file}: is larger than {most} KB; keep the skill short and put details into files beside it"
)
TITLE_TOO_LONG = Phrase("name has {count} characters, the limit is {most}; shorten it")
DESCRIPTION_TOO_LONG = Phrase(
    "description has {count} characters, the limit is {most}; move details below"
)
NEEDS_DESCRIPTION = Phrase(
    "auto_invoke needs a description; add description: with a sentence that says when to use the"
    " skill"
)
NO_INSTRUCTIONS = Phrase("the skill has no instructions; write them below the second ---")
UNUSABLE = Phrase("nothing could ever use this skill; add command: {command}, or auto_invoke: true")

NOT_LEARNED = Phrase(
    "{name} comes from sessions in places with learn: false ({sessions}), so no skill is made of"
    " it; remove them and what they taught from the candidate"
)
SKILL_ALREADY = Phrase(
    "there is a skill {name} already; rename the candidate's file, and promote it then"
)

IN_FILES = Retelling((
    AT_LINE,
    TOO_LARGE,
    TITLE_TOO_LONG,
    DESCRIPTION_TOO_LONG,
    NEEDS_DESCRIPTION,
    NO_INSTRUCTIONS,
    UNUSABLE,
))  # fmt: skip
"""What is wrong with a skill's file, by the English words of its error."""
