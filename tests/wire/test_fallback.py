"""A conversation goes over to the fallback and back, in each of the dialects that it may have."""

import json
from pathlib import Path

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, Unlock, Usage
from bot.errors import SettingsError
from bot.llm.fallback import Circuit, FallbackModel
from bot.llm.unlocking import through_dispatcher
from bot.loopback.messages_api import Answer, ErrorStatus, MessagesApi
from bot.loopback.messages_api.history_rules import HistoryRules
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.home_files import know
from bot.testing.scripted_model import call, say
from bot.testing.slack_house import HurriedClock
from bot.testing.tools import NO_SANDBOX

TOLD = "(My usual model is not available, so another one answers for now.)"
BUSY = ErrorStatus(529, "overloaded_error", "Overloaded")
NOTE: JsonObject = {"action": "add", "is_agent_note": False, "title": "water the plants"}
PRICED = "budgets: {total_day: {usd: 5}, prices: {spare: {input: 0, output: 1}}}\n"


def configure(home: Path, mode: Unlock, first: str, second: str, more: str = PRICED) -> None:
    know(home, ann="Friend")
    (home / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-test-0000000000000000\n")
    (home / "bellhop.yaml").write_text(
        f"model: {{provider: anthropic, base_url: '{first}', unlock: {mode},"
        f" fallback: {{name: spare, base_url: '{second}'}}}}\n"
        f"{NO_SANDBOX}{more}"
    )


def rules(mode: Unlock) -> HistoryRules:
    inline, append = mode is Unlock.INLINE, mode is Unlock.APPEND
    return HistoryRules(
        system_notes=inline, append_tools=append, append_deferred=append or mode is Unlock.REFERENCE
    )


def dispatching(reply: ModelReply) -> Answer:
    def given(body: JsonObject) -> ModelReply:
        content = through_dispatcher(reply.content, body.get("tools") or [])
        return ModelReply(content, reply.stop_reason, reply.usage, reply.model)

    return given


def circuit(house: Harness) -> Circuit:
    assert isinstance(house.app.model, FallbackModel)
    return vars(house.app.model)["_circuits"]["claude-sonnet-5-5"]


@pytest.mark.parametrize("mode", list(Unlock))
async def test_a_turn_is_ended_by_the_fallback_and_the_next_ones_go_on_in_the_first(
    mode: Unlock, tmp_path: Path
):
    thinking: JsonObject = {"type": "thinking", "thinking": "hm", "signature": "of-nobody"}
    odd = ModelReply((thinking, *say("Still here.").content), "end_turn", Usage(9, 0, 0, 9), "s")
    first: list[Answer] = [
        dispatching(call("tool_search", {"pattern": "manage_notes"})),
        *[BUSY] * 3,
        dispatching(call("manage_notes", {"action": "list", "is_agent_note": False})),
        say("One thing."),
    ]
    second: list[Answer] = [dispatching(call("manage_notes", NOTE)), say("It is noted."), odd]
    async with (
        MessagesApi(first, rules=rules(mode)) as api,
        MessagesApi(second, rules=HistoryRules(system_notes=False)) as spare,
    ):
        configure(tmp_path, mode, api.base_url, spare.base_url)
        async with running_app(tmp_path, None, FakeChat(), HurriedClock()) as house:
            assert await house.ask("ann", "note: water") == f"It is noted.\n\n{TOLD}"
            assert await house.ask("ann", "and now?") == "Still here."
            circuit(house).ask_soon()
            assert await house.ask("ann", "what are my notes?") == "One thing."
            rows = await house.app.database.read(
                "SELECT model, calls, output_tokens, nano_usd FROM usage"
            )
    assert api.refusals == spare.refusals == []
    assert len(api.requests) == 6
    assert "water the plants" in json.dumps(api.bodies[-1]["messages"])
    assert "of-nobody" not in json.dumps(api.bodies)
    used = {row["model"]: row for row in rows}
    assert used["spare"]["calls"] == used["claude-sonnet-5-5"]["calls"] == 3
    assert used["spare"]["nano_usd"] == used["spare"]["output_tokens"] * 1_000 > 0


async def test_a_price_that_is_not_known_is_asked_for_the_fallback_too(tmp_path: Path):
    configure(
        tmp_path, Unlock.APPEND, "http://h:1", "http://h:2", "budgets: {total_day: {usd: 5}}\n"
    )
    with pytest.raises(SettingsError, match="the price of spare is not known"):
        async with running_app(tmp_path, None, FakeChat()):
            pytest.fail("a budget in dollars was not held")
