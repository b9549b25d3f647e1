"""What people read who wait: for a place, for somebody's word about them, for an agent."""

from bot.domain.languages import CountedPhrase, Phrase

OWN_REQUESTS = CountedPhrase(
    Phrase(
        "I am working on another request of yours. I begin with this one when one of them is done."
    ),
    Phrase(
        "I am working on {count} other requests of yours. I begin with this one when one of them is"
        " done."
    ),
)
MANY_ASK = Phrase(
    "Many people ask me something at the moment. Yours is not forgotten: I begin with it as soon as"
    " I can."
)
TRIALS = Phrase(
    "I ended unexpectedly and am finding out which request did it, one at a time. Yours is not"
    " forgotten: I begin with it when that is done."
)
MACHINE = Phrase(
    "The machine that I run on is short of memory or open files at the moment. Your request is not"
    " lost: I keep trying."
)
ASKED_ABOUT = Phrase(
    "We haven't met, so I have asked {names} who you are. I answer your message after their yes."
)
STRANGERS_FULL = Phrase(
    "We haven't met, and I am asking about other people already. Write to me again tomorrow."
)
NOBODY_TO_ASK = Phrase("We haven't met, and there is nobody here whom I could ask about you.")
PAIRING_EXPIRED = Phrase(
    "Nobody has told me who you are, so your message was not answered. You can write to me again."
)
BACKGROUND_DONE = Phrase("{agent} has finished “{what}”:")
BACKGROUND_FAILED = Phrase(
    "{agent} worked in the background on “{what}” and came to no answer ({reason}). `/why {ref}`"
    " tells more."
)
BACKGROUND_STOPPED = Phrase("{agent} was stopped while it worked in the background on “{what}”.")
BACKGROUND_GIVEN_UP = Phrase("{agent} can't go on in the background with “{what}”.")
