"""Tasks in words on sites of kinds that break browser tools, in real Chromium.

    python bench/browser_sites.py [--model] [SITE ...]

Without `--model` a stand-in plays the cheap model: it picks by the words of an instruction and
knows no site, so each instruction names its moves. With it, the model of the environment
(`ANTHROPIC_API_KEY`, and `BELLHOP_BENCH_URL` for another address) gets the tasks as a person would
say them. What counts is what the sites' servers got. Goal: 90 % without a person's help besides the
yes to what sends. Exits with 1 where it is missed. Needs Chromium.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from figures import Figures

from bot.domain.models import (
    Model,
    ModelCapabilities,
    ModelDelta,
    ModelReply,
    ModelRequest,
    ModelSize,
)
from bot.llm.build import build_model
from bot.llm.settings import ModelSettings
from bot.testing.browser_desk import browser_desk
from bot.testing.browser_sites.cases import CASES, Case
from bot.testing.browser_sites.playing import keep_receipts, play
from bot.testing.browser_sites.server import browser_sites
from bot.testing.browser_sites.stand_in import StandIn

LEAST_SHARE = 0.9
TOGETHER = 8
"""Tasks at a time with a real model, which takes seconds for each answer."""


class CountedModel:
    """Counts the requests of each task."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.asked: Counter[asyncio.Task[object] | None] = Counter()

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._model.capabilities

    def name(self, size: ModelSize) -> str:
        return self._model.name(size)

    async def close(self) -> None:
        await self._model.close()

    async def sample(
        self, request: ModelRequest, on_delta: Callable[[ModelDelta], None]
    ) -> ModelReply:
        self.asked[asyncio.current_task()] += 1
        return await self._model.sample(request, on_delta)


async def played(cases: list[tuple[int, Case]], model: Model, *, real: bool) -> Figures:
    figures, counted = Figures(), CountedModel(model)
    turns = asyncio.Semaphore(TOGETHER if real else 1)
    sites_in_use = {case.site: asyncio.Lock() for _, case in cases}
    done: list[bool] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        async with (
            browser_sites() as sites,
            browser_desk(home, model=counted, sessions=50) as desk,
        ):
            await keep_receipts(desk)

            async def one(number: int, case: Case) -> None:
                async with turns, sites_in_use[case.site]:
                    texts = case.goals if real else case.plain
                    found = await play(desk, sites, case, texts, agent=f"agent-{number}")
                asked = counted.asked[asyncio.current_task()]
                done.append(found.done)
                told = f"{'done' if found.done else 'NOT done'}, {found.calls} calls"
                why = "" if found.done else f", got {found.got}, said {found.said[-1:]}"
                figures.told(
                    case.site, f"{told}, {asked} of the model, {found.asked} asked about{why}"
                )

            if real:
                await asyncio.gather(*(one(number, case) for number, case in cases))
            else:
                for number, case in cases:
                    await asyncio.create_task(one(number, case))
    figures.told("calls of the model", str(counted.asked.total()))
    figures.at_least("share of the tasks done", sum(done) / max(1, len(done)), LEAST_SHARE)
    return figures


async def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", action="store_true")
    parser.add_argument("site", nargs="*")
    given = parser.parse_args()
    cases = [one for one in enumerate(CASES) if not given.site or one[1].site in given.site]
    model: Model = StandIn()
    if given.model:
        url = os.environ.get("BELLHOP_BENCH_URL", "")
        settings = ModelSettings.model_validate({"provider": "anthropic", "base_url": url})
        model = build_model(settings, os.environ.get)
    return (await played(cases, model, real=given.model)).close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
