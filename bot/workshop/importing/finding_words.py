"""Findings and refusals of an import in the language of whoever decides about it."""

from bot.domain.languages import Language, Phrase
from bot.domain.retelling import Retelling
from bot.domain.told_error import ToldError
from bot.errors import BotError
from bot.workshop.importing.audit_words import SEEN
from bot.workshop.importing.desk_words import SEVERITY
from bot.workshop.importing.findings import Finding, ImportRefused
from bot.workshop.importing.format_words import READ
from bot.workshop.importing.source_words import REFUSED


def _lines(phrase: Phrase) -> tuple[Phrase, Phrase]:
    """How `Finding` tells one of this severity, with and without an excerpt."""
    words = phrase.all
    line = Phrase(
        f"{words[Language.EN]}: {{file}}, line {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.DE]}: {{file}}, Zeile {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.FR]} : {{file}}, ligne {{line}} : {{text}} [{{rule}}]",
        f"{words[Language.ES]}: {{file}}, línea {{line}}: {{text}} [{{rule}}]",
        f"{words[Language.IT]}: {{file}}, riga {{line}}: {{text}} [{{rule}}]",
    )
    return Phrase(*(f"{said}  «{{excerpt}}»" for said in line.all.values())), line


LINES = tuple(line for phrase in SEVERITY.values() for line in _lines(phrase))
_TOLD = Retelling((*LINES, *SEEN, *READ, *REFUSED))


def finding_text(finding: Finding, language: Language) -> str:
    return _TOLD.told(str(finding), language)


def refusal_text(error: BotError, language: Language) -> str:
    """Why an import or a decision is refused; as it is where it was not said for people."""
    match error:
        case ToldError():
            return error.said(language)
        case ImportRefused():
            return "\n".join(_line(line, language) for line in str(error).split("\n"))
        case _:
            return str(error)


def _line(line: str, language: Language) -> str:
    said = line.lstrip(" ")
    return line[: len(line) - len(said)] + _TOLD.told(said, language)
