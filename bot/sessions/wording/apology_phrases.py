"""What people read where something went wrong on Bellhop's side, or was never answered."""

from bot.domain.languages import CountedPhrase, Phrase

NOT_EXTENDED = Phrase("My budget for today is used up, so I stop here.")
EMPTY_MESSAGE = Phrase("Your message was empty. Write what you need, or /help for what I can do.")
MESSAGE_TOO_LONG = Phrase(
    "That message has {count} characters; I read at most {most} at a time. Send it as a file, or"
    " in parts."
)
SKILL_GONE = Phrase(
    "The skill behind /{name} is not there any more, so I did nothing. /skill list shows which"
    " there are."
)
APPROVAL_EXPIRED = Phrase(
    "Approval {ref} has expired: nobody decided in time, so `{tool}` was not run. Ask again if it"
    " matters."
)
SHARE_EXPIRED = Phrase(
    "I shared nothing: nobody decided in time about the text that `/share` showed. Say it again if"
    " it matters."
)
UNANSWERED = CountedPhrase(
    Phrase("I was away. An older message here was not answered; ask again if it still matters."),
    Phrase(
        "I was away. {count} older messages here were not answered; ask again if it still matters."
    ),
)
NOT_WRITTEN = Phrase(
    "I may not write where you asked me, so my answer is not there: the place is closed, or I lack"
    " a permission. Write to me here instead. (reference {ref})"
)
NOT_POSTED = Phrase(
    "What you had me post to {to} could not be delivered, and I gave up on it. (reference {ref})"
)
ANSWER_LOST = Phrase(
    "My answer was cut off before it reached you. Please ask again. (reference {ref})"
)
APOLOGY = Phrase(
    "Sorry, something broke on my side and I could not answer this message. (reference {ref})"
)
UNREADABLE = Phrase(
    "Sorry, my record of a message here is damaged, so I could not answer it. Please send it again."
    " (reference {ref})"
)
COMMAND_UNREADABLE = Phrase(
    "Sorry, my record of a command or a click here is damaged, so I did nothing about it. Please"
    " give it again. (reference {ref})"
)
UNKNOWN_WORK = Phrase(
    "Sorry, this version of me does not know how to do this, so I did nothing about it. (reference"
    " {ref})"
)
ANSWER_DAMAGED = Phrase(
    "Sorry, an answer that waited to be sent here is damaged and lost. Please ask again. (reference"
    " {ref})"
)
LEFT_TO_DO = Phrase("Left to do: {what}")
LAPSED = Phrase(
    "{service} no longer accepts your connection, so your requests and scheduled tasks can't use"
    " it. `/connect {id}` connects it again."
)
