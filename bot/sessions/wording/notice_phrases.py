"""What people are told of work that nobody asked for just now, and of a conversation's summary."""

from collections.abc import Mapping

from bot.domain.languages import Phrase
from bot.domain.retelling import Retelling

SCHEDULE_PAUSED = Phrase(
    "I paused the schedule “{name}” ({ref}): {why}. `/schedule resume {ref}` resumes it,"
    " `/schedule cancel {ref}` removes it."
)
AUTOMATION_PAUSED = Phrase(
    "I paused the automation {name}: {why}. `/automations resume {ref}` resumes it."
)
LEFT_OUT = Phrase("I left out {name} this time: {why}.")
AUTOMATION_LEFT_OUT = Phrase("I left out the automation {name} this time: {why}.")
BUDGET_USED_UP = Phrase("{name}: {why}.")
TODO_NOT_DONE = Phrase("{todo} was to be worked on now, but I didn't: {why}.")
THE_TODO = Phrase("The todo “{title}”")
PRIVATE_TODO = Phrase("A private todo of yours")
READS_HERE = Phrase(
    "The automation {name} of {who} reads {what} in this channel from now on. A Partner ends that"
    " with `/automations off`."
)
MESSAGES = Phrase("messages")
REACTIONS = Phrase("reactions")
POLL_RESULTS = Phrase("the results of my polls")
BOOKED: Mapping[bool, Phrase] = {
    True: Phrase(
        "Somebody booked a time with you: {when}. It is in your calendar. `/booking` says who."
    ),
    False: Phrase(
        "Somebody booked a time with you: {when}. I could not put it into your calendar; please do"
        " it yourself. `/booking` says who."
    ),
}
"""By whether it is in their calendar."""

NOTHING_TO_SUMMARISE = Phrase("There is nothing to summarise yet.")
SUMMARY_STOPPED = Phrase("Stopped. Our conversation stays as it is.")
NOT_SUMMARISED = Phrase(
    "I could not summarise it: {why}. Our conversation stays as it is. (reference {ref})"
)
SUMMARISED = Phrase(
    "Done: I go on from a summary of our conversation. /new would forget the conversation itself;"
    " files, todos, notes and memory stay either way."
)
WHY_NOT_SUMMARISED = Retelling((
    Phrase(
        "the model could not write it ({kind})"),
    Phrase(
        "the summary ended with {reason}"),
    Phrase(
        "the summary has {count} characters for a conversation of {all}"),
    Phrase(
        "the summary is no shorter than the conversation"),
    Phrase(
        "it failed a short while ago"),
    Phrase(
        "the budget is used up"),
))  # fmt: skip
"""By the English words of the reason."""
