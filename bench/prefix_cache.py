"""What a prompt cache serves of a session of 50 turns and 8 unlocks, in each unlock mode.

    python bench/prefix_cache.py

The cache is Anthropic's: it keeps a prompt only up to the breakpoints that the body names, looks 20
blocks back from each, and forgets an entry that nobody read for as long as its breakpoint says. The
goal of 98 % holds for modes that keep the prefix, after the first request, which nothing can serve.
What these modes miss is text that is new in its request: they read nothing twice. `append` reads
its prompt anew with each unlock.
"""

import asyncio
import hashlib
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from figures import Figures
from first_request import endpoint_of

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelReply, ModelRequest, Unlock
from bot.llm.requests import encode_body, request_body
from bot.loopback.messages_api.server import PrefixCache
from bot.testing.harness import running_app
from bot.testing.plan_model import PlanModel
from bot.testing.scripted_model import CAPABILITIES, call, say

TURNS = 50
UNLOCKS = {
    3: "current_time",
    9: "manage_notes",
    15: "knowledge_search",
    20: "people",
    26: "meetings",
    32: "schedule_task",
    38: "document_versions",
    44: "search",
}
"""Turns in which a tool is found."""
GOAL = 98.0
CALLS: dict[str, JsonObject] = {
    "current_time": {"timezone": "Asia/Tokyo"},
    "manage_notes": {"action": "list", "is_agent_note": False},
    "knowledge_search": {"query": "the garden"},
    "people": {"action": "find"},
    "meetings": {"action": "find"},
    "schedule_task": {"action": "list"},
    "document_versions": {"action": "list", "path": "/documents/garden.md"},
    "search": {"query": "tomatoes"},
}
WORDS = (
    "Could you look at the plan for the garden again and tell me what is left to do before the "
    "weekend? (do:t{})"
)
ANSWER = (
    "There are two things left: the hedge has to be cut, and somebody should water the tomatoes on "
    "Friday evening. "
)
TURN_S, CALL_S = 60.0, 4.0
"""Between the messages of the person, and between the model calls of a turn."""
PAUSES = {25: 10 * 60.0, 40: 2 * 60 * 60.0}
"""In the session with pauses: before these turns the person is away for so long."""
LIFETIMES = {"5m": 5 * 60.0, "1h": 60 * 60.0}
LOOKED_BACK = 20


def plans() -> dict[str, list[ModelReply]]:
    """Every third turn calls a tool that was found; eight find one first; all end in an answer."""
    found: list[str] = []
    steps: dict[str, list[ModelReply]] = {}
    for turn in range(1, TURNS + 1):
        replies: list[ModelReply] = []
        if name := UNLOCKS.get(turn):
            found.append(name)
            replies = [call("tool_search", {"pattern": name}), call(name, CALLS[name])]
        elif turn % 3 == 0 and found:
            replies = [call(found[-1], CALLS[found[-1]])]
        steps[f"t{turn}"] = [*replies, say(ANSWER * 2)]
    return steps


@dataclass(frozen=True)
class Asked:
    """One request, by the turn that made it."""

    turn: int
    request: ModelRequest


async def session(mode: Unlock) -> list[Asked]:
    """The requests of one session."""
    model = PlanModel(
        plans(), capabilities=replace(CAPABILITIES, unlock=mode, system_notes=mode is Unlock.INLINE)
    )
    asked: list[Asked] = []
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory)
        (home / "contacts.yaml").write_text(
            '- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}\n'
        )
        async with running_app(home, model) as house:
            for turn in range(1, TURNS + 1):
                await house.ask("ann", WORDS.format(turn))
                await house.until_idle()
                asked += [Asked(turn, request) for request in model.requests[len(asked) :]]
    return asked


@dataclass
class ForgettingCache:
    """Keeps prompts up to their breakpoints, for as long as these say."""

    total: int = 0
    served: int = 0
    _kept: dict[bytes, tuple[float, float]] = field(
        default_factory=dict[bytes, tuple[float, float]]
    )
    """By the digest of a prefix: until when it is kept, and for how long after each reading."""

    def add(self, body: JsonObject, now: float) -> tuple[int, int]:
        """One request at this second: its bytes, and how many of them were kept."""
        prefixes = list(_prefixes(body))
        marked = [at for at, prefix in enumerate(prefixes) if prefix.lifetime]
        looked = {at - back for at in marked for back in range(LOOKED_BACK) if at >= back}
        hits = [at for at in looked if self._kept.get(prefixes[at].digest, (0.0, 0.0))[0] > now]
        served = prefixes[max(hits)].size if hits else 0
        for at in hits:
            _, lifetime = self._kept[prefixes[at].digest]
            self._kept[prefixes[at].digest] = (now + lifetime, lifetime)
        for at in marked:
            lifetime = prefixes[at].lifetime
            self._kept[prefixes[at].digest] = (now + lifetime, lifetime)
        self.total += prefixes[-1].size
        self.served += served
        return prefixes[-1].size, served


@dataclass(frozen=True)
class _Prefix:
    digest: bytes
    size: int
    lifetime: float
    """Seconds, where a breakpoint ends it; else 0."""


def _prefixes(body: JsonObject) -> Iterator[_Prefix]:
    """Each prefix of a prompt that ends with a block: tools, then system, then messages."""
    chain = hashlib.sha256(json.dumps([body["model"], body.get("thinking")]).encode())
    blocks: list[Any] = [tool for tool in body["tools"] if not tool.get("defer_loading")]
    blocks += body["system"]
    for message in body["messages"]:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        blocks += [{**part, "role": message["role"]} for part in parts]
    size = 0
    for at, block in enumerate(blocks):
        mark = block.get("cache_control")
        if mark is None and at == len(blocks) - 1:
            mark = body.get("cache_control")  # the automatic breakpoint follows the end
        plain = encode_body({key: value for key, value in block.items() if key != "cache_control"})
        chain.update(plain)
        size += len(plain)
        yield _Prefix(chain.digest(), size, LIFETIMES[mark.get("ttl", "5m")] if mark else 0.0)


@dataclass(frozen=True)
class Served:
    """What the cache served of a session's requests."""

    later: float
    """Percent, after the first request."""
    of_all: float
    """Percent."""
    again: int
    """Bytes that the model read although the request before had them."""


def play(mode: Unlock, asked: Sequence[Asked], pauses: dict[int, float]) -> Served:
    endpoint = endpoint_of("anthropic", mode)
    cache = ForgettingCache()
    now, turn, first, before, again = 0.0, 0, 0, 0, 0
    for one in asked:
        away = pauses.get(one.turn, 0.0) + TURN_S
        now += CALL_S if one.turn == turn else away
        turn = one.turn
        size, served = cache.add(request_body(endpoint, one.request), now)
        first, before, again = first or size, size, again + before - served
    later = 100 * cache.served / (cache.total - first)
    return Served(later, 100 * cache.served / cache.total, again)


def by_prefix(asked: Sequence[Asked]) -> float:
    """Percent that a server keeps that forgets nothing and needs no breakpoints."""
    endpoint = endpoint_of("compatible", "append")
    cache = PrefixCache()
    first, _ = cache.add(request_body(endpoint, asked[0].request))
    for one in asked[1:]:
        cache.add(request_body(endpoint, one.request))
    return 100 * cache.served / (cache.total - first)


async def main() -> int:
    figures = Figures()
    for mode in Unlock:
        asked = await session(mode)
        found = play(mode, asked, {})
        more = f"({found.of_all:.1f} % with the first request; {len(asked)} requests)"
        if mode is Unlock.APPEND:
            figures.told(f"{mode}: served", f"{found.later:.1f} % {more}")
            figures.told(f"{mode}: read twice", f"{found.again:,} bytes")
        else:
            figures.at_least(f"{mode}: served", found.later, GOAL, "%", more)
            figures.at_most(f"{mode}: read twice", found.again, 0, "bytes")
        paused = play(mode, asked, PAUSES).later
        figures.told(f"{mode}: with pauses of 10 minutes and 2 hours", f"{paused:.1f} %")
        figures.told(f"{mode}: by a server that forgets nothing", f"{by_prefix(asked):.1f} %")
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
