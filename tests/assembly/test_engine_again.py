"""A process that others took for dead joins them again."""

from typing import cast

import pytest

from bot.assembly.tasks import run_engine
from bot.domain.turns import Apologise, RunTurn
from bot.errors import ClaimLost, StorageError
from bot.sessions.turn.runner import TurnRunner
from bot.turns.engine import TurnEngine


class Frozen:
    """An engine that stood still twice, and then can't store any more."""

    run_turn = apologise = None

    def __init__(self) -> None:
        self.giving_up = self
        self.ends: list[Exception] = [
            ClaimLost("others took this one for dead"),
            ClaimLost("others took this one for dead"),
            StorageError("the disk is full"),
        ]

    async def run(self, run_turn: RunTurn, apologise: Apologise) -> None:
        raise self.ends.pop(0)


async def test_an_engine_starts_again_after_fencing_and_ends_after_other_failures():
    engine = Frozen()
    with pytest.raises(StorageError, match="the disk is full"):
        await run_engine(cast("TurnEngine", engine), cast("TurnRunner", engine))
    assert engine.ends == []
