"""What `/booking` says about somebody's own booking page."""

from bot.domain.languages import Phrase

FOR_MEMBERS = Phrase("Booking pages are for members.")
OFF = Phrase(
    "Booking pages are off here. The operator switches them on with `booking.enabled` and"
    " `console.public_url`."
)
NO_PAGE = Phrase("You have no booking page. `/booking make` makes one.")
GONE = Phrase("Your booking page is gone, and its link is worth nothing any more.")
HOW = Phrase("I don't know that. `/booking {usage}`")
CONNECT_FIRST = Phrase("Connect a calendar first: `/connect google` or `/connect outlook`.")
MADE = Phrase(
    "Your booking page, with a new link (a former one is worth nothing now):\n{page}\nWho has the"
    " link sees your name and your free times, and can book one. They see nothing of your events."
)
NOTHING_BOOKED = Phrase("Nothing is booked.")
NO_LINK = Phrase("(its link can't be read: `/booking make` makes a new one)")
PAGE = Phrase(
    "{hours} ({zone}), {length} minutes each, {buffer} minutes between events, calendar {account}"
)
CALENDARS = Phrase("Calendars that you connected: {names}.")
NONE = Phrase("none")
MINUTES = Phrase("Give minutes from {least} to {most}.")
CHANGED = Phrase("Changed.")
NOT_YET = Phrase(" (not in your calendar yet)")
ENTER_IT = Phrase(" (not in your calendar; please enter it yourself)")
