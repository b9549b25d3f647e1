"""A reply from its events: whole, as it came, and never from nonsense."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.models import DeltaText, DeltaThinking, ModelDelta, ModelReply, Usage
from bot.llm.reply_builder import ReplyBuilder, StreamNonsense, StreamRefused
from bot.llm.sse import EventStreamReader, ServerEvent
from bot.loopback.messages_api.events import stream_events

JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def text(said: str) -> JsonObject:
    return {"type": "text", "text": said}


def thinking(said: str) -> JsonObject:
    return {"type": "thinking", "thinking": said, "signature": "c2ln"}


def tool_use(given: JsonObject | str) -> JsonObject:
    return {"type": "tool_use", "id": "t", "name": "n", "input": given}


def hologram(shape: Any) -> JsonObject:
    return {"type": "hologram", "shape": shape}


SAID = st.text(max_size=40)
BLOCKS = st.one_of(
    SAID.map(text),
    SAID.map(thinking),
    st.dictionaries(st.text(max_size=5), JSON, max_size=3).map(tool_use),
    JSON.map(hologram),
)


def event(kind: str, **fields: Any) -> ServerEvent:
    return ServerEvent(kind, json.dumps({"type": kind, **fields}))


def build(events: list[ServerEvent]) -> tuple[ReplyBuilder, list[ModelDelta]]:
    builder = ReplyBuilder()
    return builder, [delta for one in events if (delta := builder.add(one))]


def message(*content: JsonObject, stop_reason: str = "end_turn", **usage: int) -> list[ServerEvent]:
    whole = {"model": "m", "content": list(content), "stop_reason": stop_reason, "usage": usage}
    return [ServerEvent(one["type"], json.dumps(one)) for one in stream_events(whole)]


@given(st.lists(BLOCKS, max_size=4))
def test_a_reply_cut_into_events_is_rebuilt_unchanged(blocks: list[JsonObject]):
    builder, deltas = build(message(*blocks))
    assert builder.reply("req_1", 2) == ModelReply(
        tuple(blocks), "end_turn", Usage(), "m", "req_1", 2
    )
    told = "".join(delta.text for delta in deltas if isinstance(delta, DeltaText | DeltaThinking))
    assert told == "".join(
        str(block.get("text") or block.get("thinking") or "") for block in blocks
    )


def test_final_counts_replace_first_ones_and_missing_counts_stay():
    events = [
        event(
            "message_start",
            message={"model": "m", "usage": {"input_tokens": 7, "cache_read_input_tokens": 3}},
        ),
        event(
            "message_delta",
            delta={"stop_reason": "end_turn"},
            usage={"output_tokens": 5, "input_tokens": None},
        ),
    ]
    assert build(events)[0].reply(None, 1).usage == Usage(7, 3, 0, 5)


def test_counts_that_are_no_numbers_and_a_missing_usage_count_as_nothing():
    events = [
        event("message_start", message={"usage": {"input_tokens": "many"}}),
        event("message_delta", delta={"stop_reason": "end_turn"}),
    ]
    assert build(events)[0].reply(None, 1).usage == Usage()


def test_citations_gather_and_deltas_of_later_kinds_are_passed_over():
    builder, _ = build(
        [
            event("message_start", message={}),
            event(
                "content_block_start",
                index=0,
                content_block={"type": "text", "text": "", "citations": None},
            ),
            event(
                "content_block_delta",
                index=0,
                delta={"type": "citations_delta", "citation": {"n": 1}},
            ),
            event(
                "content_block_delta",
                index=0,
                delta={"type": "citations_delta", "citation": {"n": 2}},
            ),
            event("content_block_delta", index=0, delta={"type": "smell_delta", "smell": "roses"}),
            event("ping"),
            event("message_delta", delta={"stop_reason": "end_turn"}),
        ]
    )
    assert builder.reply(None, 1).content == (
        {"type": "text", "text": "", "citations": [{"n": 1}, {"n": 2}]},
    )


@pytest.mark.parametrize("written", ['{"a": nonsense', '{"a": 1', '{"a": NaN}'])
def test_a_call_whose_input_is_no_json_is_nonsense(written: str):
    builder, _ = build(message(tool_use(written), stop_reason="tool_use"))
    with pytest.raises(StreamNonsense):
        builder.reply(None, 1)


def test_a_call_that_was_cut_off_by_the_limit_has_no_input():
    cut = tool_use('{"a": "lon')
    builder, _ = build(message(cut, stop_reason="max_tokens"))
    assert builder.reply(None, 1).content == ({**cut, "input": {}},)


def test_a_stream_without_its_end_is_begun_but_not_whole():
    builder, _ = build(message(text("so far"))[:-2])
    assert (builder.begun, builder.whole) == (True, False)


@pytest.mark.parametrize(
    "wrong",
    [
        event("content_block_delta", index=3, delta={"type": "text_delta", "text": "x"}),
        event("content_block_delta", index=0, delta={"type": "text_delta"}),
        event("content_block_start", index=0),
        ServerEvent("message_delta", "no JSON"),
    ],
)
def test_events_that_fit_nothing_are_nonsense(wrong: ServerEvent):
    builder, _ = build(
        [
            event("message_start", message={}),
            event("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        ]
    )
    with pytest.raises((ValueError, LookupError)):
        builder.add(wrong)


def test_an_event_before_the_message_begins_is_nonsense():
    with pytest.raises(StreamNonsense, match="before message_start"):
        ReplyBuilder().add(event("content_block_stop", index=0))


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (
            '{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}',
            "overloaded_error",
            "Over",
        ),
        ("out of memory", None, "out of memory"),
        ("[1]", None, "[1]"),
        ("", None, "no reason given"),
    ],
)
def test_an_error_event_tells_its_type_and_message(data: str, kind: str | None, said: str):
    with pytest.raises(StreamRefused) as caught:
        ReplyBuilder().add(ServerEvent("error", data))
    assert caught.value.error_type == kind
    assert caught.value.message.startswith(said)


# Events come out whole, wherever the network cut the stream and however its lines end.


NAMES = st.text(st.characters(categories=("Ll",)), min_size=1, max_size=12)
DATA = st.text(st.characters(exclude_characters="\r\n", exclude_categories=("Cs",)), max_size=30)


def read(stream: bytes, cuts: list[int]) -> list[ServerEvent]:
    reader = EventStreamReader()
    edges = [0, *sorted(cut % (len(stream) + 1) for cut in cuts), len(stream)]
    pieces = [stream[start:end] for start, end in pairwise(edges)]
    return [event for piece in pieces for event in reader.feed(piece)]


@given(
    st.lists(st.tuples(NAMES, DATA), max_size=6),
    st.sampled_from(["\n", "\r\n"]),
    st.lists(st.integers(0, 999)),
)
def test_any_cut_gives_the_same_events(events: list[tuple[str, str]], end: str, cuts: list[int]):
    stream = "".join(f"event: {name}{end}data: {data}{end}{end}" for name, data in events).encode()
    assert read(stream, cuts) == [ServerEvent(name, data) for name, data in events]


@given(st.binary(max_size=80), st.lists(st.integers(0, 80), max_size=4))
def test_bytes_of_any_kind_end_in_events_or_an_error_of_decoding(stream: bytes, cuts: list[int]):
    try:
        events = read(stream, cuts)
    except UnicodeDecodeError:
        return
    assert all(event.name for event in events)


def test_data_lines_are_joined_and_comments_and_unnamed_events_skipped():
    stream = b": hello\n\ndata: [DONE]\n\nid: 7\nretry: 5\nevent:x\ndata:a\ndata:  b\n\n"
    assert read(stream, []) == [ServerEvent("x", "a\n b")]


def test_an_event_that_is_cut_off_is_not_given():
    assert read(b"event: x\ndata: 1\n", []) == []


def test_characters_that_only_look_like_ends_of_lines_stay():
    assert read("event: x\ndata: a\u2028b\x85c\n\n".encode(), []) == [
        ServerEvent("x", "a\u2028b\x85c")
    ]
