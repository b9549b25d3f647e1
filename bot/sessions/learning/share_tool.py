"""The tool `share_memory`: proposes one sentence, which only its person's yes shares."""

from dataclasses import replace

from pydantic import BaseModel, ConfigDict

from bot.domain.tool_context import NativeTool, ToolContext
from bot.domain.tool_outcomes import Deferred, NeedsApproval, ToolOutcome, ToolResult
from bot.domain.tools import Risk
from bot.errors import ToolError
from bot.sessions.learning.sharing import Sharing, as_entry
from bot.tools.permission.grants import SHARE_MEMORY

REASON = "it tells this text to everybody named there"
FROM_OUTSIDE = (
    "text from outside is in this conversation, so nothing is shared on your word; the person can "
    "share their own words with /share TEXT"
)


class ShareMemory(BaseModel):
    """Arguments of `share_memory`."""

    model_config = ConfigDict(extra="forbid")

    text: str
    seen_by: str | None = None
    """Who will see it: filled in for the card."""


def share_memory_tool(sharing: Sharing) -> NativeTool[ShareMemory]:
    """Asks with a card in every case, and writes only after the person's own yes to its text."""

    async def run(context: ToolContext, given: ShareMemory) -> ToolOutcome:
        text = as_entry(given.text)
        audience = sharing.audience(context.location)
        if problem := sharing.problem(text, context.person, context.location):
            raise ToolError(problem)
        if context.origin.untrusted:
            raise ToolError(FROM_OUTSIDE)
        if not context.confirmed:
            return _question(context, {"text": text, "seen_by": audience.words})
        if (given.text, given.seen_by) != (text, audience.words):
            raise ToolError(
                "the card did not say who would see it now; call it again with seen_by: "
                f"{audience.words}"
            )
        done = await sharing.share(context.person, text, audience.workspace)
        return ToolResult(done.said, unit=done.unit, summary="shared a sentence")

    return NativeTool(SHARE_MEMORY, ShareMemory, run)


def _question(context: ToolContext, shown: dict[str, object]) -> NeedsApproval | Deferred:
    call = replace(context.call, arguments=shown)
    if not context.run.shape.person_present:
        return Deferred(call, REASON, Risk.EXTERNAL_WRITE)
    return NeedsApproval(call, Risk.EXTERNAL_WRITE, REASON, 0)
