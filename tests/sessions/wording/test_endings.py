"""What a stopped person reads: what was changed, in their language, and nothing of tools."""

from itertools import product

import pytest

from bot.domain.deeds import Deed, Done, Noun
from bot.domain.languages import Language
from bot.sessions.wording import endings
from bot.sessions.wording.endings import language_of
from bot.testing.gate_sets.everyday import everyday

MILK = Deed(Noun.TODO, Done.ADDED, "Milch kaufen")


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.EN, "Stopped. Done until then: todo “Milch kaufen” added."),
        (Language.DE, "Angehalten. Bis dahin erledigt: Aufgabe „Milch kaufen“ hinzugefügt."),
        (Language.FR, "Arrêté. Déjà fait : tâche « Milch kaufen » ajoutée."),
        (Language.ES, "Detenido. Hecho hasta entonces: tarea «Milch kaufen» añadida."),
        (Language.IT, "Fermato. Già fatto: attività «Milch kaufen» aggiunta."),
    ],
)
def test_a_change_is_told_in_each_language(language: Language, said: str):
    assert endings.stopped([MILK, MILK], unsure=False, language=language) == said


def test_without_a_change_nothing_is_told():
    assert endings.stopped([], unsure=False, language=Language.EN) == "Stopped."
    cut = endings.stopped([], unsure=True, language=Language.EN)
    assert cut == "Stopped. One step was cut off; whether it took effect is unknown."


@pytest.mark.parametrize("language", Language)
def test_every_change_has_words(language: Language):
    for noun, done in product(Noun, Done):
        said = endings.expired([Deed(noun, done, "x")], unsure=True, language=language)
        assert said.count("x") or noun is Noun.OUTSIDE
        assert "{" not in said


def test_many_changes_are_cut():
    many = [Deed(Noun.NOTE, Done.CHANGED, str(number)) for number in range(9)]
    assert endings.stopped(many, unsure=False, language=Language.EN).endswith("; and 4 more.")


def test_the_language_of_everyday_requests_is_told():
    wrong = [one for one in everyday() if language_of([one.words[0]]) != one.language]
    assert len(wrong) <= 0.05 * len(everyday()), wrong


def test_words_that_tell_nothing_leave_it_to_what_was_said_before():
    assert language_of(["ok", "Bitte schick mir die Liste"]) is Language.DE
    assert language_of(["ok", ""]) is Language.EN
    assert language_of(()) is Language.EN
