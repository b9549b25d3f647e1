"""Files that tools make, posted where the answer is: once, whatever ends the process."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import assert_never

from bot.agents.control_tools.sending import require_clean
from bot.agents.loop.calls import ControlContext
from bot.domain.json_types import JsonObject
from bot.domain.messages import Delayed, Delivered, OutgoingFile, SendRefused
from bot.domain.origins import Trust
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolContext
from bot.domain.tool_outcomes import ToolResult
from bot.domain.turns import Recorded
from bot.files.paths import media_type_of
from bot.plugin.places import NewFile
from bot.tools.policy.redaction import Redaction


@dataclass(frozen=True)
class PostsFiles:
    """Implements `bot.plugin.places.PostFile`."""

    keep: Callable[[bytes], Awaitable[str]]
    """Stores the bytes of a file, and returns the name of their blob."""
    redaction: Redaction

    async def __call__(
        self,
        context: ToolContext,
        name: str,
        order: Callable[[], Awaitable[NewFile]],
        text: str = "",
    ) -> ToolResult:
        if not isinstance(context, ControlContext):
            raise TypeError(f"{context.call.name} was called outside of a run")

        async def make() -> Recorded:
            file = await order()
            require_clean(self.redaction, context, name, file.said, aloud=not context.private)
            data, note = await file.make()
            blob, mime = await self.keep(data), media_type_of(name)
            made = {"blob": blob, "mime": mime, "size": len(data), "note": note}
            return Recorded({**made, "trust": file.trust.value})

        kept: JsonObject = await context.turn.step(step_key(StepKind.HAND, context.call.key), make)
        delivery = await context.send(
            text or name,
            key=step_key(StepKind.SEND, context.call.key),
            trust=max(context.origin.trust, Trust(kept.get("trust", Trust.OPERATOR))),
            files=(OutgoingFile(name, str(kept["mime"]), str(kept["blob"])),),
        )
        note = f"; {kept['note']}" if kept["note"] else ""
        match delivery:
            case SendRefused(why):
                return ToolResult(
                    f"{name} is not posted, and not tried again: {why}", is_error=True
                )
            case Delayed(why):
                told = f"{name} is made and on its way, not posted yet: {why}. Don't make it again"
                return ToolResult(told + note)
            case Delivered():
                size = f"{int(kept['size']) / 1024:.0f} KB"
                return ToolResult(f"posted {name} ({size}){note}", summary=f"posted {name}")
            case _:
                assert_never(delivery)
