"""Structured answers of scripted models: the shortest valid one, or what a text asks for.

Such requests come from the background (summaries, distillation), so they take no reply of a script.
"""

import json
import re

from bot.domain.json_types import JsonObject, as_object
from bot.domain.models import ModelReply, ModelRequest, Usage
from bot.llm.blocks import blocks_of

_MARKED = re.compile(r"\b(fact|preference|error|goal):\s*([^\n.]+)", re.IGNORECASE)
_LISTS = {
    "fact": "FactsLearned",
    "preference": "PreferencesNoted",
    "error": "ErrorsEncountered",
    "goal": "ActiveGoals",
}


def structured_reply(request: ModelRequest) -> ModelReply:
    """Return an answer that the request's schema accepts.

    For a conversation's summary, `fact: …`, `preference: …`, `error: …` and `goal: …` in the quoted
    text fill the list of that name; `significance: 4` sets the significance.
    """
    text = "\n".join(
        str(block.get("text") or "") for message in request.messages for block in blocks_of(message)
    )
    answer = as_object(_smallest(request.answer_schema or {}))
    properties = as_object((request.answer_schema or {}).get("properties"))
    for kind, value in _MARKED.findall(text):
        name = _LISTS[kind.casefold()]
        if name in properties and value.strip() not in answer[name]:
            answer[name].append(value.strip())
    if "Significance" in properties and (found := re.search(r"significance: ([1-5])", text)):
        answer["Significance"] = int(found[1])
    content: JsonObject = {"type": "text", "text": json.dumps(answer, ensure_ascii=False)}
    return ModelReply((content,), "end_turn", Usage(100, 0, 0, 10), "scripted-cheap")


def _smallest(schema: JsonObject) -> object:
    """Return the smallest value that a schema accepts; texts are not empty."""
    if schema.get("enum"):
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            properties = as_object(schema.get("properties"))
            return {
                name: _smallest(as_object(properties[name]))
                for name in schema.get("required") or ()
            }
        case "array":
            return []
        case "integer" | "number":
            return 1
        case "boolean":
            return False
        case _:
            return "scripted"
