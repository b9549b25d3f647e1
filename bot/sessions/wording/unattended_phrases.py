"""What `/schedule` and `/automations` say."""

from bot.domain.languages import Phrase

SCHEDULE_HOW = Phrase("Say /schedule {usage}. Without arguments it lists what is scheduled.")
NO_SCHEDULE = Phrase("There is no schedule {ref} here. /schedule lists them.")
SCHEDULE_GONE = Phrase("There is no schedule {ref} any more.")
OVER_ONCE = Phrase("{name} is over: it ran once.")
OVER = Phrase("{name} is over.")
IS_PAUSED = Phrase("{name} is paused.")
GOES_ON = Phrase("{name} goes on.")
CANCELLED = Phrase("{name} is cancelled.")
RUNS_ALREADY = Phrase("{name} is running already.")
RUNS_NOW = Phrase(
    "{name} runs now; its answer is posted where it was made. If it has nothing to say,"
    " `/schedule show {ref}` says so."
)
USED_THIS_MONTH = Phrase("used this month: {spent} of {allowed}")
AUTOMATIONS_HOW = Phrase(
    "Say /automations {usage}. Without arguments it lists what runs by itself."
)
NO_AUTOMATION = Phrase("There is no automation {ref} here. /automations lists them.")
NOTHING_BY_ITSELF = Phrase("Nothing runs by itself.")
IN_CHANNEL = Phrase("Send this command in the channel itself.")
CLOSED = Phrase("Automations read and post nothing here any more.")
CLOSED_ALREADY = Phrase("They are off here already.")
OPEN_ALREADY = Phrase("Automations are on in this channel already; {by} said so.")
OPENED = Phrase("Done. I told the channel.")
NOT_STARTED = Phrase("Nothing has started it yet.")
SWITCHED_ON = Phrase(
    "{name} switched automations on in this channel. They may read messages here and post. I"
    " announce each one that reads here. `/automations off` switches them off."
)
