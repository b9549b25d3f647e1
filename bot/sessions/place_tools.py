"""Tools for what a place on a platform has beside messages, such as polls.

The place of the message that a call answers, and the accounts that its person has there, for
plug-ins. follow_thread: leave a thread when told to in words, or follow it again.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.domain.access import INNER_RANK
from bot.domain.database import Unit
from bot.domain.messages import Conversation, Place, ReplyTarget
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.sessions.people.people import People
from bot.sessions.records.conversation_store import follow_write, leave_write
from bot.sessions.records.envelope import incoming_from_json
from bot.tools.native.registry import Needs, ToolRegistration


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


class FollowArguments(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True, frozen=True)

    action: Literal["leave", "follow"]


def following() -> ToolRegistration:
    """What `/leave` and `/follow` do, in threads alone and for who talks with the assistant."""
    return ToolRegistration(
        (NativeTool("follow_thread", FollowArguments, _run, pure=True),), Needs(also=_in_thread)
    )


def _in_thread(scope: ToolScope) -> bool:
    return scope.in_thread and scope.depth == 0


async def _run(context: ToolContext, given: FollowArguments) -> ToolResult:
    here = context.conversation
    if here.place is not Place.THREAD:
        raise ToolError("this is no thread; in a channel only a mention is answered")
    if given.action == "leave":
        return ToolResult(
            "left: only a mention or a reply is answered here from now on; /follow undoes it",
            unit=Unit.of(leave_write(here.key)),
        )
    if context.person.role.rank < INNER_RANK:
        raise ToolError("only members can have a thread followed; a mention is answered")
    return ToolResult(
        "following: everything here is answered without a mention",
        unit=Unit.of(follow_write(here.key, again=True)),
    )
