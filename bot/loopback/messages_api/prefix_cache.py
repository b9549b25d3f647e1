"""Counts the bytes that a prefix cache would serve from earlier requests."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.plugin.models import JsonObject, as_objects, blocks_of


@dataclass
class PrefixCache:
    """Remembers every prefix that it has seen, block by block, and never forgets one."""

    total: int = 0
    """Bytes of all prompts, without breakpoints."""
    served: int = 0
    """Bytes of them that an earlier prompt began with."""
    _seen: set[bytes] = field(default_factory=set[bytes])

    @property
    def share(self) -> float:
        """The fraction of all prompt bytes that a cache would have served, from 0 to 1."""
        return self.served / self.total if self.total else 0.0

    def add(self, body: JsonObject) -> tuple[int, int]:
        """Count a request; return its bytes and how many of them a cache would have served."""
        chain = hashlib.sha256()
        total = served = 0
        for block in _blocks(body):
            chain.update(block)
            total += len(block)
            if chain.digest() in self._seen:
                served = total
            self._seen.add(chain.digest())
        self.total += total
        self.served += served
        return total, served


def _blocks(body: JsonObject) -> Iterator[bytes]:
    # A cache belongs to one model, and thinking or effort invalidate its messages.
    yield json.dumps([body.get("model"), body.get("thinking"), body.get("output_config")]).encode()
    for tool in as_objects(body.get("tools")):
        if not tool.get(
            "defer_loading"
        ):  # deferred tools are kept out of the prompt until they are referred to
            yield _bytes("tool", tool)
    for block in blocks_of({"content": body.get("system")}):
        yield _bytes("system", block)
    for message in as_objects(body.get("messages")):
        for block in blocks_of(message):
            yield _bytes(str(message.get("role")), block)


def _bytes(place: str, block: JsonObject) -> bytes:
    unmarked = {key: value for key, value in block.items() if key != "cache_control"}
    return json.dumps([place, unmarked], ensure_ascii=False).encode("utf-8", "replace")
