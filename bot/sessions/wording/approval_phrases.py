"""What is said of a waiting call: who decides, who may not, and how a card ends."""

from collections.abc import Sequence

from bot.domain.access import Role
from bot.domain.approvals import ApprovalState
from bot.domain.languages import Language, Phrase, joined

SAY_ROLE = Phrase("Say as what: `/pair {ref} {roles}`.")


def not_yours(rank: int, ref: str, asked: Sequence[str], language: Language = Language.EN) -> str:
    """For a person who may not decide; `asked`: the names of the people who were asked."""
    if rank == 0:
        return Phrase("Only the person who asked for it can decide approval {ref}.").said(
            language, ref=ref
        )
    return waits_for(rank, asked, language)


def waits_for(rank: int, asked: Sequence[str], language: Language = Language.EN) -> str:
    """On a card without choices: the people who may decide."""
    admin = rank >= Role.MASTER_ADMIN.rank
    who = (
        Phrase("a MasterAdmin").said(language)
        if admin
        else Phrase("a {role} or higher").said(language, role=_lowest(rank))
    )
    if not asked:
        return Phrase("Only {who} can decide this.").said(language, who=who)
    return Phrase("Only {who} can decide this; I have asked {names}.").said(
        language, who=who, names=joined(asked, language)
    )


def _lowest(rank: int) -> str:
    roles = sorted(Role, key=lambda role: role.rank)
    return next((role.value for role in roles if role.rank >= rank), Role.MASTER_ADMIN.value)


CLOSED = Phrase("Not open any more")
STOPPED = Phrase("Stopped")


def approval_end(state: ApprovalState, by: str, language: Language = Language.EN) -> str:
    """The line under the card of a finished approval; `by` made the decision."""
    if state is ApprovalState.EXPIRED:
        return Phrase("Expired: nobody decided in time").said(language)
    who, rejected = " ".join(by.split())[:80], state is ApprovalState.REJECTED
    if not who:
        return (Phrase("Rejected elsewhere") if rejected else Phrase("Approved elsewhere")).said(
            language
        )
    return (Phrase("Rejected by {who}") if rejected else Phrase("Approved by {who}")).said(
        language, who=who
    )


def answered(option: str | None, language: Language = Language.EN) -> str:
    """The line under a question. It doesn't repeat typed answers: their author may delete them."""
    if option is None:
        return Phrase("Answered in words").said(language)
    return Phrase("Answered: {option}").said(language, option=" ".join(option.split())[:100])
