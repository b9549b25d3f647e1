"""What somebody reads who decides about a waiting call, or who may not decide."""

from collections.abc import Sequence

from bot.domain.access import Role
from bot.domain.approvals import ApprovalState
from bot.domain.languages import Language, Phrase, joined

ASKER_DECIDES = Phrase("Only the person who asked for it can decide approval {ref}.")
OTHERS_DECIDE = Phrase("Only {who} can decide this.")
OTHERS_ASKED = Phrase("Only {who} can decide this; I have asked {names}.")
AN_ADMIN = Phrase("a MasterAdmin")
THAT_ROLE = Phrase("a {role} or higher")
ELSEWHERE_ONLY = Phrase(
    "Approval {ref} was asked for elsewhere, and others read here. Send me `/approve {ref}` in a"
    " direct message: there I show all of it, and you can decide."
)
ONLY_DIRECTLY = Phrase(
    "Something in approval {ref} looks like a secret, and others read here. Send me"
    " `/approve {ref}` in a direct message: there I show all of it, and you can decide."
)
NOT_SHOWN = Phrase(
    "Approval {ref} was not shown to you whole, so your yes can't count. Send me `/approve {ref}`"
    " in a direct message, or ask for it again."
)
ONE_OF_SEVERAL = Phrase("Approval {ref} is call {line} of {card}: use `/approve {card} {line}`.")
TOO_LONG = Phrase(
    "Approval {ref} is too long to be shown whole, so nobody can approve it: ask for less."
)
SHOWN_FIRST = Phrase("Approval {ref} is not decided yet: this is all of it. Decide now.")
ASKED_AGAIN = Phrase(
    "I ask again about approval {ref}, so that your answer means this and nothing else:"
)
OTHER_WAS_FASTER = Phrase("Approval {ref} was decided by somebody else just now, or has expired.")
EXPIRED = Phrase("Approval {ref} has expired; ask for it again.")
APPROVED = Phrase("Approval {ref}: approved.")
REJECTED = Phrase("Approval {ref}: rejected.")
NOT_ASKED_AGAIN = Phrase(
    "From now on I don't ask about {what} (`/grants revoke {ref}` takes it back)."
)
SAY_ROLE = Phrase("Say as what: `/pair {ref} {roles}`.")
ONE_CALL = Phrase("Approval {ref} is for one call; use /approve {ref}.")
NAME_CALLS = Phrase(
    "Approval {ref} has the calls 1 to {most}; name some of these, such as /approve {ref} 1,2."
)
NO_TARGET = Phrase(
    "Approval {ref} can be given for this one call only: its arguments don't say what it acts on."
    " Use /approve {ref}."
)
EACH_ASKS = Phrase(
    "Approval {ref} can be given for this one call only: each call of this kind needs its own yes."
    " Use /approve {ref}."
)
ENDED = {
    ApprovalState.APPROVED: Phrase("Approval {ref} is already approved."),
    ApprovalState.REJECTED: Phrase("Approval {ref} is already rejected."),
    ApprovalState.EXPIRED: Phrase("Approval {ref} is already expired."),
    ApprovalState.DONE: Phrase("Approval {ref} is already done."),
}


def not_yours(rank: int, ref: str, asked: Sequence[str], language: Language = Language.EN) -> str:
    """For a person who may not decide; `asked`: the names of the people who were asked."""
    if rank == 0:
        return ASKER_DECIDES.said(language, ref=ref)
    return waits_for(rank, asked, language)


def waits_for(rank: int, asked: Sequence[str], language: Language = Language.EN) -> str:
    """On a card without choices: the people who may decide."""
    admin = rank >= Role.MASTER_ADMIN.rank
    who = AN_ADMIN.said(language) if admin else THAT_ROLE.said(language, role=_lowest(rank))
    if not asked:
        return OTHERS_DECIDE.said(language, who=who)
    return OTHERS_ASKED.said(language, who=who, names=joined(asked, language))


def _lowest(rank: int) -> str:
    roles = sorted(Role, key=lambda role: role.rank)
    return next((role.value for role in roles if role.rank >= rank), Role.MASTER_ADMIN.value)
