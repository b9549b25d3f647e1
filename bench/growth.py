"""Whether turns stay cheap while conversations grow: `python bench/growth.py [--quick]`.

Exits with 1 where a goal is missed. Two curves: many people who talk on and on, and one
conversation whose tool results are long. The model answers at once. It makes the bytes of its
request as the real client does, but nothing sends them, so only Bellhop's own work is counted.
CPU is that of the whole process, so other programs on the machine hardly change it.
"""

import argparse
import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.domain.json_types import JsonObject
from bot.domain.models import ModelCapabilities, ModelDelta, ModelReply, ModelRequest, Unlock
from bot.llm.body_cache import BodyCache
from bot.llm.endpoint import resolve
from bot.llm.settings import ModelSettings
from bot.testing.fake_chat import FakeChat
from bot.testing.harness import Harness, running_app
from bot.testing.scripted_model import ScriptedModel, call, say

SETTINGS = "budgets: {per_guest_day_model_calls: 0, strangers_day_model_calls: 0}\n"
MOST_GROWTH = 1.2
"""How many times the CPU of its first turns a conversation's last turns may cost."""
PEOPLE, ROUNDS = 20, 80
LONG_TURNS = 80
RESULT_CHARS = 15_000
PATH = "/documents/long.md"
LINE = "A line of a long file, as many of them as fill it.\n"
MODEL = ModelCapabilities(
    Unlock.INLINE, system_notes=True, context_tokens=4_000_000, label="a model that answers"
)
"""With a window that no curve fills: a summary would make conversations short again."""


class AnsweringModel(ScriptedModel):
    """Calls a tool once in each turn, then answers; in its first turn `prepared` instead."""

    def __init__(
        self, tool: str, arguments: JsonObject, prepared: Sequence[tuple[str, JsonObject]] = ()
    ) -> None:
        super().__init__(capabilities=MODEL)
        self._call = tool, arguments
        self._prepared = list(prepared)
        self._bodies = BodyCache(resolve(ModelSettings(), lambda _: "sk-ant-bench-0123456789"))
        self.sent = 0

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        self.sent = len(self._bodies.encode(request))
        last = next(message for message in reversed(request.messages) if message["role"] == "user")
        if any(block["type"] == "tool_result" for block in last["content"]):
            return say("It is about noon, and here is the sentence that answers you.")
        return call(*(self._prepared.pop(0) if self._prepared else self._call))


@dataclass(frozen=True)
class Curve:
    """CPU milliseconds of each turn, in order, as means of a round."""

    name: str
    rounds: Sequence[float]
    last_request: int

    @property
    def first(self) -> float:
        return median(self.rounds[: self._part])

    @property
    def last(self) -> float:
        return median(self.rounds[-self._part :])

    @property
    def _part(self) -> int:
        return max(5, len(self.rounds) // 8)

    def judge(self, figures: Figures) -> None:
        step = max(1, len(self.rounds) // 10)
        points = " ".join(f"{self.rounds[at]:.1f}" for at in range(0, len(self.rounds), step))
        more = (
            f"({self.first:.1f} → {self.last:.1f} ms; requests up to {self.last_request:,} bytes)"
        )
        name = f"{self.name}: CPU of the last turns, times the first"
        figures.at_most(name, self.last / self.first, MOST_GROWTH, more=more)
        figures.told(f"{self.name}: ms of CPU, from first to last", points)


async def rounds_of(house: Harness, people: int, rounds: int) -> list[float]:
    """CPU milliseconds per turn, by round; in a round everyone says one thing in sequence."""
    for _ in range(3):
        for person in range(people):
            await house.ask_own(f"p{person}", "what time is it?")
    found: list[float] = []
    gc.collect()
    for _ in range(rounds):
        before = time.process_time()
        for person in range(people):
            await house.ask_own(f"p{person}", "what time is it?")
        found.append((time.process_time() - before) / people * 1000)
    return found


async def many(people: int, rounds: int) -> Curve:
    """Many conversations that grow side by side."""
    model = AnsweringModel("current_time", {})
    return Curve(
        f"{people} people, {rounds} turns each", await _play(model, people, rounds), model.sent
    )


async def long_results(turns: int) -> Curve:
    """One conversation that grows by a long tool result with each turn."""
    text = LINE * (RESULT_CHARS // len(LINE))
    model = AnsweringModel(
        "read_file", {"path": PATH}, [("write_file", {"path": PATH, "content": text})]
    )
    name = f"one session, {turns} results of {RESULT_CHARS:,} characters"
    return Curve(name, await _play(model, 1, turns), model.sent)


async def _play(model: AnsweringModel, people: int, rounds: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "bellhop.yaml").write_text(SETTINGS)
        async with running_app(home, model, FakeChat()) as house:
            return await rounds_of(house, people, rounds)


async def curves(*, quick: bool) -> list[Curve]:
    share = 4 if quick else 1
    return [await many(PEOPLE // share, ROUNDS // share), await long_results(LONG_TURNS // share)]


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
