"""`/booking`: a member's own page, on which others book a free time of their calendar."""

from functools import partial

from bot.plugin.late import LateGround, LateParts
from bot.plugin.plugin import Given, Parts, Plugin, Section, Setup
from bot.plugins.booking.bookings import Bookings
from bot.plugins.booking.command import BookingCommand
from bot.plugins.booking.page import BookingSite
from bot.plugins.booking.store import TABLES, purge_bookings


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
