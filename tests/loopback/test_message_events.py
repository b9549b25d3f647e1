"""A message as events: nothing is lost, whatever its blocks."""

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.loopback.messages_api.events import encode, stream_events, words


@given(st.text())
def test_words_join_to_the_text(text: str):
    assert "".join(words(text)) == text


@given(
    st.text(max_size=60),
    st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=20), max_size=4),
)
def test_events_carry_the_whole_message(text: str, given_input: dict[str, int | str]):
    content = [
        {"type": "text", "text": text},
        {"type": "tool_use", "id": "t", "name": "n", "input": given_input},
    ]
    events = list(
        stream_events(
            {"content": content, "stop_reason": "tool_use", "usage": {"output_tokens": 7}}
        )
    )
    deltas = [event["delta"] for event in events if event["type"] == "content_block_delta"]
    assert "".join(delta["text"] for delta in deltas if delta["type"] == "text_delta") == text
    written = "".join(
        delta["partial_json"] for delta in deltas if delta["type"] == "input_json_delta"
    )
    assert json.loads(written) == given_input
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert [event["type"] for event in events[-2:]] == ["message_delta", "message_stop"]


def test_an_event_is_framed_and_half_characters_do_not_break_it():
    assert encode({"type": "ping"}) == b'event: ping\ndata: {"type": "ping"}\n\n'
    assert encode({"type": "x", "text": "\ud83d"}).endswith(b"\n\n")
