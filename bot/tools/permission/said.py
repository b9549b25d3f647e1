"""A text that the person typed, and what it asks for."""

import re
from collections.abc import Sequence
from functools import lru_cache

from bot.domain.targets import Target, TargetKind
from bot.lazy_dataclass import dataclass
from bot.tools.permission import clause_words as lists
from bot.tools.permission.act_words import STRICT, TIGHT, Act
from bot.tools.permission.clauses import Clause, clauses_of, masked, takes_back, words_in
from bot.tools.permission.provenance_words import NOUNS, NamedWords, own_words, words_of
from bot.tools.permission.receivers import receives, says_nothing_else, without

_LONG_QUOTE = re.compile(
    r"`[^`\n]*\s[^`\n]*`|\"[^\"\n]*\s[^\"\n]*\"|“[^”\n]*\s[^”\n]*”|«[^»\n]*»"
    r"|(?<!\w)'[^'\n]*\s[^'\n]*'(?!\w)|(?<!\w)\u2018[^\u2019\n]*\s[^\u2019\n]*\u2019(?!\w)"
)


@dataclass(frozen=True)
class Said:
    """One typed text of a session's person."""

    typed: str
    current: bool = True
    """Whether it belongs to the present turn."""

    @property
    def words(self) -> NamedWords:
        return words_of(_own(self.typed))

    @property
    def clauses(self) -> tuple[Clause, ...]:
        return clauses_of(_own(self.typed))

    @property
    def takes_back(self) -> bool:
        """Whether it begins by taking back what was asked for before."""
        return takes_back(self.typed)

    @property
    def is_answer(self) -> bool:
        """Whether it is a few words without a verb, such as the answer to a question."""
        return all(clause.fragment for clause in self.clauses)

    def orders(self, wanted: frozenset[Act]) -> bool:
        return any(clause.orders(wanted) for clause in self.clauses)

    def mentions(self, target: Target) -> bool:
        """Whether it names the target in a clause that refuses nothing."""
        return self.words.name(target) and any(
            words_of(clause.text).name(target) and not _refuses(clause.text)
            for clause in self.clauses
        )

    def speaks_against(self, target: Target) -> bool:
        """Whether a doubtful clause holds a part of an address: "don't write to Carol"."""
        if target.kind is not TargetKind.EMAIL:
            parts = {target.value.casefold()}
        else:
            local = target.value.partition("@")[0]
            parts = {target.value, local, *re.split(r"[._+-]", local)}
        return any(
            clause.doubtful and parts & {*re.findall(r"[\w@.+-]*\w", clause.text.casefold())}
            for clause in self.clauses
        )


@lru_cache(maxsize=512)
def _own(typed: str) -> str:
    return own_words(typed)


def standing(said: Sequence[Said]) -> list[Said]:
    """The newest texts first, without those that a later one took back."""
    kept: list[Said] = []
    for one in said:
        kept.append(one)
        if one.takes_back:
            break
    return kept


def ordered_in(said: Sequence[Said], wanted: frozenset[Act]) -> bool:
    """Whether any of the texts, the newest first, orders such an act."""
    return any(one.orders(wanted) for one in standing(said))


def said_in(said: Sequence[Said], target: Target, wanted: frozenset[Act], *, order: bool) -> bool:
    """Whether one of the texts, the newest first, asks for an act on exactly this target.

    `order`: it takes an order for such an act. Otherwise it is enough that nothing speaks against
    the clause, except where the act can't be taken back.
    """
    texts = standing(said)
    order = order or wanted <= STRICT
    for number, one in enumerate(texts):
        if not one.words.name(target):
            continue
        for at, clause in enumerate(one.clauses):
            if not _names(clause, target):
                continue
            if clause.orders(wanted) and (
                not order or (receives(clause.text, target) and _is_plain(clause, target, wanted))
            ):
                return True
            if not order and not clause.doubtful and not clause.content:
                return True
            before = (*one.clauses[:at],)
            earlier = any(part.orders(wanted) for part in before) or ordered_in(
                texts[number + 1 :], wanted
            )
            if clause.fragment and earlier and _is_bare(clause.text):
                return True
    return False


def _is_plain(clause: Clause, target: Target, wanted: frozenset[Act]) -> bool:
    """Whether an order that asks for much care says nothing but the act and its thing."""
    if not wanted <= TIGHT:
        return True
    own = (target.field.replace("_", " "), *NOUNS)
    return says_nothing_else(without(clause.text, target), own, target.record)


def _names(clause: Clause, target: Target) -> bool:
    """Whether a clause names the target, and not within a quoted sentence."""
    if target.kind in {TargetKind.ID, TargetKind.PATH}:
        return words_of(clause.text).name(target)
    return words_of(_LONG_QUOTE.sub(" ", clause.text)).name(target)


def _is_bare(text: str) -> bool:
    """Whether a fragment has nothing but things and the words around them: "to bob@x.org"."""
    around = lists.TOWARDS | lists.LABELS | lists.OPENING | lists.JOINING
    return around.issuperset(words_in(masked(text))) or len(text.split()) == 1


def _refuses(text: str) -> bool:
    return any(word in lists.NEGATING or word.endswith("n't") for word in words_in(masked(text)))
