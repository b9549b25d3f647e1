"""Asks the memorymaster which parts of some summaries to remember, as structured output."""

import json
from collections.abc import Callable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from bot.agents.prompt.notes import quote
from bot.agents.summaries.conversation_summary import Tried, ask_structured
from bot.domain.agents import AgentDefinition
from bot.domain.json_types import JsonObject
from bot.domain.memory import MemoryEntry, Tier
from bot.domain.models import Model, ModelRequest
from bot.domain.origins import Origin, Trust
from bot.domain.sessions import text_block
from bot.domain.summaries import ConversationSummary
from bot.memory.distillation.routing import Group, Known, Proposed, number_of
from bot.memory.json_answer import answer_schema, read_answer
from bot.memory.summaries.form import to_json

MOST = 60
"""The most entries of one answer; later ones are ignored."""


class EntryForm(BaseModel):
    """One entry."""

    model_config = ConfigDict(extra="ignore")

    Tier: Literal["user", "agent", "shared"]
    Text: str = Field(min_length=1)
    Significance: int = Field(ge=1, le=5)
    Sources: list[str] = []
    Replaces: list[str] = []

    @field_validator("Sources", "Replaces", mode="before")
    @classmethod
    def _absent_list(cls, value: Any) -> Any:
        return [] if value is None else value


class DistilledForm(BaseModel):
    """The whole answer."""

    model_config = ConfigDict(extra="ignore")

    Entries: list[EntryForm]


def read_entries(text: str) -> list[Proposed] | str:
    """A model's answer as entries, or its mistake in words."""
    form = read_answer(text, DistilledForm)
    if isinstance(form, str):
        return form
    return [
        Proposed(
            Tier(entry.Tier),
            entry.Text,
            entry.Significance,
            tuple(entry.Sources),
            tuple(entry.Replaces),
        )
        for entry in form.Entries[:MOST]
    ]


MEMORYMASTER = "memorymaster"
KNOWN_CHARS = 8_000
"""Characters of existing memories, sent so that they aren't proposed again."""


def within_room(known: Sequence[Known]) -> list[Known]:
    """The newest existing memories, as many as fit."""
    left, found = KNOWN_CHARS, list[Known]()
    for one in reversed(known):
        left -= len(one.entry.text) + 24
        if left < 0:
            break
        found.append(one)
    return found[::-1]


def _line(entry: MemoryEntry) -> str:
    day = f"[{entry.day.isoformat()}] " if entry.day else ""
    return day + " ".join(entry.text.split())


def _as_json(summary: ConversationSummary) -> str:
    """The summary without empty fields."""
    said = {name: value for name, value in to_json(summary.fields).items() if value}
    return json.dumps(
        {"id": summary.id, "date": f"{summary.ended_at:%Y-%m-%d}", **said}, ensure_ascii=False
    )


class Distiller:
    """One request per try; the caller decides how often, and where the entries go."""

    def __init__(self, model: Model, memorymaster: Callable[[], AgentDefinition | None]) -> None:
        self._model = model
        self._memorymaster = memorymaster

    @property
    def agent(self) -> AgentDefinition | None:
        """The agent to ask; None without a language model, or if the operator disabled it."""
        return None if self._model.capabilities.offline else self._memorymaster()

    def model_name(self, agent: AgentDefinition) -> str:
        return self._model.name(agent.model)

    async def distil(
        self, agent: AgentDefinition, group: Group, known: Sequence[Known], problem: str = ""
    ) -> Tried[list[Proposed]]:
        """Ask once; `problem` is that of the previous try. Never raises for model failures."""
        return await ask_structured(
            self._model, distil_request(agent, group, known, problem), read_entries
        )


def distil_request(
    agent: AgentDefinition, group: Group, known: Sequence[Known], problem: str = ""
) -> ModelRequest:
    """The summaries and known entries as quoted data, then the instructions."""
    worst = max((summary.trust for summary in group.summaries), default=Trust.PERSON)
    lines = [_as_json(one) for one in group.summaries]
    origin = Origin(max(worst, Trust.PERSON), "summaries")
    blocks = [quote("summaries", "\n".join(lines), origin).block]
    if known:
        text = "\n".join(
            f"{number_of(n)} ({one.tier}) {_line(one.entry)}" for n, one in enumerate(known)
        )
        blocks.insert(0, quote("remembered already", text, Origin(Trust.MEMBER, "memory")).block)
    order = "Say what of the quoted summaries is worth remembering, as one JSON object."
    if not group.scope.shareable:
        order += " Everything goes to the tier user."
    if problem:
        order += f" Your last answer could not be used: {problem}."
    message: JsonObject = {"role": "user", "content": [*blocks, text_block(order)]}
    tokens = max(agent.max_tokens, 4_096)
    system, schema = (text_block(agent.prompt.strip()),), answer_schema(DistilledForm)
    return ModelRequest(system, (), (message,), tokens, agent.model, schema)
