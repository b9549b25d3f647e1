"""Files as people post them, made by code, with what a model gets of each."""

from bot.testing import corpus_office as office
from bot.testing import corpus_texts as texts
from bot.testing.corpus_case import Case


def corpus() -> list[Case]:
    """All of them; each has a name of its own."""
    return [
        *texts.texts(),
        *texts.pages(),
        *texts.mails(),
        *texts.archives(),
        *texts.others(),
        *office.pdfs(),
        *office.words(),
        *office.sheets(),
        *office.slides(),
        *office.open_files(),
        *office.books(),
        *office.pictures(),
    ]
