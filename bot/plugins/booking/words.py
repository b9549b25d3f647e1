"""What people are told about their booking pages."""

from bot.plugin.chat_commands import Phrase

CALLED = Phrase("booking", context="command")
ABOUT = Phrase("your page on which others book a free time with you")
FOR_MEMBERS = Phrase("Booking pages are for members.")
OFF = Phrase(
    "Booking pages are off here. The operator switches them on with `booking.enabled` and "
    "`console.public_url`."
)
NO_PAGE = Phrase("You have no booking page. `/booking make` makes one.")
STOPPED = Phrase("Your booking page is gone, and its link is worth nothing any more.")
NO_CALENDAR = Phrase("Connect a calendar first: `/connect google` or `/connect outlook`.")
MADE = Phrase(
    "Your booking page, with a new link (a former one is worth nothing now):\n{page}\nWho has the "
    "link sees your name and your free times, and can book one. They see nothing of your events."
)
UNREADABLE_LINK = Phrase("(its link can't be read: `/booking make` makes a new one)")
SET = Phrase(
    "{hours} ({zone}), {length} minutes each, {buffer} minutes between events, calendar {account}"
)
CHANGED = Phrase("Changed.")
CALENDARS = Phrase("Calendars that you connected: {names}.")
NONE = Phrase("none")
MINUTES = Phrase("Give minutes from {least} to {most}.")
UNKNOWN_VERB = Phrase("I don't know that. `/booking {usage}`")
NOTHING_BOOKED = Phrase("Nothing is booked.")
NOT_YET = Phrase(" (not in your calendar yet)")
NEVER_ENTERED = Phrase(" (not in your calendar; please enter it yourself)")
ENTERED = Phrase(
    "Somebody booked a time with you: {when}. It is in your calendar. `/booking` says who."
)
NOT_ENTERED = Phrase(
    "Somebody booked a time with you: {when}. I could not put it into your calendar; please do "
    "it yourself. `/booking` says who."
)
