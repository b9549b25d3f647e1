"""For dates, times and time zones in people's words, on the clocks of the person of a call."""

from bot.connectors.due_dates import due_in_words as due_in_words
from bot.connectors.due_dates import local as local
from bot.connectors.due_dates import parse_due as parse_due
from bot.connectors.due_dates import show_due as show_due
from bot.connectors.due_dates import stored_day as stored_day
from bot.connectors.due_dates import zone as zone
from bot.dates.past import Period as Period
from bot.dates.past import read_past as read_past
from bot.dates.phrases import says_when as says_when
from bot.dates.reading import Moment as Moment
from bot.dates.repeats import read_repeat as read_repeat
from bot.dates.zone_names import folded_zone as folded_zone
from bot.dates.zone_names import zones_by_name as zones_by_name
