"""What a turn holds is freed at its end, by reference counts alone.

A cycle would keep each turn's history and texts until a full collection, and those cost a tenth of
the CPU time at a hundred sessions.
"""

import gc
from pathlib import Path

from bot.agents.loop.run import Run
from bot.testing.harness import running_app
from bot.testing.scripted_model import ScriptedModel, call, say
from bot.turns.journal import JournalTurn


def alive() -> list[object]:
    return [one for one in gc.get_objects() if type(one) in {Run, JournalTurn}]


async def test_a_turn_with_a_tool_call_needs_no_collection(home: Path):
    scripted = ScriptedModel([call("current_time", {}), say("Nine.")], strict=True)
    async with running_app(home, scripted) as house:
        gc.collect()
        earlier = alive()  # what is left of earlier tests in this process
        gc.disable()
        try:
            assert await house.ask("ann", "what time is it?") == "Nine."
            await house.until_idle()
            assert [one for one in alive() if not any(one is old for old in earlier)] == []
        finally:
            gc.enable()
