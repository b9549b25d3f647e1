"""What `/share` shows and answers, and who would see a shared text."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

HOW = Phrase(
    "Say `/share {usage}`. I show you the text and who would see it. After your yes it is in the"
    " memory that all members share; `/share back REF` takes it out."
)
YOU_SHARED = Phrase("You have shared:")
SHALL_I = Phrase(
    "**Shall I share this?** It would be seen by {readers}.\n{text}\nAnswer yes or no, or use"
    " `/approve {ref}` or `/reject {ref}`. Until your yes, nobody sees it."
)
YES = Phrase("Yes, share it")
NO = Phrase("No")

MEMBERS = Phrase(
    "every member of rank {rank} and above (Business, Friend, Partner, MasterAdmin) {where}, now"
    " and later. {known}"
)
EVERYWHERE = Phrase("everywhere that I talk")
HERE: Mapping[str, Phrase] = {
    "discord": Phrase("in this Discord server"),
    "slack": Phrase("in this Slack workspace"),
}
IN_THIS = Phrase("in this {platform} workspace")
THERE: Mapping[str, Phrase] = {
    "discord": Phrase("in the Discord server {id}"),
    "slack": Phrase("in the Slack workspace {id}"),
}
IN_THE = Phrase("in the {platform} workspace {id}")
NONE_KNOWN = Phrase("I know none by name yet")
KNOWN = Phrase("Known now: {names}")
KNOWN_MORE = CountedPhrase(
    Phrase("Known now: {names} and {count} more", context="one"),
    Phrase("Known now: {names} and {count} more"),
)

MEMBERS_ALONE = Phrase("Only members of rank {rank} and above can share something with all.")
NOT_LEARNED = Phrase("Nothing is learned in this place, so nothing is shared from it either.")
NO_TEXT = Phrase("There is no text to share.")
TOO_LONG = Phrase("That has {count} characters; shared memory takes up to {most}.")
A_SECRET = Phrase("That looks like it holds a password or key. I don't share these.")
SHARED = Phrase("Shared. `/share back {ref}` takes it back.")
SHARED_BEFORE = Phrase("It was shared before.")
NOT_YOURS = Phrase("You have shared nothing with the reference {ref}.")
TAKEN_BACK = Phrase(
    "Taken back, also from the archive and the backups. Conversations that are open now may show it"
    " until they end."
)
NOTHING = Phrase("I shared nothing.")
NOTHING_ONLY_YOU = Phrase("I shared nothing: only you can say yes to that.")
NOTHING_OTHERS = Phrase(
    "I shared nothing: others would see it than I told you. Say `/share` again."
)
ASKS_TO_SHARE = Phrase("share a text with {readers}")
