"""Bellhop's own words in five languages: complete, nothing left over, and with the same parts."""

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.translations import catalogue

BOT = Path(__file__).parents[2] / "bot"
OTHERS = [language for language in Language if language is not Language.EN]


def calls_of(name: str, code: ast.AST) -> Iterator[ast.Call]:
    for node in ast.walk(code):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def written(call: ast.Call) -> Phrase:
    words = [ast.literal_eval(one) for one in call.args]
    return Phrase(*words, **{str(one.arg): ast.literal_eval(one.value) for one in call.keywords})


def written_in(code: ast.AST) -> Sequence[Phrase]:
    """The phrases of constants; few are made of others."""
    calls = calls_of("Phrase", code)
    return [written(call) for call in calls if isinstance(call.args[0], ast.Constant)]


@cache
def phrases_of_the_code() -> tuple[Sequence[Phrase], Sequence[CountedPhrase]]:
    """All phrases, and those that are counted. Read once, and not where this file is collected."""
    texts = (file.read_text(encoding="utf-8") for file in sorted(BOT.rglob("*.py")))
    code = [ast.parse(text) for text in texts if "Phrase(" in text]
    counted = (call for one in code for call in calls_of("CountedPhrase", one))
    return (
        [phrase for one in code for phrase in written_in(one)],
        [CountedPhrase(*written_in(call)) for call in counted],
    )


def parts_of(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_each_catalogue_has_the_words_of_the_code_and_no_others(language: Language):
    needed = {phrase.key for phrase in phrases_of_the_code()[0] if not phrase.de}
    assert len(needed) > 1000
    assert needed - {*catalogue(language)} == set()
    assert {*catalogue(language)} - needed == set()


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_the_same_parts(language: Language):
    phrases, all_counted = phrases_of_the_code()
    one = {counted.one for counted in all_counted}
    for phrase in phrases:
        said = phrase.words(language)
        assert said.strip(), phrase
        without = {"count"} if phrase in one else set[str]()
        assert parts_of(said) - without == parts_of(phrase.en) - without, phrase


def test_one_thing_may_be_told_without_a_number():
    _, all_counted = phrases_of_the_code()
    assert len(all_counted) > 50
    for counted in all_counted:
        parts = [
            parts_of(said) - {"count"}
            for phrase in (counted.one, counted.many)
            for said in phrase.all.values()
        ]
        assert all(one == parts[0] for one in parts), counted


def test_a_context_tells_apart_what_is_one_word_in_english():
    assert Phrase("done").words(Language.ES) == "hecho"
    assert Phrase("done", context="plan task").words(Language.ES) == "hecha"


def test_a_phrase_of_a_plug_in_brings_what_it_has_and_is_english_elsewhere():
    assert Phrase("done", de="vollbracht").said(Language.DE) == "vollbracht"
    assert Phrase("no such words", de="nichts").said(Language.FR) == "no such words"
