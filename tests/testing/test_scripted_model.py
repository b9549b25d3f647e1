"""The scripted model replies in order, streams, holds back, and fails clearly."""

import asyncio

import pytest

from bot.domain.models import DeltaText, ModelDelta, ModelRequest, ModelSize
from bot.errors import ModelError, ModelTrouble
from bot.testing.scripted_model import BrokenHistory, ScriptedModel, ScriptEnded, call, calls, say


def ask(*texts: str) -> ModelRequest:
    roles = ("user", "assistant")
    return ModelRequest(
        (), (), tuple({"role": roles[n % 2], "content": text} for n, text in enumerate(texts)), 100
    )


def ignore(_: ModelDelta) -> None:
    return None


async def test_replies_come_in_order_and_requests_are_kept():
    model = ScriptedModel(
        [say("one"), call("echo", {"x": 1}, id="t1", text="I look."), lambda _: say("two")]
    )
    deltas: list[ModelDelta] = []
    assert (await model.sample(ask("a b"), deltas.append)).text == "one"
    second = await model.sample(ask("b"), deltas.append)
    assert second.stop_reason == "tool_use"
    assert second.content[1] == {"type": "tool_use", "id": "t1", "name": "echo", "input": {"x": 1}}
    assert (await model.sample(ask("c"), ignore)).text == "two"
    assert deltas == [DeltaText("one"), DeltaText("I"), DeltaText(" look.")]
    assert [request.messages[0]["content"] for request in model.requests] == ["a b", "b", "c"]
    assert model.left == 0
    assert model.name(ModelSize.MAIN) != model.name(ModelSize.CHEAP)


async def test_running_out_says_what_was_asked():
    with pytest.raises(ScriptEnded, match="tell me"):
        await ScriptedModel().sample(ask("tell me"), ignore)


async def test_errors_are_raised():
    model = ScriptedModel([ModelError(ModelTrouble("overloaded", "busy"))])
    with pytest.raises(ModelError, match="busy"):
        await model.sample(ask("a"), ignore)


async def test_a_held_reply_waits_for_its_event():
    model = ScriptedModel([say("late")])
    go = model.hold(1)
    task = asyncio.create_task(model.sample(ask("a"), ignore))
    assert (await model.asked(1)).messages == ask("a").messages
    assert not task.done()
    go.set()
    assert (await task).text == "late"


async def test_a_held_reply_can_be_cancelled():
    model = ScriptedModel([say("never"), say("next")])
    model.hold(1)
    task = asyncio.create_task(model.sample(ask("a"), ignore))
    await model.asked(1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await model.sample(ask("b"), ignore)).text == "next"


async def test_strict_refuses_a_broken_history():
    model = ScriptedModel([say("one"), say("two")], strict=True)
    await model.sample(ask("a"), ignore)
    with pytest.raises(BrokenHistory, match="append-only"):
        await model.sample(ask("A", "one", "b"), ignore)


def test_ids_are_new_unless_given():
    first, second = calls(("a", {}), ("a", {})).content
    assert first["id"] != second["id"]
    assert [block["id"] for block in calls(("a", {}), ("b", {}), ids=["x", "y"]).content] == [
        "x",
        "y",
    ]
