"""What `/connect`, `/disconnect`, `/grants` and the lists of approvals say."""

from bot.domain.grants import Grant, GrantScope
from bot.domain.languages import Language, Phrase

NO_APPROVAL = Phrase("There is no approval {ref}.")

FOR_ONE_SESSION = Phrase("{tool}, for one session")
ALWAYS_TO = Phrase("{tool} to {targets}, always")


def grant_words(grant: Grant, language: Language) -> str:
    """What a grant covers: `send_email to ann@example.org, always`."""
    if grant.scope is GrantScope.SESSION:
        return FOR_ONE_SESSION.said(language, tool=grant.tool)
    targets = ", ".join(sorted({target.value for target in grant.targets}))
    return ALWAYS_TO.said(language, tool=grant.tool, targets=targets)


ADMIN_ALONE = Phrase("Only a MasterAdmin can decide this.")
