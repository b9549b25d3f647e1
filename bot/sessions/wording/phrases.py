"""Short answers of commands in the language of a person's app."""

from bot.domain.languages import Phrase

SEND_FILES_HERE = Phrase("Send the files here, with a message.")
PARTNER_DECIDES = Phrase("A Partner or MasterAdmin decides that.")
