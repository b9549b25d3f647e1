"""An embedder beside the words: meanings that are close raise a thing a little. Off unless `memory.embedder` is set."""

import asyncio
import json
import logging
import math
from collections import OrderedDict
from collections.abc import Sequence
from operator import mul
from typing import Any
from urllib.parse import urlsplit

from bot.domain.memory import Embedder
from bot.errors import EmbedderError
from bot.memory.settings import EmbedderSettings
from bot.web.client import WebClient, WebRequest
from bot.web.settings import WebSettings
from bot.web.trouble import WebError

log = logging.getLogger(__name__)

KEPT = 20_000
"""Vectors that are held in memory; the ones used longest ago fall out."""
AT_ONCE = 64
TEXT_CHARS = 1_000


class OllamaEmbedder:
    """Implements `Embedder` over `POST /api/embed` of an Ollama server, which the operator named."""

    def __init__(self, settings: EmbedderSettings) -> None:
        self._url = f"{settings.base_url.rstrip('/')}/api/embed"
        self._model = settings.name
        host = urlsplit(settings.base_url).hostname or ""
        self._client = WebClient(WebSettings(allow_private=(host,), timeout_s=settings.timeout_s))

    async def embed(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        body = json.dumps({"model": self._model, "input": list(texts)}).encode()
        request = WebRequest("POST", self._url, {"Content-Type": "application/json"}, body, max_bytes=50_000_000)
        try:
            answer = await self._client.fetch(request)
        except WebError as error:
            raise EmbedderError(f"memory.embedder: {error}") from error
        if answer.status != 200:
            raise EmbedderError(f"memory.embedder: {self._url} answered {answer.status}; is {self._model} pulled?")
        return _vectors(answer.body, len(texts), self._url)


def _vectors(body: bytes, count: int, url: str) -> list[list[float]]:
    try:
        found: Any = json.loads(body)["embeddings"]
        vectors = [[float(value) for value in one] for one in found]
    except (ValueError, TypeError, KeyError) as error:
        raise EmbedderError(f"memory.embedder: {url} gave no embeddings") from error
    if len(vectors) != count:
        raise EmbedderError(f"memory.embedder: {url} gave {len(vectors)} embeddings for {count} texts")
    return vectors


class Similarity:
    """Cosines of a question and texts. Vectors are kept; without an embedder that answers, nothing is alike."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._kept: OrderedDict[str, tuple[float, ...]] = OrderedDict()

    async def of(self, query: str, texts: Sequence[str]) -> list[float]:
        """One for each text, -1 to 1."""
        cut = [text[:TEXT_CHARS] for text in (query, *texts)]
        try:
            vectors = await self._vectors(cut)
        except EmbedderError as error:
            log.warning("reason=<%s> | remembered without an embedder", error)
            return [0.0] * len(texts)
        return await asyncio.to_thread(_cosines, vectors[cut[0]], [vectors[text] for text in cut[1:]])

    async def _vectors(self, texts: Sequence[str]) -> dict[str, tuple[float, ...]]:
        used: dict[str, tuple[float, ...]] = {}
        for text in texts:
            if text in self._kept:
                self._kept.move_to_end(text)
                used[text] = self._kept[text]
        missing = [text for text in dict.fromkeys(texts) if text not in used]
        for at in range(0, len(missing), AT_ONCE):
            part = missing[at : at + AT_ONCE]
            for text, vector in zip(part, await self._embedder.embed(part), strict=True):
                used[text] = self._kept[text] = _unit(vector)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return used


def _unit(vector: Sequence[float]) -> tuple[float, ...]:
    length = math.hypot(*vector)
    return tuple(value / length for value in vector) if length else tuple(vector)


def _cosines(one: Sequence[float], others: Sequence[Sequence[float]]) -> list[float]:
    return [sum(map(mul, one, other)) if len(one) == len(other) else 0.0 for other in others]
