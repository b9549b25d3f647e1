"""Asks the cheap model for the summary that a new epoch begins with."""

import logging
from dataclasses import dataclass

from bot.agents.cycle_log.events import Cycle
from bot.agents.prompt.system_prompt import PromptBuilder
from bot.agents.summaries.compaction import (
    CompactionSummary,
    Material,
    NoSummary,
    read_summary,
    readable_chars,
    summary_request,
)
from bot.domain.clock import Clock
from bot.domain.cycles import CycleEvent
from bot.domain.models import Model, ModelReply, ModelSize, Usage
from bot.errors import ModelError, ModelTrouble

log = logging.getLogger(__name__)

INSTRUCTIONS = "compact.md"


@dataclass(frozen=True)
class Summarised:
    """The result, its cost, and the events about it."""

    result: CompactionSummary | NoSummary | ModelTrouble
    usage: Usage
    events: tuple[CycleEvent, ...]
    answered_by: str = ""
    """The fallback that answered instead: its price counts."""

    @property
    def text(self) -> str:
        return self.result.text if isinstance(self.result, CompactionSummary) else ""

    @property
    def problem(self) -> str:
        """Why there is no summary, in words; empty when there is one."""
        match self.result:
            case CompactionSummary():
                return ""
            case NoSummary(reason):
                return reason
            case ModelTrouble():
                return f"the model could not write it ({self.result.kind})"

    @property
    def kind(self) -> str:
        return self.result.kind if isinstance(self.result, ModelTrouble) else ""


class Summariser:
    """One request of its own; a second one with less of the transcript if that was too long."""

    def __init__(self, model: Model, prompts: PromptBuilder, clock: Clock) -> None:
        self._model = model
        self._prompts = prompts
        self._clock = clock

    async def summarise(self, cycle: Cycle, key: str, material: Material) -> Summarised:
        """Never raises for model failures: these are a result."""
        instructions = await self._prompts.part(INSTRUCTIONS)
        first, second = readable_chars(self._model.capabilities.context_tokens)
        one = await self._ask(cycle, key, instructions, material, first)
        if not _too_long(one):
            return one
        two = await self._ask(cycle, f"{key}/shorter", instructions, material, second)
        return Summarised(
            two.result,
            one.usage + two.usage,
            one.events + two.events,
            two.answered_by or one.answered_by,
        )

    async def _ask(
        self, cycle: Cycle, key: str, instructions: str, material: Material, chars: int
    ) -> Summarised:
        text = material.render(chars)
        request = summary_request(
            instructions, text, material.origin, self._model.capabilities.context_tokens
        )
        name = self._model.name(ModelSize.CHEAP)
        asked = cycle.llm_request(
            key, model=name, messages=1, tools=0, max_tokens=request.max_tokens
        )
        started = self._clock.monotonic()
        try:
            reply = await self._model.sample(request, lambda _delta: None)
        except ModelError as error:
            failed = cycle.llm_error(key, str(error), self._ms(started))
            return Summarised(error.trouble, Usage(), (asked, failed))
        answered = cycle.llm_response(key, reply, self._ms(started))
        return Summarised(
            _read(reply, len(text)), reply.usage, (asked, answered), reply.answered_by
        )

    def _ms(self, started: float) -> int:
        return round((self._clock.monotonic() - started) * 1000)


def _read(reply: ModelReply, chars: int) -> CompactionSummary | NoSummary | ModelTrouble:
    if reply.stop_reason == "model_context_window_exceeded":
        return ModelTrouble("too_long", "the transcript does not fit the summariser's window")
    return read_summary(reply, chars)


def _too_long(summarised: Summarised) -> bool:
    return isinstance(summarised.result, ModelTrouble) and summarised.result.kind == "too_long"
