"""The place of the message that a call answers, and what its person may do there themself."""

from collections.abc import Awaitable, Callable, Sequence

from bot.domain.messages import Conversation
from bot.domain.tool_context import ToolContext
from bot.sessions.people.people import People
from bot.sessions.records.envelope import incoming_from_json


def standing_place(context: ToolContext) -> Conversation:
    """The channel, while the thread of the conversation is only opened by an answer."""
    if not context.envelope:
        return context.conversation
    return incoming_from_json(context.envelope).reply_to.stands_in


def accounts_here(people: People, context: ToolContext) -> Sequence[str]:
    """The ids on the platform of the person of a call."""
    reader = people.readers.of(context.person.id)
    return [one.id for one in reader.accounts_there(standing_place(context))]


async def any_may(
    accounts: Sequence[str],
    may: Callable[[str, Conversation], Awaitable[bool]],
    place: Conversation,
) -> bool:
    """Whether one of a person's accounts may do it there."""
    for account in accounts:
        if await may(account, place):
            return True
    return False
