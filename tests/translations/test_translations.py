"""Bellhop's own words in five languages: complete, nothing left over, and with the same parts."""

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from bot.domain.languages import CountedPhrase, Language, Phrase

BOT = Path(__file__).parents[2] / "bot"
PLUGINS = BOT / "plugins"
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
def phrases_by_owner() -> Mapping[str, Sequence[Phrase]]:
    """All phrases: those of each plug-in, and those of the house under ""."""
    found: dict[str, list[Phrase]] = {}
    for file, code in code_with_phrases():
        inside = file.relative_to(PLUGINS).parts[0] if file.is_relative_to(PLUGINS) else ""
        found.setdefault(inside, []).extend(written_in(code))
    return found


@cache
def code_with_phrases() -> Sequence[tuple[Path, ast.Module]]:
    """Read once, and not where this file is collected."""
    texts = ((file, file.read_text(encoding="utf-8")) for file in sorted(BOT.rglob("*.py")))
    return [(file, ast.parse(text)) for file, text in texts if "Phrase(" in text]


def needed(owner: str) -> set[str]:
    """What the catalogue of an owner has to hold."""
    return {phrase.key for phrase in phrases_by_owner()[owner] if not phrase.de}


def counted_phrases() -> Sequence[CountedPhrase]:
    calls = (call for _, code in code_with_phrases() for call in calls_of("CountedPhrase", code))
    return [CountedPhrase(*written_in(call)) for call in calls]


def parts_of(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name is not None}


@pytest.mark.parametrize("language", OTHERS)
def test_each_catalogue_has_the_words_of_the_code_and_no_others(language: Language):
    catalogue_of_house = json.loads((BOT / "translations" / f"{language}.json").read_text())
    assert len(needed("")) > 1000
    assert needed("") - {*catalogue_of_house} == set()
    assert {*catalogue_of_house} - needed("") == set()


def test_each_plug_in_has_its_own_words_in_its_folder_so_that_it_can_be_taken_out():
    own = {name: needed(name) - needed("") for name in phrases_by_owner() if name}
    kept = {path.parent.name: json.loads(path.read_text()) for path in catalogues_of_plugins()}
    assert {name: {*kept.get(name, ())} for name in own} == own
    assert {*kept} - {name for name, keys in own.items() if keys} == set()
    for said in (said for one in kept.values() for said in one.values()):
        assert {*said} == {*OTHERS}


def test_two_plug_ins_translate_the_same_words_alike():
    known: dict[str, object] = {}
    for path in catalogues_of_plugins():
        for key, said in json.loads(path.read_text()).items():
            assert known.setdefault(key, said) == said, (path, key)


def catalogues_of_plugins() -> Sequence[Path]:
    return sorted(PLUGINS.glob("*/translations.json"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_says_the_same_parts(language: Language):
    one = {counted.one for counted in counted_phrases()}
    for phrase in (phrase for phrases in phrases_by_owner().values() for phrase in phrases):
        said = phrase.words(language)
        assert said.strip(), phrase
        without = {"count"} if phrase in one else set[str]()
        assert parts_of(said) - without == parts_of(phrase.en) - without, phrase


def test_one_thing_may_be_told_without_a_number():
    all_counted = counted_phrases()
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
