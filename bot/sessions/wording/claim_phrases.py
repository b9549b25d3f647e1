"""What `/claim` answers: how somebody with a code of the terminal becomes owner."""

from bot.domain.languages import Phrase

AT_TERMINAL = Phrase("You are at the terminal, so you need no code. Send it to me on {platforms}.")
VOID = Phrase(
    "Others could read that code here, so it is void. Get a new one, and send it in a direct"
    " message."
)
IN_DIRECT = Phrase("Send me `/claim CODE` in a direct message.")
HAS_OWNER = Phrase("I have an owner here already. Ask them to add you.")
TOO_MANY = Phrase("You tried too many wrong codes. Try again in an hour.")
NOT_VALID = Phrase(
    "That code is not valid: it is mistyped, was used before, or is older than {hours} hours."
    " `bellhop contacts code` shows a new one."
)
NOT_WRITTEN = Phrase(
    "Your code is right, but I can't write contacts.yaml. `bellhop doctor` says why."
)
WELCOME = Phrase(
    "You are my owner here now: {name}, MasterAdmin. What you told me before is still yours."
    " People who write to me are guests until you add them; /help says what I can do."
)
