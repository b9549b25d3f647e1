"""The records of a context's results, and which of them the person's words ask for."""

import re
from collections.abc import Callable, Sequence

from bot.domain.json_types import JsonObject
from bot.domain.targets import Target
from bot.tools.permission import clause_words as lists
from bot.tools.permission.act_words import STRICT, TIGHT, Act
from bot.tools.permission.clauses import Clause, masked, words_in
from bot.tools.permission.plain_orders import Thing
from bot.tools.permission.plain_words import word_set
from bot.tools.permission.provenance_words import words_of
from bot.tools.permission.receivers import is_object, says_nothing_else
from bot.tools.permission.records import (
    Record,
    fits,
    fitting_in,
    is_named,
    quoted_in,
    records_in,
    telling_words,
)
from bot.tools.permission.said import Said, completes, plainly_ordered, standing
from bot.tools.text.stemming import stem

SENDER = "mail_sender"
"""The kind of a mail's sender. Only an answer to that mail may go there."""
_REPLY = frozenset({Act.REPLY})
_WORK = frozenset({Act.ADD, Act.CHANGE, Act.CLOSE, Act.REPLY})
"""Acts on a thing that was named just before: "Acme signed, set it to won"."""


class RecordShelf:
    """Parses results only when a call needs their records."""

    def __init__(self, schema_of: Callable[[str], JsonObject | None]) -> None:
        self._schema_of = schema_of
        self._unread: list[tuple[str, str, bool]] = []
        self._by_kind: dict[str, dict[tuple[str, tuple[tuple[str, str], ...]], Record]] = {}
        self._shown: dict[str, list[Record]] = {}
        """By kind, the records of the newest result before this turn."""

    def put(self, tool: str, text: str, *, before: bool) -> None:
        """Keep a result. `before`: from before this turn."""
        self._unread.append((tool, text, before))

    def vouches(
        self, target: Target, said: Sequence[Said], wanted: frozenset[Act], *, order: bool
    ) -> bool:
        """Whether the words, the newest first, ask for an act on the record with this target."""
        self._sort()
        if target.record == SENDER:
            wanted, order = _REPLY, True
        for kind, by_key in self._by_kind.items():
            records = list(by_key.values())
            if not any(record.has(target) for record in records):
                continue
            asked = _asked_for(records, standing(said), wanted, order=order)
            if not asked and target.record == SENDER:
                asked = self._just_read(kind, records, said)
            if any(record.has(target) for record in asked):
                return True
        return False

    def _just_read(self, kind: str, records: list[Record], said: Sequence[Said]) -> list[Record]:
        """The one mail that "answer her" can mean: read alone before, or the only one at all."""
        named = any(fitting_in(records, one.words.naming) for one in said)
        if named or not any(
            _answers_it(clause) and plainly_ordered(said, number, Thing(person=True), _REPLY)
            for number, one in enumerate(standing(said))
            for clause in one.clauses
        ):
            return []
        shown = self._shown.get(kind, [])
        return shown if len(shown) == 1 else records if len(records) == 1 else []

    def _sort(self) -> None:
        for tool, text, before in self._unread:
            found = records_in(text, self._schema_of(tool))
            for record in found:
                kept = self._by_kind.setdefault(record.kind, {})
                key = record.id, record.parts
                known = kept.get(key)
                names = (*known.names, *record.names) if known else record.names
                names = tuple(dict.fromkeys(names))
                kept[key] = Record(record.kind, record.id, names, record.parts)
            if before:
                for kind in {record.kind for record in found}:
                    self._shown[kind] = [record for record in found if record.kind == kind]
        self._unread.clear()


def _asked_for(
    records: Sequence[Record], said: Sequence[Said], wanted: frozenset[Act], *, order: bool
) -> list[Record]:
    """The records that the words ask for an act on.

    The newest text with a word of any of them decides. It must hold words of one alone, and half of
    the words of one of its names.
    """
    order = order or wanted <= STRICT
    found: list[Record] = []
    for number, one in enumerate(said):
        quoted = [
            record
            for clause in one.clauses
            if _asks(clause, wanted, order=order)
            for record in quoted_in(records, [words_of(clause.text).naming])
            if _acts_on(clause, record, wanted)
        ]
        found += [one for one in quoted if not order or _is_clear(one, said, number, wanted)]
        fitting = fitting_in(records, one.words.naming)
        if not fitting:
            continue
        record = fitting[0]
        if len(fitting) == 1 and is_named(record, one.words.naming):
            earlier = any(older.orders(wanted) for older in said[number + 1 :])
            if _means(record, one.clauses, wanted, order=order, earlier=earlier) and (
                not order or _is_clear(record, said, number, wanted)
            ):
                found.append(record)
        break
    return found


def _is_clear(record: Record, said: Sequence[Said], number: int, wanted: frozenset[Act]) -> bool:
    """Whether the order leaves no doubt, be it in an older text that this one answers."""
    thing = _thing_of(record)
    if plainly_ordered(said, number, thing, wanted):
        return True
    return said[number].clauses[0].fragment and completes(said, number, wanted)


def _thing_of(record: Record) -> Thing:
    kind = record.kind.rpartition("_")[2]
    own = {word for name in record.names for word in re.findall(r"[^\W\d_]+", name.casefold())}
    return Thing(
        stems=telling_words(record),
        names=(record.id, *record.names),
        nouns=frozenset(own) | lists.KIND_NOUNS.get(kind, frozenset({kind})),
        kinds=lists.KIND_NOUNS.get(kind, frozenset({kind})),
        person=kind == "mail",
    )


def _means(
    record: Record,
    clauses: Sequence[Clause],
    wanted: frozenset[Act],
    *,
    order: bool,
    earlier: bool,
) -> bool:
    """Whether the clauses ask for an act on a record that only they name."""
    holding = [clause for clause in clauses if fits(record, words_of(clause.text).naming)]
    if any(
        _asks(clause, wanted, order=order) and _acts_on(clause, record, wanted)
        for clause in holding
    ):
        return True
    if any(clause.topic for clause in holding):
        return any(clause.orders(wanted) for clause in clauses)
    if earlier and len(clauses) == 1 and clauses[0].fragment:
        return True
    stated = [clause for clause in holding if clause.states]
    return bool(stated) and any(
        clause.orders(wanted & _WORK) and _points_back(clause, record) for clause in clauses
    )


def _points_back(clause: Clause, record: Record) -> bool:
    """Whether it means what stands before it: "close it", "close the ticket"."""
    words = {*words_in(masked(clause.text))}
    kind = record.kind.rpartition("_")[2]
    return not (lists.IT | lists.KIND_NOUNS.get(kind, frozenset({kind}))).isdisjoint(words)


def _acts_on(clause: Clause, record: Record, wanted: frozenset[Act]) -> bool:
    """Whether the record is the order's own thing, and not what belongs to it: "Lena's boss"."""
    own = (record.id, *record.names)
    if wanted <= TIGHT and clause.acts:
        return says_nothing_else(clause.text, own, record.kind)
    if clause.acts and not is_object(clause.text, own, record.kind, wanted & clause.acts):
        return False
    known = {stem(word) for name in own for word in re.findall(r"\w+", name.casefold())}
    known |= lists.KIND_NOUNS.get(record.kind.rpartition("_")[2], frozenset())
    return all(
        stem(owner) not in known or stem(thing) in known
        for owner, thing in re.findall(r"(\w+)['\u2019]s (\w+)", clause.text.casefold())
    )


def _asks(clause: Clause, wanted: frozenset[Act], *, order: bool) -> bool:
    return clause.orders(wanted) or not (order or clause.doubtful or clause.content)


def _answers_it(clause: Clause) -> bool:
    """Whether it orders an answer and names nobody: "answer her that …", "reply"."""
    words = words_in(masked(clause.text))
    rest = {*words} - lists.IT - lists.OPENING - lists.TOWARDS - lists.LABELS - _MAIL_WORDS
    return clause.orders(_REPLY) and len(rest) <= 1


_MAIL_WORDS = word_set(
    "mail email message e sender this that back die diese nachricht absender ce cet mail "
    "courriel message expéditeur ese este correo mensaje questa questo messaggio mittente"
)
