"""Tasks handed from one person to another in a thread: finished without asking, and leaks.

    python bench/handover.py [tasks]

Each task hides two things that must not come along: one of the first person's notes, something that
only their role may see, or a secret that a tool repeated. Goal: all finished, nothing leaked.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from bot.testing.handover_town import finish_tasks

TASKS = 20


async def main(tasks: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        done = await finish_tasks(Path(folder), tasks)
    print(
        f"{done.tasks} tasks begun by one and taken up by another: {done.finished} finished "
        "without asking"
    )
    print(
        f"{done.leaks} requests held what belongs to the first; {done.withheld} said that "
        "something is withheld"
    )
    return done.finished == done.tasks and not done.leaks


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else TASKS)) else 1)
