"""The words of an approval card: who wants what, why it is asked, how to decide."""

from bot.domain.approvals import ApprovalState
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.messages import Place

RUN = Phrase("{who} asks to run `{tool}`")
RUN_CALLS = CountedPhrase(
    Phrase("{who} asks to make {count} call"), Phrase("{who} asks to make {count} calls")
)
WANTED = Phrase("{who} asks to {what}")
"""`what` is a clause in the infinitive."""
OK = Phrase("OK?")
APPROVAL = Phrase("Approval {ref}.")
RUNS = Phrase("This runs `{tool}`")
ACTS_ON = Phrase("It acts on:")
ACTS_ON_UNNAMED = Phrase("It acts on this. You did not name all of it, so check it:")
FROM = Phrase("from {source}: {excerpt}")
FROM_NOWHERE = Phrase("in no text that I read here")
WRITTEN = Phrase("written {letters}")
MORE_CHARS = CountedPhrase(Phrase("{count} more character"), Phrase("{count} more characters"))
AND_MORE = CountedPhrase(Phrase("and {count} more", context="one"), Phrase("and {count} more"))
REST_IN_FILE = CountedPhrase(
    Phrase(
        "{count} more character is not shown here. The whole call is in the attached file"
        " `{ref}.json`."
    ),
    Phrase(
        "{count} more characters are not shown here. The whole call is in the attached file"
        " `{ref}.json`."
    ),
)
TOO_MANY = Phrase("{count} characters are too many to show them all.")
NOBODY_CAN = Phrase("So nobody can approve it: ask for less. `/reject {ref}` ends it.")
NOT_HERE = Phrase(
    "Something in it looks like a secret and is hidden, as others read here. So nobody can approve"
    " it here: send me `/approve {ref}` in a direct message, where I show all of it."
)
ANSWER = Phrase(
    "Answer yes or no or with the number of a choice, or use `/approve {ref}{wider}` or"
    " `/reject {ref}`."
)
ANSWER_LINES = Phrase("Answer yes or no, or use `/approve {ref}{wider}` or `/reject {ref}`.")
"""For several calls, which have numbers of their own already."""
RUNS_NOW = Phrase(
    "A yes runs these calls now. `/approve {ref} 1,3` runs only some of them, and the others are"
    " rejected."
)
LETS_RUN = Phrase(
    "A yes lets exactly these calls run, each once, within an hour. `/approve {ref} 1,3` allows"
    " only some of them; any other call is asked about by itself."
)
SESSION_COVERS = Phrase(
    '"{button}" covers later calls of `{tool}` until /new. It does not cover other tools, nor calls'
    " made after text from outside was read."
)
APPROVE = Phrase("Approve")
REJECT = Phrase("Reject")
FOR_SESSION = Phrase("For this session")
ALWAYS_FOR = Phrase("Always for {what}")
THESE = Phrase("these {count}")
THIS_ONE = Phrase("this one")

ASKED_IN = Phrase("{who} (`{id}`) asks for this in {where}.")
PLACES = {
    Place.DM: Phrase("a direct conversation on {platform}"),
    Place.CHANNEL: Phrase("a channel on {platform}"),
    Place.THREAD: Phrase("a thread on {platform}"),
}
SENT_DIRECTLY = Phrase("I sent all of it directly to {names}.")
TELL_THEM = Phrase("I can reach none from here: give one of them the reference {ref}.")

CLOSED = Phrase("Not open any more")
STOPPED = Phrase("Stopped")
UNANSWERED = Phrase("Expired: nobody answered in time")
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
