"""What several commands, cards and reminders say."""

from bot.domain.grants import Grant, GrantScope
from bot.domain.languages import CountedPhrase, Language, Phrase

SEND_FILES_HERE = Phrase("Send the files here, with a message.")
PARTNER_DECIDES = Phrase("A Partner or MasterAdmin decides that.")
NO_APPROVAL = Phrase("There is no approval {ref}.")
ADMIN_ALONE = Phrase("Only a MasterAdmin can decide this.")
TITLED = Phrase("“{title}”")
ASK_DIRECTLY = Phrase("Ask me in a direct message; others read along here.", context="todos")
DONE = Phrase("Done")
UNSEEN = Phrase("Plug-ins that are switched off keep what I can't look through: {names}.")
AND_MORE = CountedPhrase(Phrase("and {count} more", context="one"), Phrase("and {count} more"))


def grant_words(grant: Grant, language: Language) -> str:
    """What a grant covers: `send_email to ann@example.org, always`."""
    if grant.scope is GrantScope.SESSION:
        return Phrase("{tool}, for one session").said(language, tool=grant.tool)
    targets = ", ".join(sorted({target.value for target in grant.targets}))
    return Phrase("{tool} to {targets}, always").said(language, tool=grant.tool, targets=targets)


def at_line(source: str, language: Language) -> str:
    """A file and the line in it, as the house writes them: `policy.yaml, line 5`."""
    file, _, line = source.rpartition(", line ")
    return Phrase("{file}, line {line}").said(language, file=file, line=line) if file else source
