"""Fault campaigns against the real program: `python bench/faults.py [--turns 500] [--messages 10000]`.

--turns     kill -9 until so many turns were struck, on Discord and Slack at once; prints how many in which phase
--messages  so many messages over --sessions sessions, with faults at --rate; prints memory as it goes

Both platforms, their people and the model run in this process; `bellhop run` in another. What people see and what a
tool wrote into its ledger is judged at the end. Exit code 1 when anything was lost, doubled or out of order.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bot.testing.campaign.kills import kill_campaign


async def run(given: argparse.Namespace) -> bool:
    fine = True
    if given.turns:
        with tempfile.TemporaryDirectory() as home:
            report = await kill_campaign(Path(home), turns=given.turns, seed=given.seed, seconds=given.seconds)
        print("\n".join(report.lines()))
        fine = not report.problems and report.struck >= given.turns
    return fine


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--seconds", type=float, default=900, help="no new kills and no new messages after that")
    sys.exit(0 if asyncio.run(run(parser.parse_args())) else 1)


if __name__ == "__main__":
    main()
