"""A text that the person typed, and what it asks for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from bot.domain.targets import Target, TargetKind
from bot.tools.permission import clause_words as lists
from bot.tools.permission.act_words import STRICT, TIGHT, Act, apart
from bot.tools.permission.clauses import Clause, clauses_of, masked, takes_back, words_in
from bot.tools.permission.plain_orders import Thing, is_plain, takes_nothing_back
from bot.tools.permission.provenance_words import (
    LONG_CHARS,
    NOUNS,
    NamedWords,
    own_words,
    words_of,
)
from bot.tools.permission.receivers import receives, says_nothing_else, without
from bot.tools.permission.wishes import wished

_LONG_QUOTE = re.compile(
    r"`[^`\n]*\s[^`\n]*`|\"[^\"\n]*\s[^\"\n]*\"|“[^”\n]*\s[^”\n]*”|«[^»\n]*»"
    r"|(?<!\w)'[^'\n]*\s[^'\n]*'(?!\w)|(?<!\w)\u2018[^\u2019\n]*\s[^\u2019\n]*\u2019(?!\w)"
)


_OWN_WORK = re.compile(
    r"(?i)\b(?:after|once|when) you(?: have|'ve)? (?:checked|read|looked at|found|seen|listed) "
    r"(?:it|them|(?:the|this|my|all|all the) (?:opening )?(?:pages?|files?|hours|mails?|documents?|"
    r"list|minutes|results|prices|notes|calendar|attachments?))(?:,|$)"
    r"|\b(?:wenn|nachdem|sobald) du (?:sie|es|das|die|den|alle) ?(?:Seiten?|Dateien?|Mails?|"
    r"Dokumente?|Preise|Anh[aä]nge?|Kalender|Liste)? ?(?:gelesen|geprüft|gefunden|gesehen) hast,?"
)
"""What Bellhop itself does first, which is no condition: "after you checked the hours"."""


@dataclass(frozen=True)
class Said:
    """One typed text of a session's person."""

    typed: str
    current: bool = True
    """Whether it belongs to the present turn."""
    answer: bool = False
    """Whether it answers a question of Bellhop's."""

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

    def plainly_orders(self, thing: Thing, wanted: frozenset[Act]) -> bool:
        """Whether it orders such an act on the thing, and nothing in it could mean otherwise."""
        own = _own(self.typed)
        cut = len(own.strip()) < len(self.typed.strip())
        if cut and (len(own) >= LONG_CHARS or takes_back(_last_line(self.typed))):
            return False
        return is_plain(own, thing, wanted)

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
    return apart(_OWN_WORK.sub(" ", own_words(typed)))


def standing(said: Sequence[Said]) -> list[Said]:
    """The newest texts first, without those that a later one took back."""
    kept: list[Said] = []
    for one in said:
        kept.append(one)
        if one.takes_back:
            break
    return kept


def untaken(said: Sequence[Said]) -> list[Said]:
    """The newest texts first, up to one that may take the older ones back."""
    kept: list[Said] = []
    for one in said:
        kept.append(one)
        if not takes_nothing_back(one.typed, answer=one.answer):
            break
    return kept


def ordered_in(said: Sequence[Said], wanted: frozenset[Act], *, plainly: bool = False) -> bool:
    """Whether any of the texts, the newest first, orders such an act.

    `plainly`: with no word in it, and none said since, that is unaccounted for.
    """
    return any(
        one.orders(wanted) and (not plainly or plainly_ordered(said, number, Thing(), wanted))
        for number, one in enumerate(standing(said))
    )


def plainly_ordered(
    said: Sequence[Said], number: int, thing: Thing, wanted: frozenset[Act]
) -> bool:
    """Whether this one of the texts plainly orders it, and no newer one takes it back.

    What stands below a line that introduces a text is somebody else's.
    """
    older = said[number + 1 :]
    return (
        said[number].plainly_orders(thing, wanted)
        and all(takes_nothing_back(one.typed, answer=one.answer) for one in said[:number])
        and not any(one.typed.rstrip().endswith(":") for one in older)
    )


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
                not order
                or (
                    receives(clause.text, target)
                    and _is_plain(clause, target, wanted)
                    and plainly_ordered(texts, number, Thing(target), wanted)
                )
            ):
                return True
            if not order and not clause.doubtful and not clause.content:
                return True
            if clause.topic and target.kind is TargetKind.ID and order:
                below = any(part.orders(wanted) for part in one.clauses[at + 1 :])
                if below and plainly_ordered(texts, number, Thing(target), wanted):
                    return True
            before = (*one.clauses[:at],)
            earlier = any(part.orders(wanted) for part in before) or ordered_in(
                texts[number + 1 :], wanted
            )
            if clause.fragment and earlier and _is_bare(clause.text):
                return not order or completes(texts, number, wanted)
    return False


def completes(said: Sequence[Said], number: int, wanted: frozenset[Act]) -> bool:
    """Whether a text with nothing but the target answers what an older one left open."""
    older = range(number + 1, len(said))
    return (
        len(said[number].clauses) == 1
        and all(takes_nothing_back(one.typed, answer=one.answer) for one in said[:number])
        and any(said[at].plainly_orders(Thing(), wanted) for at in older)
    )


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def _is_plain(clause: Clause, target: Target, wanted: frozenset[Act]) -> bool:
    """Whether an order that asks for much care says nothing but the act and its thing."""
    if not wanted <= TIGHT or wished(words_in(masked(clause.text))) & wanted:
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
