"""Who may see what was stored: one rule for todos, notes, knowledge, files, skills and memory.

What was learned in a direct message stays with its person, in direct messages. What was learned in
a private channel or a closed thread stays there. Its own person also sees it in direct messages,
where nobody else reads along. A channel that people of other companies read shows only what was
learned in it.

What all members may know counts within the workspace where it was said: somebody who talks with the
assistant in two of them learns nothing in one about the other.

See docs/rules.md#privacy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from bot.domain.access import INNER_RANK, Person, Role
from bot.domain.languages import CountedPhrase, Language, Phrase
from bot.domain.places import Location, Reach


@dataclass(frozen=True)
class Learned:
    """Where something was learned."""

    reach: Reach
    channel: str = ""
    """Key of the channel; empty in a direct message.

    A thread counts as its channel. A closed one, which only some readers of the channel read, has
    its own key.
    """

    @classmethod
    def at(cls, location: Location) -> Self:
        """The origin of something learned at a location.

        A location that may be private, or once was, counts as private. What only one person reads
        there is an audience of its own, like a closed thread.
        """
        if Reach.DM in location.reaches:
            return cls(Reach.DM)
        if location.alone:
            return cls(Reach.PRIVATE, _aside(location.audience_key, location.alone))
        private = Reach.PRIVATE in location.reaches
        return cls(Reach.PRIVATE if private else Reach.PUBLIC, location.audience_key)

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """From the columns `reach` and `channel` of a table."""
        return cls(Reach(row["reach"]), str(row["channel"]))

    @property
    def private(self) -> bool:
        """Whether it may not be shown everywhere."""
        return self.reach is not Reach.PUBLIC

    @property
    def workspace(self) -> str:
        """The `platform:workspace` of its channel; empty in a direct message."""
        return ":".join(self.channel.split(":", 2)[:2])

    def narrowed(self, other: Self) -> Self:
        """For a thing from both places: only those who may see both parts may see it.

        Two private channels have only their person in common.
        """
        if self.reach is other.reach is Reach.PRIVATE and self.channel != other.channel:
            return type(self)(Reach.DM)
        return min(self, other, key=_width)

    def widened(self, other: Self) -> Self:
        """For a thing that was repeated elsewhere: those who heard it either time may see it."""
        return max(self, other, key=_width)


PUBLICLY = Learned(Reach.PUBLIC)
IN_DM = Learned(Reach.DM)
_WIDTHS = {Reach.DM: 0, Reach.PRIVATE: 1, Reach.PUBLIC: 2}


def _width(learned: Learned) -> int:
    return _WIDTHS[learned.reach]


@dataclass(frozen=True)
class Viewer:
    """Who asks, and who else can read the answer."""

    person: str
    inner: bool
    """Whether their role may see what people share with the assistant (rank 2 and above)."""
    place: Learned
    shared: bool = False
    """Whether people of other companies can read the answer."""
    around: str = ""
    """In a closed thread: the key of its channel, which everybody here reads as well."""
    workspaces: frozenset[str] | None = frozenset()
    """Those whose members' common knowledge may be shown here, as `platform:workspace`.

    None: of all.
    """
    withdrawn: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """Keys of channels that were public: what was learned there stays there now."""
    aloud: bool = False
    """Whether everybody there reads the answer, whatever it holds, as that of a typed command.

    A request to the model answers its person alone once it has read what is theirs alone.
    """

    @classmethod
    def at(cls, location: Location, person: Person) -> Self:
        here = Learned.at(location.read_by(""))
        everywhere = person.role is Role.MASTER_ADMIN and here.reach is Reach.DM
        return cls(
            person.id,
            person.role.rank >= INNER_RANK,
            here,
            location.shared,
            location.channel_key if location.thread else "",
            None if everywhere else location.workspaces,
            location.withdrawn,
        )

    def knows(self, workspace: str) -> bool:
        """Whether the common knowledge of a workspace may be shown here.

        Empty: it was shared with everybody.
        """
        return not workspace or self.workspaces is None or workspace in self.workspaces

    def sees(self, owner: str, learned: Learned) -> bool:
        """Whether a thing of `owner` with this origin may be shown here.

        `owner` is a person id, or empty if it belongs to nobody.
        """
        if owner != self.person:
            return self.inner and self.shares(learned)
        learned = self._as_of_now(learned)
        aside = not self.aloud and learned.channel == _aside(self.place.channel, self.person)
        shown = self._is_of_here(learned) or not (learned.private or self.shared)
        return self.place.reach is Reach.DM or shown or aside

    def shares(self, learned: Learned) -> bool:
        """Whether what was shared there may be shown here, to whoever may read such things.

        Something public is for its own workspace.
        """
        learned = self._as_of_now(learned)
        if self._is_of_here(learned):
            return True
        return not (learned.private or self.shared) and self.knows(learned.workspace)

    def _as_of_now(self, learned: Learned) -> Learned:
        if learned.reach is Reach.PUBLIC and learned.channel in self.withdrawn:
            return Learned(Reach.PRIVATE, learned.channel)
        return learned

    def _is_of_here(self, learned: Learned) -> bool:
        if learned.reach is not Reach.PRIVATE or not learned.channel:
            return False
        return learned.channel == self.place.channel or bool(
            self.around and learned.channel == self.around
        )


def _aside(channel: str, person: str) -> str:
    """The key of what one person alone reads in a channel: requests by a command, their answers."""
    return f"{channel}+{person}"


def left_out(count: int, language: Language = Language.EN) -> str:
    """The line in a list for things that it may not show in a shared place."""
    return CountedPhrase(
        Phrase("{count} more is private; ask me in a DM"),
        Phrase("{count} more are private; ask me in a DM"),
    ).said(language, count)
