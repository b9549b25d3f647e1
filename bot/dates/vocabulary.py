"""The words for days, times and spans in English, German, French, Spanish and Italian.

The library can't read them, because it doesn't report ambiguous phrases ("next Friday") and fills
in missing parts ("tomorrow at 9" becomes tomorrow at this minute).
"""

import re
import unicodedata
from functools import cache

LANGUAGES = ("en", "de", "fr", "es", "it")
OTHER_LANGUAGES = ("pt", "nl", "pl", "ru", "uk", "ja", "zh", "tr", "sv")
"""Phrases that only the library reads: days, not times."""

WEEKDAYS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lundi lunes lunedi",
            "tuesday tue tues dienstag mardi martes martedi",
            "wednesday wed mittwoch mercredi miercoles mercoledi",
            "thursday thu thur thurs donnerstag jeudi jueves giovedi",
            "friday fri freitag vendredi viernes venerdi",
            "saturday sat samstag sonnabend samedi sabado sabato",
            "sunday sun sonntag dimanche domingo domenica",
        )
    )
    for name in names.split()
}

WEEKDAY = "|".join(sorted(map(re.escape, WEEKDAYS), key=len, reverse=True))
"""A weekday, for a pattern."""

WORKDAY = (
    "working day|workday|business day|weekday|arbeitstag|werktag|jour ouvrable|jour ouvre"
    "|dia laborable|dia habil|giorno lavorativo|giorno feriale"
)
"""A day from Monday to Friday, for a pattern; holidays are not known."""

NTH = {
    1: "first|1st|erste[rnsm]?|premier|1er|primer|primero|primo",
    2: "second|2nd|zweite[rnsm]?|deuxieme|2e|segundo|secondo",
    3: "third|3rd|dritte[rnsm]?|troisieme|3e|tercer|tercero|terzo",
    4: "fourth|4th|vierte[rnsm]?|quatrieme|4e|cuarto|quarto",
    -1: "last|letzte[rnsm]?|dernier|ultimo",
}
"""Which of its kind in a month, for patterns; -1 is the last."""

NAMED_DAYS: dict[str, int] = {
    "today": 0,
    "heute": 0,
    "aujourd'hui": 0,
    "hoy": 0,
    "oggi": 0,
    "tomorrow": 1,
    "morgen": 1,
    "demain": 1,
    "manana": 1,
    "domani": 1,
    "the day after tomorrow": 2,
    "day after tomorrow": 2,
    "ubermorgen": 2,
    "uebermorgen": 2,
    "apres-demain": 2,
    "apres demain": 2,
    "pasado manana": 2,
    "dopodomani": 2,
}

PAST = re.compile(
    r"\b(?:yesterday|gestern|vorgestern|hier|avant-hier|ayer|anteayer|ieri|ago)\b|^(?:vor|il y "
    r"a|hace) \w+ \w+$| fa$"
    r"|^(?:last|letzten|letzte|vergangenen)\b|\b(?:dernier|derniere|pasado|pasada|scorso|scorsa)$"
)
"""Phrases about the past, for which nothing can be planned."""

NEXT = (
    r"(?:next|nachste[rns]?|naechste[rns]?|kommende[rns]?|prochaine?|proximo|proxima"
    r"|prossimo|prossima)"
)
THIS = r"(?:this(?: coming)?|coming|diese[rns]?|ce|este|esta|questo|questa)"

UNITS: dict[str, str] = {
    name: unit
    for unit, names in {
        "minute": "minute minutes min mins minuten minuto minutos minuti",
        "hour": "hour hours hr hrs h stunde stunden std heure heures hora horas ora ore",
        "day": "day days tag tage tagen jour jours dia dias giorno giorni",
        "week": "week weeks woche wochen semaine semaines semana semanas settimana settimane",
        "month": "month months monat monate monaten mois mes meses mese mesi",
        "year": "year years jahr jahre jahren an ans annee annees ano anos anno anni",
    }.items()
    for name in names.split()
}

NUMBERS: dict[str, float] = {
    name: number
    for number, names in {
        0.5: "half half-an halben halbe halber halbes demi demie media mezza mezzo",
        1: "a an one ein eine einem einer einen un une uno una",
        1.5: "anderthalb eineinhalb",
        2: "two couple zwei deux dos due",
        3: "three drei trois tres tre",
        4: "four vier quatre cuatro quattro",
        5: "five funf fuenf cinq cinco cinque",
        6: "six sechs seis sei",
        7: "seven sieben sept siete sette",
        8: "eight acht huit ocho otto",
        9: "nine neun neuf nueve nove",
        10: "ten zehn dix diez dieci",
        12: "twelve zwolf zwoelf douze doce dodici",
        15: "fifteen funfzehn fuenfzehn quinze quince quindici",
        20: "twenty zwanzig vingt veinte venti",
        30: "thirty dreissig trente treinta trenta",
        14: "fourteen vierzehn quatorze catorce quattordici",
        45: "forty-five funfundvierzig",
    }.items()
    for name in names.split()
}

_END_OF_DAY = (  # noqa: SIM905 - words are easier to read in lines
    "eod; end of day; end of the day; the end of the day; cob; close of business; eob; end of"
    " business; feierabend; bis feierabend; zum feierabend; en fin de journee; fin de journee; al"
    " final del dia; a ultima hora; a fine giornata; fine giornata"
).split("; ")
"""The end of a working day, at five."""

COUNT = "|".join(sorted(map(re.escape, NUMBERS), key=len, reverse=True))
"""A number in words, for a pattern."""

PARTS_OF_DAY: dict[str, int] = {
    name: hour
    for hour, names in {
        9: "morning; in the morning; fruh; frueh; vormittag; am vormittag; matin; le matin;"
        " por la manana; de la manana; mattina; di mattina; first thing; first thing in the"
        " morning; gleich fruh; gleich in der fruh; in der fruh; am morgen; morgens; a la premiere"
        " heure; des la premiere heure; a primera hora; di prima mattina; in prima mattina;"
        " mattina presto",
        12: "noon; at noon; midday; mittag; mittags; am mittag; midi; a midi; mediodia; al"
        " mediodia; a mediodia; mezzogiorno; a mezzogiorno; lunchtime; at lunchtime; at lunch",
        15: "afternoon; in the afternoon; nachmittag; nachmittags; am nachmittag; apres-midi;"
        " l'apres-midi; por la tarde; de la tarde; pomeriggio; di pomeriggio",
        17: "; ".join(_END_OF_DAY),
        19: (
            "evening; in the evening; abend; am abend; abends; soir; le soir; por la noche; sera; "
            "di sera"
        ),
        20: "night; at night",
    }.items()
    for name in names.split("; ")
}
"""The default hour of a part of the day.

The answer repeats it, so that people can correct it.
"""

TODAY_PARTS: dict[str, int] = {
    **dict.fromkeys(_END_OF_DAY, 17),
    "tonight": 20,
    "this evening": 19,
    "this afternoon": 15,
    "this morning": 9,
    "heute abend": 19,
    "heute nacht": 22,
    "ce soir": 19,
    "esta noche": 20,
    "esta tarde": 17,
    "stasera": 19,
}

MONTH_END = re.compile(
    r"(?:the )?end of (?P<en>the |this |next )?(?P<what>month|year|week|day)"
    r"|(?P<de>ende (?:des |dieses |nachsten |naechsten "
    r")?)(?P<what_de>monats?|jahres?|woche)|monatsende|jahresende"
    r"|(?:a la |la )?fin (?:du |de )(?:ce )?(?P<what_fr>mois|annee|semaine)|fin de l'annee"
    r"|(?:a )?fin(?:al(?:es)?)? de(?:l)? (?P<what_es>mes|ano|semana)"
    r"|(?:alla |la )?fine (?:del |dell')?(?P<what_it>mese|anno|settimana)"
)

FILLER = re.compile(
    r"^(?:(?:due|by|on|for|until|till|before|from|at|the|am|um|bis|zum|ab|pour|le|a|au|avant|para"
    r"|el|los|antes de|entro|der|d'ici|en|nel"
    r"|per|il|al|alle|del|de)\s+)+"
)


def folded(text: str) -> str:
    """Lower case without accents and outer punctuation: `Übermorgen,` is `ubermorgen`."""
    plain = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("\u2019", "'"))
    letters = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(letters.casefold().split()).strip(' ,;!?()"')


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern, compiled once. Most starts read no phrase, and each takes milliseconds."""
    return re.compile(pattern)
