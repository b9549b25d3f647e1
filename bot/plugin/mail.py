"""For services that bring mail to agents: what the house hands a receiver, and what it is told.

A plug-in gives `Parts.mail_in`. The house serves its path, and starts the automations that wait for
mail; the plug-in stores the mail, together with what it is given for that.
"""

from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field
from email.utils import parseaddr
from enum import StrEnum
from typing import TypeAlias

from bot.domain.privacy import PUBLICLY, Learned
from bot.plugin.events import Arrival
from bot.plugin.http import Receiver


class Automatic(StrEnum):
    """Whether a program wrote a mail. Then no program should answer it without being told to."""

    NO = "no"
    NOTICE = "notice"
    """By itself, or to a list: it starts only automations that name its sender."""
    REPLY = "reply"
    """To a mail that it got or could not deliver: it starts nothing."""


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
    automatic: Automatic = field(default=Automatic.NO, kw_only=True)

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
