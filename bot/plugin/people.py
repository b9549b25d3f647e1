"""For connectors that speak of people: whom a name means, and whom the house knows.

A plug-in finds people by name in `Given.people`. One that keeps files about them gives
`Parts.people`, and learns of everybody from `Given.directory`.
"""

from bot.domain.access import INNER_RANK
from bot.domain.characters import plain_name
from bot.domain.people import Directory, FindsPeople, KnownPerson, LastTalk, PersonFile, Profile
from bot.errors import DeliveryError
