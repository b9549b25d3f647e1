"""What calls of file tools do, as cards say it."""

from bot.domain.languages import Phrase

CHANGE = Phrase("change the file {path}")
REPLACE = Phrase("replace the file {path}")
WRITE = Phrase("write the file {path}")
DELETE = Phrase("delete the file {path}")
PUT_BACK = Phrase("put back version {version} of {path}")
