"""For importers: reading another assistant's home, from which people move in."""

from bot.workshop.moving.foreign_home import ForeignHome as ForeignHome
from bot.workshop.moving.foreign_home import items as items
from bot.workshop.moving.foreign_home import mapping as mapping
from bot.workshop.moving.foreign_home import named_lists as named_lists
from bot.workshop.moving.foreign_home import word as word
from bot.workshop.moving.found import FoundHome as FoundHome
from bot.workshop.moving.home_reader import PLATFORMS as PLATFORMS
from bot.workshop.moving.home_reader import HomeReader as HomeReader
from bot.workshop.review.findings import shown as shown
