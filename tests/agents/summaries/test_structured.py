"""An answer of a fixed form is used, or the next try is told what to do better."""

import json
from dataclasses import replace

import pytest

from bot.agents.summaries.conversation_summary import ask_structured
from bot.agents.summaries.distiller import MEMORYMASTER, EntryForm
from bot.domain.models import ModelRequest, ModelSize
from bot.memory.json_answer import answer_schema
from bot.memory.summaries.form import SummaryForm
from bot.shipped import shipped_dir
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import say

REQUEST = ModelRequest((), (), (), 100, ModelSize.CHEAP, {"type": "object"})
SUMMARY_CHARS = 2_300


def _size(text: str) -> int | str:
    return len(text) or "nothing"


@pytest.mark.parametrize(
    ("stop_reason", "problem"),
    [
        ("max_tokens", "the answer was cut off because it was too long: write less"),
        ("refusal", "the answer ended with refusal"),
    ],
)
async def test_an_answer_that_is_not_whole_is_not_used(stop_reason: str, problem: str):
    model = PlanModel({})
    model.structure = lambda _request: replace(say("{}"), stop_reason=stop_reason)
    tried = await ask_structured(model, REQUEST, _size)
    assert (tried.value, tried.problem) == (None, problem)
    assert not tried.model_trouble


def test_the_prompts_name_each_field_of_their_answers():
    prompts = shipped_dir("prompts")
    summary = (prompts / "system" / "session_summary.md").read_text(encoding="utf-8")
    described = [line[2:].split(":")[0] for line in summary.splitlines() if line.startswith("- ")]
    assert described == list(answer_schema(SummaryForm)["properties"])
    assert len(summary) <= SUMMARY_CHARS
    entry = answer_schema(EntryForm)["properties"]
    order = json.dumps([*entry]).strip("[]")
    persona = (prompts / "agents" / f"{MEMORYMASTER}.md").read_text(encoding="utf-8")
    assert f'{{"Entries": [{{{order}}}]}}' in persona
