"""Whatever a conversation holds, another server is sent only what each of them takes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, ModelRequest, Usage
from bot.domain.sessions import text_block
from bot.llm.blocks import blocks_of
from bot.llm.fallback import BLIND, LEFT_OUT, remade, understood
from bot.llm.unlocking import tool_addition, tool_removal
from bot.loopback.messages_api.history_rules import structure_problem
from tests.thoroughness import examples

PICTURE: JsonObject = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="},
}
KINDS = {"text", "image", "tool_use", "tool_result"}


def tool(name: str, **more: object) -> JsonObject:
    return {"name": name, "description": name, "input_schema": {"type": "object"}, **more}


TOOLS = (tool("look"), tool("dig", defer_loading=True), tool("hide", defer_loading=True))
OWN: list[JsonObject] = [
    {"type": "thinking", "thinking": "hm", "signature": "s"},
    {"type": "redacted_thinking", "data": "x"},
    {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
    text_block("so"),
    text_block("  "),
]
RESULTS: list[JsonObject] = [
    text_block("found"),
    PICTURE,
    {"type": "tool_reference", "tool_name": "dig"},
    {"type": "search_result", "title": "t", "content": [text_block("words")]},
]
NOTES: list[JsonObject] = [
    text_block("It is noon."),
    tool_addition(tool("late", strict=True)),
    tool_removal("look"),
]


def some(kinds: list[JsonObject], least: int = 0) -> st.SearchStrategy[list[JsonObject]]:
    return st.lists(st.sampled_from(kinds), min_size=least, max_size=3)


@st.composite
def conversations(draw: st.DrawFn) -> tuple[JsonObject, ...]:
    """Turns as a session has them: words, rounds of calls with notes after them, an answer."""
    found: list[JsonObject] = []
    for turn in range(draw(st.integers(1, 4))):
        words = text_block("words " * draw(st.integers(1, 200)))
        found.append({"role": "user", "content": [words, *draw(some([PICTURE]))]})
        for number in range(draw(st.integers(0, 2))):
            call: JsonObject = {
                "type": "tool_use", "id": f"t{turn}_{number}", "name": "look", "input": {}
            }  # fmt: skip
            result: JsonObject = {
                "type": "tool_result", "tool_use_id": call["id"], "content": draw(some(RESULTS))
            }  # fmt: skip
            found.append({"role": "assistant", "content": [*draw(some(OWN)), call]})
            found.append({"role": "user", "content": [result]})
            if notes := draw(some(NOTES)):
                found.append({"role": "system", "content": notes})
        found.append({"role": "assistant", "content": draw(some(OWN, 1))})
    if draw(st.booleans()):
        found.append({"role": "user", "content": [text_block("and now?")]})
    return tuple(found)


def foreign(messages: tuple[JsonObject, ...]) -> set[str]:
    blocks = [block for message in messages for block in blocks_of(message)]
    parts = [part for block in blocks for part in blocks_of(block)]
    return {str(block["type"]) for block in (*blocks, *parts)} - KINDS


@settings(max_examples=examples(200))
@given(conversations(), st.booleans(), st.sampled_from([600, 4_000, 200_000]))
def test_what_is_remade_is_well_formed_for_every_server(
    messages: tuple[JsonObject, ...], pictures: bool, window: int
):
    request = ModelRequest((), TOOLS, messages, 100)
    made = remade(request, window, pictures=pictures)
    assert structure_problem(made.messages, system_notes=False) is None
    assert not foreign(made.messages)
    assert made.messages[-1]["role"] == "user"
    assert all(set(one) <= {"name", "description", "input_schema"} for one in made.tools)
    names = {one["name"] for one in made.tools}
    told = str(messages)
    assert "hide" not in names, "what was not found stays hidden"
    assert ("dig" in names) == ("'dig'" in told)
    assert made.pictures == (PICTURE["source"]["data"] in str(made.messages))
    if not pictures:
        assert not made.pictures
        assert (BLIND in str(made.messages)) <= ("image" in told)
    again = remade(request, window, pictures=pictures)
    assert again == made, "the same conversation gives the same request"


def test_the_oldest_turns_leave_where_the_window_is_small():
    turns = [
        {"role": role, "content": [text_block(f"{number} " + "words " * 200)]}
        for number in range(5)
        for role in ("user", "assistant")
    ]
    asked = ModelRequest((), (), (*turns, {"role": "user", "content": [text_block("so?")]}), 100)
    whole, short = (remade(asked, tokens, pictures=True) for tokens in (100_000, 1_500))
    assert len(whole.messages) == 11
    assert LEFT_OUT not in str(whole.messages)
    assert 1 <= len(short.messages) < 11
    assert short.messages[0]["content"][0] == text_block(LEFT_OUT)
    assert short.messages[-1] == whole.messages[-1]


@given(st.lists(st.sampled_from([*OWN, tool("x") | {"type": "hologram"}]), max_size=4))
def test_a_reply_keeps_words_and_calls_alone(blocks: list[JsonObject]):
    reply = ModelReply(tuple(blocks), "end_turn", Usage(), "m")
    kept = understood(reply, ModelRequest((), (), (), 1), "spare")
    assert all(block["type"] == "text" for block in kept.content)
    assert kept.text == reply.text
    assert kept.answered_by == "spare"
