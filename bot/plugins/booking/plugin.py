"""`/booking`: a member's own page, on which others book a free time of their calendar."""

from dataclasses import dataclass, replace
from functools import partial

from bot.plugin.chat_commands import Asked, ChatCommand, CommandReply, Language, Role
from bot.plugin.late import LateGround, LateParts
from bot.plugin.plugin import Given, Parts, Plugin, Section, Setup
from bot.plugin.tools import coded, titled
from bot.plugins.booking import words
from bot.plugins.booking.bookings import BUFFERS, LENGTHS, Bookings, booked_span
from bot.plugins.booking.page import BookingSite
from bot.plugins.booking.slots import read_hours
from bot.plugins.booking.store import TABLES, Booking, BookingPage, BookingState, purge_bookings

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
