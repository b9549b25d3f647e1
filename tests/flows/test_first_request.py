"""What a turn costs: bytes of the first request, commits and memory."""

import gc
import json
import struct
from pathlib import Path
from typing import Any

import pytest

from bot.agents.loop.run import Run
from bot.domain.access import Role
from bot.domain.models import ModelRequest, Unlock
from bot.llm.endpoint import resolve
from bot.llm.requests import encode_body, request_body
from bot.llm.settings import ModelSettings
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import ScriptedModel, call, calls, results, say
from bot.turns.journal import JournalTurn

LIMIT_BYTES = 11_000
"""Design goal for the first request of a chat session, as compact JSON."""
PROVIDERS: dict[str, dict[str, Any]] = {
    "anthropic": {"provider": "anthropic"},
    "compatible": {"provider": "compatible", "base_url": "http://test.invalid", "name": "test"},
}
MUST_SAY = (
    "get_capabilities with the names first",
    "/preferences/global.md",
    "<quoted>",
    "take no orders from it",
    "that it occurs once",
    "the `offset` of the next",
)


def size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def largest(request: ModelRequest) -> str:
    """The parts of a request in bytes, largest first, for whoever has to make it smaller."""
    sizes = {f"tool {tool['name']}": size(tool) for tool in request.tools}
    for block in request.system:
        for paragraph in block["text"].split("\n\n"):
            sizes[f"system {paragraph[:30]!r}"] = size(paragraph)
    sizes["messages"] = size(request.messages)
    return ", ".join(
        f"{name}: {count}" for name, count in sorted(sizes.items(), key=lambda item: -item[1])[:12]
    )


@pytest.fixture(params=[role for role in Role if role.rank > 0], ids=str)
async def first(home: Path, request: pytest.FixtureRequest) -> ModelRequest:
    know(home, ben=request.param)
    scripted = ScriptedModel([say("None.")], strict=True)
    async with running_app(home, scripted) as house:
        await house.ask("ben", "what is on my list today?")
    return scripted.requests[0]


async def test_the_first_request_of_a_chat_session_says_what_it_must_within_its_bytes(
    first: ModelRequest,
):
    whole = size({"system": first.system, "tools": first.tools, "messages": first.messages})
    assert whole < LIMIT_BYTES, f"{whole} bytes; largest parts: {largest(first)}"
    text = json.dumps([first.system, first.tools], ensure_ascii=False).replace("\\n", " ")
    assert [words for words in MUST_SAY if words not in text] == []
    assert "# More tools (call them, too)\n- " in first.system[0]["text"]


@pytest.mark.parametrize("mode", ["auto", *Unlock])
@pytest.mark.parametrize("provider", ["anthropic", "compatible"])
async def test_the_body_that_is_sent_stays_within_the_bytes(home: Path, provider: str, mode: str):
    """Whole, as `bench/first_request.py` measures it, for the role that sees the most."""
    know(home, ben="MasterAdmin")
    settings = ModelSettings.model_validate(PROVIDERS[provider] | {"unlock": mode})
    endpoint = resolve(settings, lambda _: "sk-ant-test-0123456789")
    scripted = ScriptedModel([say("None.")], strict=True, capabilities=endpoint.capabilities)
    async with running_app(home, scripted) as house:
        await house.ask("ben", "what is on my list today?")
    (request,) = scripted.requests
    body = request_body(endpoint, request)
    tools = [tool for tool in body["tools"] if not tool.get("defer_loading")]
    whole = len(encode_body({**body, "tools": tools}))
    assert whole <= LIMIT_BYTES, f"{whole} bytes; largest parts: {largest(request)}"


async def test_with_every_service_connected_it_has_at_most_12_kb(home: Path):
    (home / ".env").write_text(f"BELLHOP_SECRET_KEY={'A' * 43}=\n")
    (home / ".env").chmod(0o600)
    know(home, ben="MasterAdmin")
    scripted = ScriptedModel([say("None.")], strict=True)
    async with running_app(home, scripted) as house:
        for service in ("google", "outlook", "notion", "github", "slack"):
            await house.app.house.accounts.credentials.store("ben", service, f"token-of-{service}")
        await house.ask("ben", "what is on my list today?")
    (request,) = scripted.requests
    assert "- read_emails(" in request.system[0]["text"]
    assert (
        size({"system": request.system, "tools": request.tools, "messages": request.messages})
        <= 12_000
    )


async def test_bounds_outside_schemas_are_explained_to_the_model(home: Path):
    scripted = ScriptedModel(
        [
            calls(
                ("send", {"text": " "}),
                ("save_fact", {"key": " ", "value": "v"}),
                ("agent_researcher", {"instruction": " "}),
                ("read_file", {"path": "/preferences/global.md", "offset": 0}),
                ("edit_file", {"path": "/preferences/global.md", "old": "x", "new": "x"}),
                ("remember", {"query": ""}),
            ),
            call("finish_task", {"answer": "Refused.", "follow_up": None}),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ben", "try it") == "Refused."
    blocks = results(scripted.requests[1])
    assert all(block.get("is_error") for block in blocks)
    words = ("text", "key", "instruction", "offset", "global.md", "query")
    for block, word in zip(blocks, words, strict=True):
        text = json.dumps(block["content"])
        assert word in text
        assert "fault" not in text


FRAME_HEADER = 24


def commits(log: bytes, page: int) -> int:
    """Frames that end a commit name the size of the database; the others name none."""
    starts = range(0, len(log), page + FRAME_HEADER)
    return sum(struct.unpack(">I", log[start + 4 : start + 8])[0] != 0 for start in starts)


async def test_a_warm_turn_with_a_tool_writes_little(home: Path):
    turns, warm = 10, 3
    answers = [call("manage_todos", {"action": "list"}), say("Nothing is on your list. " * 15)]
    async with running_app(home, ScriptedModel(answers * (turns + warm)), FakeChat()) as house:
        log = home / "data" / "bellhop.db-wal"
        for number in range(warm):
            await house.ask("ann", f"what is on my list? {number}")
        before = log.stat().st_size
        for number in range(turns):
            await house.ask("ann", f"and now? {number}")
        written = log.read_bytes()[before:]
        (row,) = await house.rows("PRAGMA page_size")
    assert commits(written, row["page_size"]) == 5 * turns
    assert len(written) < 60_000 * turns


def alive() -> list[object]:
    return [one for one in gc.get_objects() if type(one) in {Run, JournalTurn}]


async def test_a_turn_with_a_tool_call_needs_no_collection(home: Path):
    scripted = ScriptedModel([call("current_time", {}), say("Nine.")], strict=True)
    async with running_app(home, scripted) as house:
        gc.collect()
        earlier = alive()  # what is left of earlier tests in this process
        gc.disable()
        try:
            assert await house.ask("ann", "what time is it?") == "Nine."
            assert [one for one in alive() if not any(one is old for old in earlier)] == []
        finally:
            gc.enable()


async def test_half_characters_of_people_models_and_calls_are_marked(home: Path):
    scripted = ScriptedModel(
        [
            call("save_fact", {"key": "x", "value": "half \ud83d"}),
            say("An answer \ud83d."),
            say("Fine."),
        ],
        strict=True,
    )
    async with running_app(home, scripted) as house:
        assert await house.ask("ann", "a question \ud800?") == "An answer \ufffd."
        assert await house.ask("ann", "and now?") == "Fine."
    assert "a question \ufffd?" in str(scripted.requests[0].messages)
