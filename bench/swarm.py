"""Ends the process at every write of a swarm, life after life, and judges the outcome.

    python bench/swarm.py

Every crash must leave one whole answer, and no ant may take more model calls than the one that was
under way.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from figures import Figures

from bot.testing.crash_points import CrashPoint, crash_points
from bot.testing.swarm_lives import SwarmLives
from bot.testing.tools import NO_SANDBOX

WHOLE = {"w1": 3, "w2": 2, "w3": 1}
CONTACTS = '- {id: ben, name: Ben, role: Partner, ids: {discord: ["ben"]}}\n'


async def one(point: CrashPoint | None) -> tuple[SwarmLives, bool, str]:
    """One request; whether the process went, and what is wrong with its end.

    Ants work side by side, so a write may come in another order and the point not be reached.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "contacts.yaml").write_text(CONTACTS)
        (home / "bellhop.yaml").write_text(NO_SANDBOX)
        lives = SwarmLives(home)
        crashed = await lives.play(point)
        texts, asked = lives.lives.chat.texts, lives.asked
        if len(texts) != 1 or not texts[0].startswith(
            "3 of 3 ants verified. The agents used 600 tokens in, 120 out."
        ):
            return lives, crashed, f"the answers are {texts}"
        if any(not WHOLE[ant] <= asked[ant] <= WHOLE[ant] + 1 for ant in WHOLE):
            return lives, crashed, f"the ants took {dict(asked)} model calls"
        return lives, crashed, ""


async def campaign() -> int:
    whole, _, problem = await one(None)
    points = list(crash_points(whole.lives.commits))
    wrong = [problem] if problem else []
    struck = 0
    for point in points:
        _, crashed, problem = await one(point)
        struck += crashed
        if problem:
            wrong.append(f"{point.moment} {point.name}: {problem}")
    print(*wrong, sep="\n")
    figures = Figures()
    figures.told("ends of the process", f"{len(points)}, of these {struck} reached")
    figures.at_most("wrong outcomes", len(wrong), 0)
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(campaign()))
