"""What a person asked and was answered before, for `remember`."""

from collections.abc import Sequence

from bot.domain.database import Database
from bot.domain.memory import Recollection
from bot.domain.messages import Place
from bot.domain.origins import Origin, Trust
from bot.domain.places import Reach
from bot.domain.privacy import IN_DM, Learned
from bot.domain.tools import ToolContext
from bot.sessions.conversation_store import Said, said_with
from bot.sessions.envelope import incoming_from_json

SEARCHED = 500
"""Of a person's messages, and of the answers to them: the latest so many are looked through."""


class PastTalk:
    """Implements `Recalls` over the messages of conversations."""

    recalled_by = ""
    """No tool shows them: what somebody said and was told is theirs in every role."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def recall(self, context: ToolContext, query: str) -> Sequence[Recollection]:
        """What was said in a channel is for its readers: whether others may read it there is not known here."""
        asking = incoming_from_json(context.envelope).key if context.envelope else ""
        said = await said_with(self._database, context.person.id, SEARCHED, besides=asking)
        return [_recollection(one, context) for one in said]


def _recollection(said: Said, context: ToolContext) -> Recollection:
    message, place = said.message, said.conversation
    own = message.author == context.person.id
    return Recollection(
        "their request" if own else "your answer",
        message.text,
        Origin(Trust.PERSON, "conversation") if own else message.origin,
        message.at.date(),
        learned=IN_DM if place.place is Place.DM else Learned(Reach.PRIVATE, place.channel_key),
    )
