"""follow_thread: leave a thread when told to in words, or follow it again."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from bot.domain.access import INNER_RANK
from bot.domain.database import Unit
from bot.domain.messages import Place
from bot.domain.tool_context import NativeTool, ToolContext, ToolScope
from bot.domain.tool_outcomes import ToolResult
from bot.errors import ToolError
from bot.sessions.records.conversation_store import follow_write, leave_write
from bot.tools.native.registry import Needs, ToolRegistration


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
