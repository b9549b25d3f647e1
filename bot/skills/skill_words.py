"""Why a skill is not saved, shared, removed or promoted, in the language of its person."""

from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

BAD_NAME = Phrase("{name} can't be a name; use letters and digits, such as weekly_report")
BAD_COMMAND = Phrase("{name} can't be a command; use letters and digits, such as weekly")
NONE_OF_YOURS = Phrase("You have no skill {name} of your own; /skill list shows what there is.")
OF_OTHERS_TEXT = Phrase(
    "{name} holds text that did not come from you; write it anew, then share it."
)
NONE_TO_REMOVE = Phrase("There is no skill {name} that you could remove; /skill list shows them.")
CHANGED_MEANWHILE = Phrase(
    "{name} was changed meanwhile; nothing was saved. Look at it and try again."
)
NO_SERVER = Phrase(
    "A direct message belongs to no server, so nothing is shared there; do this in a channel."
)
PARTNER_GIVES = Phrase(
    "To give a skill to the whole workspace takes a Partner or MasterAdmin; ask one of them."
)
PARTNER_REMOVES = Phrase(
    "To remove a skill of the whole workspace takes a Partner or MasterAdmin; ask one of them."
)

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

NO_CANDIDATE = Phrase("there is no playbook candidate {name}; there are: {known}")
NO_UTF8 = Phrase("{file}: is not UTF-8 text; save it as UTF-8")
ANOTHER_ALREADY = Phrase("{file} is another skill already; rename the candidate or the skill")
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
