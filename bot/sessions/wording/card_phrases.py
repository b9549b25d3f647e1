"""The words of an approval card: who wants what, why it is asked, how to decide."""

from bot.domain.approvals import ApprovalState
from bot.domain.languages import Language, Phrase

CLOSED = Phrase("Not open any more")
STOPPED = Phrase("Stopped")
UNDECIDED = Phrase("Expired: nobody decided in time")
APPROVED_BY = Phrase("Approved by {who}")
REJECTED_BY = Phrase("Rejected by {who}")
APPROVED_ELSEWHERE = Phrase("Approved elsewhere")
REJECTED_ELSEWHERE = Phrase("Rejected elsewhere")
ANSWERED = Phrase("Answered: {option}")
ANSWERED_IN_WORDS = Phrase("Answered in words")


def approval_end(state: ApprovalState, by: str, language: Language = Language.EN) -> str:
    """The line under the card of a finished approval; `by` made the decision."""
    if state is ApprovalState.EXPIRED:
        return UNDECIDED.said(language)
    who, rejected = " ".join(by.split())[:80], state is ApprovalState.REJECTED
    if not who:
        return (REJECTED_ELSEWHERE if rejected else APPROVED_ELSEWHERE).said(language)
    return (REJECTED_BY if rejected else APPROVED_BY).said(language, who=who)


def answered(option: str | None, language: Language = Language.EN) -> str:
    """The line under a question. It doesn't repeat typed answers: their author may delete them."""
    if option is None:
        return ANSWERED_IN_WORDS.said(language)
    return ANSWERED.said(language, option=" ".join(option.split())[:100])
