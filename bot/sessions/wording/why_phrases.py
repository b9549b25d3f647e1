"""The words of `/why`: how a message arrived, and what came of it."""

from collections.abc import Mapping

from bot.domain.languages import Phrase

NOTHING_HERE = Phrase("I remember no message of yours in this conversation.")
PRIVATE = Phrase("That happened in a private conversation; ask me there.")
UNKNOWN = Phrase(
    "I remember nothing of '{ref}'. References look like t3f; /why alone tells about your last"
    " message."
)
PURGED = Phrase("Its turn was purged by now; the cycle log still knows this:")
OUTCOME = Phrase("Outcome: {what}")
ACCEPTED = Phrase("Accepted {time} UTC, {how}, key `{key}`")
YOU_WROTE = Phrase('You wrote: "{words}"')
ADDRESSED: Mapping[str, Phrase] = {
    "dm": Phrase("a direct message"),
    "mention": Phrase("a mention"),
    "reply": Phrase("a reply to me"),
    "followed": Phrase("a message in a thread that I follow"),
    "command": Phrase("a command or click"),
    "none": Phrase("not addressed to me"),
}
FORGOTTEN = Phrase("words that were forgotten")
OWN_WORK = Phrase("work of my own")
ANSWER_TO = Phrase("the answer to my question {ref}")
DECISION_ABOUT = Phrase("the decision about approval {ref}")
IN_BACKGROUND = Phrase("agent {agent} in the background")
ATTEMPTS = Phrase("Attempts: {count}")
ATTEMPT_FAILED = Phrase("An attempt failed: {what}")
YOU_STOPPED = Phrase("You told me to stop")
THEY_STOPPED = Phrase("The person told me to stop")
NOT_ASKED = Phrase("The model was not asked: refused by the rule {rule}")
MORE_CALLS = Phrase("More model calls were granted: {count}")
ENDED_AFTER = Phrase("Ended after {seconds} s: {what}")
YOU_SAID = Phrase("You said: {what}")
THEY_SAID = Phrase("The person said: {what}")
RATED: Mapping[bool, Phrase] = {True: Phrase("it helped"), False: Phrase("it did not help")}
TAKEN_AS = Phrase("taken as the answer to {ref}")
RECORDED = Phrase("recorded; it starts no turn")
THE_RULE = Phrase("{told}; the rule is {rule}")
SILENT: Mapping[str, Phrase] = {
    "banned": Phrase("not answered: the sender is banned; it was only recorded"),
    "bot": Phrase("not answered: the sender is a bot; it was only recorded"),
    "missed": Phrase(
        "not answered: it was written while I was away, and catch_up excludes it; I kept it as"
        " context"
    ),
    "guests": Phrase("not answered: guests get no answer in this place; it was only recorded"),
    "unknown": Phrase(
        "not answered: nobody has said yet who the sender is (access.unknown_people)"
    ),
    "quiet": Phrase("not answered: I only listen in this place; I kept it as context"),
    "not_addressed": Phrase("not answered: it was not addressed to me; I kept it as context"),
    "edit": Phrase("an edit: the recorded message was changed, which starts no turn"),
    "changed": Phrase(
        "an edit or deletion of a message that waited, or that became one to me by it"
    ),
    "delete": Phrase("a deletion: the recorded message was emptied, which starts no turn"),
    "joined": Phrase("somebody joined, which starts no turn"),
}
WITHDRAWN = Phrase("deleted before I had begun, so I left it alone")
JOINED_TO = Phrase("joined to {ref}, which was already running")
WAITS_FOR_ANSWER = Phrase("waits for a person's answer")
RUNNING = Phrase("running right now")
WAITS_BEHIND = Phrase("waits behind {ref} of the same session")
GOES_ON = Phrase("goes on {at}")
WAITS_FOR_TURN = Phrase("waits for its turn")
GIVEN_UP = Phrase("given up after {count} attempts, {at}")
DONE = Phrase("done")
NEVER_FINISHED = Phrase("it was never finished")
ENDINGS: Mapping[str, Phrase] = {
    "partial": Phrase("answered in part"),
    "unresolved": Phrase("answered, without a result"),
    "silent": Phrase("nothing to say, so nothing was posted"),
}
ANSWER_GIVEN = Phrase("answered")
WAS_STOPPED = Phrase("stopped")
NO_ANSWER = Phrase("no answer ({status})")
NO_ANSWER_WHY = Phrase("no answer: {why}")
AT_TIME = Phrase("at {time}")
ON_DAY = Phrase("on {day} at {time}")
