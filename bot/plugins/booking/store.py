"""SQL of the tables `booking_pages` and `booking_made`."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from bot.plugin.tables import (
    CountedPhrase,
    Database,
    PersonTable,
    Phrase,
    Row,
    Unit,
    Write,
    format_utc,
    insert_into,
    made_of,
    parse_utc,
    purge_of,
    read_number,
    row_of,
)

TABLES = (
    PersonTable(
        "booking_pages",
        "person",
        key=("person",),
        one="booking page",
        many="booking pages",
        exported=False,
        sealed=("sealed",),
        called=CountedPhrase(Phrase("booking page"), Phrase("booking pages")),
    ),
    PersonTable(
        "booking_made",
        "person",
        key=("id",),
        one="booking",
        many="bookings",
        words=("name", "mail", "subject"),
        called=CountedPhrase(Phrase("booking"), Phrase("bookings")),
        once=("starts_at",),
    ),
)
"""A page is not exported: it has the secret of a link."""


class BookingState(StrEnum):
    """`held`: the event is not in the calendar yet. `failed`: it never will be."""

    HELD = "held"
    MADE = "made"
    FAILED = "failed"


@dataclass(frozen=True)
class BookingPage:
    """A person's page. `link` is the hash of its secret, `sealed` the secret itself.

    `envelope` finds who the person is now.
    """

    person: str
    link: str
    sealed: str
    envelope: str
    zone: str
    account: str
    hours: str
    length: int
    buffer: int


@dataclass(frozen=True)
class Booking:
    """What a stranger booked."""

    id: str
    person: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    account: str
    name: str
    mail: str
    subject: str
    state: BookingState
    envelope: str
    made_at: datetime


def keep_page(page: BookingPage, now: datetime) -> Unit:
    """Store a page in place of the person's former one."""
    row = row_of(page, updated_at=format_utc(now))
    return drop_page(page.person) + Unit.of(insert_into("booking_pages", row))


def drop_page(person: str) -> Unit:
    return Unit.of(Write("DELETE FROM booking_pages WHERE person = ?", (person,)))


def hold(booking: Booking) -> Unit:
    """Store a booking. The unit fails if its time overlaps one that the person has."""
    values = (
        booking.id,
        booking.person,
        format_utc(booking.starts_at),
        format_utc(booking.ends_at),
        booking.zone,
        booking.account,
        booking.name,
        booking.mail,
        booking.subject,
        booking.state.value,
        booking.envelope,
        format_utc(booking.made_at),
    )
    overlap = (booking.person, format_utc(booking.ends_at), format_utc(booking.starts_at))
    return Unit.of(
        Write(
            "INSERT INTO booking_made (id, person, starts_at, ends_at, zone, account, name, mail,"
            " subject, state, envelope, made_at) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM booking_made WHERE person = ? AND state != 'failed'"
            " AND starts_at < ? AND ends_at > ?)",
            (*values, *overlap),
            rows=1,
        )
    )


def settle(booking: Booking, state: BookingState) -> Unit:
    """A held booking's end. Fails if it had one."""
    return Unit.of(
        Write(
            "UPDATE booking_made SET state = ? WHERE id = ? AND state = 'held'",
            (state.value, booking.id),
            rows=1,
        )
    )


def drop_bookings_before(moment: datetime) -> Unit:
    return Unit.of(Write("DELETE FROM booking_made WHERE ends_at <= ?", (format_utc(moment),)))


purge_bookings = purge_of("booking_made", "id", "ends_at")


class BookingRows:
    """Reads both tables."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page_of(self, person: str) -> BookingPage | None:
        row = await self._database.read_one(
            "SELECT * FROM booking_pages WHERE person = ?", (person,)
        )
        return made_of(BookingPage, row) if row else None

    async def page_at(self, link: str) -> BookingPage | None:
        row = await self._database.read_one("SELECT * FROM booking_pages WHERE link = ?", (link,))
        return made_of(BookingPage, row) if row else None

    async def booking(self, id_: str) -> Booking | None:
        row = await self._database.read_one("SELECT * FROM booking_made WHERE id = ?", (id_,))
        return _booking(row) if row else None

    async def coming(self, person: str, after: datetime) -> list[Booking]:
        """Bookings that end later, those that could not be entered included."""
        rows = await self._database.read(
            "SELECT * FROM booking_made WHERE person = ? AND ends_at > ?"
            " ORDER BY starts_at LIMIT 500",
            (person, format_utc(after)),
        )
        return [_booking(row) for row in rows]

    async def made_since(self, person: str, since: datetime) -> int:
        return await read_number(
            self._database,
            "SELECT COUNT(*) AS found FROM booking_made WHERE person = ? AND made_at > ?",
            (person, format_utc(since)),
        )

    async def held(self) -> list[Booking]:
        rows = await self._database.read(
            "SELECT * FROM booking_made WHERE state = 'held' ORDER BY made_at LIMIT 100"
        )
        return [_booking(row) for row in rows]


def _booking(row: Row) -> Booking:
    return made_of(
        Booking,
        row,
        starts_at=parse_utc(row["starts_at"]),
        ends_at=parse_utc(row["ends_at"]),
        state=BookingState(row["state"]),
        made_at=parse_utc(row["made_at"]),
    )
