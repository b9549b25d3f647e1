"""An embedder beside the words: a similar meaning raises a thing a little.

Off unless `memory.embedder` is set.
"""

import asyncio
import itertools
import json
import logging
import math
from array import array
from collections import OrderedDict
from collections.abc import Callable, Sequence
from operator import mul
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from bot.domain.memory import Embedder
from bot.errors import EmbedderError, raised_as
from bot.memory.settings import EmbedderSettings
from bot.web.client import WebClient, WebRequest
from bot.web.response import WebError
from bot.web.settings import WebSettings

log = logging.getLogger(__name__)

KEPT = 5_000
"""Vectors kept in memory (3 KB each at 768 dimensions); the least recently used are dropped."""
EMBEDDER_WAIT_S = 5.0
"""A search waits so long for the embedder in all, then goes on without it and says so."""
AT_ONCE = 64
TEXT_CHARS = 1_000
SAID_CHARS = 200
REST_S = 60.0
"""The pause after a failure, so that an unavailable embedder costs no time."""


class OllamaEmbedder:
    """Implements `Embedder` over `POST /api/embed` of the operator's Ollama server."""

    def __init__(self, settings: EmbedderSettings, timeout_s: float = EMBEDDER_WAIT_S) -> None:
        """`timeout_s` for one request."""
        self._url = f"{settings.base_url.rstrip('/')}/api/embed"
        self._model = settings.name
        host = urlsplit(settings.base_url).hostname or ""
        self._timeout_s = timeout_s
        self._client = WebClient(WebSettings(allow_private=(host,)))

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        body = json.dumps({"model": self._model, "input": list(texts)}).encode()
        headers = {"Content-Type": "application/json"}
        request = WebRequest(
            "POST", self._url, headers, body, self._timeout_s, max_bytes=50_000_000
        )
        with raised_as(EmbedderError, WebError, about="memory.embedder"):
            answer = await self._client.fetch(request)
        if answer.status != 200:
            raise EmbedderError(
                f"memory.embedder: {self._url} answered {answer.status}; is {self._model} pulled?"
                f"{_said(answer.body)}"
            )
        return _vectors(answer.body, len(texts), self._url)


def _said(body: bytes) -> str:
    """What the server says is wrong, for the operator; empty where it says nothing readable."""
    try:
        found: Any = json.loads(body)["error"]
    except (ValueError, TypeError, KeyError):
        return ""
    return f" It said: {str(found)[:SAID_CHARS]}"


def _vectors(body: bytes, count: int, url: str) -> list[list[float]]:
    try:
        found: Any = json.loads(body)["embeddings"]
        vectors = [[float(value) for value in one] for one in found]
    except (ValueError, TypeError, KeyError) as error:
        raise EmbedderError(f"memory.embedder: {url} gave no embeddings") from error
    if len(vectors) != count:
        raise EmbedderError(
            f"memory.embedder: {url} gave {len(vectors)} embeddings for {count} texts"
        )
    if len({len(vector) for vector in vectors}) != 1 or not all(
        map(math.isfinite, itertools.chain(*vectors))
    ):
        raise EmbedderError(f"memory.embedder: {url} gave embeddings that can't be compared")
    return vectors


class Similarity:
    """Cosines of a question and texts.

    Vectors are kept, so the next question waits for new texts only.
    """

    def __init__(
        self, embedder: Embedder, wait_s: float, now_s: Callable[[], float] = monotonic
    ) -> None:
        """`wait_s`: after this time in all, a question continues without embeddings.

        `now_s` only ever grows.
        """
        self._embedder = embedder
        self._wait_s = wait_s
        self._now_s = now_s
        self._rests_until = 0.0
        self._done = 0
        """Answers so far: a slow embedder is asked again, and continues where it was."""
        self._kept: OrderedDict[str, array[float]] = OrderedDict()

    async def of(
        self, query: str, texts: Sequence[str], at_most_s: float = math.inf
    ) -> list[float] | None:
        """One for each text, -1 to 1; None when the embedder did not answer in time.

        `at_most_s`: the longest wait of this caller. Only a wait of the whole time marks the
        embedder as down.
        """
        if self._now_s() < self._rests_until:
            return None
        cut = [text[:TEXT_CHARS] for text in (query, *texts)]
        done = self._done
        wait_s = min(self._wait_s, at_most_s)
        try:
            async with asyncio.timeout(wait_s):
                vectors = await self._vectors(cut)
        except (EmbedderError, TimeoutError) as error:
            log.warning(
                "reason=<%s> | remembered by words alone",
                str(error) or f"no answer within {wait_s:g} s",
            )
            hurried = isinstance(error, TimeoutError) and wait_s < self._wait_s
            if self._done == done and not hurried:
                self._rests_until = self._now_s() + REST_S
            return None
        return await asyncio.to_thread(
            _cosines, vectors[cut[0]], [vectors[text] for text in cut[1:]]
        )

    async def _vectors(
        self, texts: Sequence[str], *, again: bool = True
    ) -> dict[str, "array[float]"]:
        used: dict[str, array[float]] = {}
        for text in texts:
            if text in self._kept:
                self._kept.move_to_end(text)
                used[text] = self._kept[text]
        missing = [text for text in dict.fromkeys(texts) if text not in used]
        for at in range(0, len(missing), AT_ONCE):
            part = missing[at : at + AT_ONCE]
            for text, vector in zip(part, await self._embedder.embed(part), strict=True):
                used[text] = self._kept[text] = unit_vector(vector)
            self._done += 1
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        if len({len(vector) for vector in used.values()}) == 1:
            return used
        self._kept.clear()  # another model now has the same name
        if not again:
            raise EmbedderError(
                "memory.embedder: the length of its embeddings changes from answer to answer"
            )
        return await self._vectors(texts, again=False)


def unit_vector(vector: Sequence[float]) -> "array[float]":
    """In the same direction, of length 1."""
    length = math.hypot(*vector)
    return array("f", (value / length for value in vector) if length else vector)


def _cosines(one: Sequence[float], others: Sequence[Sequence[float]]) -> list[float]:
    return [sum(map(mul, one, other)) for other in others]
