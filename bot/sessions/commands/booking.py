"""`/booking`: a person's own page on which others book a free time."""

from dataclasses import dataclass, replace

from bot.connectors.slots import read_hours
from bot.domain.access import INNER_RANK, Role
from bot.domain.card_words import coded, titled
from bot.domain.chat_commands import Asked, ChatCommand, CommandReply
from bot.domain.languages import Language, Phrase
from bot.sessions.records.booking_store import Booking, BookingPage, BookingState
from bot.sessions.unattended.bookings import BUFFERS, LENGTHS, Bookings, booked_span

NO_PAGE = Phrase("You have no booking page. `/booking make` makes one.")
NOTHING_BOOKED = Phrase("Nothing is booked.")
CHANGED = Phrase("Changed.")

BOOKING_USAGE = "[make|stop|hours DAYS TIMES|length MINUTES|buffer MINUTES|calendar NAME]"
_RECORD = "(the booking page)"


@dataclass(frozen=True)
class BookingCommand:
    """Answers privately: who has the link can book."""

    bookings: Bookings

    def commands(self) -> tuple[ChatCommand, ...]:
        return (
            ChatCommand(
                "booking",
                self.run,
                usage=BOOKING_USAGE,
                listed_from=Role.FRIEND,
            ),
        )

    async def run(self, asked: Asked) -> CommandReply:
        return CommandReply(await self._answer(asked), alone=True, on_record=_RECORD)

    async def _answer(self, asked: Asked) -> str:
        language = asked.language
        if asked.person.role.rank < INNER_RANK:
            return Phrase("Booking pages are for members.").said(language)
        if not self.bookings.ready:
            return Phrase(
                "Booking pages are off here. The operator switches them on with `booking.enabled` "
                "and `console.public_url`."
            ).said(language)
        verb, _, rest = asked.args.strip().partition(" ")
        page = await self.bookings.page_of(asked.person.id)
        match verb.casefold():
            case "make":
                return await self._make(asked)
            case "" | "show":
                return await self._show(page, language)
            case _ if page is None:
                return NO_PAGE.said(language)
            case "stop":
                await self.bookings.stop(page.person)
                return Phrase(
                    "Your booking page is gone, and its link is worth nothing any more."
                ).said(language)
            case "hours" | "length" | "buffer" | "calendar":
                return await self._change(asked, page, verb.casefold(), rest.strip())
            case _:
                return Phrase("I don't know that. `/booking {usage}`").said(
                    language, usage=BOOKING_USAGE
                )

    async def _make(self, asked: Asked) -> str:
        if not self.bookings.accounts(asked.person):
            return Phrase(
                "Connect a calendar first: `/connect google` or `/connect outlook`."
            ).said(asked.language)
        page = await self.bookings.make(asked.message, asked.person)
        return Phrase(
            "Your booking page, with a new link (a former one is worth nothing now):\n{page}\nWho "
            "has the link sees your name and your free times, and can book one. They see nothing "
            "of your events."
        ).said(asked.language, page=self._told(page, asked.language))

    async def _show(self, page: BookingPage | None, language: Language) -> str:
        if page is None:
            return NO_PAGE.said(language)
        coming = await self.bookings.coming(page.person)
        lines = "\n".join(_line(one, language) for one in coming)
        return f"{self._told(page, language)}\n{lines or NOTHING_BOOKED.said(language)}"

    def _told(self, page: BookingPage, language: Language) -> str:
        url = self.bookings.url(page) or Phrase(
            "(its link can't be read: `/booking make` makes a new one)"
        ).said(language)
        told = Phrase(
            "{hours} ({zone}), {length} minutes each, {buffer} minutes between events, calendar "
            "{account}"
        ).said(
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
                    known = ", ".join(names) or Phrase("none").said(language)
                    return Phrase("Calendars that you connected: {names}.").said(
                        language, names=known
                    )
                changed = replace(page, account=value.casefold())
            case _:
                allowed = LENGTHS if what == "length" else BUFFERS
                number = int(value) if value.isascii() and value.isdigit() else -1
                if number not in allowed:
                    return Phrase("Give minutes from {least} to {most}.").said(
                        language, least=allowed[0], most=allowed[-1]
                    )
                changed = (
                    replace(page, length=number)
                    if what == "length"
                    else replace(page, buffer=number)
                )
        await self.bookings.keep(changed)
        return f"{CHANGED.said(language)}\n{self._told(changed, language)}"


_NOTES = {
    BookingState.HELD: Phrase(" (not in your calendar yet)"),
    BookingState.FAILED: Phrase(" (not in your calendar; please enter it yourself)"),
}


def _line(one: Booking, language: Language) -> str:
    when = booked_span(one, language)
    note = _NOTES[one.state].said(language) if one.state in _NOTES else ""
    who = f"{titled(one.name)}, {coded(one.mail)}"
    return f"- {when}: {titled(one.subject)}, {who}{note}"
