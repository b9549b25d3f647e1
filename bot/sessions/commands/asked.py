"""One command as it is run, and what a command is."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from bot.domain.access import Person, Role
from bot.domain.messages import IncomingMessage, OutgoingFile
from bot.domain.privacy import IN_DM, Viewer
from bot.domain.sessions import SessionKey
from bot.domain.skills import SlashCommand
from bot.domain.turns import Turn
from bot.sessions.records.channel_store import Channels


@dataclass(frozen=True)
class Asked:
    """One command as it is run: by whom, with what, about which session."""

    person: Person
    args: str
    message: IncomingMessage
    key: SessionKey
    turn: Turn
    """The turn of the command itself, in the control lane."""
    ran: tuple[int, ...] = ()
    """Ids of the turns that a stop means: those that ran when it was given."""
    at: str | None = None
    """When such a command was given."""

    @property
    def alone(self) -> bool:
        """Whether nobody but the person reads the answer."""
        return self.message.private or self.message.reply_to.ephemeral_to is not None

    async def viewer(self, channels: Channels) -> Viewer:
        """Who sees the answer: the person only, as in a DM, or whoever is in the place."""
        viewer = Viewer.at(await channels.locate(self.message.conversation), self.person)
        return replace(viewer, place=IN_DM) if self.alone else viewer

    @property
    def again(self) -> bool:
        """The process ended while this ran before: its effect may be there already."""
        return self.turn.attempt > 1


@dataclass(frozen=True)
class CommandReply:
    """What a command answers with when words alone do not do."""

    text: str
    files: tuple[OutgoingFile, ...] = ()
    on_record: str = ""
    """What is kept of the answer, where that is not its text."""
    alone: bool = False
    """Nobody but the person may see it, wherever they asked."""


@dataclass(frozen=True)
class BuiltIn:
    """A command that every platform has. An empty answer: a turn that it submitted answers."""

    name: str
    help: str
    run: Callable[[Asked], Awaitable[str | CommandReply]]
    aliases: tuple[str, ...] = ()
    usage: str = ""
    least: Role = Role.GUEST
    """Who ranks lower doesn't find it in /help."""

    @property
    def slash(self) -> SlashCommand:
        return SlashCommand(self.name, self.help, self.usage)
