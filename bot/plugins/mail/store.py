"""The tables mail_received and mail_sent: all SQL of this connector."""

from dataclasses import dataclass
from datetime import datetime
from typing import Self

from bot.plugin.mail import Automatic, IncomingMail
from bot.plugin.tables import (
    CountedPhrase,
    Database,
    PersonTable,
    Phrase,
    Row,
    Seen,
    Unit,
    Write,
    format_utc,
    insert_into,
    made_of,
    purge_of,
    row_of,
    seen,
)
from bot.plugin.tools import Learned, Viewer

TABLES = (
    PersonTable(
        "mail_received",
        "owner",
        key=("id",),
        one="mail",
        many="mails",
        words=("sender", "subject", "text"),
        called=CountedPhrase(Phrase("mail"), Phrase("mails")),
    ),
    PersonTable(
        "mail_sent",
        "owner",
        key=("token",),
        one="sent mail",
        many="sent mails",
        words=("sent_to", "subject"),
        called=CountedPhrase(Phrase("sent mail"), Phrase("sent mails")),
    ),
)
"""Both hold rows of people: an answer to a mail, and the mail."""


@dataclass(frozen=True)
class SentMail:
    """A mail that an agent sent for a person."""

    token: str
    owner: str
    mailbox: str
    to: str
    subject: str
    learned: Learned
    sent_at: str


@dataclass(frozen=True)
class Mail(IncomingMail):
    """A received mail, as it is stored: `automatic` matters only when it comes in."""

    received_at: str
    thread: str
    """The References of an answer to it, see `thread_of`."""
    unread: bool = True

    @classmethod
    def from_row(cls, row: Row) -> Self:
        unread = row["read_at"] is None
        return made_of(cls, row, learned=Learned.of(row), unread=unread, automatic=Automatic.NO)


class MailRows:
    """Stored mail, as a viewer may see it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def seen(self, viewer: Viewer, mailbox: str) -> Seen:
        return await seen(self._database, "mail_received", "mailbox = ?", (mailbox,), viewer)

    async def newest(self, visible: Seen, limit: int, *, unread_only: bool) -> list[Mail]:
        unread = " AND read_at IS NULL" if unread_only else ""
        rows = await self._database.read(
            f"SELECT * FROM mail_received WHERE {visible.sql}{unread}"  # noqa: S608 - ours
            " ORDER BY received_at DESC, id DESC LIMIT ?",
            (*visible.params, limit),
        )
        return [Mail.from_row(row) for row in rows]

    async def find(self, visible: Seen, id_: str) -> Mail | None:
        row = await self._database.read_one(
            f"SELECT * FROM mail_received WHERE {visible.sql} AND id = ?",  # noqa: S608 - ours
            (*visible.params, id_),
        )
        return Mail.from_row(row) if row else None

    async def knows(self, id_: str) -> bool:
        sql = "SELECT 1 FROM mail_received WHERE id = ?"
        return await self._database.read_one(sql, (id_,)) is not None

    async def sent(self, token: str) -> SentMail | None:
        """The sent mail that a reply address belongs to."""
        row = await self._database.read_one("SELECT * FROM mail_sent WHERE token = ?", (token,))
        if row is None:
            return None
        return made_of(SentMail, row, to=row["sent_to"], learned=Learned.of(row))


def keep_sent(mail: SentMail) -> Unit:
    row = row_of(mail, "to", "learned", sent_to=mail.to, **vars(mail.learned))
    return Unit.of(insert_into("mail_sent", row, "ON CONFLICT (token) DO NOTHING"))


def keep(mail: Mail) -> Unit:
    """Store a mail, once."""
    row = row_of(mail, "learned", "unread", "automatic", **vars(mail.learned))
    return Unit.of(insert_into("mail_received", row, "ON CONFLICT (id) DO NOTHING"))


purge_mail = purge_of("mail_received", "id", "received_at")
purge_sent = purge_of("mail_sent", "token", "sent_at")
"""A reply that comes later belongs to the mailbox."""


def mark_read(id_: str, now: datetime) -> Unit:
    return Unit.of(
        Write(
            "UPDATE mail_received SET read_at = ? WHERE id = ? AND read_at IS NULL",
            (format_utc(now), id_),
        )
    )
