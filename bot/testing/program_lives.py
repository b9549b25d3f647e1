"""A specialist program called by a process that may end at any write, for tests and bench/."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.testing.app_lives import AppLife, AppLives
from bot.testing.background_lives import furnish
from bot.testing.crash_points import CrashPoint
from bot.testing.plan_model import PlanModel, PlanStep
from bot.testing.scripted_model import call, say

SETTINGS = (
    "agents: {overrides: {scribe: {command: bellhop specialist}}}\ntools: {shell: {sandbox: "
    "none}}\n"
)
ANSWER = "It is written down."
PLANS: Mapping[str, Sequence[PlanStep]] = {
    "ask": [call("agent_scribe", {"instruction": "do:scribble"}), say(ANSWER)],
    "scribble": [call("save_fact", {"key": "colour", "value": "blue"}), say("It is written.")],
}


def furnish_program(home: Path) -> None:
    """Add an agent to the home that runs as Bellhop's shipped program."""
    furnish(home)
    (home / "bellhop.yaml").write_text(SETTINGS, encoding="utf-8")


async def play_program(home: Path, point: CrashPoint | None) -> tuple[AppLives, bool]:
    """Play one request for the scribe's program; True if the process ended at `point`.

    Raises AssertionError unless it was answered once, and the agent's cycle has one end.
    """

    async def asks(life: AppLife) -> object:
        return await life.chat.say("ann", "do:ask", key="k1")

    ends: list[int] = []

    async def looks(life: AppLife) -> object:
        rows = await life.database.read(
            "SELECT count(*) AS n FROM cycle_events WHERE type = 'agent_cycle_complete'"
        )
        return ends.append(int(rows[0]["n"]))

    lives = AppLives(home)
    crashed = await lives.play(PlanModel(PLANS, alive=lives.alive), [asks, looks], point)
    if lives.chat.texts != [ANSWER] or ends != [1]:
        raise AssertionError(f"{point}: {lives.chat.texts}, ends of the agent's cycle: {ends}")
    return lives, crashed
