"""A model that follows named plans as a pure function of the request."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias, TypeVar

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, ModelSize
from bot.errors import ModelError
from bot.llm.blocks import blocks_of
from bot.llm.unlocking import through_dispatcher
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.testing.scripted_model import CAPABILITIES, NAME, BrokenHistory, say
from bot.testing.structured_answers import structured_reply

PlanStep: TypeAlias = ModelReply | Callable[[ModelRequest], ModelReply]
StepT = TypeVar("StepT")
_NAMED = re.compile(r"\bdo:([\w-]+)")


class PlanModel:
    """Implements `domain.models.Model`: follows the plan that a message names.

    A message with `do:<name>` begins a plan; each reply after it is the plan's next step.
    `plans["approval outcome"]` answers the message that tells how an approval ended. Past the end
    of a plan, and without one, `otherwise` gives the reply.
    Every request must follow the rules of the API and be append-only; `requests` records them.
    Measurements turn `checked` off, because checking and recording cost more than what they
    measure. If there is a dispatcher, calls of undeclared tools go through it. One model may serve
    several lives of a process, as a server does.
    """

    def __init__(
        self,
        plans: Mapping[str, Sequence[PlanStep]],
        *,
        otherwise: Callable[[ModelRequest], str] = lambda _request: "Done.",
        alive: Callable[[], None] = lambda: None,
        capabilities: ModelCapabilities = CAPABILITIES,
        checked: bool = True,
    ) -> None:
        self.requests: list[ModelRequest] = []
        self.structured: list[ModelRequest] = []
        """Requests for a structured answer; these follow no plan."""
        self.structure: Callable[[ModelRequest], ModelReply] = structured_reply
        self.capabilities = capabilities
        self._plans = plans
        self._otherwise = otherwise
        self._alive = alive
        self._rules = HistoryRules.of(capabilities)
        self._checked = checked

    def name(self, size: ModelSize) -> str:
        return NAME if size is ModelSize.MAIN else f"{NAME}-{size}"

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        """Return the next step. Raises BrokenHistory for a bad request, and `alive`'s errors."""
        self._alive()
        if request.answer_schema is not None:
            self.structured.append(request)
            return self.structure(request)
        if not self._checked:
            return self._reply(request)
        self.requests.append(request)
        if problem := self._rules.check(list(request.system), request.tools, request.messages):
            raise BrokenHistory(f"request {len(self.requests)}: {problem}")
        try:
            reply = self._reply(request)
        except ModelError:
            self._rules.refused()
            raise
        self._rules.replied(reply.content, reply.stop_reason)
        return reply

    def _reply(self, request: ModelRequest) -> ModelReply:
        chosen = planned(self._plans, request.messages)
        if chosen is None:
            return say(self._otherwise(request))
        reply = chosen if isinstance(chosen, ModelReply) else chosen(request)
        reply = replace(reply, content=through_dispatcher(reply.content, request.tools))
        return with_own_ids(reply, len(request.messages))

    def restarted(self) -> None:
        """Forget the last request: after a crash it may not be stored, and nothing continues it."""
        self._rules = HistoryRules.of(self.capabilities)

    async def close(self) -> None:
        """Do nothing: a server continues when its clients leave."""
        return


def planned(plans: Mapping[str, Sequence[StepT]], messages: Sequence[JsonObject]) -> StepT | None:
    """Return the step due after these messages; None without a plan, and past its end."""
    begun = begun_plan(messages)
    if begun is None:
        return None
    steps = plans.get(begun[0], ())
    return steps[begun[1]] if begun[1] < len(steps) else None


def begun_plan(messages: Sequence[JsonObject]) -> tuple[str, int] | None:
    """Return the plan that the newest message names, and the number of replies since."""
    for index in range(len(messages) - 1, -1, -1):
        name = _named(messages[index])
        if name is not None:
            later = messages[index + 1 :]
            return name, sum(message.get("role") == "assistant" for message in later)
    return None


def _named(message: JsonObject) -> str | None:
    if message.get("role") != "user":
        return None
    for block in reversed(blocks_of(message)):
        text = str(block.get("text") or "") if block.get("type") == "text" else ""
        if text.startswith("<quoted"):
            if text.startswith('<quoted kind="approval outcome"'):
                return "approval outcome"
            continue
        if found := _NAMED.findall(text):
            return str(found[-1])
    return None


def with_own_ids(reply: ModelReply, number: int) -> ModelReply:
    """Give the calls unique ids, because one session may follow a plan twice."""
    content = tuple(
        {**block, "id": f"toolu_{number}_{position}"} if block.get("type") == "tool_use" else block
        for position, block in enumerate(reply.content)
    )
    return replace(reply, content=content)
