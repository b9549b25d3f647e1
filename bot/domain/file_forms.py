"""The form in which a person hands in the files that a question asks for.

A click on the question opens it, where the platform has such forms. The files then come like those
of a message. Elsewhere, and where no form can be opened, they come with a message.
"""

from bot.domain.languages import Language, Phrase
from bot.domain.messages import FILES_READ
from bot.domain.native_commands import Fields, Form, FormField

SEND_FILES = "send_files"
"""The verb of the click, and the name of the form."""
FILES = "files"
_NOTE = "note"
_NOTE_CHARS = 2000
ATTACH = Phrase("Attach files")
"""The label of the button, and the title of the form: at most 24 characters, Slack's limit."""


def file_field(language: Language, *, required: bool) -> FormField:
    """The field that takes as many files as are read of one message.

    Both platforms would let ten through.
    """
    label, hint = (
        Phrase("Files").said(language),
        Phrase("Up to {most}").said(language, most=FILES_READ),
    )
    return FormField(FILES, label, hint, 0, required, files=FILES_READ)


def files_form(language: Language) -> Form:
    """Asks for files, and lets words be said about them."""
    note = FormField(
        _NOTE,
        Phrase("What you say about it").said(language),
        Phrase("May stay empty.").said(language),
        _NOTE_CHARS,
        required=False,
        long=True,
    )
    fields = (file_field(language, required=True), note)
    return Form(SEND_FILES, ATTACH.said(language), SEND_FILES, "", fields, language)


def note_in(fields: Fields) -> str:
    """What was said about the files."""
    return fields.get(_NOTE, "").strip()
