"""Booking pages: a person's free times by a secret link, and the events that strangers book there.

Who has the link sees free times and the person's name, and nothing of any event. A booking is
stored before its event is made. So a crash loses none, and the event's key lets it exist once.
"""

import hashlib
import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, auto

from bot.plugin.accounts import CalendarAccount, EventDraft, event_key, plain_line, spoken_span
from bot.plugin.chat_commands import Asked, Language, Person, Role
from bot.plugin.dates import zone
from bot.plugin.late import LateGround
from bot.plugin.plugin import Clock
from bot.plugin.site import register_secret
from bot.plugin.tables import Database, UnitRejected
from bot.plugin.tools import ToolError
from bot.plugins.booking import store, words
from bot.plugins.booking.slots import BookableHours, BusyTime, SlotRules, free_slots, read_hours
from bot.plugins.booking.store import Booking, BookingPage, BookingRows, BookingState

log = logging.getLogger(__name__)

BOOKING_PATH = "/book"
NAME_CHARS, MAIL_CHARS, SUBJECT_CHARS = 80, 200, 120
LENGTHS = range(10, 241)
BUFFERS = range(121)
DAYS_AHEAD = timedelta(days=14)
"""Later times are not offered."""
NOTICE = timedelta(hours=12)
"""Earlier times are not offered."""
MOST_PER_DAY = 10
"""The most bookings with one person that are taken in 24 hours."""
EVERY_S = 30.0
_GIVE_UP = timedelta(hours=1)
_KEPT_FRESH_S = 60.0
"""How old free times on a page may be; a booking reads the calendar anew."""
_TRIES, _TRIES_S = 20, 600.0
"""Bookings tried on one page in ten minutes, in each process."""
_KEEP = timedelta(days=30)
_WEEK = timedelta(days=7)


class NotBooked(Enum):
    """Why nothing was booked."""

    GONE = auto()
    TAKEN = auto()
    MANY = auto()
    FIELDS = auto()
    UNREADABLE = auto()


@dataclass(frozen=True)
class OpenPage:
    """A page that may be shown, and its person as they are now."""

    page: BookingPage
    person: Person

    @property
    def rules(self) -> SlotRules:
        hours = read_hours(self.page.hours)
        return SlotRules(hours, self.page.zone, self.page.length, self.page.buffer)


@dataclass(frozen=True)
class Wanted:
    """What a stranger entered. `once` is the same when they send it twice."""

    once: str
    start: datetime
    name: str
    mail: str
    subject: str

    @property
    def complete(self) -> bool:
        local, at, host = self.mail.partition("@")
        return bool(
            self.name and self.subject and local and at and "." in host and " " not in self.mail
        )


class Bookings:
    """Makes pages and takes bookings."""

    def __init__(
        self, database: Database, clock: Clock, ground: LateGround, public_url: str
    ) -> None:
        """`public_url`: where browsers reach pages; empty where the operator wants none."""
        self._database = database
        self._clock = clock
        self._ground = ground
        self._public_url = public_url
        self._rows = BookingRows(database)
        self._fresh: dict[str, tuple[float, list[datetime]]] = {}
        self._tries: dict[str, list[float]] = {}

    @property
    def ready(self) -> bool:
        """Whether the operator has set up what pages need."""
        return bool(self._public_url) and self._ground.sealing.ready

    # --- the person's side ---

    def accounts(self, person: Person) -> Mapping[str, CalendarAccount]:
        """The calendars that the person connected themself, by service."""
        return self._ground.calendars(person)

    async def make(self, asked: Asked) -> BookingPage:
        """A new link, in place of the former one; what was set stays. Needs a calendar."""
        person = asked.person
        former = await self._rows.page_of(person.id)
        secret = secrets.token_urlsafe(24)
        register_secret(secret)
        account = former.account if former else next(iter(self.accounts(person)), "")
        page = BookingPage(
            person.id,
            _hash(secret),
            self._ground.sealing.seal(secret),
            self._ground.people.found_by(asked),
            self._ground.people.zone(person),
            account,
            former.hours if former else BookableHours().text,
            former.length if former else 30,
            former.buffer if former else 0,
        )
        await self.keep(page)
        return page

    async def keep(self, page: BookingPage) -> None:
        """Store a changed page."""
        await self._database.write(store.keep_page(page, self._clock.now()))
        self._fresh.pop(page.link, None)

    async def stop(self, person: str) -> None:
        """The link is worth nothing from now on."""
        await self._database.write(store.drop_page(person))

    async def page_of(self, person: str) -> BookingPage | None:
        return await self._rows.page_of(person)

    def url(self, page: BookingPage) -> str:
        """The link; empty if it can't be opened any more (another key)."""
        secret = self._ground.sealing.open(page.sealed)
        return f"{self._public_url}{BOOKING_PATH}/{secret}" if secret else ""

    async def coming(self, person: str) -> list[Booking]:
        return await self._rows.coming(person, self._clock.now())

    # --- the stranger's side ---

    async def opened(self, secret: str) -> OpenPage | None:
        """The page of a link; None if it is stopped, or its person may not have one any more."""
        if not self.ready or not 20 <= len(secret) <= 100:
            return None
        page = await self._rows.page_at(_hash(secret))
        if page is None:
            return None
        person = await self._ground.people.now(page.envelope)
        if person.id != page.person or person.role.rank < Role.FRIEND.rank:
            return None
        return OpenPage(page, person) if page.account in self.accounts(person) else None

    async def line(self, url: str) -> str:
        """Implements `bot.plugin.late.LinkDesk`: whose page it is, as the page itself says."""
        here = f"{self._public_url}{BOOKING_PATH}/"
        if not self.ready or not url.startswith(here):
            return ""
        at = await self.opened(url.removeprefix(here))
        return f"Book {at.page.length} minutes with {at.person.name}" if at is not None else ""

    async def slots(self, at: OpenPage) -> list[datetime]:
        """The free times, at most a minute old. Raises ToolError if a calendar can't be read."""
        kept = self._fresh.get(at.page.link)
        if kept is None or self._clock.monotonic() - kept[0] > _KEPT_FRESH_S:
            async with self._ground.alone(f"look:{at.page.person}"):
                kept = self._fresh.get(at.page.link)
                if kept is None or self._clock.monotonic() - kept[0] > _KEPT_FRESH_S:
                    self._fresh[at.page.link] = kept = (
                        self._clock.monotonic(),
                        await self._free(at),
                    )
        soonest = self._clock.now() + NOTICE
        return [moment for moment in kept[1] if moment >= soonest]

    async def book(self, at: OpenPage, wanted: Wanted) -> Booking | NotBooked:
        """Take a time. What is free is read anew, while nobody else books with this person."""
        person, id_ = at.page.person, _hash(f"{at.page.link} {wanted.once}")[:32]
        wanted = _plain(wanted)
        if not wanted.once or not wanted.complete:
            return NotBooked.FIELDS
        async with self._ground.alone(f"book:{person}"):
            if (known := await self._rows.booking(id_)) is not None:
                return known if known.person == person else NotBooked.TAKEN
            now = self._clock.now()
            day = now - timedelta(days=1)
            if (
                not self._may_try(at.page.link)
                or await self._rows.made_since(person, day) >= MOST_PER_DAY
            ):
                return NotBooked.MANY
            soonest = now + NOTICE
            try:
                free = await self._free(at)
            except ToolError as error:
                log.warning("person=<%s>, error=<%s> | a calendar can't be read", person, error)
                return NotBooked.UNREADABLE
            if wanted.start not in free or wanted.start < soonest:
                return NotBooked.TAKEN
            booking = Booking(
                id_,
                person,
                wanted.start,
                wanted.start + timedelta(minutes=at.page.length),
                at.page.zone,
                at.page.account,
                wanted.name,
                wanted.mail,
                wanted.subject,
                BookingState.HELD,
                at.page.envelope,
                now,
            )
            try:
                await self._database.write(store.hold(booking))
            except UnitRejected:
                return NotBooked.TAKEN
            self._fresh.pop(at.page.link, None)
        await self._enter(booking)
        return await self._rows.booking(id_) or booking

    def _may_try(self, link: str) -> bool:
        now = self._clock.monotonic()
        lately = [one for one in self._tries.get(link, []) if now - one < _TRIES_S]
        self._tries[link] = [*lately, now][-_TRIES:]
        return len(lately) < _TRIES

    async def _free(self, at: OpenPage) -> list[datetime]:
        """Free times of the coming days. Raises ToolError unless all calendars can be read.

        A week of which a calendar can't tell everything has none.
        """
        now = self._clock.now()
        end = now + DAYS_AHEAD
        held = [
            BusyTime(one.starts_at, one.ends_at)
            for one in await self._rows.coming(at.page.person, now - _WEEK)
            if one.state is BookingState.HELD
        ]
        found: list[datetime] = []
        begin = now
        while begin < end:
            then = min(begin + _WEEK, end)
            busy = await self._busy(at, begin, then)
            if busy is not None:
                found += free_slots(at.rules, [*held, *busy], begin, then)
            begin = then
        return found

    async def _busy(self, at: OpenPage, start: datetime, end: datetime) -> list[BusyTime] | None:
        margin = timedelta(minutes=at.page.length + at.page.buffer)
        busy: list[BusyTime] = []
        for account in self.accounts(at.person).values():
            listed = await account.events(at.person, start - margin, end + margin)
            if listed.cut or listed.unreadable:
                return None
            busy += [
                BusyTime(_utc(event.start, at.page.zone), _utc(event.end, at.page.zone))
                for event in listed.events
                if not event.declined and not event.free
            ]
        return busy

    # --- the event ---

    async def run(self) -> None:
        """Enter what is held, twice a minute, until cancelled. Raises StorageError."""
        while True:
            await self.look()
            await self._clock.sleep(EVERY_S)

    async def look(self) -> None:
        """Enter each held booking once more, and forget those of long ago."""
        for booking in await self._rows.held():
            await self._enter(booking)
        await self._database.write(store.drop_bookings_before(self._clock.now() - _KEEP))

    async def _enter(self, booking: Booking) -> None:
        """Make the event of a held booking, and tell its person; later again if that fails."""
        async with self._ground.alone(f"enter:{booking.id}"):
            now = await self._rows.booking(booking.id)
            if now is None or now.state is not BookingState.HELD:
                return
            try:
                state = await self._entered(booking)
            except ToolError as error:
                log.warning("booking=<%s>, error=<%s> | not entered yet", booking.id, error)
                if self._clock.now() - booking.made_at < _GIVE_UP:
                    return
                state = BookingState.FAILED
            await self._settle(booking, state)

    async def _entered(self, booking: Booking) -> BookingState:
        person = await self._ground.people.now(booking.envelope)
        account = self.accounts(person).get(booking.account)
        if person.id != booking.person or account is None:
            return BookingState.FAILED
        draft = EventDraft(
            f"{booking.subject} ({booking.name})",
            booking.starts_at,
            booking.ends_at,
            booking.zone,
            f"Booked by {booking.name} <{booking.mail}> on the booking page.",
            "",
            event_key("booking", booking.id),
        )
        await account.create(person, draft)
        return BookingState.MADE

    async def _settle(self, booking: Booking, state: BookingState) -> None:
        """The person is told the time alone: the words of a stranger are no message of ours."""
        tells = self._ground.tells
        language = await tells.language(booking.person)
        said = words.ENTERED if state is BookingState.MADE else words.NOT_ENTERED
        text = said.said(language, when=booked_span(booking, language))
        told = await tells.unit(f"booked-{booking.id[:16]}", booking.person, text)
        await self._database.write(store.settle(booking, state) + told)
        tells.written()


def booked_span(booking: Booking, language: Language = Language.EN) -> str:
    """When it is, in the words of the person's zone."""
    return spoken_span(booking.starts_at, booking.ends_at, booking.zone, language)


def _utc(value: datetime | date, timezone: str) -> datetime:
    """A day is from its midnight on."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    return datetime.combine(value, time(), zone(timezone)).astimezone(UTC)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def _plain(wanted: Wanted) -> Wanted:
    return replace(
        wanted,
        name=plain_line(wanted.name, NAME_CHARS),
        mail=plain_line(wanted.mail, MAIL_CHARS),
        subject=plain_line(wanted.subject, SUBJECT_CHARS),
    )
