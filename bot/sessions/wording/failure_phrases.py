"""Why there is no answer, or not the usual one."""

from bot.agents.loop.outcomes import Trouble
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.waits import is_far, wait_unit

MODEL = {
    "auth": Phrase("The model refused our key, so I can't answer."),
    "credit": Phrase("The account that pays for the model has no credit left, so I can't answer."),
    "no_model": Phrase("The model that I am set to use doesn't exist, so I can't answer."),
    "rate_limit": Phrase(
        "The model is at its request limit right now. Please try again in a little while."
    ),
    "overloaded": Phrase("The model is overloaded right now. Please try again in a few minutes."),
    "unreachable": Phrase("I can't reach the model right now. Please try again in a few minutes."),
    "timeout": Phrase("The model took too long to answer. Please try again."),
    "bad_request": Phrase("The model refused my request."),
    "too_long": Phrase("This conversation is too long for the model now. Start afresh with /new."),
    "cut": Phrase("The model's answer broke off several times. Please try again."),
    "nonsense": Phrase(
        "The model answered with something I can't read, several times. Please try again."
    ),
}
"""By the kind of the model's failure."""

TROUBLE = {
    Trouble.TIME: Phrase(
        "That took longer than one request may, so I stopped. Try a smaller request."
    ),
    Trouble.EMPTY: Phrase(
        "The model gave an empty answer twice. Please ask again, perhaps in other words."
    ),
    Trouble.LOOPING: Phrase(
        "I was going round in circles, so I stopped. Try asking in another way."
    ),
    Trouble.REFUSED: Phrase("The model declined to answer this."),
    Trouble.CUT: MODEL["too_long"],
    Trouble.MODEL: Phrase("The model could not answer."),
}
"""By what went wrong in the run."""

UNSEEN = {
    "blind": Phrase("The model that I use takes no pictures, so I have not seen any of yours."),
    "picture": Phrase(
        "The model refused a picture of this conversation, so I answered without it."
    ),
    "history": Phrase(
        "The model refused a part of our earlier conversation, so I answered without it."
    ),
    "fallback": Phrase("My usual model is not available, so another one answers for now."),
}
"""What the model refused to read, or that another one answered."""

ASKS_TO_WAIT = Phrase("(It asks to wait {wait}.)")
ASKS_TOO_LONG = Phrase("(It asks to wait until far in the future, so I stop trying.)")
WHY_TELLS = Phrase("`/why {ref}` says more.")
TELL_OPERATOR = Phrase("Tell whoever runs me.")
REFERENCE = Phrase("(reference {ref})")
_UNITS = {
    "day": CountedPhrase(Phrase("{count} day"), Phrase("{count} days")),
    "hour": CountedPhrase(Phrase("{count} hour"), Phrase("{count} hours")),
    "minute": CountedPhrase(Phrase("{count} minute"), Phrase("{count} minutes")),
    "second": CountedPhrase(Phrase("{count} second"), Phrase("{count} seconds")),
}


def asks_to_wait(seconds: float, language: Language) -> str:
    """What a server asks for, of any length."""
    if is_far(seconds):
        return ASKS_TOO_LONG.said(language)
    count, unit = wait_unit(seconds)
    return ASKS_TO_WAIT.said(language, wait=_UNITS[unit].said(language, count))
