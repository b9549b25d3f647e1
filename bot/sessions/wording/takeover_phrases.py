"""What `/takeover` says, what a former owner is asked, and that accounts were linked."""

from bot.domain.languages import Phrase

IN_DIRECT = Phrase("Say that in a direct message.")
HOW = Phrase(
    "Say whose things and for whom: `/takeover OLD NEW`, with a former id or an account"
    " (`discord:ID`) of the contact NEW. I list them first."
)
NOTHING = Phrase("nothing")
WOULD_OWN = Phrase(
    "Under `{earlier}` I keep: {kept}. {name} (`{contact}`) would own it and could read it."
    " {asked} To go on: `/takeover {old} {new} yes`, or"
    " `bellhop contacts take-over {old} {new} --yes`."
)
ASKS_FIRST = Phrase("I ask {names} first, in their direct messages.")
NOBODY_TO_ASK = Phrase(
    "No account of its owner is known, so nobody can be asked: the audit will say so."
)
WAITS = Phrase(
    "I have asked {names}, and wait for the answer. Without one for {days} days, say this again."
)
HAVE_ASKED = Phrase("I have asked {names}. Nothing is moved without their yes.")
NO_QUESTION = Phrase("There is no such question to this account.")
SETTLED = Phrase("That is settled already.")
NOT_IN_CONTACTS = Phrase("contacts.yaml has no {contact}.")
HAS_IT = Phrase("{contact} has what is kept under that id.")
SETTLE_FIRST = Phrase(
    "The id {contact} belonged to somebody else. Settle that first: `/takeover {contact}"
    " {contact}`."
)
HAS_OF_ACCOUNT = Phrase("{contact} has what is kept for {account}.")
NO_ACCOUNT_OF = Phrase(
    "{earlier} is no account of {contact}. First: `bellhop contacts link {contact} PLATFORM:ID`."
)
IS_A_CONTACT = Phrase("{earlier} is a contact. First: `bellhop contacts remove {earlier}`.")
NEVER_AN_ID = Phrase("No contact ever had the id {earlier}.")
ASKED = Phrase(
    "What I keep for you ({kept}) is to become that of **{name}**, who could then read it. A"
    " MasterAdmin has asked for this; say yes only if that is you, or if you agree. Nothing is"
    " moved without your yes, unless you leave this unanswered for {days} days."
)
YES = Phrase("Yes, hand it over")
NO = Phrase("No")
CHANGED_SINCE = Phrase("contacts.yaml says something else by now, so nothing is taken over.")
OWNER_SAID_YES = Phrase("About {earlier} and {name}: the owner said yes: it is moved now.")
OWNER_SAID_NO = Phrase("About {earlier} and {name}: the owner said no: nothing is moved.")
IS_THEIRS = Phrase("What was kept under {earlier} is {name}'s now.")
SAID_NO = Phrase("{names} said no, so {earlier} keeps its own things.")
HAS_FORMER = Phrase("{contact} has what was kept under {earlier}.")
HANDED_OVER = Phrase("Thank you. It is being handed over.")
NOT_HANDED_OVER = Phrase("Thank you. Nothing is handed over, and I won't ask again.")

LINKED = Phrase("I know you as {name} now. What I kept for you before is yours here too: {moved}.")
