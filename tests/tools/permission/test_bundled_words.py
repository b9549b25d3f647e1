"""Several calls on one card are told in the language of its reader, call by call."""

from bot.domain.card_words import About
from bot.domain.languages import Language, Phrase
from bot.tools.permission.bundles import lines_about

CLOSE = Phrase(
    "close {name}", "{name} schließen", "fermer {name}", "cerrar {name}", "chiudere {name}"
)


def test_each_line_is_in_the_language_of_its_reader():
    calls = [About.told(CLOSE.filled(name="{7}"), ("number 7",)), About.told("open 8")]
    told = lines_about(calls)
    assert told.names == ("1. close {7}", "1. number 7", "2. open 8")
    german = told.read_in(Language.DE).names
    assert german == ("1. {7} schließen", "1. number 7", "2. open 8")


def test_what_is_stored_is_read_back_in_each_language():
    about = lines_about([About.told(CLOSE.filled(name="x"))])
    assert About.from_json(about.to_json()) == about
    assert About.from_json({"words": "close x"}).read_in(Language.IT).words == "close x"
