"""How dates are understood as people say them, in five languages.

    python bench/dates.py [--show]

The phrases and their meanings are those of `dates_phrases.py`. A definite phrase is right when it
is read as what the calendar says; an ambiguous one when it is asked back. `--show` prints every
phrase that is not right. Exits with 1 where a goal is missed.
"""

import argparse
import sys
from collections import Counter
from datetime import date, datetime
from zoneinfo import ZoneInfo

from dates_phrases import Meaning, Phrase, phrases
from figures import Figures

from bot.dates.phrases import read_when
from bot.dates.reading import Day, Moment, Reading, Unclear

ZONE = ZoneInfo("Europe/Berlin")
LEAST = 500
RIGHT = 98.0


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--show", action="store_true", help="print what is not right")
    show = options.parse_args().show
    figures, counted = Figures(), Counter[tuple[str, str]]()
    for phrase in phrases():
        reading = read_when(phrase.text, phrase.now.replace(tzinfo=ZONE), ZONE)
        verdict = judged(reading, phrase.means)
        counted[phrase.language, verdict] += 1
        if show and verdict != "right":
            print(f"{verdict:8} {phrase.language} {phrase.text!r} ({phrase.now:%a %Y-%m-%d}):")
            print(f"         {told(reading)}, but means {_meaning(phrase)}")
    total = sum(counted.values())
    figures.at_least("phrases", total, LEAST)
    right = {language: counted[language, "right"] for language, _ in counted}
    for language in sorted(right):
        of = sum(count for (one, _), count in counted.items() if one == language)
        figures.told(f"right in {language}", f"{100 * right[language] / of:.1f} % of {of}")
    figures.at_least("right", round(100 * sum(right.values()) / total, 1), RIGHT, "%")
    wrong = sum(count for (_, verdict), count in counted.items() if verdict == "wrong")
    figures.at_most("read as another day or time", wrong, 0)
    return figures.close()


def judged(reading: Reading, means: Meaning) -> str:
    """right, asked (a definite phrase was asked back), or wrong."""
    match reading, means:
        case Unclear(), None:
            return "right"
        case Unclear(choices=choices), tuple():
            named = {one.day if isinstance(one, Day) else one.local for one in choices}
            return "right" if named >= set(means) else "asked"
        case Unclear(), _:
            return "asked"
        case Day(day), date() if not isinstance(means, datetime):
            return "right" if day == means else "wrong"
        case Moment(), datetime():
            return "right" if reading.local.replace(tzinfo=None) == means else "wrong"
        case _:
            return "wrong"


def told(reading: Reading) -> str:
    match reading:
        case Unclear(why=why, choices=choices):
            return f"asked ({why}; {', '.join(one.written for one in choices) or 'no choices'})"
        case _:
            return f"read as {reading.written}"


def _meaning(phrase: Phrase) -> str:
    means = phrase.means if isinstance(phrase.means, tuple) else (phrase.means,)
    return " or ".join("a question" if one is None else one.isoformat() for one in means)


if __name__ == "__main__":
    sys.exit(main())
