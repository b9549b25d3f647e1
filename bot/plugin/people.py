"""For connectors that speak of people: whom a name means, and whom the house knows.

A plug-in finds people by name in `Given.people`. One that keeps files about them gives
`Parts.people`, and learns of everybody from `Given.directory`.
"""

from bot.domain.access import INNER_RANK as INNER_RANK
from bot.domain.characters import plain_name as plain_name
from bot.domain.people import Directory as Directory
from bot.domain.people import FindsPeople as FindsPeople
from bot.domain.people import KnownPerson as KnownPerson
from bot.domain.people import LastTalk as LastTalk
from bot.domain.people import PersonFile as PersonFile
from bot.domain.people import Profile as Profile
from bot.errors import DeliveryError as DeliveryError
