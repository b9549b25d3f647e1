"""The phase of a message when its process died, judged by the journal and outside ledgers."""

import asyncio
import shutil
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bot.storage.home import open_database


class Phase(StrEnum):
    """The phases of a turn, in order."""

    BEFORE_ACCEPT = "before accept"
    AFTER_ACCEPT = "after accept"
    MODEL = "in the model stream"
    TOOL = "in a tool"
    AFTER_TOOL = "after the tool"
    AGENTS = "while agents work"
    INTENT = "between intent and receipt"
    PROCESSED = "after processing but before the response"


@dataclass(frozen=True)
class Left:
    """What a dead process recorded about one turn."""

    id: int
    key: str
    joined_to: int | None
    settled: bool
    steps: Mapping[str, bool]
    """Whether each step is done, by its key."""


@dataclass(frozen=True)
class Outside:
    """What the ledgers outside the process say."""

    asked: Mapping[int, int]
    ledger: Collection[str]
    visible: Collection[int]


async def read_journal(home: Path, copy: Path) -> list[Left]:
    """Read the journal from a copy: the next process needs the files as the dead one left them."""
    await asyncio.to_thread(_copy, home / "data", copy)
    database = await open_database(copy / "bellhop.db")
    try:
        turns = await database.read("SELECT id, key, joined_to, settled_at FROM inbox")
        open_steps = await database.read(
            "SELECT turn, key, state FROM steps WHERE turn IN (SELECT id FROM inbox WHERE "
            "settled_at IS NULL)"
        )
    finally:
        await database.close()
    steps: dict[int, dict[str, bool]] = {}
    for row in open_steps:
        steps.setdefault(int(row["turn"]), {})[str(row["key"])] = row["state"] == "done"
    return [
        Left(
            int(row["id"]),
            str(row["key"]),
            row["joined_to"],
            row["settled_at"] is not None,
            steps.get(row["id"], {}),
        )
        for row in turns
    ]


def _copy(data: Path, copy: Path) -> None:
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    for name in ("bellhop.db", "bellhop.db-wal"):
        if (data / name).exists():
            shutil.copy(data / name, copy / name)


def phase_of(number: int, key: str, left: Mapping[str, Left], outside: Outside) -> Phase | None:
    """Return the phase of a message; None if it was settled before."""
    turn = next((turn for known, turn in left.items() if known.endswith(key)), None)
    if turn is None:
        return Phase.BEFORE_ACCEPT
    if turn.joined_to is not None:
        turn = next((other for other in left.values() if other.id == turn.joined_to), turn)
    if turn.settled:
        return None
    begun = [key for key, done in turn.steps.items() if not done]
    if any(key.startswith("send:") for key in begun):
        return Phase.PROCESSED if number in outside.visible else Phase.INTENT
    if any(key.startswith("tool:") for key in begun):
        return Phase.AFTER_TOOL if f"end line {number}" in outside.ledger else Phase.TOOL
    if any(
        key.startswith("tool:") and "/" in key and key.partition("/")[0] not in turn.steps
        for key in turn.steps
    ):
        return Phase.AGENTS
    samples = sum(key.startswith("model:") for key in turn.steps)
    if outside.asked.get(number, 0) > samples:
        return Phase.MODEL
    return Phase.AFTER_TOOL if samples else Phase.AFTER_ACCEPT
