"""Phrases that people use for a tool, in any language, and which of them a text holds.

Texts come in many languages, and the language of a few words is not known. So no grammar of one
language is used: two words are one when they begin alike and differ only in a short ending.

See docs/rules.md#finding-tools.
"""

import math
import re
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain, filterfalse
from typing import Generic, TypeVar

_SMALL = """
a about all also am an and any are as at be been but by can could did do does for from get give
go had has have he her here him his how i if in into is it its just let like make me more my
need no not now of off on or our out over please s she should show so some t than that the their
them then there these they this to too up us use very want was we were what when where which who
why will with would you your ll re ve d m today tomorrow yesterday aber als auch auf aus bei bin
bis bist bitte da damit dann das dass dein deine dem den der des die dir doch du durch ein eine
einem einen einer er es eigentlich etwas euch fur gerade gib gibt hab habe haben hat hatte heute
hier ich ihm ihn ihr im ist ja jetzt kann kannst kein konnen konntest mach mal man mein meine
meinem meinen meiner mich mir mit morgen muss nach nicht noch nun nur oder schon sein sich sie
sind soll um und uns unser unsere vom von vor war warum welche welchen wenn wer wie wir wird wo
zeig zu zum zur gestern au aux avec ai avons avez ce ces cet cette comme c dans de elle en est
et ete etre eu fait faire fais il ils j je l la le les leur lui ma mais mes moi mon n ne nos
notre nous ont ou par pas peux peut plait plus pour qu que quel quelle quels quelles qui quoi sa
se ses si son sont sur ta te tes toi ton tu un une va veux vos votre vous y aujourd hui demain
al algo ante como con cual cuales cuando cuanto del desde donde dos e el ella entre era eres esa
ese eso esta este esto estoy fue ha hay haz las lo los mi mis mucho muy nada nuestra nuestro o
os para pero por porque puede puedes quien quiero sea ser sin sobre su sus tengo ti tiene todo
tus una uno unos ya hoy manana ayer ad agli alla alle allo anche avere che chi ci cio come cosa
cui dagli dai dal dalla degli dei dell della delle dello di dove ed fa fai fammi gli hai hanno
ho io lei li loro mia mie miei mio nei nel nella nelle noi non nostra nostro per perche piu po
poi puoi quale quali quando quanto quella quello questa queste questo sei sia sono sta sua sugli
sui sul sulla sue suo tra tua tue tuo vi voglio vorrei oggi domani ieri
"""
_SMALL_WORDS = frozenset(_SMALL.split())
"""Words that say nothing of what is wanted, in the languages that people write most here."""


OwnerT = TypeVar("OwnerT", bound=Hashable)

_WORD = re.compile(r"[#@]|=?[^\W_]+")
"""# and @ are words of their own: people name channels and addresses so.

A = makes a word of a phrase exact.
"""
_EXACT, _ASIDE = "=", "~"
"""A phrase that begins with ~ only helps others: its words belong to the matter."""
_BEGINNING = 4
"""So many letters are always equal. A shorter word is only equal to itself."""
_SHORT_BEGINNING = 3
"""An ending may have as many letters as the common beginning has beyond these."""
_ENDING = 3
"""The most letters behind the common beginning."""
_PART = 5
"""The fewest letters of a part of a compound: shorter ones stand in many words by chance."""
_NOBODY = 0.5
_FURTHER = 0.25
"""What each telling word behind the first adds to a phrase: more words say more."""
TWO_TELLING = 1 + _FURTHER
"""The least weight of a phrase that holds two telling words; one of a telling and small words is
below it.
"""
_SMALL_TOO = 0.05
"""What each small word adds: it stands in most texts, whatever they are about."""
_BESIDE = 0.1
"""What a second phrase of the same owner counts, of its own weight."""


def folded_words(text: str) -> list[str]:
    """The words in lower case without accents."""
    if text.isascii():  # most phrases, and a start folds thousands
        return _WORD.findall(text.lower())
    parts = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(filterfalse(unicodedata.combining, parts)))


def _words_of_phrase(phrase: str) -> tuple[str, ...]:
    """Each word once. Words are shared, because most stand in several phrases."""
    return tuple(dict.fromkeys(map(sys.intern, folded_words(phrase))))


def alike(one: str, other: str) -> bool:
    """Whether two folded words differ in a short ending at most."""
    if one == other:
        return True
    if min(len(one), len(other)) < _BEGINNING:
        return False
    common = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    ending = max(len(one), len(other)) - common
    return ending <= min(_ENDING, common - _SHORT_BEGINNING)


class PhraseBook(Generic[OwnerT]):
    """The phrases of several owners. A phrase is in a text that holds all its words."""

    def __init__(self, phrases: Mapping[OwnerT, Iterable[str]]) -> None:
        self._filed: dict[str, list[tuple[OwnerT, tuple[str, ...]]]] = defaultdict(list)
        """The phrases, each by the word of it that the fewest owners have."""
        self._owners: dict[str, list[OwnerT]] = defaultdict(list)
        self._beginning: dict[str, list[str]] = defaultdict(list)
        self._size = len(phrases)
        whole: list[tuple[OwnerT, tuple[str, ...]]] = []
        for owner, texts in phrases.items():
            split = [(text, _words_of_phrase(text)) for text in dict.fromkeys(texts)]
            for word in dict.fromkeys(chain.from_iterable(words for _, words in split)):
                self._owners[word].append(owner)
            whole += (
                (owner, words) for text, words in split if words and not text.startswith(_ASIDE)
            )
        shared = {word: len(owners) for word, owners in self._owners.items()}
        for owner, words in whole:
            self._filed[min(words, key=shared.__getitem__)].append((owner, words))
        for word in self._owners:
            if not word.startswith(_EXACT):
                self._beginning[word[:_BEGINNING]].append(word)

    def weights(self, text: str) -> dict[OwnerT, float]:
        """By owner, the weight of its phrases in a text: 1 and more."""
        known = {known for word in _words_of(text) for known in self._known(word)}
        found: dict[OwnerT, list[float]] = defaultdict(list)
        for owner, words in (one for word in known for one in self._filed.get(word, ())):
            if known.issuperset(words):
                telling = max(1, len(words) - len(_SMALL_WORDS.intersection(words)))
                small = len(words) - telling
                found[owner].append(1 + _FURTHER * (telling - 1) + _SMALL_TOO * small)
        return {owner: _together(weights) for owner, weights in found.items()}

    def covered(self, text: str) -> dict[OwnerT, float]:
        """By owner, the share of a text, 0 to 1, that its words hold; small words don't count.

        A word that few owners have weighs more, one that nobody has weighs most. One word alone
        never says enough.
        """
        whole = math.log(1 + self._size / _NOBODY)  # as if one more word were there
        held: dict[OwnerT, float] = defaultdict(float)
        for word in set(_words_of(text)):
            if word in _SMALL_WORDS or word.isdigit():
                continue
            owners = {owner for known in self._known(word) for owner in self._owners[known]}
            weight = math.log(1 + self._size / (len(owners) or _NOBODY))
            whole += weight
            for owner in owners:
                held[owner] += weight
        return {owner: weight / whole for owner, weight in held.items()}

    def _known(self, word: str) -> set[str]:
        """The words of phrases that are like this one, or like a part of it if none is."""
        found = {known for known in self._begun(word) if alike(known, word)}
        if (exact := _EXACT + word) in self._owners:
            found.add(exact)
        return found or self._parts_of(word)

    def _begun(self, word: str) -> Sequence[str]:
        return self._beginning.get(word[:_BEGINNING], ())

    def _parts_of(self, word: str) -> set[str]:
        """The words that a compound begins or ends with: `Mitgliederzahlen` is about `Zahlen`."""
        whole = len(word)
        found = {
            known
            for known in self._begun(word)
            if _PART <= len(known) <= whole - _PART and word.startswith(known)
        }
        for at in range(_PART, whole - _PART + 1):
            tail = word[at:]
            found |= {one for one in self._begun(tail) if len(one) >= _PART and alike(one, tail)}
        return found


def _words_of(text: str) -> list[str]:
    return folded_words(text.replace(_EXACT, " "))


def _together(weights: Sequence[float]) -> float:
    best = max(weights)
    return best + _BESIDE * (sum(weights) - best)
