"""A conversation over a real socket: the real client against the strict loopback Messages API."""

import json
from pathlib import Path

import pytest

from bot.domain.messages import Attachment
from bot.loopback.messages_api import Cut, ErrorStatus, MessagesApi, StreamError
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.scripted_model import call, calls, say

INLINE = "model: {{provider: anthropic, base_url: '{url}', unlock: inline, system_notes: true}}\n"
APPEND = "model: {{provider: compatible, name: local, base_url: '{url}', unlock: append}}\n"


def configure(home: Path, settings: str, url: str) -> None:
    (home / "bellhop.yaml").write_text(settings.format(url=url))
    (home / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-test-0000000000000000\n")


@pytest.mark.parametrize("settings", [INLINE, APPEND], ids=["inline", "append"])
async def test_tools_questions_delegation_and_files_over_the_wire(settings: str, tmp_path: Path):
    script = [
        call("tool_search", {"pattern": "*todo*"}),
        calls(
            ("manage_todos", {"action": "create", "title": "water the plants"}),
            ("save_fact", {"key": "k", "value": "v"}),
        ),
        say("It is on your list."),
        call(
            "ask_user_for_clarification",
            {"question": "Which plants?", "options": ["all", "the fern"]},
        ),
        say("Only the fern, then."),
        call("agent_observer", {"instruction": "what happened last?"}),
        call("recall_recent", {"limit": 1}),
        say("A todo was added."),
        say("The observer says a todo was added."),
        say("The file says hello."),
    ]
    rules = HistoryRules(system_notes=settings is INLINE, append_tools=settings is APPEND)
    chat = FakeChat()
    chat.files["f"] = b"hello from a file"
    async with MessagesApi(script, rules=rules) as api:
        configure(tmp_path, settings, api.base_url)
        async with running_app(tmp_path, None, chat) as house:
            assert await house.ask("ann", "remind me to water the plants") == "It is on your list."
            assert await house.ask("ann", "which did I mean?") == "Which plants?"
            assert await house.ask("ann", "the fern") == "Only the fern, then."
            assert await house.ask("ann", "what happened?") == "The observer says a todo was added."
            files = (Attachment("f", "note.txt", "text/plain", 17),)
            assert await house.ask("ann", "read this", attachments=files) == "The file says hello."
        assert api.refusals == []
        assert "hello from a file" in json.dumps(api.bodies[-1]["messages"])
        assert "sk-ant" not in json.dumps(api.bodies)


async def test_failures_of_the_wire_are_survived_or_explained(tmp_path: Path):
    script = [
        Cut(say("half a sen")),
        say("Whole again."),
        StreamError("overloaded_error"),
        say("After overload."),
        ErrorStatus(401),
    ]
    async with MessagesApi(script) as api:
        configure(tmp_path, INLINE, api.base_url)
        async with running_app(tmp_path, None) as house:
            assert await house.ask("ann", "one") == "Whole again."
            assert await house.ask("ann", "two") == "After overload."
            answer = await house.ask("ann", "three")
    assert "refused our key" in answer
    assert "sk-ant" not in answer
