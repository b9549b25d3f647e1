"""Keeps the history well-formed: every tool call answered, results first, notes only where they may stand."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from bot.agents.notes import system_note, text_block
from bot.agents.run import Run
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelReply, Unlock
from bot.domain.origins import BELLHOP
from bot.domain.sessions import StoredBlock, TranscriptMessage
from bot.domain.tools import ToolCall, ToolResult
from bot.llm.unlocking import tool_addition, tool_removal

STOPPED = "not run: the person stopped the turn"
SKIPPED_FINISHED = "skipped: finish_task ended the run"
SKIPPED_STEERED = "skipped: the person wrote something new meanwhile; read it first"
CUT_OFF = "not run: the reply was cut off before this call was complete; make it again, shorter"
NOT_RUN = "not run: the reply did not end in a tool round; make the call again if it is still needed"


def tool_calls(reply: ModelReply | TranscriptMessage, n: int) -> list[ToolCall]:
    """The calls of a reply, addressed by position in the journal, never by the id that a model server chose."""
    blocks = reply.content if isinstance(reply, ModelReply) else [stored.block for stored in reply.blocks]
    uses = [block for block in blocks if block.get("type") == "tool_use"]
    return [
        ToolCall(str(use.get("id")), str(use.get("name")), _arguments(use), f"tool:{n}.{position}")
        for position, use in enumerate(uses)
    ]


def _arguments(use: JsonObject) -> JsonObject:
    given: Any = use.get("input")
    return cast("JsonObject", given) if isinstance(given, dict) else {"": given}


def result_block(call_id: str, result: ToolResult) -> JsonObject:
    """A tool_result block; many compatible servers drop `is_error`, so the text says ERROR as well."""
    text = result.content if not result.is_error or result.content.startswith("ERROR") else f"ERROR: {result.content}"
    # Some servers refuse an empty text block.
    content: list[JsonObject] = [text_block(text or "(no output)"), *result.blocks]
    block: JsonObject = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**block, "is_error": True} if result.is_error else block


def stored_result(call_id: str, result: ToolResult) -> StoredBlock:
    return StoredBlock(result_block(call_id, result), result.origin, result.private)


def skipped(call: ToolCall, reason: str) -> StoredBlock:
    return stored_result(call.id, ToolResult(reason, is_error=True))


def append_user(
    run: Run,
    capabilities: ModelCapabilities,
    blocks: Sequence[StoredBlock],
    *,
    notes: Iterable[str] = (),
    declarations: Sequence[JsonObject] = (),
    removed: Sequence[str] = (),
) -> None:
    """Append one user message, then what the operator adds: notes and newly unlocked tools.

    In append mode the declarations go to the end of `run.tools`; in inline mode they follow as system blocks, so
    that the prefix doesn't change; `removed` tools are withdrawn the same way (`tools.unlock_scope: run`).
    """
    system: list[StoredBlock] = []
    user = list(blocks)
    for text in notes:
        if capabilities.system_notes:
            system.append(StoredBlock(text_block(text)))
        else:
            user.append(system_note(text))
    if declarations:
        if capabilities.unlock is Unlock.INLINE:
            system += [StoredBlock(tool_addition(declaration)) for declaration in declarations]
        else:
            run.tools = (*run.tools, *declarations)
    if capabilities.unlock is Unlock.INLINE:
        system += [StoredBlock(tool_removal(name)) for name in removed]
    else:
        run.tools = tuple(tool for tool in run.tools if tool.get("name") not in removed)
    run.append(TranscriptMessage("user", tuple(user)))
    run.append(TranscriptMessage("system", tuple(system)))


def close_open_round(run: Run, capabilities: ModelCapabilities, reason: str) -> None:
    """After a stop: answer the calls that were not run; keep the results, unlocked tools and words that were there."""
    last = run.history[-1] if run.history else None
    if last is None or last.role != "assistant":
        return
    calls = tool_calls(last, 0)
    if not calls:
        return
    results = [run.results.get(call.id) or skipped(call, reason) for call in calls]
    declarations, run.new_declarations = run.new_declarations, ()
    append_user(run, capabilities, [*results, *run.steered], declarations=declarations)
    run.steered.clear()


def assistant_message(run: Run, reply: ModelReply) -> TranscriptMessage:
    """A reply for the history, without blank text: models write it, and no server takes it back."""
    said = [block for block in reply.content if block.get("type") != "text" or str(block.get("text") or "").strip()]
    return TranscriptMessage("assistant", tuple(StoredBlock(block, run.origin, run.private) for block in said))


def closing_text(text: str) -> TranscriptMessage:
    """What stands for an answer when there was none, so that the next user message follows an assistant's."""
    return TranscriptMessage("assistant", (StoredBlock(text_block(text), BELLHOP),))
