"""What a person asked and was answered before, for `remember`."""

from collections.abc import Sequence

from bot.domain.database import Database, Unit
from bot.domain.memory import Recollection, Wanted
from bot.domain.messages import Place
from bot.domain.origins import Origin, Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned
from bot.domain.tools import ToolContext
from bot.sessions.conversation_store import Said, said_as, said_with, unsay_write
from bot.sessions.envelope import incoming_from_json

SEARCHED = 500
"""Of a person's messages, and of the answers to them: the latest so many are looked through."""
NUMBER_DIGITS = 19
"""A longer number is no row id of SQLite."""


class PastTalk:
    """Implements `Recalls` over the messages of conversations."""

    id = "talk"
    recalled_by = ""
    """No tool shows them: what somebody said and was told is theirs in every role."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recall(self, context: ToolContext, wanted: Wanted) -> Sequence[Recollection]:
        """What was said in a channel is for its readers: whether others may read it there is not known here."""
        asking = incoming_from_json(context.envelope).key if context.envelope else ""
        said = await said_with(
            self._database, context.person.id, SEARCHED, besides=asking, since=wanted.since, until=wanted.until
        )
        return [_recollection(one, context) for one in said if one.message.text]

    async def recollection(self, context: ToolContext, id_: str) -> Recollection | None:
        number = _number(id_)
        said = None if number is None else await said_as(self._database, context.person.id, number)
        return None if said is None else _recollection(said, context)

    def removal(self, context: ToolContext, id_: str) -> Unit:
        """It is gone from what is recorded here; what the platform shows is the platform's."""
        number = _number(id_)
        return Unit() if number is None else Unit.of(unsay_write(context.person.id, number, context.now))


def _number(id_: str) -> int | None:
    number = id_.removeprefix("talk:")
    return int(number) if number.isascii() and number.isdigit() and len(number) < NUMBER_DIGITS else None


def _recollection(said: Said, context: ToolContext) -> Recollection:
    message, place = said.message, said.conversation
    own = message.author == context.person.id
    return Recollection(
        f"talk:{message.id}",
        "their request" if own else "your answer",
        message.text,
        Origin(Trust.PERSON, "conversation") if own else message.origin,
        message.at,
        learned=IN_DM if place.place is Place.DM else Learned(Reach.PRIVATE, place.channel_key),
    )
