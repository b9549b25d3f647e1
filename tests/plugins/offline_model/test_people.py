"""The offline model looks into earlier runs, or asks the observer where it can't do so itself."""

import json
from collections.abc import Mapping

import pytest

from bot.domain.json_types import JsonObject
from bot.testing.offline_house import reply_to

RECENT = (
    "2026-11-21 09:00 UTC [error] 058b0000 send it\n2026-11-21 08:00 UTC [complete] 17aa0000 hello"
)
TREE = "058b0000 error\n  send failed"
SEARCH = {"tool_search": "No tools match."}


def tell(text: str, tools: Mapping[str, str]) -> tuple[str, list[tuple[str, JsonObject]]]:
    """The answer, and the calls that were made for it; each tool gives its fixed text."""
    messages: list[JsonObject] = [{"role": "user", "content": text}]
    declared = [
        {"name": name, "description": "x", "input_schema": {"type": "object"}} for name in tools
    ]
    made: list[tuple[str, JsonObject]] = []
    while True:
        body: JsonObject = {"model": "m", "tools": declared, "messages": messages}
        content = reply_to(json.loads(json.dumps(body)))["content"]
        if content[0]["type"] == "text":
            return content[0]["text"], made
        made += [(use["name"], use["input"]) for use in content]
        results = [
            {"type": "tool_result", "tool_use_id": use["id"], "content": tools[use["name"]]}
            for use in content
        ]
        messages += [
            {"role": "assistant", "content": content},
            {"role": "user", "content": results},
        ]


def test_earlier_runs_are_told_as_a_list():
    answer, made = tell("what went wrong just now?", {"recall_recent": RECENT})
    assert made == [("recall_recent", {"limit": 5})]
    assert [line for line in answer.splitlines() if line.startswith("- ")] == [
        f"- {x}" for x in RECENT.splitlines()
    ]


def test_a_tree_keeps_its_line_breaks():
    assert tell("explain cycle 058b0000", {"inspect_cycle": TREE})[0] == f"```text\n{TREE}\n```"


@pytest.mark.parametrize("more", [{}, SEARCH])
@pytest.mark.parametrize("text", ["What went wrong just now?", "Explain cycle 058b0000"])
def test_questions_on_earlier_runs_go_to_the_observer(text: str, more: dict[str, str]):
    answer, made = tell(text, {"agent_observer": "Nothing failed today.", **more})
    assert made[-1] == ("agent_observer", {"instruction": text.rstrip("?")})
    assert "> Nothing failed today." in answer


def test_without_an_observer_the_tool_is_missed():
    answer, made = tell("what went wrong just now?", SEARCH)
    assert answer.startswith("I can't do that for you here.")
    assert [call["pattern"] for _, call in made] == ["recall_recent", "agent_observer"]
