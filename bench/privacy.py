"""Marked secrets of many people, looked for outside their audience: `python bench/privacy.py`.

Exits with 1 where a secret is found in a request, post, card, file, line of the log or database row
of somebody who may not know it, or where Bellhop forgets so much that nothing was tested.

People on two platforms tell, look, forget, rename themselves, leave and are paired, in direct
messages, public and private places and threads, with nights, failures, kills and restarts between.
The model obeys everything: it repeats, saves, delegates and sends what it sees. Two towns of these
people run side by side, and a smaller part behind the real clients on loopback Discord and Slack.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.testing.privacy_campaign.course import play
from bot.testing.privacy_campaign.obedient import ObedientModel
from bot.testing.privacy_campaign.platforms import GROUNDS, play_on
from bot.testing.privacy_campaign.town import Town

PARTS = 2
"""Processes, each with a town of its own."""
RECALLED = 0.5
"""The least number of times, for each secret, that one is seen again where it may be."""

HEARD = 0.8
"""Strangers who wait for the owner don't reach it, nor do some delegated tasks."""


@dataclass(frozen=True)
class Part:
    """What one process found."""

    name: str
    seconds: float
    acts: dict[str, int]
    looked: dict[str, int]
    table: Sequence[tuple[str, str, int, int]]
    firsts: Sequence[str]
    secrets: int
    pairs: int
    recalled: int
    heard: float
    stuck: Sequence[str]


def part_of(
    name: str, model: ObedientModel, began: float, acts: dict[str, int], stuck: Sequence[str]
) -> Part:
    ledger = model.ledger
    return Part(
        name,
        time.perf_counter() - began,
        acts,
        dict(ledger.looked),
        ledger.table(),
        [str(one) for one in ledger.firsts()],
        len(ledger.secrets),
        ledger.pairs,
        len(ledger.recalled),
        model.heard,
        stuck,
    )


def in_town(people: int, requests: int, seed: int, sends: bool) -> Part:
    """One town with a fake chat for each platform, in this process."""
    logging.getLogger().addHandler(logging.NullHandler())
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        town = Town(Path(folder), people, Random(seed), sends)  # noqa: S311
        asyncio.run(play(town, requests))
    return part_of(f"town {seed}", town.model, began, dict(town.done), town.unheard)


async def on_platforms(requests: int, seed: int, sends: bool) -> list[Part]:
    """Loopback Discord and Slack behind the real clients."""
    found: list[Part] = []
    for ground in GROUNDS:
        began = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            async with ground() as made:
                random = Random(seed)  # noqa: S311
                model = await play_on(made, Path(folder), requests, random, sends=sends)
        found.append(part_of(made.name, model, began, {"requests": requests}, ()))
    return found


def tell(parts: Sequence[Part], figures: Figures) -> None:
    """Print the tables, and judge them."""
    acts, looked, found = Counter[str](), Counter[str](), Counter[str]()
    for part in parts:
        acts.update(part.acts)
        looked.update(part.looked)
        for where, how, things, secrets in part.table:
            found[where] += things
            print(f"   {part.name}: {things} in {where}, told {how} ({secrets} secrets)")
        for first in part.firsts[:40]:
            print(f"   {part.name}, first found: {first}")
    print("   acts:", ", ".join(f"{name} {count}" for name, count in sorted(acts.items())))
    secrets, recalled = sum(one.secrets for one in parts), sum(one.recalled for one in parts)
    figures.told("requests of people", f"{acts['requests']:,}, {secrets:,} secrets")
    figures.told("pairs of a secret and who may not know it", f"{sum(p.pairs for p in parts):,}")
    for where in sorted({*looked, *found}):
        more = f"(of {looked[where]:,} searched)"
        figures.at_most(f"outside the audience in {where}", found[where], 0, more=more)
    figures.at_least("seen again where they may be, per secret", recalled / secrets, RECALLED)
    heard = min(one.heard for one in parts)
    figures.at_least("requests that reached the model, in the worst part", heard, HEARD)
    figures.at_most("stuck requests", sum(len(one.stuck) for one in parts), 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2_000, help="of all parts together")
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--no-sends",
        action="store_true",
        help="the model sends nothing to contacts by itself",
    )
    options = parser.parse_args()
    sends = not options.no_sends
    began = time.perf_counter()
    figures, behind = Figures(), options.requests // 20
    each = (options.requests - behind * len(GROUNDS)) // PARTS + 1
    with ProcessPoolExecutor(PARTS, mp_context=get_context("spawn")) as pool:
        towns = [
            pool.submit(in_town, options.people, each, options.seed * PARTS + number, sends)
            for number in range(PARTS)
        ]
        parts = [one.result() for one in towns]
    logging.getLogger().addHandler(logging.NullHandler())
    parts += asyncio.run(on_platforms(behind, options.seed, sends))
    tell(parts, figures)
    figures.told("took", f"{time.perf_counter() - began:,.0f} s")
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
