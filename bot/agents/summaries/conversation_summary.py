"""Asks the cheap model for a structured summary of an ended conversation.

`ask_structured` makes a request with a fixed form of answer, for work that nobody waits for.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from bot.agents.prompt.notes import quote
from bot.agents.prompt.system_prompt import PromptBuilder
from bot.agents.summaries.compaction import least_trust, readable_chars
from bot.agents.summaries.transcript_text import entries, fitted
from bot.domain.json_types import JsonObject, as_object
from bot.domain.models import Model, ModelRequest, ModelSize, Usage
from bot.domain.origins import (
    ANSWERED_CONVERSATION,
    CONVERSATION,
    HANDED_ON,
    RECALLED,
    Origin,
)
from bot.domain.sessions import StoredBlock, TranscriptMessage, text_block
from bot.domain.summaries import SummaryFields
from bot.errors import ModelError
from bot.llm.plain_blocks import result_text
from bot.llm.unlocking import dispatched
from bot.memory.json_answer import answer_schema
from bot.memory.summaries.form import SummaryForm, TranscriptReading, read_form

T = TypeVar("T")
_WHOLE = frozenset({"end_turn", "stop_sequence", "stop"})


@dataclass(frozen=True)
class Tried(Generic[T]):
    """One try: the model's answer, or the reason why it can't be used."""

    value: T | None
    problem: str = ""
    usage: Usage = Usage()
    model_trouble: bool = False
    """The model itself failed, so a corrected request would not help."""
    answered_by: str = ""
    """The fallback that answered instead: its price counts."""


async def ask_structured(
    model: Model, request: ModelRequest, read: Callable[[str], T | str]
) -> Tried[T]:
    """Ask once; `read` returns the value, or the mistake in words.

    Never raises for model failures.
    """
    try:
        reply = await model.sample(request, lambda _delta: None)
    except ModelError as error:
        return Tried(None, str(error), model_trouble=True)
    name = reply.answered_by
    if reply.stop_reason not in _WHOLE:
        unfinished = _unfinished(reply.stop_reason)
        return Tried(None, unfinished, reply.usage, answered_by=name)
    value = read(reply.text)
    if isinstance(value, str):
        return Tried(None, value, reply.usage, answered_by=name)
    return Tried(value, "", reply.usage, answered_by=name)


def _unfinished(stop_reason: str) -> str:
    if stop_reason == "max_tokens":
        return "the answer was cut off because it was too long: write less"
    return f"the answer ended with {stop_reason}"


INSTRUCTIONS = "session_summary.md"
TOKENS = 4_096
_OF_OTHERS = (CONVERSATION, ANSWERED_CONVERSATION)


class ConversationSummariser:
    """One request per try; the caller decides how often."""

    def __init__(self, model: Model, prompts: PromptBuilder) -> None:
        self._model = model
        self._prompts = prompts

    @property
    def offline(self) -> bool:
        """Whether no model can understand a conversation."""
        return self._model.capabilities.offline

    @property
    def name(self) -> str:
        return self._model.name(ModelSize.CHEAP)

    async def summarise(
        self, messages: Sequence[TranscriptMessage], *, opening: int, goals: bool, problem: str = ""
    ) -> Tried[SummaryFields]:
        """Ask once about the part of a conversation that `readable` returned.

        `opening`: messages at the beginning with an earlier summary; `problem`: that of the
        previous try. Never raises for model failures.
        """
        instructions = await self._prompts.part(INSTRUCTIONS)
        chars, _ = readable_chars(self._model.capabilities.context_tokens)
        text = fitted(entries(messages[:opening]), entries(messages[opening:]), chars)
        request = summary_request(
            instructions, text, origin_of(messages), goals=goals, problem=problem
        )
        return await ask_structured(self._model, request, partial(read_form, goals=goals))


def summary_request(
    instructions: str, text: str, origin: Origin, *, goals: bool, problem: str = ""
) -> ModelRequest:
    """A request without tools, with the transcript as quoted data.

    The prompt states the form of the answer, and the server enforces it if possible.
    """
    order = "Write the summary of the quoted conversation now, as one JSON object with all fields."
    if not goals:
        order += " Leave ActiveGoals empty."
    if problem:
        order += f" Your last answer could not be used: {problem}."
    content = [quote("conversation", text, origin).block, text_block(order)]
    message: JsonObject = {"role": "user", "content": content}
    system, schema = (text_block(instructions),), answer_schema(SummaryForm)
    return ModelRequest(system, (), (message,), TOKENS, ModelSize.CHEAP, schema)


def readable(messages: Sequence[TranscriptMessage]) -> list[TranscriptMessage]:
    """The messages to learn from: without words and findings of others, and earlier memories.

    After a guest's words, the assistant's text and calls may repeat them, so those are left out as
    well and the person's own words stay trusted. If the person brought in text from outside, all of
    it is read and trusted no more than that text.
    """
    own = [_without(message, _of_others) for message in messages]
    calls = {
        one.block.get("id", "")
        for message in own
        for one in message.blocks
        if _repeats(message.role, one)
    }

    def tainted(role: str, stored: StoredBlock) -> bool:
        return _repeats(role, stored) or stored.block.get("tool_use_id") in calls

    vouched = [_without(message, tainted) for message in own]
    return own if origin_of(vouched).untrusted else vouched


def _without(
    message: TranscriptMessage, leaves: Callable[[str, StoredBlock], bool]
) -> TranscriptMessage:
    kept = tuple(stored for stored in message.blocks if not leaves(message.role, stored))
    return message if len(kept) == len(message.blocks) else replace(message, blocks=kept)


def _of_others(role: str, stored: StoredBlock) -> bool:
    if role != "user" or stored.block.get("type") != "text":
        return stored.origin.source in _OF_OTHERS
    return stored.origin.source in (*_OF_OTHERS, RECALLED, HANDED_ON)


def _repeats(role: str, stored: StoredBlock) -> bool:
    """Whether the assistant wrote this after it had read untrusted text."""
    return role == "assistant" and stored.origin.untrusted


def origin_of(messages: Iterable[TranscriptMessage]) -> Origin:
    """A summary is as little trusted as the least trusted text in the conversation."""
    return Origin(least_trust(list(messages)), "summary of a conversation")


def said_in(messages: Iterable[TranscriptMessage]) -> TranscriptReading:
    """What the person typed or said aloud, answers and calls; other blocks are ignored."""
    requests: list[str] = []
    answers: list[str] = []
    tools: list[str] = []
    errors: list[str] = []
    for message in messages:
        for stored in message.blocks:
            _gather(message.role, stored, requests, answers, tools, errors)
    return TranscriptReading(requests, answers, tuple(dict.fromkeys(tools)), errors)


def _gather(
    role: str,
    stored: StoredBlock,
    requests: list[str],
    answers: list[str],
    tools: list[str],
    errors: list[str],
) -> None:
    block = stored.block
    match block.get("type"):
        case "text" if role == "user" and stored.said.strip():
            requests.append(stored.said)
        case "text" if role == "assistant":
            answers.append(str(block.get("text") or ""))
        case "tool_use":
            name, arguments = dispatched(str(block.get("name")), as_object(block.get("input")))
            tools.append(name)
            if name == "finish_task" and arguments.get("answer"):
                answers.append(str(arguments["answer"]))
        case "tool_result" if block.get("is_error"):
            errors.append(result_text(block))
        case _:
            return
