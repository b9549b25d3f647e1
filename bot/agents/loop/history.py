"""The history of a run: kept well-formed for the next request, and read for lessons at its end.

Well-formed means: all calls are answered, results come first, notes stand where they are allowed.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from bot.agents.prompt.notes import quote, system_note
from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelReply, Unlock
from bot.domain.origins import Origin, Trust, shown
from bot.domain.places import Reach
from bot.domain.privacy import PUBLICLY, Learned
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.domain.step_keys import StepKind, step_key
from bot.domain.tool_context import ToolScope
from bot.domain.tool_outcomes import ToolResult, Unlocked
from bot.domain.tools import ToolCall
from bot.llm.unlocking import (
    CALL_TOOL,
    definitions_text,
    dispatched,
    grown_tools,
    tool_addition,
    tool_references,
    tool_removal,
)
from bot.tools.catalog.past_requests import normalised
from bot.tools.catalog.past_requests_store import Lesson
from bot.tools.permission.gate import POLICY_REFUSAL
from bot.tools.permission.provenance import texts_of
from bot.tools.toolset.toolset import Toolset

SEARCH = "tool_search"

STOPPED = "not run: the person stopped the turn"
INTERRUPTED = "was stopped; whether it took effect is unknown"
SKIPPED_FINISHED = "skipped: finish_task ended the run"
SKIPPED_STEERED = "skipped: the person wrote something new meanwhile; read it first"
CUT_OFF = "not run: the reply was cut off before this call was complete; make it again, shorter"
NOT_RUN = (
    "not run: the reply did not end in a tool round; make the call again if it is still needed"
)


@dataclass
class History:
    """What the model sees of a run: a frozen prefix, and messages that only grow at their end."""

    system: tuple[JsonObject, ...] = ()
    tools: tuple[JsonObject, ...] = ()
    messages: list[TranscriptMessage] = field(default_factory=list[TranscriptMessage])
    requested: list[JsonObject] = field(init=False)
    """The messages in the form of requests."""
    trust: Trust = field(init=False)
    """The least trusted origin in it."""

    def __post_init__(self) -> None:
        self.requested = [message.api for message in self.messages]
        self.trust = max([message.trust for message in self.messages], default=Trust.OPERATOR)

    @property
    def answered(self) -> bool:
        """Whether the agent had the last word."""
        return bool(self.messages) and self.messages[-1].role == "assistant"

    def holds(self, text: str) -> bool:
        """Whether the model has this text before it, in a note or in a result of JSON."""
        forms = (text, json.dumps(text, ensure_ascii=False)[1:-1])
        return any(
            form in part
            for message in self.messages
            for stored in message.blocks
            for part in texts_of(stored.block)
            for form in forms
        )

    def append(self, message: TranscriptMessage) -> None:
        """Add a message; an empty one (a reply without content) is left out."""
        if message.blocks:
            self.messages.append(message)
            self.requested.append(message.api)
            self.trust = max(self.trust, message.trust)

    def append_user(
        self,
        capabilities: ModelCapabilities,
        blocks: Sequence[StoredBlock],
        *,
        notes: Iterable[str] = (),
        declarations: Sequence[JsonObject] = (),
        removed: Sequence[str] = (),
    ) -> None:
        """Add one user message, then the operator's additions: notes and newly unlocked tools.

        In inline mode declarations follow as system blocks, in append mode they go to the end of
        `tools`; the other two declare them in the results. `removed` tools (`tools.unlock_scope:
        run`) are withdrawn in the same places; without such a place, only the gate blocks them.
        """
        system: list[StoredBlock] = []
        user = list(blocks)
        for text in notes:
            if capabilities.system_notes:
                system.append(StoredBlock(text_block(text)))
            else:
                user.append(system_note(text))
        if capabilities.unlock is Unlock.INLINE:
            system += [StoredBlock(tool_addition(declaration)) for declaration in declarations]
            system += [StoredBlock(tool_removal(name)) for name in removed]
        elif declarations:
            self.tools = grown_tools(capabilities.unlock, self.tools, declarations)
        if capabilities.unlock is Unlock.APPEND and removed:
            self.tools = tuple(tool for tool in self.tools if tool.get("name") not in removed)
        self.append(TranscriptMessage("user", tuple(user)))
        self.append(TranscriptMessage("system", tuple(system)))

    def append_reply(self, reply: ModelReply, origin: Origin, *, private: bool) -> None:
        """Add a reply without blank text: models write it, but servers refuse it."""
        said = [
            StoredBlock(block, origin, private)
            for block in reply.content
            if block.get("type") != "text" or str(block.get("text") or "").strip()
        ]
        self.append(TranscriptMessage("assistant", tuple(said)))

    def close_open_round(self, capabilities: ModelCapabilities) -> None:
        """Answer the calls of a last reply whose round never began."""
        if self.answered and (calls := tool_calls(self.messages[-1], 0, capabilities.unlock)):
            self.append_user(capabilities, [skipped(call, STOPPED) for call in calls])

    def results_of(self, calls: Sequence[ToolCall]) -> list[JsonObject]:
        """The result blocks that these calls have in it, in their order."""
        found = {
            block.get("tool_use_id"): block
            for message in self.messages[-4:]
            for block in message.api["content"]
        }
        return [found[call.id] for call in calls if call.id in found]


def tool_calls(reply: ModelReply | TranscriptMessage, n: int, unlock: Unlock) -> list[ToolCall]:
    """The calls of a reply, keyed by position in the journal, never by the server's id.

    A call through the dispatcher has its real name here, so that nothing later sees the dispatcher.
    """
    blocks = (
        reply.content
        if isinstance(reply, ModelReply)
        else [stored.block for stored in reply.blocks]
    )
    calls: list[ToolCall] = []
    for use in blocks:
        if use.get("type") == "tool_use":
            key = step_key(StepKind.TOOL, f"{n}.{len(calls)}")
            calls.append(ToolCall(str(use.get("id")), *_named(use, unlock), key))
    return calls


def _named(use: JsonObject, unlock: Unlock = Unlock.DISPATCH) -> tuple[str, JsonObject]:
    """The tool and the arguments of a call, also of one through the dispatcher."""
    name, given = str(use.get("name")), use.get("input")
    arguments = cast("JsonObject", given) if isinstance(given, dict) else {"": given}
    if name == CALL_TOOL and unlock is Unlock.DISPATCH:
        return dispatched(name, arguments)
    return name, arguments


def result_block(call_id: str, result: ToolResult) -> JsonObject:
    """A tool_result block; many compatible servers drop `is_error`, so the text says ERROR as well.

    A refusal by policy has a fixed text, so that it reveals nothing else. Texts of others can't
    pose as quotes or notes of Bellhop; the person's own files are read as they are.
    """
    plain = (
        not result.is_error
        or result.content.startswith("ERROR")
        or result.content == POLICY_REFUSAL
    )
    text = result.content if plain else f"ERROR: {result.content}"
    text = shown(text, result.origin)
    # Some servers refuse an empty text block.
    content: list[JsonObject] = [text_block(text or "(no output)"), *result.blocks]
    block: JsonObject = {"type": "tool_result", "tool_use_id": call_id, "content": content}
    return {**block, "is_error": True} if result.is_error else block


def stored_result(call_id: str, result: ToolResult) -> StoredBlock:
    return StoredBlock(result_block(call_id, result), result.origin, result.private)


def unlocking_result(
    call_id: str, result: ToolResult, unlock: Unlock
) -> tuple[StoredBlock, list[StoredBlock]]:
    """A result with its unlocked tools in the mode's form, and the text to follow the results.

    In reference mode the block contains only references: no documentation allows more beside them.
    """
    stored = stored_result(call_id, result)
    for effect in result.effects:
        match effect:
            case Unlocked(called=True) if unlock is Unlock.REFERENCE and not result.is_error:
                pass  # a block of references has no room for the call's result
            case Unlocked(declarations, hint) if unlock is Unlock.REFERENCE:
                referring = replace(
                    stored, block={**stored.block, "content": tool_references(declarations)}
                )
                if hint is None:
                    return referring, [
                        quote("tool result", result.content, result.origin, private=result.private)
                    ]
                return referring, [system_note(hint)] if hint else []
            case Unlocked(declarations) if unlock is Unlock.DISPATCH:
                return with_definitions(stored, declarations), []
            case _:
                pass
    return stored, []


def with_definitions(stored: StoredBlock, declarations: Sequence[JsonObject]) -> StoredBlock:
    """A result that also defines tools in words, for models that call them by dispatcher."""
    content = [*stored.block["content"], text_block(definitions_text(declarations))]
    return replace(stored, block={**stored.block, "content": content})


def skipped(call: ToolCall, reason: str) -> StoredBlock:
    return stored_result(call.id, ToolResult(reason, is_error=True))


# --- what an answered request teaches about finding tools (docs/rules.md#finding-tools) ---


def taught(
    messages: Sequence[TranscriptMessage], words: str, toolset: Toolset, scope: ToolScope
) -> Lesson:
    """Which found tools served which request, by the messages of a run that answered it.

    `words` are the person's. The model's search terms count as a request too, because it will
    search in the same way again.
    """
    person = scope.person.id
    blocks = [stored.block for message in messages for stored in message.blocks]
    failed = {block.get("tool_use_id") for block in blocks if block.get("is_error")}
    calls = [
        _named(block)
        for block in blocks
        if block.get("type") == "tool_use" and block.get("id") not in failed
    ]
    tools = [tool.name for name, _ in calls if (tool := toolset.find(name)) is not None]
    found = tuple(dict.fromkeys(name for name in tools if name in toolset.unlocked))
    if not found:
        return Lesson(person)
    asked = [words, *(str(given.get("query") or "") for name, given in calls if name == SEARCH)]
    requests = tuple(dict.fromkeys(request for text in asked if (request := normalised(text))))
    # Public places are one: a request in one of them counts in all.
    learned = Learned.at(scope.location)
    return Lesson(person, found, requests, PUBLICLY if learned.reach is Reach.PUBLIC else learned)
