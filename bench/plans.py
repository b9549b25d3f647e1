"""Whether a plan survives the end of the process at every write, and what a planned request costs beside a plain one.

    python bench/plans.py [--rounds 5]

The workers of the first are scripted and the journal is real: a retry, a replan, a sub-plan and a task that its person
adds. After each end a second process must bring the plan to the same result, and repeat nothing whose result was kept.
"""

import argparse
import asyncio
import json
import logging
import tempfile
from pathlib import Path

from bot.testing.crash_points import crash_points
from bot.testing.plan_lives import play


async def campaign(folder: Path, rounds: int) -> None:
    """End the process before and after every write, `rounds` times."""
    points = list(crash_points(await play(folder, "calm.db", None)))
    wrong: list[str] = []
    for turn in range(rounds):
        for number, point in enumerate(points):
            try:
                await play(folder, f"{turn}-{number}.db", point)
            except AssertionError as error:
                wrong.append(str(error))
            (folder / f"{turn}-{number}.db").unlink()
    print(json.dumps({"ends of the process": rounds * len(points), "ended otherwise": len(wrong)}))
    for line in wrong:
        print(line)


def main() -> None:
    options = argparse.ArgumentParser(description="A plan in processes that end at every write.")
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    logging.getLogger("asyncio").disabled = True  # writes of a process that is gone, which nobody waits for
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(campaign(Path(name), given.rounds))


if __name__ == "__main__":
    main()
