"""Whether turns stay cheap while conversations grow: `python bench/growth.py [--quick]`.

Exits with 1 where a goal is missed. Two curves: many people who talk on and on, and one
conversation whose tool results are long. In the end newcomers speak in turns with those whose
conversations have grown, so that both are measured in the same minute of the same process.

The real client sends each request to a loopback model in another process. After each round the
SDK's bare HTTP client sends bodies of the same sizes to the same server. What a turn takes beyond
that is Bellhop's own, and must not grow. CPU is that of this process.
"""

import argparse
import asyncio
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import anthropic
from answering import ANSWERING
from figures import Figures

from bot.clock import SystemClock
from bot.domain.json_types import JsonObject
from bot.llm.anthropic_model import AnthropicModel
from bot.llm.endpoint import resolve
from bot.llm.sdk_transport import Response
from bot.llm.settings import ModelSettings
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app

SERVER = Path(__file__).parent / "loopback" / "model_server.py"
SETTINGS = "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
MOST_GROWTH = 1.2
"""How many times the CPU of its first turns a conversation's last turns may cost."""
PEOPLE, ROUNDS = 20, 80
LONG_TURNS = 80
PAIRS = 12
RESULT_CHARS = 15_000
PATH = "/documents/long.md"
LINE = "A line of a long file, as many of them as fill it.\n"
WARM_TURNS = 3


class MeasuredModel(AnthropicModel):
    """The real client, which notes the sizes of its bodies."""

    def __init__(self, url: str) -> None:
        settings = ModelSettings(provider="anthropic", base_url=url)
        endpoint = resolve(settings, lambda _: "sk-ant-bench-0123456789")
        super().__init__(replace(endpoint, capabilities=ANSWERING), SystemClock())
        self.sizes: list[int] = []

    async def _open(self, body: Sequence[bytes]) -> Response:
        self.sizes.append(sum(map(len, body)))
        return await super()._open(body)


class BareClient:
    """Sends bodies and reads the answers, with the SDK's HTTP client as Bellhop does."""

    def __init__(self, url: str) -> None:
        self._http = anthropic.DefaultAioHttpClient()
        self._url = f"{url}/v1/messages"

    async def send(self, body: bytes) -> None:
        async with self._http.stream("POST", self._url, content=body) as response:
            assert response.is_success
            async for _ in response.aiter_bytes():
                pass

    async def close(self) -> None:
        await self._http.aclose()


def body_of(size: int) -> bytes:
    """A request body of about this size."""
    text = "x" * (size - 250)
    message = {"role": "user", "content": [{"type": "text", "text": text}]}
    body = {"model": "bench", "max_tokens": 1_000, "messages": [message], "tools": []}
    return json.dumps({**body, "stream": True}).encode()


@dataclass(frozen=True)
class Round:
    """CPU milliseconds per turn in which each of some people says one thing."""

    whole: float
    sending: float
    """What the bare client takes for the same bodies."""

    @property
    def own(self) -> float:
        return self.whole - self.sending


@dataclass
class Curve:
    """How the cost of a turn changes while conversations grow."""

    name: str
    rounds: list[Round] = field(default_factory=list[Round])
    new: list[Round] = field(default_factory=list[Round])
    """Rounds of newcomers, each beside one of `grown`."""
    grown: list[Round] = field(default_factory=list[Round])
    last_request: int = 0

    def judge(self, figures: Figures) -> None:
        first, last = (median(one.own for one in rounds) for rounds in (self.new, self.grown))
        more = f"({first:.1f} → {last:.1f} ms; requests up to {self.last_request:,} bytes)"
        name = f"{self.name}: own CPU of a turn, times that of newcomers"
        figures.at_most(name, last / first, MOST_GROWTH, more=more)
        sending = " → ".join(
            f"{median(one.sending for one in rounds):.1f}" for rounds in (self.new, self.grown)
        )
        figures.told(f"{self.name}: what a bare client takes to send the same", f"{sending} ms")
        step = max(1, len(self.rounds) // 10)
        points = " ".join(f"{one.own:.1f}" for one in self.rounds[::step])
        figures.told(f"{self.name}: own ms of CPU, from first to last", points)


@dataclass
class Town:
    """People who say one thing each, and a bare client that sends what that made Bellhop send."""

    house: Harness
    model: MeasuredModel
    bare: BareClient

    async def round(self, people: Sequence[str]) -> Round:
        self.model.sizes.clear()
        began = time.process_time()
        for person in people:
            await self.house.ask_own(person, "what time is it?")
        await self.house.until_idle()
        whole = time.process_time() - began
        bodies = [body_of(size) for size in self.model.sizes]
        began = time.process_time()
        for body in bodies:
            await self.bare.send(body)
        sending = time.process_time() - began
        return Round(whole / len(people) * 1000, sending / len(people) * 1000)

    async def play(self, curve: Curve, people: int, rounds: int) -> None:
        old, new = ([f"{kind}{number}" for number in range(people)] for kind in ("old", "new"))
        for _ in range(WARM_TURNS):
            await self.round(old)
        gc.collect()
        curve.rounds = [await self.round(old) for _ in range(rounds)]
        for _ in range(WARM_TURNS):
            await self.round(new)
        for _ in range(PAIRS):
            curve.new.append(await self.round(new))
            curve.grown.append(await self.round(old))
        curve.last_request = self.model.sizes[-1]


async def many(people: int, rounds: int) -> Curve:
    """Many conversations that grow side by side."""
    name = f"{people} people, {rounds} turns each"
    return await _play(name, [("current_time", {})], people, rounds)


async def long_results(turns: int) -> Curve:
    """One conversation that grows by a long tool result with each turn."""
    text = LINE * (RESULT_CHARS // len(LINE))
    calls = [("write_file", {"path": PATH, "content": text}), ("read_file", {"path": PATH})]
    name = f"one session, {turns} results of {RESULT_CHARS:,} characters"
    return await _play(name, calls, 1, turns)


async def _play(name: str, calls: list[tuple[str, JsonObject]], people: int, rounds: int) -> Curve:
    curve = Curve(name)
    with model_server(calls) as url, tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "bellhop.yaml").write_text(SETTINGS)
        model, bare = MeasuredModel(url), BareClient(url)
        try:
            async with running_app(home, model, FakeChat()) as house:
                await Town(house, model, bare).play(curve, people, rounds)
        finally:
            await bare.close()
    return curve


@contextmanager
def model_server(calls: list[tuple[str, JsonObject]]) -> Generator[str]:
    """A loopback model in a process of its own that makes these calls; gives its URL."""
    server: Any = subprocess.Popen(
        [sys.executable, str(SERVER), json.dumps(calls)], stdout=subprocess.PIPE, text=True
    )
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()


async def curves(*, quick: bool) -> list[Curve]:
    share = 4 if quick else 1
    return [
        await many(PEOPLE // share, ROUNDS // share),
        await long_results(LONG_TURNS // share),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="a quarter of the people and of the turns"
    )
    figures = Figures()
    for curve in asyncio.run(curves(quick=parser.parse_args().quick)):
        curve.judge(figures)
    sys.exit(figures.close())


if __name__ == "__main__":
    main()
