"""The four ways of found tools to a model: real client, strict loopback Messages API."""

import json
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject, as_objects
from bot.domain.models import ModelReply, Unlock
from bot.llm.blocks import blocks_of
from bot.llm.unlocking import CALL_TOOL, added_tool, referenced_tools, through_dispatcher
from bot.loopback.messages_api import Answer, MessagesApi
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import call, calls, say, unlock
from bot.testing.tools import NO_SANDBOX

SUMMARY = (
    "<summary>\n## What the person wants\nTheir plants watered. "
    + "And so on. " * 40
    + "\n</summary>"
)
GREET = """\
# greet

## Description
Greet somebody by name.

## Parameters
{"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}

## Implementation
shell: greet.sh
"""
FOR_PARTNERS = (
    "# open_vault\n\n## Description\nOpen the vault.\n\n## Access\nPartner\n\n## "
    "Implementation\nshell: greet.sh\n"
)
MODES = list(Unlock)
NOTE = {"action": "add", "is_agent_note": False, "title": "water the plants"}
UTC, TOKYO = {"timezone": "UTC"}, {"timezone": "Asia/Tokyo"}


@asynccontextmanager
async def talking(
    home: Path, mode: Unlock, replies: Iterable[Answer | ModelReply], chat: FakeChat | None = None
) -> AsyncGenerator[tuple[MessagesApi, Harness]]:
    """An app whose model is a strict Messages API, which refuses nothing that it is asked."""
    async with MessagesApi(replies, rules=rules(mode)) as api:
        configure(home, mode, api.base_url)
        async with running_app(home, None, chat) as house:
            yield api, house
    assert api.refusals == []


def put(home: Path, name: str, text: str) -> None:
    folder = home / "prompts" / "tools" / "shared"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(text)
    (folder / "greet.sh").write_text("cat\n")


def configure(home: Path, mode: Unlock, url: str) -> None:
    know(home, ann="Friend")
    (home / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-test-0000000000000000\n")
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: anthropic, base_url: '{url}', unlock: {mode}}}\n{NO_SANDBOX}"
    )


def rules(mode: Unlock) -> HistoryRules:
    inline, append = mode is Unlock.INLINE, mode is Unlock.APPEND
    deferred = append or mode is Unlock.REFERENCE
    return HistoryRules(system_notes=inline, append_tools=append, append_deferred=deferred)


def script(*replies: ModelReply) -> list[Answer]:
    """Replies in the mode's form: with a dispatcher, undeclared tools go through it."""

    def answer(reply: ModelReply) -> Answer:
        def given(body: JsonObject) -> ModelReply:
            content = through_dispatcher(reply.content, body.get("tools") or [])
            return ModelReply(content, reply.stop_reason, reply.usage, reply.model)

        return given

    return [answer(reply) for reply in replies]


def declared_to(body: JsonObject) -> set[str]:
    """Tools whose definition the model has seen, by whatever way."""
    seen = {
        str(tool["name"]) for tool in as_objects(body["tools"]) if not tool.get("defer_loading")
    }
    blocks = [block for message in as_objects(body["messages"]) for block in blocks_of(message)]
    for block in blocks:
        if added := added_tool(block):
            seen.add(str(added["name"]))
        if block["type"] == "tool_result":
            seen.update(referenced_tools(block))
            if CALL_TOOL in seen:
                seen.update(
                    name for part in blocks_of(block) for name in defined_in(str(part["text"]))
                )
    return seen


def defined_in(text: str) -> list[str]:
    """Names of the tools that a result defines in words, in the text behind its own."""
    lines = text.splitlines()[1:] if text.startswith("Unlocked;") else []
    return [str(json.loads(line)["name"]) for line in lines]


def grows_only(bodies: list[JsonObject], mode: Unlock) -> None:
    """Each body continues the one before: the prefix byte for byte, messages at the end alone."""
    for before, after in pairwise(bodies):
        assert json.dumps(after["system"]) == json.dumps(before["system"])
        if mode is Unlock.APPEND:
            assert json.dumps(after["tools"][: len(before["tools"])]) == json.dumps(before["tools"])
        else:
            assert json.dumps(after["tools"]) == json.dumps(before["tools"])
        kept = after["messages"][: len(before["messages"])]
        assert json.dumps(kept) == json.dumps(before["messages"])


async def names_of_calls(house: Harness) -> list[str]:
    rows = await house.app.database.read(
        "SELECT data FROM cycle_events WHERE type = 'tool_call' ORDER BY rowid"
    )
    return [json.loads(row["data"])["tool_name"] for row in rows]


@pytest.mark.parametrize("mode", MODES)
async def test_found_tools_are_declared_called_and_kept_while_requests_only_grow(
    mode: Unlock, tmp_path: Path
):
    put(tmp_path, "open_vault", FOR_PARTNERS)
    replies = script(
        calls(("tool_search", {"pattern": "*notes"}), ("calculate", {"expression": "1"})),
        call("manage_notes", NOTE),
        say("It is noted."),
        unlock("knowledge_search", "open_vault", "calculate"),
        call("knowledge_search", {"query": "plants"}),
        say("Nothing."),
        calls(("open_vault", {}), ("current_time", UTC), ("schedule_task", {"actoin": "list"})),
        calls(("current_time", TOKYO), ("schedule_task", {"action": "list"})),
        call("manage_notes", {"action": "list", "is_agent_note": False}),
        say("One thing."),
    )
    async with MessagesApi(replies, rules=rules(mode)) as api:
        configure(tmp_path, mode, api.base_url)
        chat = FakeChat()
        async with running_app(tmp_path, None, chat) as house:
            assert await house.ask("ann", "note: water the plants") == "It is noted."
            assert await house.ask("ann", "what do you know of plants?") == "Nothing."
        async with running_app(tmp_path, None, chat) as house:
            assert await house.ask("ann", "what are my notes?") == "One thing."
    assert api.refusals == []
    grows_only(api.bodies, mode)
    found = {"manage_notes", "schedule_task"}
    assert found <= declared_to(api.bodies[-1])
    assert not found & declared_to(api.bodies[0])
    # By reference a call that ran keeps its result, and the definition stays deferred: the model
    # knew it already.
    assert ("current_time" in declared_to(api.bodies[-1])) == (mode is not Unlock.REFERENCE)
    history = json.dumps(api.bodies[-1]["messages"])
    assert "water the plants" in history
    assert "no tool named" in history
    assert "Unlocked now: current_time, schedule_task." in history
    assert "(UTC)" in history or "+00:00" in history
    assert "actoin" in history
    for definition in ("Agent Board (is_agent_note: true)", "a low one is often a chance match"):
        sent = history + json.dumps(api.bodies[-1]["tools"])
        assert sent.count(definition) <= 1, "a definition is sent once"
    assert "open_vault" not in json.dumps([body["tools"] for body in api.bodies])


@pytest.mark.parametrize("mode", MODES)
async def test_a_summary_begins_anew_with_the_unlocked_tools_declared(mode: Unlock, tmp_path: Path):
    replies = script(
        call("tool_search", {"pattern": "manage_notes"}),
        say("There it is. " * 60),
        say(SUMMARY),
        call("manage_notes", {"action": "list", "is_agent_note": False}),
        call("tool_search", {"pattern": "current_time"}),
        call("current_time", {}),
        say("Nothing, and it is late."),
    )
    async with talking(tmp_path, mode, replies) as (api, house):
        await house.ask("ann", "find my list, " + "please " * 300)
        assert (await house.command("ann", "compact")).startswith("Done")
        told = await house.ask("ann", "what is on it, and how late is it?")
    assert told == "Nothing, and it is late."
    again = [tool["name"] for tool in api.bodies[3]["tools"] if not tool.get("defer_loading")]
    assert "manage_notes" in again
    assert "current_time" in declared_to(api.bodies[-1])
    grows_only(api.bodies[3:], mode)


@pytest.mark.parametrize("mode", MODES)
async def test_a_tool_that_came_up_after_the_session_began_is_found_and_called(
    mode: Unlock, tmp_path: Path
):
    replies = script(
        say("Hello."),
        call("tool_search", {"query": "greet somebody"}),
        call("greet", {"who": "Ben"}),
        say("Done."),
    )
    async with talking(tmp_path, mode, replies) as (api, house):
        await house.ask("ann", "hello")
        put(tmp_path, "greet", GREET)
        await house.app.house.tooling.catalog.reload_changed()
        assert await house.ask("ann", "greet Ben") == "Done."
    assert "greet" in declared_to(api.bodies[-1])
    assert '"who": "Ben"' in json.dumps(api.bodies[-1]["messages"][-1]).replace('\\"', '"')


@pytest.mark.parametrize("mode", MODES)
async def test_more_turns_are_offered_and_can_be_asked_for(mode: Unlock, tmp_path: Path):
    zones = ("UTC", "Asia/Tokyo", "Asia/Seoul", "Europe/Oslo")
    rounds = [call("current_time", {"timezone": zone}) for zone in zones]
    rounds += [call("calculate", {"expression": f"{number} + 1"}) for number in range(4)]
    replies = script(
        *rounds,
        call("request_more_turns", {"reason": "more to do"}),
        call("tool_search", {"pattern": "x"}),
        say("All done."),
    )
    async with talking(tmp_path, mode, replies) as (api, house):
        assert await house.ask("ann", "a long task") == "All done."
        logged = await house.app.database.read_one(
            "SELECT data FROM cycle_events WHERE type = 'tool_turns_extended'"
        )
    assert logged is not None
    assert '"additional":5,"total":15,"reason":"more to do"' in logged["data"]
    assert "request_more_turns" in declared_to(api.bodies[8])
    early = "request_more_turns" in declared_to(api.bodies[0])
    assert early == (mode is Unlock.REFERENCE), "only what can't be declared later costs bytes"
    assert "granted: 5 more model calls" in json.dumps(api.bodies[-1]["messages"])


@pytest.mark.parametrize(("before", "after"), list(zip(MODES, [*MODES[1:], MODES[0]], strict=True)))
async def test_another_mode_after_a_restart_opens_a_session_of_its_own(
    before: Unlock, after: Unlock, tmp_path: Path
):
    chat = FakeChat()
    first = script(call("tool_search", {"pattern": "calculate"}), say("Found."))
    second = script(
        call("tool_search", {"pattern": "calculate"}),
        call("calculate", {"expression": "1+1"}),
        say("2"),
    )
    async with talking(tmp_path, before, first, chat) as (_, house):
        await house.ask("ann", "find the calculator")
    async with talking(tmp_path, after, second, chat) as (api, house):
        assert await house.ask("ann", "1+1?") == "2"
        rows = await house.app.database.read(
            "SELECT end_reason, dialect FROM sessions ORDER BY opened_at"
        )
    assert "find the calculator" in json.dumps(api.bodies[0]["messages"])
    assert [row["end_reason"] for row in rows] == ["model changed", None]


async def test_dispatched_calls_are_journalled_under_their_real_name(tmp_path: Path):
    wrapped = [
        call(CALL_TOOL, {"name": "calculate", "arguments": {"expression": "1"}}),
        call("tool_search", {"pattern": "calculate"}),
        call(CALL_TOOL, {"name": "calculate", "arguments": {"expression": "1 + 1"}}),
        call(CALL_TOOL, {"name": "calculate", "arguments": {"sum": "1 + 1"}}),
        call(CALL_TOOL, {"arguments": {}}),
        call(CALL_TOOL, {"name": CALL_TOOL, "arguments": {}}),
        say("Two."),
    ]
    async with talking(tmp_path, Unlock.DISPATCH, wrapped) as (api, house):
        assert await house.ask("ann", "1 + 1?") == "Two."
        assert await names_of_calls(house) == [
            "calculate", "tool_search", "calculate", "calculate", CALL_TOOL, CALL_TOOL
        ]  # fmt: skip
        shown = [update for live in house.chat.lives for update in live.updates]
    assert "'calculate'" in str(shown)
    locked, _, done, wrong, nameless, itself = [
        message["content"][0]["content"][0]["text"]
        for message in api.bodies[-1]["messages"]
        if message["content"][0]["type"] == "tool_result"
    ]
    assert locked.startswith("{"), "a call that fits needs no unlocking"
    assert "2" in done
    assert "calculate" in wrong
    assert "expression" in wrong
    assert "name" in nameless
    assert "call_tool calls other tools" in itself


@pytest.mark.parametrize("mode", MODES)
async def test_the_offline_model_understands_each_mode(mode: Unlock, tmp_path: Path):
    know(tmp_path, ann="Friend")
    (tmp_path / "bellhop.yaml").write_text(f"model: {{provider: offline, unlock: {mode}}}\n")
    async with running_app(tmp_path, None) as house:
        assert "water the plants" in await house.ask("ann", "add a todo: water the plants")
        assert "water the plants" in await house.ask("ann", "what is on my todo list?")
        assert "manage_todos" in await names_of_calls(house)
