"""Summaries that may be read together: same person, agent, place of learning, and trust.

The model sees one group only, so its output can't contain lessons from another place. For the same
reason no text from outside reaches entries of conversations without it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.domain.access import INNER_RANK
from bot.domain.origins import Trust
from bot.domain.privacy import Learned
from bot.domain.summaries import ConversationSummary


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
