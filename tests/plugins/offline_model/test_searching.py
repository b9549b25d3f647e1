"""The offline model searches: what people said, by whom and when."""

import json

import pytest

from bot.domain.json_types import JsonObject
from bot.testing.offline_house import reply_to

HIT = {
    "type": "chat",
    "where": "#general",
    "by": "Ben",
    "when": "2026-11-20T15:58+01:00",
    "text": "500 euros",
    "link": "u",
}


def tell(text: str, found: JsonObject) -> tuple[str, JsonObject]:
    """The answer, and the arguments of the search that was made for it."""
    tools = [{"name": "search", "description": "x", "input_schema": {"type": "object"}}]
    messages: list[JsonObject] = [{"role": "user", "content": text}]
    content = reply_to({"model": "m", "tools": tools, "messages": messages})["content"]
    assert content[0]["name"] == "search"
    result = {"type": "tool_result", "tool_use_id": content[0]["id"], "content": json.dumps(found)}
    messages += [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
    answer = reply_to({"model": "m", "tools": tools, "messages": messages})["content"]
    return answer[0]["text"], content[0]["input"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "what did Ben say about the budget?",
            {"query": "budget", "entityType": "chat", "from": "Ben"},
        ),
        ("What did we say about the new budget?", {"query": "new budget", "entityType": "chat"}),
        (
            "what did I write about Rome yesterday",
            {"query": "Rome", "from": "me", "after": "yesterday"},
        ),
        (
            "what was said about the roof last week?",
            {"query": "roof", "after": "last week", "before": "last week"},
        ),
        ("search for budget", {"query": "budget"}),
        ("search the chat for budget", {"query": "budget"}),
        ("find messages about the launch in March", {"query": "launch", "after": "in March"}),
    ],
)
def test_wishes_become_arguments(text: str, asked: JsonObject):
    _, made = tell(text, {"hits": []})
    assert asked.items() <= made.items()
    assert ("after" in made) == ("after" in asked)


def test_hits_are_told_with_who_where_when_and_a_link():
    own = {**HIT, "by": "the asker"}
    answer, _ = tell("search for budget", {"hits": [HIT, own], "leftOut": "1 more is private"})
    assert answer == (
        "About budget:\n\n"
        "- Ben, #general, Friday 20 November 2026, 15:58: “500 euros” (u)\n"
        "- you, #general, Friday 20 November 2026, 15:58: “500 euros” (u)\n\n"
        "1 more is private."
    )


def test_nothing_found_is_said_as_what_the_person_may_read():
    answer, _ = tell("search for budget", {"hits": []})
    assert answer == "I found nothing about budget that you may read here."
