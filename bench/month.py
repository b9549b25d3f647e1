"""A month of a team: `python bench/month.py`.

Exits with 1 when a secret leaks, is lost, or is found after `forget`.

A whole Bellhop on a fake clock, with models that repeat everything they see. Each day people open
sessions in direct messages, private and public channels and tell something of significance 5; each
night is measured. At the end people ask for what they told, and forget some of it. Tokens are
estimated as four bytes each, priced by the options.
"""

import argparse
import asyncio
import json
import logging
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.domain.access import Role
from bot.domain.messages import Place
from bot.domain.models import ModelRequest
from bot.testing.app_lives import AppLife
from bot.testing.memory_town import PLACES, Event, Telling, Town
from bot.testing.plan_model import PlanStep
from bot.testing.scripted_model import calls, say

MOST_NIGHT_S = 20.0
ROLES = (Role.FRIEND, Role.PARTNER, Role.BUSINESS, Role.FRIEND, Role.GUEST)
TOLD = (Telling.FACT, Telling.HABIT, Telling.CORRECTION, Telling.SHARED)
OF_ALL = ("memory:shared:", "memory:agent:")
"""What a member taught everybody is not theirs alone to remove: a MasterAdmin does that."""
_WAITS = re.compile(r"waiting for approval (\w+) ")
"""Text from outside is in the conversation: the person says yes."""
_ID = re.compile(r'\{"id": "([^"]+)"[^{}]*?"text": "([^"]*)"')


@dataclass(frozen=True)
class Night:
    """What one pass took."""

    seconds: float
    cpu: float
    """Seconds of the processor; on a busy machine the others are mostly waiting."""
    requests: int
    tokens: int


async def ask(town: Town, life: AppLife, person: int, secret: int, *steps: PlanStep) -> list[str]:
    """Look for a secret in a DM, then take further steps; returns ids that `remember` showed."""
    number, before = len(town.events), len(town.model.requests)
    town.events.append(Event(person, "dm", town.roles[person].rank, public=False))
    remember = calls(("remember", {"query": f"codeword zq-{secret}", "limit": 50}))
    town.plans[f"e{number}"] = (remember, *steps, say("Done."))
    await life.chat.say(
        f"p{person}", f"do:e{number}.", where=f"p{person}", place=Place.DM, key=f"e{number}"
    )
    await life.settle()
    return [
        id_ for request in town.model.requests[before:][1:2] for id_ in shown_of(request, secret)
    ]


def shown_of(request: ModelRequest, secret: int) -> list[str]:
    """Ids in the last tool results whose text holds a secret."""
    text = json.dumps(request.messages[-2:], ensure_ascii=False).replace("\\", "")
    return [id_ for id_, shown in _ID.findall(text) if re.search(rf"zq-{secret}\b", shown)]


def forgetting(secret: int) -> PlanStep:
    return lambda request: calls(
        ("forget", {"ids": shown_of(request, secret)[:50] or ["memory:user:none"]})
    )


def taken(town: Town, since: int, began: tuple[float, float]) -> Night:
    requests = town.model.structured[since:]
    size = sum(len(json.dumps([one.system, one.messages])) for one in requests)
    return Night(
        time.perf_counter() - began[0], time.process_time() - began[1], len(requests), size // 4
    )


async def month(town: Town, life: AppLife, options: argparse.Namespace) -> list[Night]:
    random, nights, made = Random(options.seed), list[Night](), 0  # noqa: S311
    for day in range(options.days):
        until = options.sessions * (day + 1) // options.days
        while made < until:
            made += 1
            person, where = random.randrange(options.people), random.choice(PLACES)
            await town.write(life, person, where, random.choices(TOLD, (6, 2, 2, 1))[0])
            await town.lives.clock.advance(31 * 60 if made % 20 == 0 else 1)
        began, since = (time.perf_counter(), time.process_time()), len(town.model.structured)
        await town.night(life)
        nights.append(taken(town, since, began))
        print(
            f"day {day + 1:2}: {made} sessions, night {nights[-1].seconds:.1f} s", file=sys.stderr
        )
    return nights


async def kept_and_forgotten(
    town: Town, life: AppLife, options: argparse.Namespace
) -> tuple[int, int, int, int]:
    """Of secrets asked for: found, asked; of those forgotten: found again, forgotten."""
    random, told = Random(options.seed), len(town.events)  # noqa: S311
    asked = random.sample(range(told), min(options.asked, told))
    found = 0
    for secret in asked:
        seen = bool(await ask(town, life, town.events[secret].person, secret))
        found += seen
        if not seen:
            print(f"lost: zq-{secret}, {town.events[secret]}")
    gone = [secret for secret in asked if town.events[secret].how is not Telling.SHARED][
        : options.forgotten
    ]
    for secret in gone:
        person = town.events[secret].person
        await ask(town, life, person, secret, forgetting(secret))
        if waits := _WAITS.search(json.dumps(town.model.requests[-1].messages[-2:])):
            await life.chat.command(
                f"p{person}", "approve", waits[1], where=f"p{person}", place=Place.DM
            )
            await life.settle()
    again = 0
    for secret in gone:
        person = town.events[secret].person
        await life.chat.command(f"p{person}", "new", where=f"p{person}", place=Place.DM)
        await life.settle()
        shown = await ask(town, life, person, secret)
        again += any(not id_.startswith(OF_ALL) for id_ in shown)
    return found, len(asked), again, len(gone)


async def run(figures: Figures, options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "bellhop.yaml").write_text(
            "budgets: {per_guest_day: {model_calls: 0}, strangers_day: {model_calls: 0}}\n"
        )
        town = Town(home, [ROLES[number % len(ROLES)] for number in range(options.people)])
        async with town.lives.life(town.model) as life:
            nights = await month(town, life, options)
            leaks, pairs = town.leaks(), town.pairs()
            found, asked, again, gone = await kept_and_forgotten(town, life, options)
        sizes = sorted(path.stat().st_size for path in (home / "memory").rglob("*_memory.md"))
        shared = {
            path.name: path.stat().st_size for path in (home / "memory").glob("*_long_term.md")
        }
    tokens = sum(night.tokens for night in nights)
    slowest = max(nights, key=lambda night: night.seconds)
    took = f"{slowest.seconds:.1f} s in all, {slowest.requests} requests, {len(nights)} nights"
    figures.at_most("slowest night, CPU", slowest.cpu, MOST_NIGHT_S, "s", f"({took})")
    figures.told("tokens read", f"{tokens:,}, {tokens // len(nights):,} a night")
    figures.told("cost", f"${tokens * options.price / 1e6:.2f} at ${options.price} for a million")
    figures.told(
        "user tiers",
        f"{len(sizes)}, median {sizes[len(sizes) // 2]:,} bytes, largest {sizes[-1]:,}",
    )
    others = ", ".join(f"{name} {size:,}" for name, size in sorted(shared.items()))
    figures.told("other tiers, bytes", others)
    figures.at_most(f"leaks in {pairs:,} pairs of two people", len(leaks), 0)
    figures.at_least("found of what was asked for", found, asked)
    figures.at_most(f"found again of {gone} forgotten", again, 0)
    for leak in leaks[:10]:
        print("leak:", leak)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (
        ("people", 40),
        ("sessions", 2_000),
        ("days", 30),
        ("asked", 300),
        ("forgotten", 40),
    ):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--price", type=float, default=1.0, help="dollars for a million tokens that are read"
    )
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    figures = Figures()
    asyncio.run(run(figures, options))
    return figures.close()


if __name__ == "__main__":
    sys.exit(main())
