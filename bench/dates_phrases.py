"""Phrases about days and times in five languages, each with what it means by the calendar.

The meanings are worked out here from the calendar alone, without the reader that is measured.
"""

import calendar
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TypeAlias

WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
}
MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
    "dicembre",
}


@dataclass(frozen=True)
class At:
    """The moment of saying, and what fills the gaps of a template."""

    now: datetime
    weekday: int
    month: int

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def monday(self) -> date:
        """The Monday of this week."""
        return self.today - timedelta(days=self.today.weekday())


Meaning: TypeAlias = "date | datetime | tuple[date | datetime, ...] | None"
"""A day, a minute, all that it may mean (to be asked), or None where it must be asked."""
Means: TypeAlias = Callable[[At], Meaning]


@dataclass(frozen=True)
class Phrase:
    language: str
    text: str
    now: datetime
    means: Meaning


def of_week(weeks: int) -> Means:
    """The template's weekday in the week that begins so many weeks later."""
    return lambda at: at.monday + timedelta(days=7 * weeks + at.weekday)


def coming(more: int = 0) -> Means:
    """The next such weekday, never today, plus so many days."""

    def means(at: At) -> date:
        return at.today + timedelta(days=((at.weekday - at.today.weekday()) % 7 or 7) + more)

    return means


def days(count: int) -> Means:
    return lambda at: at.today + timedelta(days=count)


def clock(day: Means, hour: int, minute: int = 0) -> Means:
    def means(at: At) -> datetime:
        found = day(at)
        assert isinstance(found, date)
        return datetime.combine(found, time(hour, minute))

    return means


def later(minutes: int) -> Means:
    return lambda at: at.now + timedelta(minutes=minutes)


def yearly(month: int, day: int) -> Means:
    """The next such day, today included."""

    def means(at: At) -> date:
        this = date(at.today.year, month, day)
        return this if this >= at.today else date(at.today.year + 1, month, day)

    return means


def of_month(which: Callable[[int, int, int], date], month: Callable[[At], int | None]) -> Means:
    """A day that depends on the month: of the template, of this one (0), or the next (1)."""

    def means(at: At) -> date:
        named = month(at)
        year, number = at.today.year, at.today.month
        if named is None:
            number += 1
            year, number = year + (number - 1) // 12, (number - 1) % 12 + 1
        elif named:
            number = named
            if which(year, number, at.weekday) < at.today:
                year += 1
        return which(year, number, at.weekday)

    return means


def nth(count: int) -> Callable[[int, int, int], date]:
    """The so-manieth weekday of a month; -1 is the last."""

    def of(year: int, month: int, weekday: int) -> date:
        all_days = [
            date(year, month, day)
            for day in range(1, calendar.monthrange(year, month)[1] + 1)
            if date(year, month, day).weekday() == weekday
        ]
        return all_days[count - 1 if count > 0 else count]

    return of


def day_of(number: int) -> Callable[[int, int, int], date]:
    """The day of the month with this number; 0 is the last."""
    return lambda year, month, _weekday: date(
        year, month, number or calendar.monthrange(year, month)[1]
    )


def easter(offset: int) -> Means:
    """Days from Easter Sunday (the Gregorian computus as Meeus gives it), the next one."""

    def sunday(year: int) -> date:
        a, b, c = year % 19, year // 100, year % 100
        d, e = b // 4, b % 4
        g = (8 * b + 13) // 25
        h = (19 * a + b - d - g + 15) % 30
        i, k = c // 4, c % 4
        ell = (32 + 2 * e + 2 * i - h - k) % 7
        m = (a + 11 * h + 22 * ell) // 451
        month, day = divmod(h + ell - 7 * m + 114, 31)
        return date(year, month, day + 1)

    def means(at: At) -> date:
        found = sunday(at.today.year) + timedelta(days=offset)
        return found if found >= at.today else sunday(at.today.year + 1) + timedelta(days=offset)

    return means


def either(*meanings: Means) -> Means:
    def means(at: At) -> Meaning:
        found = dict.fromkeys(day for one in meanings if isinstance(day := one(at), date))
        return tuple(found) if len(found) > 1 else next(iter(found))

    return means


def asked(_at: At) -> None:
    return None


def on(weekday: int, weeks: int = 0) -> Means:
    return lambda at: at.monday + timedelta(days=7 * weeks + weekday)


def _named(at: At) -> int:
    return at.month


def _this(_at: At) -> int:
    return 0


def _next(_at: At) -> None:
    return None


TEMPLATES: tuple[tuple[Means, dict[str, str]], ...] = (
    (
        of_week(1),
        {
            "en": "{day} next week|{day} of next week|next week {day}|next week on {day}"
            "|by {day} next week",
            "de": "{day} nächster Woche|nächste Woche {day}|am {day} nächster Woche"
            "|{day} kommender Woche|kommende Woche am {day}|bis {day} nächste Woche",
            "fr": "{day} de la semaine prochaine|la semaine prochaine {day}"
            "|{day} la semaine prochaine|le {day} de la semaine prochaine",
            "es": "el {day} de la semana que viene|{day} de la próxima semana"
            "|la semana que viene el {day}|la próxima semana {day}",
            "it": "{day} della prossima settimana|{day} della settimana prossima"
            "|la prossima settimana {day}|la settimana prossima, {day}",
        },
    ),
    (
        clock(of_week(1), 10),
        {
            "en": "{day} next week at 10am|next week {day} 10:00|at 10 am on {day} next week",
            "de": "{day} nächster Woche um 10 Uhr|nächste Woche {day} 10 Uhr",
            "fr": "{day} de la semaine prochaine à 10h|la semaine prochaine {day} à 10 heures",
            "es": "el {day} de la semana que viene a las 10:00",
            "it": "{day} della prossima settimana alle 10:00",
        },
    ),
    (
        of_week(2),
        {
            "en": "{day} the week after next|the week after next on {day}",
            "de": "übernächste Woche {day}|{day} übernächster Woche",
        },
    ),
    (
        either(of_week(2), coming(14)),
        {
            "en": "{day} in two weeks",
            "fr": "{day} dans deux semaines|dans deux semaines {day}",
            "es": "{day} dentro de dos semanas|en dos semanas el {day}",
            "it": "{day} tra due settimane|fra due settimane {day}",
        },
    ),
    (
        coming(7),
        {
            "en": "a week from {day}|{day} week|a week on {day}|one week from {day}",
            "de": "{day} in einer Woche|{day} in acht Tagen",
            "fr": "{day} en huit",
            "es": "una semana después del {day}",
            "it": "una settimana dopo {day}",
        },
    ),
    (
        days(7),
        {
            "en": "a week from today|today week|in a week|in 7 days|a week from now",
            "de": "heute in einer Woche|in einer Woche|heute in acht Tagen",
            "fr": "dans une semaine|d'aujourd'hui en huit",
            "es": "de hoy en ocho días|en una semana|dentro de una semana",
            "it": "oggi a otto|tra una settimana|fra una settimana",
        },
    ),
    (
        days(8),
        {
            "en": "a week from tomorrow|tomorrow week",
            "de": "morgen in einer Woche",
            "fr": "demain en huit",
            "es": "una semana después de mañana",
            "it": "domani a otto",
        },
    ),
    (
        days(14),
        {
            "en": "in a fortnight|in two weeks|in 14 days|two weeks from today",
            "de": "in zwei Wochen|in 14 Tagen|heute in zwei Wochen",
            "fr": "dans deux semaines|dans 14 jours",
            "es": "en dos semanas|dentro de 14 días",
            "it": "tra due settimane|fra 14 giorni",
        },
    ),
    (
        of_month(nth(1), _named),
        {
            "en": "first {day} in {month}|the first {day} of {month}|1st {day} of {month}",
            "de": "erster {day} im {month}|der erste {day} im {month}|am ersten {day} im {month}",
            "fr": "premier {day} de {month}|le premier {day} de {month}",
            "es": "primer {day} de {month}|el primer {day} de {month}",
            "it": "primo {day} di {month}|il primo {day} di {month}",
        },
    ),
    (
        of_month(nth(3), _named),
        {
            "en": "third {day} of {month}|the 3rd {day} in {month}",
            "de": "dritter {day} im {month}|am dritten {day} im {month}",
            "fr": "troisième {day} de {month}|le 3e {day} de {month}",
            "es": "tercer {day} de {month}",
            "it": "terzo {day} di {month}",
        },
    ),
    (
        of_month(nth(-1), _named),
        {
            "en": "last {day} in {month}|the last {day} of {month}",
            "de": "letzter {day} im {month}|am letzten {day} im {month}",
            "fr": "dernier {day} de {month}|le dernier {day} de {month}",
            "es": "último {day} de {month}|el último {day} de {month}",
            "it": "ultimo {day} di {month}|l'ultimo {day} di {month}",
        },
    ),
    (
        of_month(nth(2), _next),
        {
            "en": "second {day} of next month|2nd {day} next month",
            "de": "zweiter {day} im nächsten Monat|am zweiten {day} nächsten Monats",
            "fr": "deuxième {day} du mois prochain",
            "es": "segundo {day} del mes que viene|segundo {day} del próximo mes",
            "it": "secondo {day} del mese prossimo|secondo {day} del prossimo mese",
        },
    ),
    (
        of_month(nth(-1), _next),
        {
            "en": "last {day} of next month",
            "de": "letzter {day} im nächsten Monat",
            "fr": "dernier {day} du mois prochain",
            "es": "último {day} del próximo mes",
            "it": "ultimo {day} del prossimo mese",
        },
    ),
    (
        of_month(day_of(15), _named),
        {
            "en": "mid {month}|mid-{month}|the middle of {month}",
            "de": "Mitte {month}",
            "fr": "mi-{month}|à la mi-{month}",
            "es": "mediados de {month}|a mediados de {month}",
            "it": "metà {month}|a metà {month}",
        },
    ),
    (
        of_month(day_of(1), _named),
        {
            "en": "the beginning of {month}|start of {month}|beginning of {month}",
            "de": "Anfang {month}",
            "fr": "début {month}",
            "es": "principios de {month}|a principios de {month}",
            "it": "inizio {month}|all'inizio di {month}",
        },
    ),
    (
        of_month(day_of(0), _named),
        {
            "en": "end of {month}|the end of {month}|by the end of {month}",
            "de": "Ende {month}|bis Ende {month}",
            "fr": "fin {month}|fin de {month}",
            "es": "finales de {month}|a finales de {month}|fin de {month}",
            "it": "fine {month}|alla fine di {month}",
        },
    ),
    (
        of_month(day_of(1), _next),
        {
            "en": "start of next month|the first of next month|the 1st of next month",
            "de": "Anfang nächsten Monats|am ersten des nächsten Monats",
            "fr": "début du mois prochain|le premier du mois prochain",
            "es": "principios del mes que viene|el primero del mes que viene",
            "it": "inizio del prossimo mese|il primo del mese prossimo",
        },
    ),
    (
        of_month(day_of(0), _this),
        {
            "en": "end of the month|last day of the month|EOM|the last day of this month",
            "de": "Ende des Monats|Monatsende|letzter Tag des Monats|am letzten Tag des Monats",
            "fr": "fin du mois|dernier jour du mois|le dernier jour du mois",
            "es": "fin de mes|último día del mes|el último día del mes",
            "it": "fine del mese|ultimo giorno del mese|l'ultimo giorno del mese",
        },
    ),
    (
        of_month(day_of(10), _next),
        {
            "en": "the 10th of next month|10th next month",
            "de": "am 10. des nächsten Monats|am 10. nächsten Monats",
            "fr": "le 10 du mois prochain",
            "es": "el 10 del mes que viene|el 10 del próximo mes",
            "it": "il 10 del mese prossimo|il 10 del prossimo mese",
        },
    ),
    (
        either(on(5), on(6)),
        {
            "en": "this weekend|on the weekend|at the weekend|over the weekend",
            "de": "dieses Wochenende|am Wochenende",
            "fr": "ce week-end|le week-end",
            "es": "este fin de semana|el fin de semana",
            "it": "questo fine settimana|nel fine settimana|questo weekend",
        },
    ),
    (
        either(on(0, 1), on(1, 1)),
        {
            "en": "early next week|the beginning of next week|start of next week",
            "de": "Anfang nächster Woche|Anfang der nächsten Woche",
            "fr": "début de semaine prochaine|en début de semaine prochaine",
            "es": "principios de la semana que viene|a principios de la próxima semana",
            "it": "inizio della prossima settimana|all'inizio della settimana prossima",
        },
    ),
    (
        either(on(3, 1), on(4, 1)),
        {
            "en": "late next week|later next week",
            "de": "gegen Ende nächster Woche",
            "fr": "vers la fin de la semaine prochaine",
            "es": "hacia finales de la semana que viene",
            "it": "verso la fine della prossima settimana",
        },
    ),
    (
        on(2, 1),
        {
            "en": "middle of next week|midweek next week|mid next week",
            "de": "Mitte nächster Woche",
            "fr": "milieu de la semaine prochaine|au milieu de la semaine prochaine",
            "es": "mediados de la semana que viene|a mediados de la próxima semana",
            "it": "metà della prossima settimana|a metà della settimana prossima",
        },
    ),
    (
        yearly(12, 24),
        {
            "en": "Christmas Eve|on Christmas Eve|the day before Christmas",
            "de": "Heiligabend|an Heiligabend|Heilig Abend|am Tag vor Weihnachten",
            "fr": "la veille de Noël|veille de Noël",
            "es": "Nochebuena|en Nochebuena",
            "it": "la vigilia di Natale|vigilia di Natale",
        },
    ),
    (
        yearly(12, 25),
        {
            "en": "Christmas|Christmas Day|at Christmas",
            "de": "Weihnachten|an Weihnachten|erster Weihnachtstag",
            "fr": "Noël|à Noël|le jour de Noël",
            "es": "Navidad|el día de Navidad",
            "it": "Natale|a Natale",
        },
    ),
    (
        yearly(12, 31),
        {
            "en": "New Year's Eve|on New Year's Eve",
            "de": "Silvester|an Silvester",
            "fr": "la Saint-Sylvestre|Saint-Sylvestre",
            "es": "Nochevieja|en Nochevieja",
            "it": "San Silvestro",
        },
    ),
    (
        yearly(1, 1),
        {
            "en": "New Year's Day|New Year",
            "de": "Neujahr|an Neujahr",
            "fr": "le jour de l'an|le Nouvel An",
            "es": "Año Nuevo|el día de Año Nuevo",
            "it": "Capodanno|a Capodanno",
        },
    ),
    (
        yearly(1, 6),
        {
            "en": "Epiphany",
            "de": "Dreikönigstag|Heilige Drei Könige",
            "fr": "l'Épiphanie",
            "es": "el día de Reyes|Reyes",
            "it": "l'Epifania|Befana",
        },
    ),
    (
        easter(0),
        {
            "en": "Easter|Easter Sunday",
            "de": "Ostern|Ostersonntag",
            "fr": "Pâques|dimanche de Pâques",
            "es": "Pascua|domingo de Pascua",
            "it": "Pasqua|domenica di Pasqua",
        },
    ),
    (
        easter(1),
        {
            "en": "Easter Monday|the day after Easter",
            "de": "Ostermontag|am Tag nach Ostern",
            "fr": "lundi de Pâques|le lendemain de Pâques",
            "es": "lunes de Pascua",
            "it": "Pasquetta|lunedì dell'Angelo",
        },
    ),
    (
        easter(-2),
        {
            "en": "Good Friday|on Good Friday",
            "de": "Karfreitag|am Karfreitag",
            "fr": "Vendredi saint|le Vendredi saint",
            "es": "Viernes Santo",
            "it": "Venerdì Santo",
        },
    ),
    (
        easter(39),
        {
            "en": "Ascension Day",
            "de": "Christi Himmelfahrt",
            "fr": "l'Ascension|jeudi de l'Ascension",
            "es": "la Ascensión",
            "it": "l'Ascensione",
        },
    ),
    (
        easter(50),
        {
            "en": "Whit Monday",
            "de": "Pfingstmontag",
            "fr": "lundi de Pentecôte",
            "es": "lunes de Pentecostés",
            "it": "lunedì di Pentecoste",
        },
    ),
    (
        clock(coming(), 9),
        {
            "en": "first thing {day}|{day} first thing|first thing on {day}|{day} first thing in "
            "the morning|{day} morning",
            "de": "{day} früh|{day} gleich in der Früh|{day} Vormittag|am {day} Morgen",
            "fr": "{day} matin|{day} à la première heure",
            "es": "{day} por la mañana|{day} a primera hora",
            "it": "{day} mattina|{day} di prima mattina",
        },
    ),
    (
        clock(coming(), 17),
        {
            "en": "EOD {day}|{day} EOD|by EOD {day}|by close of business {day}|{day} COB"
            "|by the end of the day {day}",
            "de": "{day} bis Feierabend|{day} Feierabend",
            "fr": "{day} en fin de journée|{day} fin de journée",
            "es": "{day} al final del día|{day} a última hora",
            "it": "{day} a fine giornata|{day} fine giornata",
        },
    ),
    (
        clock(days(0), 17),
        {
            "en": "EOD|by EOD|EOD today|close of business|by COB|end of business",
            "de": "bis Feierabend|Feierabend|heute bis Feierabend",
            "fr": "en fin de journée|fin de journée",
            "es": "al final del día|hoy al final del día",
            "it": "a fine giornata|entro fine giornata",
        },
    ),
    (
        clock(days(1), 12),
        {
            "en": "tomorrow at noon|tomorrow lunchtime|tomorrow at lunch|noon tomorrow",
            "de": "morgen Mittag|morgen mittags|morgen um 12",
            "fr": "demain midi|demain à midi",
            "es": "mañana al mediodía|mañana a mediodía",
            "it": "domani a mezzogiorno|domani mezzogiorno",
        },
    ),
    (
        clock(days(1), 9, 30),
        {
            "en": "tomorrow at half past nine am|tomorrow 9:30|9.30am tomorrow|tomorrow at 9:30 am",
            "de": "morgen um halb zehn|morgen 9:30 Uhr|morgen um 9 Uhr 30",
            "fr": "demain à 9h30|demain à neuf heures et demie|demain 9 h 30",
            "es": "mañana a las nueve y media|mañana a las 9:30",
            "it": "domani alle nove e mezza|domani alle 9.30|domani alle 9:30",
        },
    ),
    (
        clock(days(1), 15, 15),
        {
            "en": "tomorrow at quarter past 3 pm|tomorrow at 3:15pm|3:15 pm tomorrow",
            "de": "morgen um viertel nach drei nachmittags|morgen um 15:15 Uhr|morgen um 15.15 Uhr",
            "fr": "demain à 15h15|demain à quinze heures quinze",
            "es": "mañana a las tres y cuarto de la tarde|mañana a las 15:15",
            "it": "domani alle tre e un quarto di pomeriggio|domani alle 15:15",
        },
    ),
    (
        clock(days(2), 17, 45),
        {
            "en": "the day after tomorrow at quarter to 6 pm|day after tomorrow 17:45",
            "de": "übermorgen um 17:45|übermorgen um viertel vor sechs abends",
            "fr": "après-demain à 17h45",
            "es": "pasado mañana a las seis menos cuarto de la tarde|pasado mañana a las 17:45",
            "it": "dopodomani alle 17:45",
        },
    ),
    (
        later(90),
        {
            "en": "in 90 minutes|in an hour and a half|in 1.5 hours|in 1 hour and 30 minutes"
            "|in 1h30|in 1 h 30 min",
            "de": "in anderthalb Stunden|in eineinhalb Stunden|in 90 Minuten|in 1,5 Stunden"
            "|in einer Stunde und 30 Minuten",
            "fr": "dans une heure et demie|dans 90 minutes|dans 1h30|dans 1 heure et 30 minutes",
            "es": "en una hora y media|dentro de 90 minutos|en 1 hora y 30 minutos",
            "it": "tra un'ora e mezza|fra 90 minuti|tra 1 ora e 30 minuti",
        },
    ),
    (
        later(45),
        {
            "en": "in 45 min|in three quarters of an hour|45 minutes from now",
            "de": "in einer Dreiviertelstunde|in 45 Minuten",
            "fr": "dans trois quarts d'heure|dans 45 minutes",
            "es": "en tres cuartos de hora|en 45 minutos",
            "it": "tra tre quarti d'ora|tra 45 minuti",
        },
    ),
    (
        later(15),
        {
            "en": "in a quarter of an hour|in 15 minutes|in quarter of an hour",
            "de": "in einer Viertelstunde|in 15 min",
            "fr": "dans un quart d'heure|dans 15 min",
            "es": "en un cuarto de hora|en quince minutos",
            "it": "tra un quarto d'ora|tra quindici minuti",
        },
    ),
    (
        yearly(3, 5),
        {
            "en": "5 March|March 5|the 5th of March|on March 5th|Mar 5",
            "de": "am 5. März|5. März|der 5. März|5. Mär.",
            "fr": "le 5 mars|5 mars",
            "es": "el 5 de marzo|5 de marzo",
            "it": "il 5 marzo|5 marzo",
        },
    ),
    (
        asked,
        {
            "en": "soon|some time next week|in a few days|later|one day|when I'm back|next summer"
            "|around the holidays|the other day|two or three days",
            "de": "bald|irgendwann|demnächst|in ein paar Tagen|später|im Sommer|die Tage",
            "fr": "bientôt|dans quelques jours|plus tard|un de ces jours|cet été",
            "es": "pronto|en unos días|más tarde|un día de estos|este verano",
            "it": "presto|tra qualche giorno|più tardi|un giorno|questa estate",
        },
    ),
)
NOWS = (
    datetime(2026, 11, 24, 10, 0),  # noqa: DTZ001 - local times; the bench gives them their zone
    datetime(2027, 4, 1, 13, 20),  # noqa: DTZ001
)


def phrases() -> Iterator[Phrase]:
    """Each template with two moments; a weekday or month in it makes more of them."""
    for means, by_language in TEMPLATES:
        for language, texts in by_language.items():
            for text in texts.split("|"):
                yield from _filled(language, text, means)


def _filled(language: str, text: str, means: Means) -> Iterator[Phrase]:
    weekdays, months = WEEKDAYS[language].split(), MONTHS[language].split()
    for turn, now in enumerate(NOWS):
        weekday = (now.weekday() + 2 + turn + len(text)) % 7
        if weekday == now.weekday():
            weekday = (weekday + 1) % 7
        month = (now.month + len(text) % 9 + 1) % 12 + 1
        said = text.format(day=weekdays[weekday], month=months[month - 1])
        if said == text and turn and means == asked:
            continue
        yield Phrase(language, said, now, means(At(now, weekday, month)))
