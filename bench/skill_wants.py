"""Whether people's words bring them to the skill for their job, in five languages.

    python bench/skill_wants.py [--show]

The wants of `skill_wants.json` were written before the phrases of skills were widened by them: at
first 67 % were served. Those of `skill_wants_fresh.json` were written after that, and their misses
were looked at when all phrases were widened once more: before, 71 % were served. Those of
`skill_wants_apart.json` were written last and avoid the words of the job, as people may; nothing is
changed for them. So they say how far a person's raw words reach. The assistant searches in words of
its own, which are nearer to the job. A want is served if its skill is the one that the note behind
the words names, or among the first three skills of that and a search with these words. It is wrong
if the note names a skill that has nothing to do with it. A third of the wants are for no skill.
Exits with 1 where a goal is missed.
"""

import asyncio
import sys
import time
from pathlib import Path

from figures import Figures

from bot.testing.wants import read_wants, skill_judged, want_house

HERE = Path(__file__).parent
GOALS = {
    "skill_wants": (90.0, 2.0),
    "skill_wants_fresh": (90.0, 2.5),
    "skill_wants_apart": (20.0, 4.0),
}
GOAL_MS = 5.0


async def main() -> int:
    figures, toolset = Figures(), (await want_house()).toolset()
    for name, (goal, wrong_goal) in GOALS.items():
        wants = read_wants(HERE / f"{name}.json")
        started = time.thread_time()
        judged = [(want, skill_judged(want, toolset)) for want in wants]
        took = (time.thread_time() - started) * 1e3 / len(wants)
        asking = [(want, verdict) for want, verdict in judged if want.finds]
        share = 100 / len(asking)
        figures.told(f"{name}: wants", f"{len(wants)}, {len(wants) - len(asking)} for no skill")
        served = sum(verdict.served for _, verdict in asking)
        figures.at_least(f"{name}: among the first three", served * share, goal, "%")
        named = sum(verdict.named in want.finds for want, verdict in asking)
        figures.told(f"{name}: named without a search", f"{named * share:.1f} %")
        wrong = sum(verdict.wrong for _, verdict in judged)
        figures.at_most(f"{name}: wrong skill named", 100 * wrong / len(wants), wrong_goal, "%")
        figures.at_most(f"{name}: both look-ups", took, GOAL_MS, "ms")
        for want, verdict in judged if "--show" in sys.argv else ():
            if verdict.wrong or (want.finds and not verdict.served):
                print(f"  {want.language} {want.text!r}: {sorted(want.finds)}, {verdict.first}")
    return figures.close()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
