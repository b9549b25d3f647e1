"""An embedder raises similar meanings, within its time; its absence is reported."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.domain.json_types import JsonObject
from bot.domain.memory import RecallQuery
from bot.domain.tool_outcomes import ToolResult
from bot.domain.tools import NativeImplementation, ToolDefinition
from bot.errors import EmbedderError
from bot.memory.embedding import AT_ONCE, REST_S, OllamaEmbedder, Similarity
from bot.memory.finding import Memories
from bot.memory.remember import WORDS_ALONE, Remember, remember_tool
from bot.memory.settings import EmbedderSettings, MemorySettings
from bot.memory.tiers import MemoryStore
from bot.sessions.opening.blocks import OpeningRecall
from bot.testing.contexts import NoTools, make_context
from bot.testing.fake_clock import FakeClock
from bot.testing.ollama import Ollama, ollama
from bot.testing.remembered import Remembers, told
from bot.testing.waiting import PATIENCE_S

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SYNONYMS = {"automobile": "car"}

WRONG: list[Callable[[dict[str, Any]], Any]] = [
    lambda _: {"error": "busy"},
    lambda _: [],
    lambda _: {"embeddings": None},
    lambda body: {"embeddings": body["embeddings"][1:]},
    lambda body: {"embeddings": [list[float](), *body["embeddings"][1:]]},
    lambda body: {"embeddings": [["a"] for _ in body["embeddings"]]},
    lambda body: {"embeddings": [[float("nan")] for _ in body["embeddings"]]},
    lambda body: {"embeddings": [1.5 for _ in body["embeddings"]]},
]


class EveryTool(NoTools):
    """A toolset in which everything may be used that is asked about."""

    def describe(self, names: tuple[str, ...]) -> tuple[ToolDefinition, ...]:
        return tuple(
            ToolDefinition(name, "", {}, "shared", NativeImplementation(name)) for name in names
        )


def client(server: Ollama, **more: Any) -> OllamaEmbedder:
    return OllamaEmbedder(EmbedderSettings(base_url=server.url, **more))


async def asked(
    store: MemoryStore, query: str, texts: Sequence[str], similarity: Similarity | None
) -> list[Any]:
    memories = Memories(
        store, MemorySettings(), [Remembers([told(text, NOW) for text in texts])], similarity
    )
    outcome = await remember_tool(memories).run(make_context(now=NOW), Remember(query=query))
    assert isinstance(outcome, ToolResult)
    return json.loads(outcome.content)


async def test_a_real_client_finds_other_words_through_the_server(store: MemoryStore):
    async with ollama(synonyms=SYNONYMS) as server:
        found = await asked(
            store, "car", ["automobile", "cellar"], Similarity(client(server), wait_s=PATIENCE_S)
        )
        assert [one["text"] for one in found] == ["automobile"]
        assert server.refusals == []


async def test_many_texts_are_asked_for_in_batches_and_once(store: MemoryStore):
    texts = [f"car {number}" for number in range(AT_ONCE * 2)]
    async with ollama() as server:
        similarity = Similarity(client(server), wait_s=PATIENCE_S)
        await asked(store, "car", texts, similarity)
        assert [len(batch) for batch in server.batches] == [AT_ONCE, AT_ONCE, 1]
        await asked(store, "another car", texts, similarity)
        assert server.batches[3:] == [["another car"]]


async def test_vectors_of_another_length_make_everything_be_asked_again(store: MemoryStore):
    async with ollama(synonyms=SYNONYMS) as server:
        similarity = Similarity(client(server), wait_s=PATIENCE_S)
        await asked(store, "car", ["automobile", "cellar"], similarity)
        server.dimensions = 64
        found = await asked(store, "blue car", ["automobile", "cellar"], similarity)
        assert "automobile" in [one.get("text") for one in found]
        assert {"note": WORDS_ALONE} not in found
        assert server.batches[-1] == ["blue car", "automobile", "cellar"]


async def test_lengths_that_change_with_each_answer_are_given_up(store: MemoryStore):
    lengths = iter(range(8, 100))

    def shorter(body: dict[str, Any]) -> dict[str, Any]:
        size = next(lengths)
        return {**body, "embeddings": [vector[:size] for vector in body["embeddings"]]}

    async with ollama(changed=shorter) as server:
        texts = [f"car {number}" for number in range(AT_ONCE + 5)]
        found = await asked(store, "car", texts, Similarity(client(server), wait_s=PATIENCE_S))
        assert found[-1] == {"note": WORDS_ALONE}


@pytest.mark.parametrize("changed", WRONG)
async def test_answers_of_another_shape_are_refused(
    store: MemoryStore, changed: Callable[[Any], Any]
):
    async with ollama(changed=changed) as server:
        with pytest.raises(EmbedderError, match=r"memory\.embedder"):
            await client(server).embed(["one", "two"])
        found = await asked(store, "car", ["a car"], Similarity(client(server), wait_s=PATIENCE_S))
        assert [one.get("text") for one in found] == ["a car", None]
        assert found[-1] == {"note": WORDS_ALONE}


async def test_a_model_that_is_not_there_is_named():
    async with ollama() as server:
        with pytest.raises(EmbedderError, match=r'bge-m3 pulled\?.*"bge-m3" not found'):
            await client(server, name="bge-m3").embed(["one"])


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("400 Bad Request", "the input length exceeds the context length"),
        ("500 Internal Server Error", "llama runner process has terminated: exit status 2"),
        ("503 Service Unavailable", "server busy, please try again. maximum pending requests"),
    ],
)
async def test_the_servers_own_words_reach_the_operator(status: str, said: str):
    async with ollama(trouble=(status, said)) as server:
        with pytest.raises(EmbedderError, match=f"answered {status[:3]}.*It said: {said}"):
            await client(server).embed(["one"])


async def test_an_answer_in_the_published_shape_is_read():
    """The example of Ollama's documentation, with its durations in nanoseconds."""
    vectors = [[0.010071029, -0.0017594862, 0.05007221, 0.04692972]]
    published = {
        "model": "embeddinggemma",
        "embeddings": vectors,
        "total_duration": 14143917,
        "load_duration": 1019500,
        "prompt_eval_count": 8,
    }

    def answer(_: JsonObject) -> JsonObject:
        return published

    async with ollama(changed=answer) as server:
        assert await client(server).embed(["Why is the sky blue?"]) == vectors
    assert server.batches == [["Why is the sky blue?"]]


async def test_a_silent_embedder_is_waited_for_briefly_and_then_left_alone(
    store: MemoryStore,
):
    clock = FakeClock()
    async with ollama(silent=True) as server:
        similarity = Similarity(client(server), wait_s=0.05, now_s=lambda: clock.now().timestamp())
        alone = await asked(store, "car", ["a car", "automobile"], similarity)
        assert alone[-1] == {"note": WORDS_ALONE}
        assert alone[:-1] == await asked(store, "car", ["a car", "automobile"], None)
        assert server.site is not None
        connections = server.site.connections
        assert (await asked(store, "car", ["a car"], similarity))[-1] == {"note": WORDS_ALONE}
        assert server.site.connections == connections, "it is left alone"
        server.silent = False
        async with asyncio.timeout(PATIENCE_S):
            while {"note": WORDS_ALONE} in await asked(store, "car", ["a car"], similarity):
                await clock.advance(REST_S + 1)  # the machine may be too slow for the short wait


async def test_one_that_is_slow_goes_on_where_it_was(store: MemoryStore):
    class Slow:
        """Answers one request of each question and no other."""

        def __init__(self) -> None:
            self.texts: list[str] = []
            self.free = True

        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            if not self.free:
                raise TimeoutError
            self.free = False
            self.texts += texts
            return [[1.0, 0.0] for _ in texts]

    slow, texts = Slow(), [f"car {number}" for number in range(AT_ONCE * 2 - 1)]
    similarity = Similarity(slow, wait_s=PATIENCE_S)
    assert (await asked(store, "car", texts, similarity))[-1] == {"note": WORDS_ALONE}
    slow.free = True
    assert {"note": WORDS_ALONE} not in await asked(store, "car", texts, similarity)
    assert len(slow.texts) == len(set(slow.texts)) == len(texts) + 1


async def test_a_session_start_waits_briefly_and_does_not_mark_it_down(
    store: MemoryStore,
):
    class Late:
        """Never answers."""

        asked = 0

        async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
            self.asked += 1
            await asyncio.Event().wait()
            return [[1.0] for _ in texts]

    late = Late()
    known = [told("the blue car is in the garage", NOW)]
    memories = Memories(
        store, MemorySettings(), [Remembers(known)], Similarity(late, wait_s=3_600.0)
    )
    context = replace(make_context(now=NOW), tools=EveryTool())
    for asked_before in range(2):
        async with asyncio.timeout(60):
            block = await OpeningRecall(memories).block(context, "where is my car?", ())
        assert block is not None
        assert "garage" in str(block.block["text"])
        assert late.asked == asked_before + 1


async def test_one_that_nobody_serves_leaves_the_words(store: MemoryStore):
    async with ollama() as server:
        gone = client(server)
    found = await asked(store, "car", ["a car"], Similarity(gone, wait_s=PATIENCE_S))
    assert [one.get("text") for one in found] == ["a car", None]


async def test_without_an_embedder_nothing_is_said_of_it(store: MemoryStore):
    assert [one["text"] for one in await asked(store, "car", ["a car"], None)] == ["a car"]
    source = Remembers([told("a car", NOW)])
    await Memories(store, MemorySettings(), [source]).find(
        make_context(now=NOW), RecallQuery("car")
    )
    assert not source.asked[0].meant
