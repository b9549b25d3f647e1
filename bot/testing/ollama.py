"""A loopback server with Ollama's `POST /api/embed`, strict about requests."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.domain.json_types import JsonObject
from bot.testing.hashing_embedder import DIMENSIONS, hashed
from bot.testing.web_site import Asked, WebSite, answer, web_site

Text = Annotated[str, Field(min_length=1)]


class _Body(BaseModel):
    """What the interface takes."""

    model_config = ConfigDict(extra="forbid", strict=True)

    model: Text
    input: Text | Annotated[list[Text], Field(min_length=1)]
    truncate: bool = True
    keep_alive: str = ""
    dimensions: int = 0


@dataclass
class Ollama:
    """An Ollama server on which `models` are pulled.

    A request that breaks a rule of the interface gets a 400 and is recorded in `refusals`.
    """

    models: frozenset[str] = frozenset({"nomic-embed-text"})
    dimensions: int = DIMENSIONS
    synonyms: Mapping[str, str] = field(default_factory=dict[str, str])
    url: str = ""
    site: WebSite | None = None
    batches: list[list[str]] = field(default_factory=list[list[str]])
    """The texts of each request that was answered."""
    refusals: list[str] = field(default_factory=list[str])
    silent: bool = False
    """Accept requests and never answer them."""
    changed: Callable[[JsonObject], Any] | None = None
    """Replaces the answer."""
    trouble: tuple[str, str] | None = None
    """A status and the server's words, instead of an answer."""

    def answers(self, asked: Asked) -> bytes | None:
        if self.silent:
            return None
        if (asked.method, asked.path) != ("POST", "/api/embed"):
            return answer("404 page not found", "404 Not Found")
        try:
            body = _Body.model_validate_json(asked.body)
        except ValidationError as error:
            self.refusals.append(str(error))
            return _told({"error": str(error)}, "400 Bad Request")
        if body.model not in self.models:
            return _told(
                {"error": f'model "{body.model}" not found, try pulling it first'}, "404 Not Found"
            )
        if self.trouble is not None:
            status, said = self.trouble
            return _told({"error": said}, status)
        texts = [body.input] if isinstance(body.input, str) else body.input
        self.batches.append(texts)
        vectors = [hashed(text, self.dimensions, self.synonyms) for text in texts]
        told: JsonObject = {
            "model": body.model,
            "embeddings": vectors,
            "total_duration": 1,
            "load_duration": 1,
            "prompt_eval_count": len(texts),
        }
        return _told(self.changed(told) if self.changed else told)


def _told(body: Any, status: str = "200 OK") -> bytes:
    return answer(json.dumps(body), status, "application/json; charset=utf-8")


@asynccontextmanager
async def ollama(**more: Any) -> AsyncGenerator[Ollama]:
    """Serve on a free port of 127.0.0.1 until the block ends."""
    server = Ollama(**more)
    async with web_site(server.answers) as site:
        server.site, server.url = site, site.url
        yield server
