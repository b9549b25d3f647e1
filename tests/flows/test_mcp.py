"""Tools of a real MCP server in a conversation: found, unlocked, called, hidden from guests."""

import asyncio
import json
import os
import re
import signal
from base64 import b64decode
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.domain.access import Role
from bot.domain.json_types import JsonObject
from bot.domain.messages import Addressed, Place
from bot.domain.sessions import picture_name
from bot.plugins.mcp.server import ServerState
from bot.storage.blobs import Blobs
from bot.testing.contexts import NoTools
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import write_tool
from bot.testing.mcp_house import a_program, servers_of
from bot.testing.mcp_server import PIXEL
from bot.testing.scripted_model import ScriptedModel, call, say, whole
from bot.testing.tools import a_call, a_context, a_scope
from bot.testing.waiting import until


@pytest.fixture(autouse=True)
async def bounded() -> AsyncGenerator[None]:
    """No test here waits longer than this, whatever happens."""
    async with asyncio.timeout(60):
        yield


@asynccontextmanager
async def house_with_server(
    home: Path,
    scripted: ScriptedModel,
    chat: FakeChat | None = None,
    server: JsonObject | None = None,
) -> AsyncGenerator[Harness]:
    """A house with one server, `sums`, that was tried once."""
    servers = {"sums": server or a_program()}
    (home / "bellhop.yaml").write_text(yaml.safe_dump({"mcp": {"servers": servers}}))
    async with running_app(home, scripted, chat) as house:
        await house.app.house.tooling.servers.settled()
        yield house


async def test_one_that_may_write_is_asked_about_once_text_from_outside_is_there(home: Path):
    scripted = ScriptedModel(
        [
            call("mcp__sums__boom", {}),
            call("mcp__sums__add", {"a": 20, "b": 22}),
            call("mcp__sums__boom", {}),
            say("It waits for you."),
        ],
        strict=True,
    )
    async with house_with_server(home, scripted) as house:
        await house.ask("ben", "boil it, add, and boil it again")
    results = [json.dumps(request.messages[-3:]) for request in scripted.requests]
    assert "the kettle is dry" in results[1], "nothing from outside was there yet"
    assert "42" in results[2], "the server marks it as reading only"
    assert "waiting for approval" in results[3]


async def test_it_is_found_unlocked_and_called_without_changing_the_prefix(home: Path):
    scripted = ScriptedModel(
        [
            call("tool_search", {"pattern": "mcp__sums__*"}),
            call("mcp__sums__add", {"a": 20, "b": 22}),
            call("add", {"a": 1, "b": 1}),
            say("42 and 2."),
        ],
        strict=True,
    )
    async with house_with_server(home, scripted) as house:
        assert await house.ask("ben", "add 20 and 22, then 1 and 1") == "42 and 2."
    shown = [json.dumps(request.messages[-3:]) for request in scripted.requests]
    assert '"42"' in shown[2]
    assert '"2"' in shown[3]
    assert "mcp__sums__* (" in json.dumps(scripted.requests[0].system)
    for before, after in zip(scripted.requests, scripted.requests[1:], strict=False):
        assert (after.system, after.tools) == (before.system, before.tools)
        assert after.messages[: len(before.messages)] == before.messages


async def test_nothing_of_it_is_ever_sent_for_somebody_whose_role_lacks_it(home: Path):
    steps = [
        call("tool_search", {"pattern": "*"}),
        call("tool_search", {"query": "add two numbers, sums"}),
        call("get_capabilities", {}),
        call("add", {"a": 1, "b": 2}),
        say("No."),
    ]
    async with house_with_server(home, scripted := ScriptedModel()) as house:
        for who in ("stranger", "ann"):
            scripted.replace(*steps)
            assert await house.ask(who, "add one and two") == "No."
            assert "there is no tool named 'add' here" in whole(scripted.requests[-1])
    for request in scripted.requests:
        assert "mcp__" not in json.dumps([request.system, request.tools, request.messages])


async def test_a_file_says_more_about_a_servers_tool_and_opens_it_to_others(home: Path):
    takes = {"a": {"type": "integer"}, "b": {"type": "integer"}}
    write_tool(home, "plus", takes=takes, implementation="mcp: sums.add")
    scripted = ScriptedModel(
        [call("tool_search", {"pattern": "plus"}), call("plus", {"a": 20, "b": 22}), say("42.")],
        strict=True,
    )
    async with house_with_server(home, scripted) as house:
        assert await house.ask("ann", "add 20 and 22") == "42."
    assert '"42"' in json.dumps(scripted.requests[2].messages[-3:])


async def test_while_a_server_is_down_old_sessions_are_told_and_new_lack_it(home: Path):
    scripted = ScriptedModel(
        [call("tool_search", {"pattern": "mcp__sums__*"}), say("Found.")], strict=True
    )
    chat = FakeChat()
    async with house_with_server(home, scripted, chat) as house:
        assert await house.ask("ben", "what can you add?") == "Found."
    scripted.add(call("mcp__sums__add", {"a": 1, "b": 2}), say("It is down."))
    scripted.add(call("tool_search", {"pattern": "mcp__*"}), say("Nothing."))
    async with house_with_server(home, scripted, chat, {"command": "/no/such/program"}) as house:
        assert await house.ask("ben", "add one and two") == "It is down."
        assert await house.ask("owner", "what can you add?") == "Nothing."
    told = json.dumps(scripted.requests[3].messages[-3:])
    assert "mcp__sums__add did not run: the MCP server sums can't be reached" in told
    assert "mcp__" not in json.dumps(scripted.requests[4].system)
    assert "mcp__sums" not in json.dumps(scripted.requests[5].messages)


async def test_a_server_killed_during_a_call_leaves_the_turn_an_answer(home: Path):
    scripted = ScriptedModel([call("mcp__sums__wait", {}), say("Unknown.")], strict=True)
    async with house_with_server(home, scripted) as house:
        await house.chat.say("ben", "wait")
        await until(lambda: _process(house))
        found = _process(house)
        assert found is not None
        os.kill(int(found[1]), signal.SIGKILL)
        assert (await house.chat.until(1))[0].text == "Unknown."
        await until(lambda: servers_of(house.app).status()[0].state is ServerState.UP)
    assert "is unknown: don't repeat it blindly" in json.dumps(scripted.requests[1].messages[-3:])


def _process(house: Harness) -> re.Match[str] | None:
    return re.search(r"process (\d+)", str([live.updates for live in house.chat.lives]))


def asking() -> JsonObject:
    """A server that asks in mid-call; with the newer protocol one of this SDK can't."""
    return a_program(protocol="legacy")


async def test_a_question_of_the_server_goes_to_the_person_and_the_answer_back(home: Path):
    scripted = ScriptedModel([call("mcp__sums__ask", {}), say("Green it is.")], strict=True)
    async with house_with_server(home, scripted, server=asking()) as house:
        question = await house.meanwhile(house.chat.say("ben", "ask me for a colour"))
        assert question.startswith("The MCP server sums asks, for mcp__sums__ask: “Which colour?”")
        assert await house.ask("ben", "green") == "Green it is."
        rows = await house.rows("SELECT key, state FROM inbox ORDER BY id")
    assert [row["state"] for row in rows] == ["done", "joined"]
    assert "the answer was accept: green" in json.dumps(scripted.requests[-1].messages)


async def test_who_answers_it_is_answered_though_nobody_was_named(home: Path):
    silent = call("finish_task", {"answer": "It is for Ann.", "status": "silent"})
    scripted = ScriptedModel(
        [say("Hello."), call("mcp__sums__ask", {}), silent, say("Green it is.")], strict=True
    )
    there: dict[str, Any] = {"where": "thread", "place": Place.THREAD}
    async with house_with_server(home, scripted, server=asking()) as house:
        await house.ask("ann", "hello", **there)
        overheard = {**there, "addressed": Addressed.FOLLOWED}
        await house.meanwhile(house.chat.say("ben", "a colour, somebody?", **overheard))
        await house.chat.say("ben", "green", **overheard)
        await house.until_idle()
        assert house.chat.texts[-1] == "Green it is."


async def test_a_replay_neither_asks_again_nor_reuses_the_answer(home: Path):
    """The process goes when the answer was used; in its next life the call gives what it gave."""
    chat = FakeChat()
    first = ScriptedModel([call("mcp__sums__ask", {})])
    async with house_with_server(home, first, chat, server=asking()) as house:
        await house.meanwhile(house.chat.say("ben", "ask me for a colour"))
        hold = first.hold(2)
        await chat.say("ben", "green")
        await first.asked(2)
        del hold
    second = ScriptedModel([say("Green it is.")])
    async with house_with_server(home, second, chat, server=asking()) as house:
        await house.until_idle()
        await chat.until(2)
        await house.until_idle()
    assert [post.text.split(",")[0] for post in chat.posts] == [
        "The MCP server sums asks",
        "Green it is.",
    ]
    assert "the answer was accept: green" in json.dumps(second.requests[0].messages)
    assert len(second.requests) == 1


async def test_stop_ends_a_call_that_waits_for_an_answer(home: Path):
    scripted = ScriptedModel(
        [
            call("mcp__sums__ask", {}),
            call("mcp__sums__add", {"a": 1, "b": 1}),
            say("2"),
        ]
    )
    async with house_with_server(home, scripted, server=asking()) as house:
        await house.meanwhile(house.chat.say("ben", "ask me for a colour"))
        assert "topping" in await house.command("ben", "stop")
        assert await house.ask("ben", "1 + 1?") == "2"


async def test_questions_of_two_calls_at_once_are_asked_to_nobody(home: Path):
    scripted = ScriptedModel([call("mcp__sums__ask", {}), say("Declined.")])
    async with house_with_server(home, scripted, server=asking()) as house:
        owner = servers_of(house.app)
        definition = next(
            tool
            for tool in owner.definitions(a_scope(Role.PARTNER))
            if tool.name == "mcp__sums__wait"
        )
        started = asyncio.Event()

        def on_progress(_line: str) -> None:
            started.set()

        context = replace(a_context(NoTools(), a_call("mcp__sums__wait")), progress=on_progress)
        other = asyncio.create_task(owner.call(definition, context))
        await started.wait()
        assert await house.ask("ben", "ask me for a colour") == "Declined."
        other.cancel()
        await asyncio.wait({other})
    assert "the answer was decline" in json.dumps(scripted.requests[-1].messages)


async def test_a_picture_of_a_server_is_posted_by_its_name(home: Path):
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    name = picture_name({"type": "image", "source": source})
    post = {"text": "The chart.", "file": name}
    scripted = ScriptedModel(
        [
            call("mcp__sums__show", {}),
            call("send", {**post, "file": "picture-00000000.png"}),
            call("send", post),
            say("Done."),
        ]
    )
    async with house_with_server(home, scripted) as house:
        await house.tell("ben", "show me the chart")
        (posted,) = [post for post in house.chat.posts if post.message.files]
        (file,) = posted.message.files
        assert (file.name, file.mime, posted.text) == (name, "image/png", "The chart.")
        assert await Blobs(home / "data" / "blobs").get(file.blob) == b64decode(PIXEL)
        assert f"send posts it here with the file {name}" in json.dumps(
            scripted.requests[2].messages
        )
        assert "there is no 'picture-00000000.png'" in json.dumps(scripted.requests[3].messages)
