"""Which summaries may be read together, and where their entries go, whatever a model answers.

Those of one group have the same person, agent, place of learning, and trust. The model sees one
group only, so its output can't contain lessons from another place. For the same reason no text from
outside reaches entries of conversations without it.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bot.domain.access import INNER_RANK
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.origins import Trust
from bot.domain.privacy import Learned
from bot.domain.summaries import ConversationSummary
from bot.log import redact
from bot.memory.summaries.form import clipped


@dataclass(frozen=True)
class Scope:
    """The person of a group, the place of learning, and whether others may profit from it."""

    person: str
    agent: str
    learned: Learned
    shareable: bool
    """Whether a rank of 2 or above said it in a public place, without text from outside."""
    untrusted: bool = False
    """Whether the conversation contained text from outside."""

    @classmethod
    def of(cls, summary: ConversationSummary) -> "Scope":
        untrusted = summary.trust >= Trust.OUTSIDER
        shareable = (
            not untrusted and summary.role.rank >= INNER_RANK and not summary.learned.private
        )
        return cls(summary.person, summary.agent, summary.learned, shareable, untrusted)


@dataclass(frozen=True)
class Group:
    """Summaries of one scope, oldest first."""

    scope: Scope
    summaries: Sequence[ConversationSummary]

    @property
    def trust(self) -> Trust:
        """The trust of the least trusted conversation: reading one of them means reading all."""
        return max((summary.trust for summary in self.summaries), default=Trust.PERSON)

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(summary.id for summary in self.summaries)


def grouped(summaries: Iterable[ConversationSummary], most: int) -> list[Group]:
    """The groups of some summaries, at most `most` in each, ordered by their first summary."""
    by_scope: dict[Scope, list[ConversationSummary]] = {}
    for summary in summaries:
        by_scope.setdefault(Scope.of(summary), []).append(summary)
    return [
        Group(scope, tuple(members[start : start + most]))
        for scope, members in by_scope.items()
        for start in range(0, len(members), most)
    ]


ENTRY_CHARS = 400
SHARED_SIGNIFICANCE = 3
"""The least significance of entries that all agents and people read."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Proposed:
    """An entry as proposed by a model, or by the rules without a model."""

    tier: Tier
    text: str
    significance: int
    sources: Sequence[str] = ()
    replaces: Sequence[str] = ()
    """Numbers of memories that are no longer true (`k1` is the first)."""


@dataclass(frozen=True)
class Known:
    """A tier's existing memories, as a model sees them."""

    tier: Tier
    entry: MemoryEntry


@dataclass(frozen=True)
class Routed:
    """An entry, its tier, and the entries there that it replaces."""

    tier: Tier
    entry: MemoryEntry
    replaces: Sequence[MemoryEntry] = ()


def routed(
    group: Group, proposed: Iterable[Proposed], names: Sequence[str], known: Sequence[Known] = ()
) -> list[Routed]:
    """The entries of a group, each text once.

    `names` are those of its person and of everybody else who is known.

    Only a group that others may profit from feeds the shared and agent tiers, for the members of
    its workspace. Everything else stays with its person, in the place where it was learned. So does
    an entry with a name in it: looking for names can only keep more back.
    """
    found: dict[tuple[Tier, str], Routed] = {}
    for one in proposed:
        text = clipped(redact(one.text), ENTRY_CHARS)
        if not text:
            continue
        tier = _tier(group, replace(one, text=text), names)
        entry = _entry(group, one, text, tier)
        found.setdefault(
            (tier, text.casefold()), Routed(tier, entry, _replaced(one, tier, entry, known))
        )
    return list(found.values())


def _tier(group: Group, one: Proposed, names: Sequence[str]) -> Tier:
    if one.tier is Tier.USER or not group.scope.shareable or names_somebody(one.text, names):
        return Tier.USER
    if one.tier is Tier.SHARED and one.significance < SHARED_SIGNIFICANCE:
        return Tier.AGENT
    return one.tier


def _entry(group: Group, one: Proposed, text: str, tier: Tier) -> MemoryEntry:
    by_id = {summary.id: summary for summary in group.summaries}
    sources = [by_id[id_] for id_ in one.sources if id_ in by_id] or list(group.summaries)
    newest = max(sources, key=lambda summary: summary.ended_at)
    learned = group.scope.learned
    significance = min(5, max(1, one.significance))
    trust = max(Trust.PERSON, group.trust) if group.scope.untrusted else Trust.PERSON
    entry = MemoryEntry(text, significance, newest.ended_at.date(), newest.id, learned, trust)
    return entry if tier is Tier.USER else replace(entry, workspace=group.scope.learned.workspace)


def _replaced(
    one: Proposed, tier: Tier, entry: MemoryEntry, known: Sequence[Known]
) -> tuple[MemoryEntry, ...]:
    """Entries that the new one may replace: older, in the same tier, with no wider audience."""
    by_number = {number_of(position): there for position, there in enumerate(known)}
    named = [by_number[number] for number in dict.fromkeys(one.replaces) if number in by_number]
    return tuple(
        there.entry
        for there in named
        if there.tier is tier
        and (there.entry.day or date.min) <= (entry.day or date.min)
        and there.entry.learned.narrowed(entry.learned) == there.entry.learned
        and there.entry.workspace == entry.workspace
        and entry.trust <= there.entry.trust
        and there.entry.text != entry.text
    )


def number_of(position: int) -> str:
    """The names by which a model refers to existing memories."""
    return f"k{position + 1}"


def names_somebody(text: str, names: Sequence[str]) -> bool:
    """Whether a text contains one of these names, or a part of one."""
    words = {word.casefold() for word in _WORD.findall(text)}
    parts = {part.casefold() for name in names for part in _WORD.findall(name) if len(part) > 1}
    return bool(words & parts)


def plainly(group: Group) -> list[Proposed]:
    """The fields unchanged, for when no model is available: for the person alone."""
    found: list[Proposed] = []
    for summary in group.summaries:
        fields, source = summary.fields, (summary.id,)
        kept = [
            *fields.preferences_noted,
            *([fields.relationship_notes] if fields.relationship_notes else []),
        ]
        found += [Proposed(Tier.USER, text, max(3, fields.significance), source) for text in kept]
        found += [
            Proposed(Tier.USER, text, fields.significance, source) for text in fields.facts_learned
        ]
    return found
