"""One invocation of a command, the command's definition, and what may stand behind it.

What is offered while a person types are lists of their own things. Only they see it, so it is what
they may read in a direct message.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bot.domain.access import Person, Role
from bot.domain.approvals import Approval
from bot.domain.command_words import COMMANDS
from bot.domain.languages import Language, Phrase, language_of_app
from bot.domain.messages import Choice, IncomingMessage, OutgoingFile
from bot.domain.native_commands import Completion
from bot.domain.origins import Trust
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.skills import SlashCommand
from bot.domain.turns import Turn
from bot.sessions.outbox.card_store import Asks
from bot.sessions.records.channel_store import Channels
from bot.sessions.records.envelope import message_of

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
    channels: Channels
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

    def may_read(self, approval: Approval) -> bool:
        """Whether the readers of the answer may read of a call.

        Those of its place may, unless it was asked about alone there.
        """
        if self.alone:
            return True
        about = message_of({"message": approval.envelope}) if approval.envelope else None
        alone = about is not None and about.aside
        return not alone and approval.conversation == self.message.conversation.key

    async def viewer(self) -> Viewer:
        """The answer's readers: only the person, as in a DM, or everybody in the place."""
        there = await self.channels.locate_for(self.person.id, self.message.conversation)
        viewer = Viewer.at(there, self.person)
        return replace(viewer, place=IN_DM) if self.alone else viewer

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


@dataclass(frozen=True)
class BuiltIn:
    """A command that every platform has. Empty answer: a turn that it submitted answers."""

    name: str
    """One of COMMANDS, which has its words, or that of a command of a plug-in, with `words`."""
    run: Callable[[Asked], Awaitable[str | CommandReply]]
    aliases: tuple[str, ...] = ()
    usage: str = ""
    listed_from: Role = Role.GUEST
    """Lower ranks don't find it in /help. It only hides: `run` refuses whom it is not for."""
    words: Phrase | None = None
    offers: _Offer | None = None
    """What may stand behind it."""

    @property
    def about(self) -> Phrase:
        return self.words or COMMANDS[self.name].about

    @property
    def slash(self) -> SlashCommand:
        completes = self.offers is not None
        return SlashCommand(self.name, self.about.en, self.usage, completes=completes)
