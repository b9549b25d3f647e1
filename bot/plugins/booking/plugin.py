"""`/booking`: a member's own page, on which others book a free time of their calendar."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, partial
from html import escape
from itertools import groupby
from pathlib import Path

from bot.plugin.chat_commands import Asked, ChatCommand, CommandReply, Language, Role
from bot.plugin.dates import zone
from bot.plugin.late import LateGround, LateParts
from bot.plugin.plugin import Given, Parts, Plugin, Section, Setup
from bot.plugin.site import PageAnswer, PageRequest, SitePage
from bot.plugin.tools import ToolError, coded, titled
from bot.plugins.booking import words
from bot.plugins.booking.bookings import (
    BOOKING_PATH,
    BUFFERS,
    LENGTHS,
    MAIL_CHARS,
    NAME_CHARS,
    SUBJECT_CHARS,
    Bookings,
    NotBooked,
    OpenPage,
    Wanted,
    booked_span,
)
from bot.plugins.booking.slots import read_hours
from bot.plugins.booking.store import TABLES, Booking, BookingPage, BookingState, purge_bookings

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""They forbid scripts and frames, and keep the address from other sites."""
_GONE = "This page does not exist, or not any more."
_SAID: dict[NotBooked, tuple[int, str]] = {
    NotBooked.GONE: (404, _GONE),
    NotBooked.TAKEN: (409, "That time is not free any more. Please choose another one."),
    NotBooked.MANY: (429, "Too many bookings were made here. Please try again tomorrow."),
    NotBooked.FIELDS: (400, "Please choose a time, and give your name, your mail and a subject."),
    NotBooked.UNREADABLE: (503, "The calendar can't be read just now. Please try again later."),
}


class BookingSite:
    """Answers in HTML without scripts. What people entered stands in it escaped, or not at all."""

    def __init__(self, bookings: Bookings) -> None:
        self._bookings = bookings

    def pages(self) -> tuple[SitePage, ...]:
        path = f"{BOOKING_PATH}/{{ref}}"
        return SitePage("GET", path, self._look), SitePage("POST", path, self._press)

    async def _look(self, request: PageRequest) -> PageAnswer:
        """The free times, with a form."""
        at = await self._bookings.opened(request.path["ref"])
        if at is None:
            return _answer(404, _told(_GONE))
        return _answer(*await self._shown(at, 200, "", request.query))

    async def _press(self, request: PageRequest) -> PageAnswer:
        """Book one. Browsers say where a form was: one of another site books nothing here."""
        if not request.own_site:
            return _answer(403, _told("This form belongs to another site."))
        at = await self._bookings.opened(request.path["ref"])
        if at is None:
            return _answer(404, _told(_GONE))
        return _answer(*await self._booked(at, request.form))

    async def _booked(self, at: OpenPage, given: Mapping[str, str]) -> tuple[int, str]:
        start = _moment(given.get("start", ""))
        outcome: Booking | NotBooked = NotBooked.FIELDS
        if start is not None:
            fields = [given.get(name, "") for name in ("name", "mail", "subject")]
            outcome = await self._bookings.book(
                at, Wanted(given.get("once", "")[:64], start, *fields)
            )
        match outcome:
            case NotBooked():
                status, text = _SAID[outcome]
                if outcome in {NotBooked.MANY, NotBooked.UNREADABLE}:
                    return status, _told(text)
                return await self._shown(at, status, text, given)
            case booking:
                return 200, _booked(at, booking)

    async def _shown(
        self, at: OpenPage, status: int, problem: str, given: Mapping[str, str]
    ) -> tuple[int, str]:
        try:
            slots = await self._bookings.slots(at)
        except ToolError:
            status, text = _SAID[NotBooked.UNREADABLE]
            return status, _told(text)
        timezone = _timezone(given.get("zone", ""), at.page.zone)
        return status, _page().format(_form(at, slots, timezone, problem, given))


@cache
def _page() -> str:
    """What all pages have around their words."""
    return Path(__file__).with_name("page.html").read_text(encoding="utf-8")


def _answer(status: int, text: str) -> PageAnswer:
    return PageAnswer(status, text.encode(), headers=_HEADERS)


def _form(
    at: OpenPage,
    slots: Sequence[datetime],
    timezone: str,
    problem: str,
    given: Mapping[str, str],
) -> str:
    name = escape(at.person.name)
    parts = [f"<h1>Book a time with {name}</h1>"]
    if problem:
        parts.append(f'<p role="alert"><strong>{escape(problem)}</strong></p>')
    parts.append(f"<p>{at.page.length} minutes. Times are in {escape(timezone)}.</p>")
    parts.append(
        '<form method="get"><label class="field">Show times in another zone'
        f'<input type="text" name="zone" maxlength="60" value="{escape(timezone)}"></label>'
        "<button>Show</button></form>"
    )
    if not slots:
        return "".join([*parts, "<p>There is no free time in the coming days.</p>"])
    there = zone(timezone)
    local = [(moment, moment.astimezone(there)) for moment in slots]
    parts.append('<form method="post">')
    parts.append(f'<input type="hidden" name="once" value="{secrets.token_urlsafe(16)}">')
    parts.append(f'<input type="hidden" name="zone" value="{escape(timezone)}">')
    for day, times in groupby(local, key=lambda one: one[1].date()):
        labels = "".join(
            f'<label><input type="radio" name="start" required value="{_value(moment)}"> '
            f"{shown:%H:%M}</label>"
            for moment, shown in times
        )
        legend = f"{day:%A}, {day.day} {day:%B %Y}"
        parts.append(
            f'<fieldset><legend>{legend}</legend><div class="times">{labels}</div></fieldset>'
        )
    for field, label, kind, most in (
        ("name", "Your name", "text", NAME_CHARS),
        ("mail", "Your mail", "email", MAIL_CHARS),
        ("subject", "What it is about", "text", SUBJECT_CHARS),
    ):
        entered = escape(given.get(field, "")[:most])
        parts.append(
            f'<label class="field">{label}<input type="{kind}" name="{field}" required'
            f' maxlength="{most}" value="{entered}"></label>'
        )
    return "".join([*parts, "<button>Book</button></form>"])


def _booked(at: OpenPage, booking: Booking) -> str:
    shown = booking.starts_at.astimezone(zone(booking.zone))
    when = f"{shown:%A}, {shown.day} {shown:%B %Y}, {shown:%H:%M} ({booking.zone})"
    if booking.state is BookingState.FAILED:
        return _told(f"Your wish for {when} was noted, but could not be entered.")
    who = escape(at.person.name)
    return _page().format(
        f"<h1>Booked</h1><p>{escape(when)}, {at.page.length} minutes with {who}.</p>"
        "<p>Please note the time: no mail is sent. You can close this page.</p>"
    )


def _told(text: str) -> str:
    return _page().format(f"<p>{escape(text)}</p>")


def _value(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ")


def _moment(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def _timezone(wanted: str, own: str) -> str:
    name = wanted.strip()[:60]
    return name if name and zone(name).key == name else own


BOOKING_USAGE = "[make|stop|hours DAYS TIMES|length MINUTES|buffer MINUTES|calendar NAME]"
_RECORD = "(the booking page)"


@dataclass(frozen=True)
class BookingCommand:
    """Answers privately: who has the link can book."""

    bookings: Bookings

    def command(self) -> ChatCommand:
        return ChatCommand(
            "booking",
            self.run,
            usage=BOOKING_USAGE,
            listed_from=Role.FRIEND,
            about=words.ABOUT,
            called=words.CALLED,
        )

    async def run(self, asked: Asked) -> CommandReply:
        return CommandReply(await self._answer(asked), alone=True, on_record=_RECORD)

    async def _answer(self, asked: Asked) -> str:
        language = asked.language
        if asked.person.role.rank < Role.FRIEND.rank:
            return words.FOR_MEMBERS.said(language)
        if not self.bookings.ready:
            return words.OFF.said(language)
        verb, _, rest = asked.args.strip().partition(" ")
        page = await self.bookings.page_of(asked.person.id)
        match verb.casefold():
            case "make":
                return await self._make(asked)
            case "" | "show":
                return await self._show(page, language)
            case _ if page is None:
                return words.NO_PAGE.said(language)
            case "stop":
                await self.bookings.stop(page.person)
                return words.STOPPED.said(language)
            case "hours" | "length" | "buffer" | "calendar":
                return await self._change(asked, page, verb.casefold(), rest.strip())
            case _:
                return words.UNKNOWN_VERB.said(language, usage=BOOKING_USAGE)

    async def _make(self, asked: Asked) -> str:
        if not self.bookings.accounts(asked.person):
            return words.NO_CALENDAR.said(asked.language)
        page = await self.bookings.make(asked)
        return words.MADE.said(asked.language, page=self._told(page, asked.language))

    async def _show(self, page: BookingPage | None, language: Language) -> str:
        if page is None:
            return words.NO_PAGE.said(language)
        coming = await self.bookings.coming(page.person)
        lines = "\n".join(_line(one, language) for one in coming)
        return f"{self._told(page, language)}\n{lines or words.NOTHING_BOOKED.said(language)}"

    def _told(self, page: BookingPage, language: Language) -> str:
        url = self.bookings.url(page) or words.UNREADABLE_LINK.said(language)
        told = words.SET.said(
            language,
            hours=page.hours,
            zone=page.zone,
            length=page.length,
            buffer=page.buffer,
            account=page.account,
        )
        return f"{url}\n{told}"

    async def _change(self, asked: Asked, page: BookingPage, what: str, value: str) -> str:
        language = asked.language
        match what:
            case "hours":
                try:
                    changed = replace(page, hours=read_hours(value).text)
                except ValueError as error:
                    return str(error)
            case "calendar":
                names = sorted(self.bookings.accounts(asked.person))
                if value.casefold() not in names:
                    known = ", ".join(names) or words.NONE.said(language)
                    return words.CALENDARS.said(language, names=known)
                changed = replace(page, account=value.casefold())
            case _:
                allowed = LENGTHS if what == "length" else BUFFERS
                number = int(value) if value.isascii() and value.isdigit() else -1
                if number not in allowed:
                    return words.MINUTES.said(language, least=allowed[0], most=allowed[-1])
                changed = (
                    replace(page, length=number)
                    if what == "length"
                    else replace(page, buffer=number)
                )
        await self.bookings.keep(changed)
        return f"{words.CHANGED.said(language)}\n{self._told(changed, language)}"


_NOTES = {
    BookingState.HELD: words.NOT_YET,
    BookingState.FAILED: words.NEVER_ENTERED,
}


def _line(one: Booking, language: Language) -> str:
    when = booked_span(one, language)
    note = _NOTES[one.state].said(language) if one.state in _NOTES else ""
    who = f"{titled(one.name)}, {coded(one.mail)}"
    return f"- {when}: {titled(one.subject)}, {who}{note}"


class BookingSettings(Section):
    """Pages on which others book free times of people who want that."""

    enabled: bool = False
    """Whether members can have a page on which others book their free times (docs/booking.md).

    It needs console.port and console.public_url.
    """


class BookingPlugin(Plugin[BookingSettings]):
    name = "booking"
    title = "pages on which others book free times of members"
    settings = BookingSettings
    tables = TABLES
    purges = (purge_bookings,)

    def build(self, given: Given[BookingSettings]) -> Parts:
        return Parts(late=partial(_built, given))

    def previews(self, setup: Setup[BookingSettings]) -> bool:
        return setup.settings.enabled


def _built(given: Given[BookingSettings], ground: LateGround) -> LateParts:
    """Where pages are off, the command says so."""
    url = ground.public_url if given.settings.enabled else ""
    bookings = Bookings(given.database, given.clock, ground, url)
    command = BookingCommand(bookings).command()
    if not bookings.ready:
        return LateParts((command,))
    pages = BookingSite(bookings).pages()
    return LateParts((command,), pages, (bookings.run,), bookings)
