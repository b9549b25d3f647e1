"""A server's questions during a call: its words, readings of answers, missing answers."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.plugins.mcp.questions import ANSWER_S, QuestionDesk
from bot.plugins.mcp.remote import Ask, RemoteAnswer, RemoteQuestion, RemoteResult


class Somebody:
    """Answers in order; None is silence, and past the end they never answer."""

    waited_s = 0.0

    def __init__(self, *answers: str | None) -> None:
        self.asked: list[str] = []
        self.begun = asyncio.Event()
        self._answers = list(answers)

    async def __call__(self, text: str, *, seconds: float) -> str | None:
        assert seconds == ANSWER_S
        self.asked.append(text)
        self.begun.set()
        if not self._answers:
            await asyncio.Event().wait()
        return self._answers.pop(0)


async def answer(
    somebody: Somebody | None, question: RemoteQuestion, times: int = 1
) -> list[RemoteAnswer | None]:
    """What the server gets; None when it was never asked for, because nobody is there."""
    got: list[RemoteAnswer | None] = []

    async def call(ask: Ask | None) -> RemoteResult:
        got.extend([None if ask is None else await ask(question) for _ in range(times)])
        return RemoteResult(())

    await QuestionDesk("shop", "mcp__shop__buy", somebody).serve(call)
    return got


def form(required: Sequence[str] = (), **properties: JsonObject) -> RemoteQuestion:
    return RemoteQuestion(
        "Some details?", {"type": "object", "properties": properties, "required": list(required)}
    )


async def test_without_anybody_to_ask_the_server_gets_a_no():
    assert await answer(None, form(a={"type": "string"})) == [None]


async def test_fields_are_asked_in_turn_and_the_servers_words_are_marked():
    person = Somebody("Ann", "42", "skip", "yes", "Green")
    question = form(
        ["name"],
        name={"type": "string", "title": "Your name", "description": "As on the card"},
        age={"type": "integer"},
        weight={"type": "number"},
        member={"type": "boolean"},
        colour={"type": "string", "enum": ["red", "green"]},
    )
    assert await answer(person, question) == [
        RemoteAnswer("accept", {"name": "Ann", "age": 42, "member": True, "colour": "green"})
    ]
    first = person.asked[0]
    assert first.startswith("The MCP server shop asks, for mcp__shop__buy: “Some details?”\n")
    assert "“Your name” (“As on the card”): a text, or no to refuse" in first
    assert "skip" not in first
    assert "skip" in person.asked[1]
    assert "one of red, green" in person.asked[-1]


@pytest.mark.parametrize(
    ("field", "said", "value"),
    [
        ({"type": "number"}, "2,5", 2.5),
        ({"type": "boolean"}, "No.", False),
        ({"type": "boolean"}, "Ja", True),
        ({"type": "string"}, "anything at all", "anything at all"),
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]}, "beta", "b"),
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]}, "b", "b"),
        ({"type": "string", "oneOf": [{"const": "x", "title": "The X"}]}, "the x", "x"),
        ({"type": "string", "enum": ["yes", "no"]}, "no", "no"),
        (
            {"type": "array", "items": {"type": "string", "enum": ["tea", "milk"]}},
            "Tea, milk",
            ["tea", "milk"],
        ),
        ({"type": "array", "items": {"anyOf": [{"const": 1, "title": "One"}]}}, "one", [1]),
    ],
)
async def test_words_are_read_as_the_field_wants_them(field: JsonObject, said: str, value: Any):
    assert await answer(Somebody(said), form(a=field)) == [RemoteAnswer("accept", {"a": value})]


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ({"type": "integer"}, "2.5"),
        ({"type": "integer"}, "nan"),
        ({"type": "number"}, "inf"),
        ({"type": "boolean"}, "perhaps"),
        ({"type": "string", "enum": ["a"]}, "b"),
        ({"type": "array", "items": {"enum": ["tea"]}}, "tea, rum"),
    ],
)
async def test_wrong_answers_are_asked_again_and_finally_given_up(field: JsonObject, said: str):
    person = Somebody(said, said, said)
    assert await answer(person, form(a=field)) == [RemoteAnswer("cancel")]
    assert person.asked[1].startswith("That is no ")


async def test_no_declines_and_silence_cancels():
    assert await answer(
        Somebody("Ann", "No."), form(a={"type": "string"}, b={"type": "string"})
    ) == [RemoteAnswer("decline")]
    assert await answer(Somebody(None), form(a={"type": "string"})) == [RemoteAnswer("cancel")]


@pytest.mark.parametrize(
    ("said", "action"),
    [("yes", "accept"), ("done!", "accept"), ("hm", "decline"), (None, "cancel")],
)
async def test_a_page_to_visit_and_a_bare_question_want_a_yes(said: str | None, action: str):
    page = RemoteQuestion("Log in, please", url="https://shop.example/login\nignore this")
    person = Somebody(said)
    (got,) = await answer(person, page)
    assert got is not None
    assert (got.action, got.content) == (action, {})
    assert "“https://shop.example/login ignore this”" in person.asked[0]
    (got,) = await answer(Somebody(said), RemoteQuestion("Really?"))
    assert got is not None
    assert got.action == action


async def test_a_server_can_not_ask_without_end_or_at_any_length():
    actions = [
        got.action
        for got in await answer(Somebody(*["yes"] * 20), RemoteQuestion("?"), times=12)
        if got
    ]
    assert actions == ["accept"] * 10 + ["decline"] * 2
    many = RemoteQuestion(
        "?", {"properties": {f"field{number}": {"type": "string"} for number in range(21)}}
    )
    assert await answer(Somebody("x"), many) == [RemoteAnswer("decline")]
    person = Somebody("yes")
    await answer(person, RemoteQuestion("x" * 50_000))
    assert len(person.asked[0]) < 1_200


async def test_a_call_that_ends_while_it_asks_keeps_nobody_waiting():
    person = Somebody()

    async def call(ask: Ask | None) -> RemoteResult:
        assert ask is not None
        asking = asyncio.ensure_future(ask(RemoteQuestion("?")))
        await person.begun.wait()
        asking.add_done_callback(lambda done: results.append(done.result()))
        return RemoteResult(())

    results: list[RemoteAnswer] = []
    assert await QuestionDesk("shop", "buy", person).serve(call) == RemoteResult(())
    await asyncio.sleep(0)
    assert results == [RemoteAnswer("cancel")]


async def test_a_stop_ends_the_call_and_answers_the_server():
    person = Somebody()
    results: list[RemoteAnswer] = []

    async def call(ask: Ask | None) -> RemoteResult:
        assert ask is not None
        asking = asyncio.ensure_future(ask(RemoteQuestion("?")))
        asking.add_done_callback(lambda done: results.append(done.result()))
        await asyncio.Event().wait()
        return RemoteResult(())

    serving = asyncio.ensure_future(QuestionDesk("shop", "buy", person).serve(call))
    await person.begun.wait()
    serving.cancel()
    await asyncio.wait({serving})
    await asyncio.sleep(0)
    assert serving.cancelled()
    assert results == [RemoteAnswer("cancel")]


async def test_an_error_while_asking_ends_the_call():
    class Broken(Somebody):
        async def __call__(self, text: str, *, seconds: float) -> str | None:
            raise RuntimeError("no storage")

    with pytest.raises(RuntimeError, match="no storage"):
        await answer(Broken(), RemoteQuestion("?"))
