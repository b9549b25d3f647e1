"""What is wrong with a skill's file, in the language of its person."""

from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

IN_FILES = Retelling((
    Phrase("{file}, line {line}: {text}"),
    Phrase(
        "{file}: is larger than {most} KB; keep the skill short and put details into files beside"
        " it"
    ),
    Phrase("name has {count} characters, the limit is {most}; shorten it"),
    Phrase("description has {count} characters, the limit is {most}; move details below"),
    Phrase(
        "auto_invoke needs a description; add description: with a sentence that says when to use"
        " the skill"
    ),
    Phrase("the skill has no instructions; write them below the second ---"),
    Phrase("nothing could ever use this skill; add command: {command}, or auto_invoke: true"),
))  # fmt: skip
"""What is wrong with a skill's file, by the English words of its error."""
