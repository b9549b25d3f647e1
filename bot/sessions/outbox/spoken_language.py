"""The language in which people wrote somewhere, for words that answer none of their messages."""

from bot.domain.database import Database
from bot.domain.languages import Language
from bot.domain.messages import Conversation
from bot.sessions.records.conversation_store import newest_visible, own_place
from bot.sessions.wording.languages import language_of

_READ = 10
"""So many of the newest messages are read."""


async def spoken_at(database: Database, place: Conversation) -> Language:
    """That of the newest message of a person which shows one; English without any.

    Raises StorageError.
    """
    newest = await newest_visible(database, place.key, _READ)
    return language_of(one.text for one in reversed(newest) if not one.author.startswith("agent:"))


async def spoken_by(database: Database, person: str) -> Language:
    """That of their last direct conversation; English without one. Raises StorageError."""
    place = await own_place(database, person)
    return Language.EN if place is None else await spoken_at(database, place)
