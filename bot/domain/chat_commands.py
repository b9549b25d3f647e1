"""Chat commands: one invocation of a command, its definition, and what may stand behind it.

What is offered while a person types are lists of their own things. Only they see it, so it is what
they may read in a direct message.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from bot.domain.access import Person, Role
from bot.domain.command_words import COMMANDS, CommandWords
from bot.domain.languages import Language, Phrase, language_of_app
from bot.domain.messages import Asks, Choice, IncomingMessage, OutgoingFile
from bot.domain.native_commands import Completion
from bot.domain.origins import Trust
from bot.domain.places import Location
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.skills import SlashCommand
from bot.domain.turns import Turn

_T = TypeVar("_T")
_MOST_OFFERED = 25
"""Discord shows no more."""


@dataclass(frozen=True)
class Completing:
    """Who types a command, and the session that it would concern."""

    person: Person
    viewer: Viewer
    session: str


_Offer: TypeAlias = Callable[[Completing], Awaitable[Sequence[Completion]]]


def words(*values: str) -> _Offer:
    """Always the same words, such as verbs without names."""

    async def offered(_asks: Completing) -> Sequence[Completion]:
        return [Completion(value, value) for value in values]

    return offered


def only_called(said: str, known: Iterable[tuple[str, _T]]) -> _T | None:
    """The thing of this name, as lists show it; None where there is none, or more than one."""
    wanted = " ".join(said.split()).casefold()
    found = [one for name, one in known if " ".join(name.split()).casefold() == wanted]
    return found[0] if len(found) == 1 else None


def matching(offered: Sequence[Completion], typed: str) -> tuple[Completion, ...]:
    """Those that hold every typed word; what begins with them comes first."""
    wanted = typed.casefold().split()
    texts = [(one, f"{one.value} {one.label}".casefold()) for one in offered]
    found = [(one, text) for one, text in texts if all(word in text for word in wanted)]
    begins = " ".join(wanted)
    found.sort(key=lambda pair: not pair[1].startswith(begins))
    return tuple(one for one, _ in found)[:_MOST_OFFERED]


@dataclass(frozen=True)
class Asked:
    """One invocation of a command: by whom, with which words, about which session."""

    person: Person
    args: str
    message: IncomingMessage
    key: SessionKey
    turn: Turn
    """The turn of the command itself, in the control lane."""
    located: Callable[[], Awaitable[Location]]
    """What is known of the place where it was given."""
    ran: tuple[int, ...] = ()
    """Ids of the turns that a stop ends: those that ran when it was given."""
    at: str | None = None
    """The time of the invocation."""

    @property
    def language(self) -> Language:
        """That of the person's app, in which the answer is written."""
        return language_of_app(self.message.locale)

    @property
    def alone(self) -> bool:
        """Whether only the person reads the answer."""
        return self.message.private or self.message.reply_to.ephemeral_to is not None

    async def viewer(self) -> Viewer:
        """The answer's readers: only the person, as in a DM, or everybody in the place."""
        viewer = Viewer.at(await self.located(), self.person)
        return replace(viewer, place=IN_DM) if self.alone else replace(viewer, aloud=True)

    @property
    def again(self) -> bool:
        """Whether the process ended during an earlier run: its effect may exist."""
        return self.turn.attempt > 1


@dataclass(frozen=True)
class CommandReply:
    """An answer of a command that is more than text."""

    text: str
    files: tuple[OutgoingFile, ...] = ()
    on_record: str = ""
    """The version of the answer to store, if it differs from the text."""
    alone: bool = False
    """Whether only the person may see it, wherever they asked."""
    choices: tuple[Choice, ...] = ()
    asks: Asks | None = None
    """The question that its choices decide."""
    trust: Trust = Trust.OUTSIDER
    """That of its least trusted text. Most answers quote what others wrote: skills, requests."""
    continues: bool = False
    """See `OutgoingMessage`."""
    while_open: str = ""
    """See `OutgoingMessage`."""


@dataclass(frozen=True)
class ChatCommand:
    """A command that every platform has. Empty answer: a turn that it submitted answers."""

    name: str
    """Small letters, digits and underscores. Those of the house are one of COMMANDS."""
    run: Callable[[Asked], Awaitable[str | CommandReply]]
    aliases: tuple[str, ...] = ()
    usage: str = ""
    """What follows the name, such as `[REF]`; empty if nothing does."""
    listed_from: Role = Role.GUEST
    """Lower ranks don't find it in /help. It only hides: `run` refuses whom it is not for."""
    about: Phrase | None = None
    """What it does, in at most 100 characters; of the house's commands COMMANDS says it."""
    called: Phrase | None = None
    """Its name in each language, for platforms that translate names; without, it has one name."""
    offers: _Offer | None = None
    """What may stand behind it."""

    @property
    def words(self) -> CommandWords:
        if self.about is None:
            return COMMANDS[self.name]
        return CommandWords(self.called or Phrase(*(self.name for _ in Language)), self.about)

    @property
    def slash(self) -> SlashCommand:
        words, completes = self.words, self.offers is not None
        return SlashCommand(self.name, words.about.en, self.usage, completes=completes, words=words)
