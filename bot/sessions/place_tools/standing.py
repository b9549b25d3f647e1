"""The place of the message that a call answers, and the accounts that its person has there."""

from collections.abc import Sequence

from bot.domain.messages import Conversation, ReplyTarget
from bot.domain.tool_context import ToolContext
from bot.sessions.people.people import People
from bot.sessions.records.envelope import incoming_from_json


def answer_target(context: ToolContext) -> ReplyTarget:
    """Where the answer to the message of a call goes."""
    return incoming_from_json(context.envelope).reply_to


async def may_read_there(people: People, context: ToolContext, place: Conversation) -> bool:
    """Whether the person of a call can read a place now."""
    return await people.readers.may_read(context.person.id, place)


def standing_place(context: ToolContext) -> Conversation:
    """The channel, while the thread of the conversation is only opened by an answer."""
    if not context.envelope:
        return context.conversation
    return incoming_from_json(context.envelope).reply_to.stands_in


def accounts_here(people: People, context: ToolContext) -> Sequence[str]:
    """The ids on the platform of the person of a call."""
    reader = people.readers.of(context.person.id)
    return [one.id for one in reader.accounts_there(standing_place(context))]
