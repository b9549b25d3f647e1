"""For importers: reading another assistant's home, from which people move in."""

from bot.workshop.moving.foreign_home import ForeignHome, items, mapping, named_lists, word
from bot.workshop.moving.found import FoundHome
from bot.workshop.moving.home_reader import PLATFORMS, HomeReader
from bot.workshop.review.findings import shown
