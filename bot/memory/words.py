"""Words of queries and memories in comparable forms: folded, stemmed, CJK text in pairs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from bot.storage.fulltext import STOP_WORDS
from bot.storage.stems import words_in

_FUNCTION_TEXT = """
    aber alle als am auch auf aus bei bin da das dass dein dem den der des die dir doch du ein eine
    einem einen einer er es fur haben habe hat hatte ich ihm ihr im ins ist ja kann kein man mein
    meine mich mir mit nach nicht noch nun oder schon sein sich sie sind uber und uns unser unsere
    vom von vor war waren warum was wann welche welcher welches wem wen wer wie wieso wir wird wo zu
    zum zur ai au aux avec avons ce ces cette c dans de des du elle en est et etait fait il ils j je
    l la le les leur lui ma mais me mes moi mon n nous notre ont ou par pas pour qu quand que quel
    quelle quelles quels qui quoi sa se ses son sont sur ta te tes ton tu un une vos votre vous y al
    como con cual cuando de del donde el ella en era es esta este fue ha han hay la las le lo los me
    mi mis muy nos nuestra nuestro o para pero por porque que quien se si sin son su sus te tiene tu
    tus un una yo ai al alla anche che chi ci come con cosa cui da dal dalla dei del della delle di
    dove e era gli ha hanno ho i il io la le lei lo lui ma mi mia mio nel nella noi non per perche
    piu quale quando quanto questa questo si sono su sua suo tra tu un una uno
    什么 时候 哪里 怎么 多少 我们 你们 他们 是谁 请问
"""
FUNCTION_WORDS = STOP_WORDS | frozenset(_FUNCTION_TEXT.split())
"""Words of little meaning in the stemmed languages.

Some mean more in another language ("die", "war"), so they count for little instead of nothing.
"""
LITTLE = 0.15


@dataclass(frozen=True)
class QueryWord:
    """One word of a query: its possible forms, and its weight, from 0 to 1."""

    forms: tuple[str, ...]
    weight: float

    def times_in(self, text: "Counted") -> int:
        times = 0
        for form in self.forms:
            times = max(times, text.forms.get(form, 0))
        return times


def asked_words(query: str) -> tuple[QueryWord, ...]:
    """The telling words of a query, each once; all words when there is no other."""
    found = dict(words_in(query))
    telling = {word: forms for word, forms in found.items() if word not in STOP_WORDS}
    chosen = telling or found
    return tuple(
        QueryWord(forms, LITTLE if telling and word in FUNCTION_WORDS else 1.0)
        for word, forms in chosen.items()
    )


@dataclass(frozen=True)
class Counted:
    """The count of each word form in a text, and the number of words."""

    forms: Mapping[str, int]
    length: int


@lru_cache(maxsize=4_096)
def counted(text: str) -> Counted:
    words = [forms for word, forms in words_in(text) if word not in STOP_WORDS]
    return Counted(Counter(form for forms in words for form in forms), len(words))


@lru_cache(maxsize=4_096)
def stems(text: str) -> frozenset[str]:
    """The forms of a text's words without stop words (with them when there is nothing else)."""
    found = list(words_in(text))
    telling = [forms for word, forms in found if word not in STOP_WORDS]
    return frozenset(form for forms in telling or [forms for _, forms in found] for form in forms)
