"""Where the message stands that a call answers."""

from bot.domain.messages import Conversation
from bot.domain.tool_context import ToolContext
from bot.sessions.records.envelope import incoming_from_json


def standing_place(context: ToolContext) -> Conversation:
    """The channel, while the thread of the conversation is only opened by an answer."""
    if not context.envelope:
        return context.conversation
    return incoming_from_json(context.envelope).reply_to.stands_in
