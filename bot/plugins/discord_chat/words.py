"""What the adapter says by itself, beside what it is given to say."""

from bot.plugin.drawing import Phrase

NOT_RECORDED = Phrase("I could not record your message just now. Please send it again in a while.")
REST_IN_FILE = Phrase(
    "{count} more characters are not shown here. *The whole answer is in the file.*"
)
NOTHING_TO_SAY = Phrase("(There is nothing to say.)")
FILE_GONE = Phrase("(The file {name} is no longer stored.)")
FILE_TOO_LARGE = Phrase("(The file {name} has {size} MB; Discord takes up to {most} MB.)")

QUESTION = Phrase("What you want to know")
REFERENCE = Phrase("A reference; without one your last message")
APPROVAL = Phrase("The reference on the approval")
REVOKE = Phrase("revoke and its reference")
FAMILY = Phrase("A family; for MasterAdmins: import, staged, approve, reject, remove, and a name")
SKILL_OR = Phrase("A skill, or: new, list, show, share, remove")
TASK_OR_NAME = Phrase("What it is to do; for show, share and remove the skill's name")
TASK = Phrase("What it is to do")
