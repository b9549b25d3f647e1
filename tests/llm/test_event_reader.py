"""Events come out whole, wherever the network cut the stream and however its lines end."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from bot.llm.sse import EventStreamReader, ServerEvent

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
