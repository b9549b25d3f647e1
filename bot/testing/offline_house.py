"""A small loop around the offline model, for tests: tools with fixed answers, and a person."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from bot.domain.json_types import JsonObject
from bot.domain.models import Model, ModelDelta, ModelRequest
from bot.llm.unlocking import tool_addition
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.plugins.offline_model.answering import answer, request_of
from bot.plugins.offline_model.script import ROUNDS_MAX
from bot.testing.fake_clock import FakeClock

Tool: TypeAlias = Callable[[JsonObject], Any]
SYSTEM: tuple[JsonObject, ...] = ({"type": "text", "text": "You are Bellhop."},)
NOTE = (
    "Now 2026-11-21 10:00 +0100 (Europe/Berlin, Saturday). Speaker: Ann (Friend). "
    "Place: a terminal."
)


class Failed(Exception):
    """Raised by a test's tool to return an error result."""


def declaration(name: str) -> JsonObject:
    return {
        "name": name,
        "description": f"{name}.",
        "input_schema": {"type": "object", "properties": {}},
    }


@dataclass
class House:
    """Runs the loop: declares tools, runs calls, keeps a strict history."""

    model: Model
    tools: dict[str, Tool]
    hidden: dict[str, Tool] = field(default_factory=dict[str, Tool])
    made: list[tuple[str, JsonObject]] = field(default_factory=list[tuple[str, JsonObject]])
    history: list[JsonObject] = field(default_factory=list[JsonObject])
    deltas: list[ModelDelta] = field(default_factory=list[ModelDelta])
    rules: HistoryRules = field(default_factory=HistoryRules)

    async def tell(self, text: str) -> str:
        """Tell the model something; return its final answer."""
        return await self.tell_message(user(text))

    async def tell_message(self, words: JsonObject) -> str:
        self.made.clear()
        self.history += [words, {"role": "system", "content": [{"type": "text", "text": NOTE}]}]
        declared = tuple(
            declaration(name) for name in [*self.tools, "tool_search"] if name not in self.hidden
        )
        for _ in range(ROUNDS_MAX + 3):
            request = ModelRequest(SYSTEM, declared, tuple(self.history), 1000)
            if problem := self.rules.check(list(SYSTEM), declared, self.history):
                raise AssertionError(problem)
            reply = await self.model.sample(request, self.deltas.append)
            self.history.append({"role": "assistant", "content": list(reply.content)})
            if reply.stop_reason != "tool_use":
                return reply.text
            self._run(reply.content)
        raise AssertionError("it went on for ever")

    def _run(self, content: tuple[JsonObject, ...]) -> None:
        results: list[JsonObject] = []
        added: list[JsonObject] = []
        for use in content:
            self.made.append((use["name"], use["input"]))
            result: JsonObject = {"type": "tool_result", "tool_use_id": use["id"]}
            try:
                if use["name"] == "tool_search":
                    given, names = self._search(use["input"]["pattern"])
                    added += [tool_addition(declaration(name)) for name in names]
                else:
                    given = self.tools[use["name"]](use["input"])
                text = given if isinstance(given, str) else json.dumps(given)
                results.append({**result, "content": [{"type": "text", "text": text}]})
            except Failed as error:
                text = f"ERROR: {error}"
                results.append(
                    {**result, "content": [{"type": "text", "text": text}], "is_error": True}
                )
        self.history.append({"role": "user", "content": results})
        if added:
            self.history.append({"role": "system", "content": added})

    def _search(self, pattern: str) -> tuple[JsonObject, list[str]]:
        names = [name for name in self.hidden if name == pattern]
        for name in names:
            self.tools[name] = self.hidden[name]
        matches = [{"name": name, "description": f"{name}."} for name in names]
        return {"matches": matches, "unlocked": names, "total": len(names)}, names


def reply_to(body: JsonObject) -> JsonObject:
    """The message with which the offline model answers a body of the Messages API."""
    reply = answer(request_of(body), FakeClock().now())
    return {"content": list(reply.content), "stop_reason": reply.stop_reason}


def user(text: str) -> JsonObject:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


TODOS = [
    {"id": "aaa111", "title": "buy milk", "status": "open", "priority": "medium"},
    {
        "id": "bbb222",
        "title": "call Ann",
        "status": "open",
        "priority": "high",
        "dueDate": "2026-11-23",
    },
    {"id": "ccc333", "title": "call Bob", "status": "open", "priority": "medium"},
    {"id": "ddd444", "title": "pay rent", "status": "done", "priority": "medium"},
]


def manage_todos(given: JsonObject) -> Any:
    if given["action"] == "list":
        return {"todos": TODOS}
    known = next(
        (todo for todo in TODOS if todo["id"] == given.get("todoId")),
        {"id": "new", "status": "open"},
    )
    return {
        **known,
        **{key: value for key, value in given.items() if key not in {"action", "todoId"}},
    }


def manage_notes(given: JsonObject) -> Any:
    notes = [
        {"note_id": "n1", "title": "wifi", "body": "on the fridge"},
        {"note_id": "n2", "title": "printer"},
    ]
    return (
        {"board": "user", "notes": notes}
        if given["action"] == "list"
        else {**given, "note_id": "n3"}
    )


KEPT: list[JsonObject] = [{"id": "knowledge:k1", "kind": "knowledge", "text": "My bike is blue."}]


def read_file(given: JsonObject) -> str:
    if given["path"] != "/documents/plan.md":
        raise Failed(
            f"there is no file {given['path']}; write_file makes it, list_directory shows others"
        )
    return "first step\n"


TOOLS: dict[str, Tool] = {
    "manage_todos": manage_todos,
    "manage_notes": manage_notes,
    "knowledge_store": lambda _: {"id": "k1", "stored": True},
    "knowledge_search": lambda given: {
        "results": [{"content": "My bike is blue."}] if "bike" in given["query"] else []
    },
    "remember": lambda given: KEPT if "bike" in given.get("query", "") else [],
    "forget": lambda given: {"removed": [entry for entry in KEPT if entry["id"] in given["ids"]]},
    "current_time": lambda given: {
        "local": "2026-11-21T10:00:00+01:00",
        "weekday": "Saturday",
        "timezone": given.get("timezone") or "Europe/Berlin",
    },
    "calculate": lambda given: {"expression": given["expression"], "result": "87"},
    "read_file": read_file,
    "write_file": lambda given: f"created {given['path']}",
    "edit_file": lambda given: f"changed 1 place in {given['path']}",
    "delete_file": lambda given: f"deleted {given['path']}",
    "list_directory": lambda _: "plan.md (11 bytes)\ntrips/",
    "save_fact": lambda given: f"saved for this session: {given['key']}",
    "send": lambda _: "sent",
    "get_capabilities": lambda _: {"tools": [{"name": "send", "one_liner": "Post a message now."}]},
    "ask_user_for_clarification": lambda _: "buy bread",
    "agent_observer": lambda _: "Nothing failed today.",
}
