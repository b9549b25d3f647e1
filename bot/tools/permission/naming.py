"""The parts of a message or a name that can tell one record from another."""

import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.tools.text.stemming import stem, terms

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio",
            "february feb februar février febrero febbraio",
            "march mar märz mars marzo",
            "april apr avril abril aprile",
            "may mai mayo maggio",
            "june jun juni juin junio giugno",
            "july jul juli juillet julio luglio",
            "august aug août agosto",
            "september sep sept septembre septiembre settembre",
            "october oct oktober octobre octubre ottobre",
            "november nov novembre noviembre",
            "december dec dezember décembre diciembre dicembre",
        ),
        1,
    )
    for name in names.split()
}
_AROUND = string.punctuation + "…“”„«»\u2018\u2019"
NAMED_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATES = (
    re.compile(r"\b\d{4}-(?P<month>\d{2})-(?P<day>\d{2})"),
    re.compile(rf"\b(?P<name>{NAMED_MONTH})\.? (?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b"),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of |de |di )?(?P<name>{NAMED_MONTH})\b"
    ),
    re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\."),
)
_EVERYDAY = """
add agent all answer append archive ask book call can cancel change check close comment copy
correct create day delete doc document download drop edit entry event fetch file find first folder
get go good great group hour http https id insert invite issue item keep label last let like line
link list log look mail make manage mark mcp meet meeting message minute month morning move name
need new next night note now number old one open other page people person please post project push
put query read remind remove rename reply report reschedule room run same save say schedule search
see send set shall share show some sort space start stop store submit table tag task team tell
thank thing ticket time to today todo tomorrow tool topic update upload use user view web week
write year yesterday monday tuesday wednesday thursday friday saturday sunday montag dienstag
mittwoch donnerstag freitag samstag sonntag two three four five pm am dr mr mrs ms re fw fwd
"""
_FUNCTION = """
der die das den dem des ein eine einen einem einer und oder mit bei beim vom von zum zur auf für im
am an aus in ist nicht mein meine meinen meinem termin treffen notiz datei aufgabe liste seite bitte
le la les un une des du de au aux et ou avec chez pour sur dans mon ma mes rendez vous rdv note
fichier tâche liste page réunion courriel
el la los las un una unos del de al y o con para por en mi mis cita nota archivo tarea lista página
reunión correo
il lo gli una uno di del della dei delle al alla con per da in su mio mia miei appuntamento nota
file attività lista pagina riunione posta
montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi
samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì mercoledì
giovedì venerdì sabato domenica heute morgen demain mañana domani hoy oggi
"""
EVERYDAY = frozenset(stem(word) for word in (*_EVERYDAY.split(), *_FUNCTION.split(), *MONTHS))
"""Everyday stems that name no record."""


@dataclass(frozen=True)
class Naming:
    """The parts of a message that can name a record."""

    stems: frozenset[str]
    quotes: frozenset[str]
    """Whole texts in quotation marks, folded."""
    dates: frozenset[tuple[int, int]]
    """(month, day)."""
    tokens: frozenset[str]
    """Words without punctuation around them; an id that was said is one of them."""


def naming_of(text: str, quotes: Iterable[str]) -> Naming:
    """The words, quoted names and dates of a message."""
    return Naming(
        frozenset(terms(text)),
        frozenset(folded(quote) for quote in quotes),
        frozenset(dates_in(text)),
        frozenset(token.strip(_AROUND) for token in text.split()),
    )


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def dates_in(text: str) -> Iterator[tuple[int, int]]:
    """Days that a text spells out, as (month, day)."""
    for day, _ in dated(text):
        yield day


def dated(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Days that a text spells out, each with where it stands."""
    for pattern in _DATES:
        for match in pattern.finditer(text.lower()):
            parts = match.groupdict()
            month = MONTHS[parts["name"]] if parts.get("name") else int(parts["month"])
            yield (month, int(parts["day"])), match.span()
