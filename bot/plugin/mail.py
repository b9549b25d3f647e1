"""For services that bring mail to agents: what the house hands a receiver, and what it is told.

A plug-in gives `Parts.mail_in`. The house serves its path, and starts the automations that wait for
mail; the plug-in stores the mail, together with what it is given for that.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from email.utils import parseaddr
from typing import TypeAlias

from bot.domain.privacy import PUBLICLY, Learned
from bot.plugin.events import Arrival
from bot.plugin.http import Receiver


@dataclass(frozen=True)
class IncomingMail:
    """A mail that came to an agent.

    `owner`: the id of the person whose mail it answers; empty: it belongs to the mailbox.
    """

    id: str
    mailbox: str
    """The agent's address."""
    owner: str
    learned: Learned
    """Who may read it: `PUBLICLY`, or those who could read what it answers."""
    sender: str
    subject: str
    text: str

    @property
    def address(self) -> str:
        """The bare address of its sender, as the mail states it."""
        return parseaddr(self.sender)[1]


Announce: TypeAlias = Callable[[IncomingMail], Awaitable[Arrival]]
"""Called with each mail before it is stored. Raises StorageError."""


@dataclass(frozen=True)
class MailGround:
    """What the house hands who receives mail."""

    addresses: Callable[[], Collection[str]]
    """The addresses of agents, as they are now."""
    announce: Announce


MailIn: TypeAlias = Callable[[MailGround], Receiver]
"""The path where the service tells of new mail."""
