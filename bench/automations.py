"""What watching costs, and what a flood does: `python bench/automations.py`.

Exits with 1 where a goal is missed.

A whole Bellhop with a fake chat. People write in one channel: first with no automation at all, then
with one that each message starts. All of the flood has to become one run that is told how many
there were.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

import uvloop

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.testing.automations import BUGS, HERE, UNASKED, house, pass_window, plant
from bot.testing.harness import Harness
from bot.testing.scripted_model import ScriptedModel, say

CONTACTS = '- {id: ann, name: Ann, role: Friend, ids: {discord: ["ann"]}}\n' + (
    '- {id: ben, name: Ben, role: Partner, ids: {discord: ["ben"]}}\n'
)
AT_ONCE = 500
MOST_MS = 1.0
"""What an event may cost more than a message that nobody watches, in milliseconds."""


async def flood(at: Harness, count: int, prefix: str) -> float:
    """Milliseconds for each of so many messages, that many of which come at the same time."""
    begun = time.perf_counter()
    for first in range(0, count, AT_ONCE):
        texts = [
            (f"bug {number}", f"discord:{prefix}{number}")
            for number in range(first, min(count, first + AT_ONCE))
        ]
        await asyncio.gather(*(at.chat.say("ben", text, key=key, **UNASKED) for text, key in texts))
    return (time.perf_counter() - begun) * 1000 / count


async def measure(count: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "contacts.yaml").write_text(CONTACTS)
        model = ScriptedModel([say("Many bugs.")])
        async with house(home, model) as at:
            await flood(at, min(count, AT_ONCE), "warm")
            plain = await flood(at, count, "plain")
            made = at.chat.message("ann", "please", **HERE)
            await plant(at.app, made, "ann", BUGS, watches="discord:w:c1")
            watched = await flood(at, count, "watched")
            await pass_window(at)
            runs = [str(request.messages) for request in model.requests]
    counted = sum(f"({count} events, gathered)" in run for run in runs)
    figures = Figures()
    figures.told("a message that nobody watches", f"{plain:.3f} ms")
    more = f"({watched:.3f} ms each, {1000 / watched:,.0f} in a second)"
    figures.at_most("an event costs more", watched - plain, MOST_MS, "ms", more)
    figures.at_most(f"runs that {count:,} events start", len(runs), 1)
    figures.at_least("runs that are told how many there were", counted, 1)
    return figures.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--events", type=int, default=10_000)
    sys.exit(uvloop.run(measure(parser.parse_args().events)))


if __name__ == "__main__":
    main()
