"""Statements by which people ask for something without an order: "the plan needs a budget".

Only for what can be taken back: something is added to a thing, changed or put away. As orders they
count only if nothing else is said.
"""

import re
from collections.abc import Sequence

from bot.tools.permission import clause_words as lists
from bot.tools.permission.act_words import ACTS, Act, acts_of_participle
from bot.tools.permission.plain_words import DETERMINERS, TIMES, word_set

MODALS = word_set("should must can may")
_NEEDING = word_set("needs need braucht brauchen necesita necesitan nécessite")
_LACKING = ("faltan", "falta", "il faut", "servono", "serve", "manca", "mancano")
_COMING = re.compile(r"(?:auf|in|zu[mr]?|ins?) (?:\S+ ){1,5}(?:kommt|kommen|gehört|gehören) ")
_THINGS_IN = re.compile(r"in (?:\S+ ){1,5}(?:servono|serve|manca|mancano) ")
ARROW = re.compile(r"\s*([^.!?:;\n]{2,60}?)\s(?:->|→)\s([\w ]{1,40})[.!]?\s*")
"""A thing and its new value: "hooli -> negotiation"."""


def wished(words: Sequence[str]) -> frozenset[Act]:
    """What a statement asks for; empty if it only states something."""
    said = " ".join(words) + " "
    if said.startswith(_LACKING) or _COMING.match(said) or _THINGS_IN.match(said):
        return frozenset({Act.ADD})
    for at, word in enumerate(words):
        rest = words[at + 1 :]
        if at and word in _NEEDING and rest and rest[0] in DETERMINERS:
            return frozenset({Act.ADD})
        if at and word in MODALS and "be" in rest[:2]:
            return acts_of_participle(rest[rest.index("be") + 1 :])
        if at and word in {"is", "are"} and tuple(rest[:2]) == ("now", "called"):
            return frozenset({Act.CHANGE})
    if said.endswith(" can go to the archive "):
        return frozenset({Act.CLOSE})
    valued = any(word in TIMES or word in {"to", "auf", "à", "a"} for word in words)
    if (
        valued
        and not any(word in ACTS for word in words)
        and words[-1] in lists.PLEASE
        and len(words) <= 8
    ):
        return frozenset({Act.CHANGE})
    return frozenset()
