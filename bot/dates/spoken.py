"""Days and repetitions in the words of each language that Bellhop speaks.

The English ones are read back: `read_repeat` understands them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

EN = "en"


@dataclass(frozen=True)
class _Words:
    """One language: names from Monday and from January on, and patterns."""

    weekdays: Sequence[str]
    months: Sequence[str]
    day: str
    """A day of the calendar."""
    at: str
    until: str
    both: str
    """Between the last two of a list."""
    hourly: str
    hours: str
    daily: str
    on_weekdays: str
    on_days: str
    on_number: str
    """A day of each month."""
    on_numbers: str
    """A day of every so many months."""
    on_last: str
    on_nth: str
    workday: str
    weeks_on: str
    units: Mapping[str, str]
    """Every so many days, weeks, years, by the frequency of a rule."""
    nth: Mapping[int, str]
    nth_feminine: Mapping[int, str]
    """The same before a weekday that is feminine: the Italian Sunday."""


_ALL: Mapping[str, _Words] = {
    EN: _Words(
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        (
            *("January", "February", "March", "April", "May", "June", "July"),
            *("August", "September", "October", "November", "December"),
        ),
        "{weekday} {day} {month} {year}",
        "{days} at {time}",
        "{when} until {day}",
        " and ",
        "every hour",
        "every {count} hours",
        "every day",
        "every weekday",
        "every {names}",
        "every month on the {number}",
        "every {count} months on {number}",
        "every month on the last day",
        "every month on the {nth} {name}",
        "working day",
        "every {count} weeks on {name}",
        {
            "DAILY": "every {count} days",
            "WEEKLY": "every {count} weeks",
            "YEARLY": "every {count} years",
        },
        {1: "first", 2: "second", 3: "third", 4: "fourth", -1: "last"},
        {},
    ),
    "de": _Words(
        ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
        (
            *("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli"),
            *("August", "September", "Oktober", "November", "Dezember"),
        ),
        "{weekday}, {day}. {month} {year}",
        "{days} um {time}",
        "{when} bis {day}",
        " und ",
        "jede Stunde",
        "alle {count} Stunden",
        "jeden Tag",
        "werktags",
        "jeden {names}",
        "jeden Monat am {number}",
        "alle {count} Monate am {number}.",
        "jeden Monat am letzten Tag",
        "jeden Monat am {nth} {name}",
        "Arbeitstag",
        "alle {count} Wochen am {name}",
        {
            "DAILY": "alle {count} Tage",
            "WEEKLY": "alle {count} Wochen",
            "YEARLY": "alle {count} Jahre",
        },
        {1: "ersten", 2: "zweiten", 3: "dritten", 4: "vierten", -1: "letzten"},
        {},
    ),
    "fr": _Words(
        ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
        (
            *("janvier", "février", "mars", "avril", "mai", "juin", "juillet"),
            *("août", "septembre", "octobre", "novembre", "décembre"),
        ),
        "{weekday} {day} {month} {year}",
        "{days} à {time}",
        "{when} jusqu'au {day}",
        " et ",
        "toutes les heures",
        "toutes les {count} heures",
        "tous les jours",
        "en semaine",
        "chaque {names}",
        "chaque mois, le {number}",
        "tous les {count} mois, le {number}",
        "chaque mois, le dernier jour",
        "chaque mois, le {nth} {name}",
        "jour ouvré",
        "toutes les {count} semaines, le {name}",
        {
            "DAILY": "tous les {count} jours",
            "WEEKLY": "toutes les {count} semaines",
            "YEARLY": "tous les {count} ans",
        },
        {1: "premier", 2: "deuxième", 3: "troisième", 4: "quatrième", -1: "dernier"},
        {},
    ),
    "es": _Words(
        ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
        (
            *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio"),
            *("agosto", "septiembre", "octubre", "noviembre", "diciembre"),
        ),
        "{weekday}, {day} de {month} de {year}",
        "{days} a las {time}",
        "{when} hasta el {day}",
        " y ",
        "cada hora",
        "cada {count} horas",
        "todos los días",
        "de lunes a viernes",
        "cada {names}",
        "cada mes, el día {number}",
        "cada {count} meses, el día {number}",
        "cada mes, el último día",
        "cada mes, el {nth} {name}",
        "día laborable",
        "cada {count} semanas, el {name}",
        {
            "DAILY": "cada {count} días",
            "WEEKLY": "cada {count} semanas",
            "YEARLY": "cada {count} años",
        },
        {1: "primer", 2: "segundo", 3: "tercer", 4: "cuarto", -1: "último"},
        {},
    ),
    "it": _Words(
        ("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
        (
            *("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio"),
            *("agosto", "settembre", "ottobre", "novembre", "dicembre"),
        ),
        "{weekday} {day} {month} {year}",
        "{days} alle {time}",
        "{when} fino al {day}",
        " e ",
        "ogni ora",
        "ogni {count} ore",
        "ogni giorno",
        "nei giorni feriali",
        "ogni {names}",
        "ogni mese, il giorno {number}",
        "ogni {count} mesi, il giorno {number}",
        "ogni mese, l'ultimo giorno",
        "ogni mese, {nth} {name}",
        "giorno lavorativo",
        "ogni {count} settimane, di {name}",
        {
            "DAILY": "ogni {count} giorni",
            "WEEKLY": "ogni {count} settimane",
            "YEARLY": "ogni {count} anni",
        },
        {1: "il primo", 2: "il secondo", 3: "il terzo", 4: "il quarto", -1: "l'ultimo"},
        {1: "la prima", 2: "la seconda", 3: "la terza", 4: "la quarta", -1: "l'ultima"},
    ),
}
_FEMININE = 6


def words_of(language: str) -> _Words:
    """The words of a language by its code, such as `de`; English for others."""
    return _ALL.get(language, _ALL[EN])


def spoken_day(day: date, language: str = EN) -> str:
    """`Friday 27 November 2026`, `Freitag, 27. November 2026`."""
    words = words_of(language)
    first = "1er" if language == "fr" and day.day == 1 else str(day.day)
    return words.day.format(
        weekday=words.weekdays[day.weekday()],
        day=first,
        month=words.months[day.month - 1],
        year=day.year,
    )


def spoken_number(number: int, language: str = EN) -> str:
    """A day of the month behind its article: `3rd`, `3.`, `1er`."""
    if language == "de":
        return f"{number}."
    if language == "fr" and number == 1:
        return "1er"
    if language != EN:
        return str(number)
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def spoken_nth(nth: int, weekday: int | None, language: str = EN) -> str | None:
    """`every month on the first Monday`; None for an ordinal without a word.

    Without a weekday it is a working day.
    """
    words = words_of(language)
    ordinals = words.nth_feminine if weekday == _FEMININE and words.nth_feminine else words.nth
    if nth not in ordinals:
        return None
    name = words.workday if weekday is None else words.weekdays[weekday]
    return words.on_nth.format(nth=ordinals[nth], name=name)


def spoken_names(weekdays: Sequence[int], language: str = EN) -> str:
    """`every Monday, Tuesday and Friday`."""
    words = words_of(language)
    names = [words.weekdays[one] for one in weekdays]
    return words.on_days.format(names=words.both.join(names))
