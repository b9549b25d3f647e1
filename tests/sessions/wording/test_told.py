"""Changes, waits and activities, told in the language of their person."""

import math
import sys
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.loop.outcomes import Failed, Stopped, Trouble
from bot.chat.limits import HeldUp
from bot.domain.chat import ToolStarted
from bot.domain.deeds import Deed, Done, Noun
from bot.domain.languages import Language, Phrase
from bot.domain.waits import FAR_S, is_far, wait_words
from bot.sessions.wording.languages import language_of
from bot.sessions.wording.sentences import PHRASES, doing, failure, question_expired, stopped
from bot.testing.gate_sets.everyday import everyday
from bot.testing.shipped_tools import shipped_files, shipped_natives

MILK = Deed(Noun.TODO, Done.ADDED, "Milch kaufen")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.EN, "Stopped. Done until then: todo “Milch kaufen” added."),
        (Language.DE, "Angehalten. Bis dahin erledigt: Aufgabe „Milch kaufen“ hinzugefügt."),
        (Language.FR, "Arrêté. Déjà fait (ajout : tâche « Milch kaufen »)."),
        (Language.ES, "Detenido. Hecho hasta entonces (añadido: tarea «Milch kaufen»)."),
        (Language.IT, "Fermato. Già fatto (aggiunta: attività «Milch kaufen»)."),
    ],
)
def test_a_change_is_told_in_each_language(language: Language, said: str):
    assert stopped(Stopped((MILK, MILK)), language) == said


def test_a_long_text_whose_language_was_read_is_not_kept():
    long = "Bitte lies die Nachricht von heute. " * 1000
    before = sys.getrefcount(long)
    assert language_of([long]) is Language.DE
    assert sys.getrefcount(long) == before


def test_without_a_change_nothing_is_told():
    assert stopped(Stopped()) == "Stopped."
    cut = stopped(Stopped(unsure=True))
    assert cut == "Stopped. One step was cut off; whether it took effect is unknown."


@pytest.mark.parametrize("language", Language)
def test_every_change_has_words(language: Language):
    for noun, done in product(Noun, Done):
        said = question_expired(Stopped((Deed(noun, done, "x"),), unsure=True), language)
        assert said.count("x") or noun is Noun.OUTSIDE
        assert "{" not in said


def test_many_changes_are_cut():
    many = [Deed(Noun.NOTE, Done.CHANGED, str(number)) for number in range(9)]
    assert stopped(Stopped(tuple(many))).endswith("; and 4 more.")


def test_the_language_of_everyday_requests_is_told():
    wrong = [one for one in everyday() if language_of([one.words[0]]) != one.language]
    assert len(wrong) <= 0.05 * len(everyday()), wrong


def test_words_that_tell_nothing_leave_it_to_what_was_said_before():
    assert language_of(["ok", "Bitte schick mir die Liste"]) is Language.DE
    assert language_of(["ok", ""]) is Language.EN
    assert language_of(()) is Language.EN


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "0 seconds"),
        (1, "1 second"),
        (90, "90 seconds"),
        (725, "12 minutes"),
        (5 * 3600, "5 hours"),
        (3 * 86_400, "3 days"),
        (2300919368, "more than a month"),
        (math.inf, "more than a month"),
        (math.nan, "more than a month"),
    ],
)
def test_a_wait_reads_as_people_say_it(seconds: float, words: str):
    assert wait_words(seconds) == words
    assert words in str(HeldUp("chat.postMessage", seconds))


@given(st.floats(min_value=0, allow_nan=False))
def test_no_wait_has_a_number_that_nobody_can_read(seconds: float):
    assert sum(character.isdigit() for character in wait_words(seconds)) <= 3
    assert is_far(seconds) == (seconds > FAR_S)


def test_a_model_that_asks_for_73_years_is_not_waited_for():
    text = failure(Failed(Trouble.MODEL, "", "rate_limit", 2300919368.0), "t4k2")
    assert "far in the future, so I stop trying" in text
    assert "2300919368" not in text
    assert "wait 12 minutes" in failure(Failed(Trouble.MODEL, "", "rate_limit", 725.0), "t4k2")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.DE, "(Es will, dass ich 12 Minuten warte.)"),
        (Language.FR, "(Il demande d'attendre 12 minutes.)"),
        (Language.ES, "(Pide esperar 12 minutos.)"),
        (Language.IT, "(Chiede di aspettare 12 minuti.)"),
    ],
)
def test_a_failure_is_told_in_the_language_of_the_person(language: Language, said: str):
    failed = Failed(Trouble.MODEL, "", "rate_limit", 725.0)
    text = failure(failed, "t4k2", language=language)
    assert said in text
    assert not {*failure(failed, "t4k2").split(". ")} & {*text.split(". ")}


def test_each_tool_that_ships_has_words_and_no_other():
    of_plugins = {tool.name for tool in shipped_natives().tools if tool.doing is not None}
    assert not of_plugins & PHRASES.keys()
    assert {path.stem for path in shipped_files()} == PHRASES.keys() | of_plugins


@pytest.mark.parametrize("language", Language)
def test_no_words_name_a_tool(language: Language):
    of_plugins = [tool.doing for tool in shipped_natives().tools if tool.doing is not None]
    said = [phrase.said(language) for phrase in (*PHRASES.values(), *of_plugins)]
    assert not [one for one in said if "_" in one or len(one) > 80]


@pytest.mark.parametrize(
    ("call", "language", "words"),
    [
        (
            ToolStarted("c", "search", "search x", "flights to Rome"),
            Language.EN,
            "Searching what was said and kept here: “flights to Rome”",
        ),
        (ToolStarted("c", "manage_todos", "", ""), Language.FR, "Je m'occupe de vos tâches"),
        (
            ToolStarted(
                "c", "dice", "", "", Phrase("Throwing", "Ich würfle", "Je", "Tiro", "Tiro")
            ),
            Language.DE,
            "Ich würfle",
        ),
        (ToolStarted("c", "agent_scribe", "", ""), Language.DE, "Ich frage “scribe”"),
        (ToolStarted("c", "jira_search", "", ""), Language.IT, "Uso “jira search”"),
        (
            ToolStarted("c", "read_file", "", "a **bold** <@1> path\n/x"),
            Language.ES,
            "Miro archivos: “a bold 1 path /x”",
        ),
    ],
)
def test_a_call_is_said_in_the_persons_language(call: ToolStarted, language: Language, words: str):
    assert doing(call, language) == words
