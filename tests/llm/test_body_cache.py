"""The bytes of a body are the same, whatever was encoded before."""

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelRequest, ModelSize
from bot.llm.endpoint import resolve
from bot.llm.requests import BodyCache, encode_body, request_body
from bot.llm.settings import ModelSettings

ENDPOINT = resolve(ModelSettings(), lambda _: "sk-ant-test-0123456789")
TEXTS = st.text(max_size=12) | st.just('"messages":[]') | st.just("\ud83d")


def message(text: str) -> JsonObject:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


MESSAGES = [message(text) for text in ("a", "b", '"messages":[]', "ü\ud83d", "e")]
SYSTEMS: list[tuple[JsonObject, ...]] = [(), ({"type": "text", "text": '"messages":[]'},)]
TOOLS: list[tuple[JsonObject, ...]] = [
    (),
    ({"name": "messages", "input_schema": {"messages": []}},),
]
REQUESTS = st.builds(
    ModelRequest,
    st.sampled_from(SYSTEMS),
    st.sampled_from(TOOLS),
    st.lists(st.sampled_from(MESSAGES), max_size=6).map(tuple),
    st.sampled_from([100, 200]),
    st.sampled_from(ModelSize),
)


@given(
    st.lists(REQUESTS, max_size=12),
    st.sampled_from([0, 150, 10_000]),
    st.sampled_from([1, 100, 10_000]),
)
def test_any_order_of_requests_gives_the_bytes_of_each(
    requests: list[ModelRequest], most: int, block: int
):
    cache = BodyCache(ENDPOINT, most, block)
    for request in requests:
        assert b"".join(cache.pieces(request)) == encode_body(request_body(ENDPOINT, request))


@given(st.lists(TEXTS, min_size=1, max_size=8))
def test_a_conversation_that_grows_begins_with_the_bytes_that_were_sent(texts: list[str]):
    cache = BodyCache(ENDPOINT)
    messages: list[JsonObject] = []
    sent = b""
    for text in texts:
        messages.append(message(text))
        body = b"".join(cache.pieces(ModelRequest(SYSTEMS[1], TOOLS[1], tuple(messages), 100)))
        assert body.startswith(sent)
        sent = body[: body.rindex(b"]")]
        sent = sent[: body.rindex(b'],"cache_control"')]


def test_a_conversation_longer_than_the_bound_is_not_encoded_again():
    cache = BodyCache(ENDPOINT, 100)
    messages = [message("x" * 200)]
    cache.pieces(ModelRequest((), (), tuple(messages), 100))
    (kept,) = vars(cache)["_conversations"].values()
    first = kept.encoded[0]
    messages.append(message("y"))
    cache.pieces(ModelRequest((), (), tuple(messages), 100))
    assert kept.encoded[0] is first
    assert len(kept.encoded) == 2


def test_a_long_conversation_goes_out_in_blocks_that_are_joined_once():
    cache = BodyCache(ENDPOINT, block_bytes=1_000)
    messages: list[JsonObject] = []
    before: list[bytes] = []
    for _ in range(40):
        messages.append(message("x" * 200))
        pieces = cache.pieces(ModelRequest((), (), tuple(messages), 100))
        assert all(now is then for now, then in zip(pieces, before[:-1], strict=False))
        before = pieces
    assert 8 < len(before) < 14
