"""Fault campaigns on the real program: `python bench/faults.py [--turns 500] [--agents 100]`.

    --turns     kill -9 until so many turns were struck, on Discord and Slack; counts by phase
    --agents    the same for so many turns with plans, swarms and background agents
    --messages  so many messages over --sessions sessions, with faults at --rate; prints memory

Both platforms, their people and the model run in this process; `bellhop run` in another. At the end
it judges what people saw and what a tool wrote into its ledger. Exit code 1 if anything was lost,
doubled or out of order.
"""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from figures import Figures

from bot.testing.campaign.kills import AGENTS, KINDS, kill_campaign
from bot.testing.campaign.soak import soak


async def run(given: argparse.Namespace) -> int:
    figures = Figures()
    for name, turns, kinds in (("turns", given.turns, KINDS), ("agents", given.agents, AGENTS)):
        if not turns:
            continue
        with tempfile.TemporaryDirectory() as home:
            report = await kill_campaign(
                Path(home), turns=turns, seed=given.seed, seconds=given.seconds, kinds=kinds
            )
        print("\n".join(report.lines()), flush=True)
        more = f"by {report.kills} kills"
        figures.at_least(f"{name}: struck", report.struck, turns, more=more)
        figures.at_most(f"{name}: lost, doubled or out of order", len(report.problems), 0)
    if given.messages:
        with tempfile.TemporaryDirectory() as home:
            soaked = await soak(
                Path(home),
                messages=given.messages,
                sessions=given.sessions,
                rate=given.rate,
                seed=given.seed,
                seconds=given.seconds,
            )
        print("\n".join(soaked.lines()), flush=True)
        more = f"in {soaked.sessions} sessions, {sum(soaked.faults.values())} faults"
        figures.at_least("messages", soaked.messages, given.messages, more=more)
        figures.at_most("messages: lost, doubled or out of order", len(soaked.problems), 0)
    return figures.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=500)
    parser.add_argument("--agents", type=int, default=100)
    parser.add_argument("--messages", type=int, default=10_000)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--rate", type=float, default=0.01, help="of faults, of each kind")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument(
        "--seconds", type=float, default=900, help="no new kills and no new messages after that"
    )
    sys.exit(asyncio.run(run(parser.parse_args())))


if __name__ == "__main__":
    main()
