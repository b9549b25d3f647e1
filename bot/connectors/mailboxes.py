"""Mail in people's mailboxes, independent of the service that keeps it."""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from bot.connectors.accounts import plain_line, shown_time
from bot.domain.access import Person
from bot.errors import ToolError

FIELD_CHARS, SNIPPET_CHARS, NAME_CHARS = 200, 300, 100
MOST_ATTACHMENTS = 20
MOST_ARRIVED = 50
"""Mails that one look at a mailbox reads; the next look continues from there."""
MOST_ANSWER_BYTES = 45_000_000
"""An answer that holds the largest file, in base64."""


@dataclass(frozen=True)
class Email:
    """One mail without its text. `attachments` are file names."""

    id: str
    thread: str
    sender: str
    subject: str
    at: datetime | None
    snippet: str
    attachments: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    receivers: tuple[str, ...] = ()

    def told(self, timezone: str) -> dict[str, Any]:
        """The mail as a tool shows it, with the time in the person's zone."""
        told: dict[str, Any] = {
            "id": self.id,
            "threadId": self.thread,
            "from": plain_line(self.sender, FIELD_CHARS),
            "subject": plain_line(self.subject, FIELD_CHARS) or "(no subject)",
            "date": shown_time(self.at, timezone),
            "snippet": plain_line(self.snippet, SNIPPET_CHARS),
        }
        if self.attachments:
            told["attachments"] = [
                plain_line(name, NAME_CHARS) for name in self.attachments[:MOST_ATTACHMENTS]
            ]
        return told


@dataclass(frozen=True)
class Letter:
    """A whole mail: its text as plain text or as HTML."""

    email: Email
    text: str = ""
    html: str = ""


@dataclass(frozen=True)
class AttachedToMail:
    """A whole file, as its sender names it."""

    name: str
    media_type: str
    data: bytes


@dataclass(frozen=True)
class EmailList:
    """The newest first.

    `more`: there are others; `missing`: the number of unreadable ones; `notes`: for the model.
    """

    emails: tuple[Email, ...]
    more: bool = False
    missing: int = 0
    notes: tuple[str, ...] = ()


class Box(StrEnum):
    """The part of a mailbox that is watched for new mail."""

    INBOX = "inbox"
    SENT = "sent"


@dataclass(frozen=True)
class Arrived:
    """Mail that is new since the last look, oldest first, and the cursor for the next look."""

    emails: Sequence[Email]
    cursor: str


class MailboxAccount(Protocol):
    """A person's own mailbox at one service. Every call raises ToolError in words for the model."""

    async def newest(self, person: Person, query: str, most: int) -> EmailList:
        """The newest mails for a query in Gmail's search syntax; those in the inbox without one."""
        ...

    async def letter(self, person: Person, id_: str) -> Letter: ...

    async def attached(self, person: Person, id_: str, name: str) -> AttachedToMail:
        """The file of this name that is attached to a mail."""
        ...

    async def arrived(
        self, person: Person, cursor: str, since: datetime, box: Box = Box.INBOX
    ) -> Arrived:
        """Mail received in the inbox or sent since the cursor; at most MOST_ARRIVED.

        Without a cursor, or with one that the service no longer knows, it begins at `since`.
        """
        ...


def require_id(id_: str) -> str:
    """A service's id. Raises ToolError for anything else, because it becomes part of an address."""
    if not id_ or not all(char.isascii() and (char.isalnum() or char in "-_=") for char in id_):
        raise ToolError(f"id: {id_[:40]!r} is no id of a mail; take one from the list")
    return id_


def from_base64(data: Any) -> bytes:
    """A file in a service's answer, in either alphabet. Raises ToolError."""
    text = str(data or "").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise ToolError(
            "the attached file can't be read: the service's answer is broken"
        ) from error


def require_name(name: str, names: Sequence[str]) -> int:
    """Which of these names is meant. Raises ToolError, naming those that there are."""
    shown = [plain_line(one, NAME_CHARS) for one in names]
    if name in shown:
        return shown.index(name)
    there = ", ".join(shown[:20]) or "none"
    raise ToolError(
        f"attachment: no file of that name is attached to this mail; there are: {there}"
    )
