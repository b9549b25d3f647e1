"""`/booking`: a person's own page on which others book a free time."""

from dataclasses import dataclass, replace

from bot.connectors.slots import read_hours
from bot.domain.access import INNER_RANK, Role
from bot.domain.card_words import coded, titled
from bot.sessions.commands.asked import Asked, BuiltIn, CommandReply
from bot.sessions.records.booking_store import Booking, BookingPage, BookingState
from bot.sessions.unattended.bookings import BUFFERS, LENGTHS, Bookings, booked_span

BOOKING_USAGE = "[make|stop|hours DAYS TIMES|length MINUTES|buffer MINUTES|calendar NAME]"
_RECORD = "(the booking page)"


@dataclass(frozen=True)
class BookingCommand:
    """Answers privately: who has the link can book."""

    bookings: Bookings

    def commands(self) -> tuple[BuiltIn, ...]:
        return (
            BuiltIn(
                "booking",
                self.run,
                usage=BOOKING_USAGE,
                least=Role.FRIEND,
            ),
        )

    async def run(self, asked: Asked) -> CommandReply:
        return CommandReply(await self._answer(asked), alone=True, on_record=_RECORD)

    async def _answer(self, asked: Asked) -> str:
        if asked.person.role.rank < INNER_RANK:
            return "Booking pages are for members."
        if not self.bookings.ready:
            return (
                "Booking pages are off here. The operator switches them on with `booking.enabled` "
                "and `console.public_url`."
            )
        verb, _, rest = asked.args.strip().partition(" ")
        page = await self.bookings.page_of(asked.person.id)
        match verb.casefold():
            case "make":
                return await self._make(asked)
            case "" | "show":
                return await self._show(page)
            case _ if page is None:
                return "You have no booking page. `/booking make` makes one."
            case "stop":
                await self.bookings.stop(page.person)
                return "Your booking page is gone, and its link is worth nothing any more."
            case "hours" | "length" | "buffer" | "calendar":
                return await self._change(asked, page, verb.casefold(), rest.strip())
            case _:
                return f"I don't know that. `/booking {BOOKING_USAGE}`"

    async def _make(self, asked: Asked) -> str:
        if not self.bookings.accounts(asked.person):
            return "Connect a calendar first: `/connect google` or `/connect outlook`."
        page = await self.bookings.make(asked.message, asked.person)
        return (
            "Your booking page, with a new link (a former one is worth nothing now):\n"
            f"{self._told(page)}\nWho has the link sees your name and your free times, and can "
            "book one. They see nothing of your events."
        )

    async def _show(self, page: BookingPage | None) -> str:
        if page is None:
            return "You have no booking page. `/booking make` makes one."
        coming = await self.bookings.coming(page.person)
        lines = "\n".join(map(_line, coming)) or "Nothing is booked."
        return f"{self._told(page)}\n{lines}"

    def _told(self, page: BookingPage) -> str:
        url = self.bookings.url(page) or "(its link can't be read: `/booking make` makes a new one)"
        return (
            f"{url}\n{page.hours} ({page.zone}), {page.length} minutes each, {page.buffer} minutes "
            f"between events, calendar {page.account}"
        )

    async def _change(self, asked: Asked, page: BookingPage, what: str, value: str) -> str:
        match what:
            case "hours":
                try:
                    changed = replace(page, hours=read_hours(value).text)
                except ValueError as error:
                    return str(error)
            case "calendar":
                names = sorted(self.bookings.accounts(asked.person))
                if value.casefold() not in names:
                    return f"Calendars that you connected: {', '.join(names) or 'none'}."
                changed = replace(page, account=value.casefold())
            case _:
                allowed = LENGTHS if what == "length" else BUFFERS
                number = int(value) if value.isascii() and value.isdigit() else -1
                if number not in allowed:
                    return f"Give minutes from {allowed[0]} to {allowed[-1]}."
                changed = (
                    replace(page, length=number)
                    if what == "length"
                    else replace(page, buffer=number)
                )
        await self.bookings.keep(changed)
        return f"Changed.\n{self._told(changed)}"


def _line(one: Booking) -> str:
    when = booked_span(one)
    notes = {
        BookingState.HELD: " (not in your calendar yet)",
        BookingState.FAILED: " (not in your calendar; please enter it yourself)",
        BookingState.MADE: "",
    }
    who = f"{titled(one.name)}, {coded(one.mail)}"
    return f"- {when}: {titled(one.subject)}, {who}{notes[one.state]}"
