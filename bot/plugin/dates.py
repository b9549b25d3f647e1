"""For dates, times and time zones in people's words, on the clocks of the person of a call."""

from bot.connectors.due_dates import due_in_words, local, parse_due, show_due, stored_day, zone
from bot.dates.past import Period, read_past
from bot.dates.phrases import says_when
from bot.dates.reading import Moment
from bot.dates.repeats import read_repeat
from bot.dates.zone_names import folded_zone, zones_by_name
