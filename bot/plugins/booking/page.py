"""The page on which strangers book a time. It works without scripts, and shows free times alone."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import groupby

from bot.plugin.dates import zone
from bot.plugin.site import PageAnswer, PageRequest, SitePage
from bot.plugin.tools import ToolError
from bot.plugins.booking.bookings import (
    BOOKING_PATH,
    MAIL_CHARS,
    NAME_CHARS,
    SUBJECT_CHARS,
    Bookings,
    NotBooked,
    OpenPage,
    Wanted,
)
from bot.plugins.booking.store import Booking, BookingState

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline';"
    " form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""They forbid scripts and frames, and keep the address from other sites."""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Book a time</title>
<style>
*{{box-sizing:border-box}}
body{{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:1.5rem auto;padding:0 1rem}}
fieldset{{border:0;padding:0;margin:0 0 1rem}}
legend{{font-weight:600;padding:0}}
.times{{display:flex;flex-wrap:wrap;gap:.5rem}}
.times label{{border:1px solid;border-radius:.4rem;padding:.4rem .7rem}}
.field{{display:block;margin:0 0 .8rem}}
input[type=text],input[type=email]{{display:block;width:100%;font:inherit;padding:.5rem}}
button{{font:inherit;padding:.6rem 1.5rem}}
</style>
</head><body>{0}</body></html>
"""
_GONE = "This page does not exist, or not any more."
_SAID: dict[NotBooked, tuple[int, str]] = {
    NotBooked.GONE: (404, _GONE),
    NotBooked.TAKEN: (409, "That time is not free any more. Please choose another one."),
    NotBooked.MANY: (429, "Too many bookings were made here. Please try again tomorrow."),
    NotBooked.FIELDS: (400, "Please choose a time, and give your name, your mail and a subject."),
    NotBooked.UNREADABLE: (503, "The calendar can't be read just now. Please try again later."),
}


class BookingSite:
    """Answers in HTML. What people entered stands in it escaped, or not at all."""

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
        return status, _PAGE.format(_form(at, slots, timezone, problem, given))


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
    return _PAGE.format(
        f"<h1>Booked</h1><p>{escape(when)}, {at.page.length} minutes with {who}.</p>"
        "<p>Please note the time: no mail is sent. You can close this page.</p>"
    )


def _told(text: str) -> str:
    return _PAGE.format(f"<p>{escape(text)}</p>")


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
