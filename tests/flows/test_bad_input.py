"""Broken files and a confused model: the rest keeps working, and people understand why."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from bot.app import AppOptions, open_app
from bot.domain.models import ModelReply, Usage
from bot.errors import SettingsError
from bot.llm.build import build_model
from bot.llm.settings import ModelSettings
from bot.loopback.messages_api import (
    BadToolJson,
    Cut,
    ErrorStatus,
    Fault,
    MessagesApi,
    NoMessageDelta,
    StreamError,
)
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, calls, results, say, strict
from bot.testing.slack_house import HurriedClock

ECHO = "# echo\n\n## Description\nSay it again.\n\n## Implementation\nshell: echo.sh\n"


def put(home: Path, name: str, text: str | bytes) -> None:
    path = home / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())


BROKEN: tuple[tuple[str, str | bytes, list[str]], ...] = (
    ("prompts/tools/shared/bad1.md", "no heading", ["bad1.md", "# "]),
    (
        "prompts/tools/shared/bad2.md",
        "# bad2\n\n## Description\nx\n\n## Access\nFreind+\n",
        ["bad2.md", "Freind"],
    ),
    (
        "prompts/tools/shared/bad3.md",
        '# bad3\n\n## Description\nx\n\n## Parameters\n{"type": \n',
        ["bad3.md", "Param"],
    ),
    ("prompts/tools/shared/bad4.md", b"# bad4\n\xff\xfe", ["bad4.md", "UTF-8"]),
    (
        "prompts/agents/bad5.md",
        "---\ndescription: x\nturns: many\n---\n\nYou.\n",
        ["bad5.md, line 3", "turns"],
    ),
    ("prompts/agents/bad6.md", "---\ndescription: [\n---\n\nYou.\n", ["bad6.md"]),
    (
        "contacts.yaml",
        '- {id: ann, name: Ann, role: Frend, ids: {discord: ["ann"]}}',
        ["contacts.yaml", "Frend"],
    ),
    ("skills/bad/SKILL.md", "no front matter", ["bad/SKILL.md"]),
)


async def test_each_broken_file_is_named_and_the_rest_works(home: Path):
    for name, text, _ in BROKEN:
        put(home, name, text)
    put(home, "prompts/tools/shared/echo.md", ECHO)
    put(home, "prompts/tools/shared/echo.sh", "echo again")
    scripted = strict(call("tool_search", {"pattern": "echo"}), call("echo"), say("Said."))
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "echo") == "Said."
        problems = house.app.problems()
    for name, _, (file, *parts) in BROKEN:
        own = "\n".join(problem for problem in problems if file in problem)
        assert own, (name, problems)
        assert all(part in own for part in parts), (name, own)
    files = [file.partition(",")[0] for *_, (file, *_) in BROKEN]
    assert all(any(file in problem for file in files) for problem in problems), problems
    assert "again" in json.dumps(scripted.requests[2].messages)


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("bellhop.yaml", "model: {nmae: x}\n", ["bellhop.yaml, line 1", "nmae", "name"]),
        ("bellhop.yaml", "\nagents:\n  depth: deep\n", ["bellhop.yaml, line 3", "agents.depth"]),
        ("bellhop.yaml", "model: [\n", ["bellhop.yaml", "line"]),
        ("contacts.yaml", "- {id: ann\n", ["contacts.yaml", "line"]),
    ],
)
async def test_a_broken_settings_file_ends_the_start_in_one_sentence(
    name: str, text: str, named: list[str], home: Path
):
    put(home, name, text)
    with pytest.raises(SettingsError) as raised:
        async with open_app(AppOptions(home)):
            raise AssertionError("it started")
    assert all(part in str(raised.value) for part in named), raised.value


async def test_contacts_that_break_while_it_runs_keep_their_last_good_version(home: Path):
    async with running_app(home, ScriptedModel([say("One."), say("Two.")])) as house:
        assert await house.ask("ann", "hi") == "One."
        put(home, "contacts.yaml", "- {id: ann, role: Frend}\n")
        await house.app.contacts.reload_if_changed()
        [problem] = house.app.problems()
        assert "contacts.yaml" in problem
        assert "last good version" in problem
        assert await house.ask("ann", "still Friend?") == "Two."


async def test_wrong_arguments_are_told_to_the_model_and_the_person_is_answered(home: Path):
    odd = ModelReply(
        ({"type": "tool_use", "id": "toolu_odd", "name": "current_time", "input": "nonsense"},),
        "tool_use",
        Usage(),
        "x",
    )
    scripted = ScriptedModel(
        [
            call("save_fact", {"key": 3}),
            call("current_time", {"zone": {"a": []}, "frobnicate": 1}),
            odd,
            calls(("", {}), ("x" * 200, {}), ("tool_search", {})),
            say("Now I know."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "hi") == "Now I know."
    blocks = results(scripted.requests[-1])
    assert len(blocks) == 6
    assert all(block.get("is_error") for block in blocks), blocks


def silent(text: str) -> ModelReply:
    return ModelReply(({"type": "text", "text": text},), "end_turn", Usage(), "x")


NONSENSE: tuple[tuple[list[ModelReply], str], ...] = (
    ([say(""), say("")], "empty answer twice"),
    ([silent("  \n"), silent("\t")], "empty answer twice"),
    ([call("current_time", {}) for _ in range(12)], "in circles"),
    ([call("no_such_tool", {"n": n}) for n in range(25)], "used up the steps"),
    ([say("I won't.", stop_reason="refusal")], "declined"),
    ([say("Too", stop_reason="model_context_window_exceeded")], "/new"),
    ([say("As far as it goes", stop_reason="max_tokens")], "cut off at the length limit"),
)


async def test_nonsense_from_a_model_ends_in_words_and_the_next_message_works(home: Path):
    async with running_app(home, scripted := strict()) as house:
        for number, (replies, words) in enumerate(NONSENSE):
            scripted.replace(*replies)
            assert words in await house.ask(f"person{number}", "hi"), words
            scripted.replace(say("Back."))
            assert await house.ask(f"person{number}", "again") == "Back.", words


@asynccontextmanager
async def connected(
    home: Path, *answers: Fault | ModelReply
) -> AsyncGenerator[tuple[Harness, MessagesApi]]:
    async with MessagesApi(answers, respond=lambda _body: say("More.")) as api:
        wanted = ModelSettings(provider="compatible", name="loopback", base_url=api.base_url)
        model = build_model(wanted, lambda _: "key-of-the-loopback", attempts=1)
        try:
            async with running_app(home, model, FakeChat()) as house:
                yield house, api
        finally:
            await model.close()


FAULTS: tuple[tuple[Fault, str], ...] = (
    (Cut(say("This is long enough to be cut.")), "broke off"),
    (NoMessageDelta(say("No end.")), "broke off"),
    (StreamError("overloaded_error"), "overloaded"),
    (BadToolJson(), "can't read"),
    (ErrorStatus(401, "authentication_error"), "refused our key"),
    (ErrorStatus(429, "rate_limit_error", headers={"retry-after": "7"}), "request limit"),
    (ErrorStatus(400, "invalid_request_error"), "refused my request"),
)


async def test_a_failing_connection_is_explained_with_a_reference(home: Path):
    async with connected(home) as (house, api):
        for number, (fault, words) in enumerate(FAULTS):
            api.add(fault, say("Back."))
            answer = await house.ask(f"person{number}", "hi")
            assert words in answer
            assert "(reference t" in answer, words
            assert await house.ask(f"person{number}", "again") == "Back.", words
        assert api.refusals == []


async def test_a_reply_with_too_large_token_counts_is_still_an_answer(home: Path):
    large = replace(say("Hello."), usage=Usage(10**19, 10**30, -1, 10**19))
    async with connected(home, large, large) as (house, _):
        assert await house.ask("ann", "hi") == "Hello."
        assert await house.ask("ann", "once more") == "Hello."


async def test_a_reply_that_the_database_refuses_fails_its_turn_and_nothing_else(home: Path):
    large = replace(say("never kept"), usage=Usage(10**19))
    scripted = ScriptedModel([large, large, large, say("Back.")], strict=True)
    async with running_app(home, scripted, clock=HurriedClock()) as house:
        assert "something broke on my side" in await house.ask("ann", "hi")
        assert await house.ask("ben", "hi") == "Back."


async def test_a_number_that_no_database_holds_is_explained_to_the_model(home: Path):
    too_large = call("request_more_turns", {"additional": 10**19, "reason": "because"})
    scripted = ScriptedModel([too_large, say("Too large.")], strict=True)
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "hi") == "Too large."
    assert "too large a number" in json.dumps(scripted.requests[-1].messages)
