"""The words of `/why` about what ran, what was asked, and what was sent."""

from collections.abc import Mapping

from bot.domain.languages import CountedPhrase, Phrase

HANDED_TO = CountedPhrase(
    Phrase("Handed to {count} agent: {tokens} tokens{share}"),
    Phrase("Handed to {count} agents: {tokens} tokens{share}"),
)
OF_REQUEST = Phrase("{percent} % of this request")
MODEL_FAILED = Phrase("Model call {step} failed: {what}{took}")
MODEL_CALL = Phrase(
    "Model call {step}: {model}, {read} tokens in, {written} out, ended with {reason}{tries}{took}"
)
TRIES = CountedPhrase(Phrase("{count} try"), Phrase("{count} tries"))
WITHHELD = Phrase(", output withheld by {rule}")
DECIDED: Mapping[str, Phrase] = {
    "allow": Phrase("allowed by {rule}"),
    "ask": Phrase("asked about by {rule}"),
    "defer": Phrase("nobody was there to say yes, put off by {rule}"),
}
TOOL = Phrase("Tool `{tool}`: {fate}{how}{took}")
HIDDEN_TOOL = Phrase("A tool that is not here: refused")
REFUSED_BY = Phrase("refused by the rule {rule}")
BEGUN = Phrase("begun, no result yet")
FINE = Phrase("ok")
FAILED = Phrase("failed", context="step")
NOT_RUN_THEN = Phrase("not run then")
AND_MORE = Phrase("… and {count} more: `bellhop cycles show {cycle}`")
QUESTION = Phrase("Question {ref}{text}: asked {asked}, {state}{closed}")
STATES: Mapping[str, Phrase] = {
    "open": Phrase("open"),
    "answered": Phrase("answered", context="question"),
    "expired": Phrase("expired"),
    "closed": Phrase("closed"),
    "cancelled": Phrase("cancelled"),
    "approved": Phrase("approved"),
    "rejected": Phrase("rejected"),
}
"""Of questions and approvals."""
BY = Phrase(" by {who}")
OPEN_UNTIL = Phrase("open until {time} UTC")
AND_RAN = Phrase("approved{by}, and it ran")
WENT_ON = Phrase(" (went on as {ref})")
ASKED_BECAUSE = Phrase(", asked because {reason}")
APPROVAL = Phrase("Approval {ref} for `{tool}`{why}{doubt}: {state}{then}")
COMES_FROM = Phrase("{field} comes from {source}")
NO_TEXT = Phrase(
    "no text here")  # fmt: skip
AND_ITS = Phrase(", and its {what}")
AND = Phrase(" and ")
SENDS: Mapping[str, Phrase] = {
    "answer": Phrase("Send of the answer"),
    "apology": Phrase("Send of the apology"),
    "approval": Phrase("Send of the approval card"),
    "question": Phrase("Send of the question"),
    "between": Phrase("Send in between"),
}
SEND_UNKNOWN = Phrase("begun; whether the platform took it is not known yet")
SEND_REFUSED = Phrase("dropped, the platform refused it: {why}")
DELIVERED = Phrase("delivered {at}")
KEPT_FOR_LATER = Phrase("kept for later: {why}")
DELIVERED_AT_TRY = Phrase("delivered, try {number} (before that: {why})")
DROPPED_AFTER = Phrase("dropped after {tries}: {why}")
PENDING_AFTER = Phrase("pending after {tries} ({why}), next try {at}")
